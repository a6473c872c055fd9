"""Every name that the notation gives for a symbol exists in the library, and the chapters use every symbol."""

import inspect
import re
from dataclasses import fields, is_dataclass

import pytest

import sga
from press.structure import ROOT, toc_notebooks

NOTATION = (ROOT / "book" / "appendix" / "notation.md").read_text(encoding="utf-8")
#: The symbols of the text alone.
UNNAMED = {"u_i", "Q", "U", r"\tau", r"\lambda", "g_T", r"\mathcal F_k", "M_{k+1}", r"\delta_k"}
#: What the chapters write in other words.
SPELLED = {r"\lVert f\rVert^2"}
GREEK = re.compile(r"(?<![a-z])(theta|beta|sigma|gamma|rho|pi|xi|eta|tau|alpha|lambda|delta)(?![a-z])")
ROW = re.compile(r"^\| (?P<symbol>\$.+?\$) \| (?:`(?P<name>[^`]+)`|–) \| (?P<meaning>.+) \| (?P<range>.+) \|$")


def rows():
    """Returns the rows of the notation table."""
    table = [line for line in NOTATION.splitlines() if line.startswith("|")][2:]
    return [(line, ROW.match(line)) for line in table]


def names():
    """Returns the names in code of the table."""
    return [match["name"] for _, match in rows() if match and match["name"]]


def prose_names():
    """Returns the names in code above the table that are more than one word."""
    above = NOTATION.partition("| symbol |")[0]
    return [name for name in re.findall(r"`([^`]+)`", above) if "." in name or "(" in name]


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


@pytest.mark.parametrize("name", [*names(), *prose_names()])
def test_a_name_in_code_exists_in_the_library(name):
    find(name)


def test_a_greek_letter_in_a_name_is_that_of_the_symbol():
    pairs = [(match["symbol"], match["name"]) for _, match in rows() if match["name"]]
    strange = [(symbol, name) for symbol, name in pairs if not set(GREEK.findall(name)) <= set(GREEK.findall(symbol))]
    assert strange == []
    assert sum(bool(GREEK.search(name)) for _, name in pairs) >= 8


def test_the_symbols_without_a_name_are_those_of_the_text_alone():
    assert {match["symbol"].strip("$") for _, match in rows() if not match["name"]} == UNNAMED


def test_the_chapters_use_every_symbol():
    used = "".join(path.read_text(encoding="utf-8") for path in toc_notebooks()).replace("\\\\", "\\")
    symbols = {symbol for _, match in rows() for symbol in re.findall(r"\$([^$]+)\$", match["symbol"])}
    assert {symbol for symbol in symbols if symbol not in used} == SPELLED


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
    without_symbol = {"sample", "from_normals", "in_units_of_noise"}
    assert {f"Model.{name}" for name in public - without_symbol} <= set(names())
