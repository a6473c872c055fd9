"""Every name that the notation table gives for a symbol exists in the library."""

import inspect
import re
from dataclasses import fields, is_dataclass

import pytest

import sga
from press.structure import ROOT

ROW = re.compile(r"^\| (?P<symbol>\$.+?\$) \| (?:`(?P<name>[^`]+)`|–) \| (?P<meaning>.+) \| (?P<range>.+) \|$")


def rows():
    """Returns the rows of the notation table."""
    lines = (ROOT / "book" / "appendix" / "notation.md").read_text(encoding="utf-8").splitlines()
    table = [line for line in lines if line.startswith("|")][2:]
    return [(line, ROW.match(line)) for line in table]


def names():
    """Returns the names in code of the table."""
    return [match["name"] for _, match in rows() if match and match["name"]]


def find(name):
    """Returns what `name` means in the library; raises LookupError if it means nothing."""
    path, _, argument = name.rstrip(")").partition("(")
    found = sga
    for part in path.split("."):
        if is_dataclass(found) and part in {field.name for field in fields(found)}:
            found = part
        elif hasattr(found, part):
            found = getattr(found, part)
        else:
            raise LookupError(f"{name}: no {part}")
    if argument and argument not in inspect.signature(found).parameters:
        raise LookupError(f"{name}: no argument {argument}")
    return found


def test_every_row_of_the_table_is_well_formed():
    assert [line for line, match in rows() if not match] == []
    assert len(names()) >= 25


@pytest.mark.parametrize("name", names())
def test_a_name_in_code_exists_in_the_library(name):
    find(name)


@pytest.mark.parametrize("name", ["Model.size", "Model.sample(direction)", "weight", "Limit.mass.slope"])
def test_a_name_that_does_not_exist_is_found_out(name):
    with pytest.raises(LookupError):
        find(name)


def test_no_symbol_and_no_name_is_listed_twice():
    symbols = [match["symbol"] for _, match in rows()]
    assert len(symbols) == len(set(symbols))
    assert len(names()) == len(set(names()))


def test_every_attribute_of_a_model_is_in_the_table():
    public = {name for name in dir(sga.Model) if not name.startswith("_")} | {f.name for f in fields(sga.Model)}
    assert {f"Model.{name}" for name in public - {"sample"}} <= set(names())
