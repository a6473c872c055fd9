"""What docstrings point to exists: equations and claims of the book, and the page on which each module stands."""

import inspect
import json
import re
import tomllib

import pytest

from library import FUNCTIONS, MODULES, PUBLIC, parameters
from press.pages.docstrings import linked, sources, with_links
from press.structure import ROOT, toc_files

NAMED = {name: sources(inspect.getdoc(thing) or "") for name, thing in PUBLIC.items()}
NAMED = {name: found for name, found in NAMED.items() if any(found)}


def cells(kind):
    """The texts of the book: cells of this kind, and pages among the Markdown."""
    for path in toc_files():
        if path.suffix == ".ipynb":
            notebook = json.loads(path.read_text(encoding="utf-8"))
            yield from ("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind)
        elif kind == "markdown":
            yield path.read_text(encoding="utf-8")


EQUATIONS = {label for text in cells("markdown") for label in re.findall(r"\$\$ *\(eq:([\w-]+)\)", text)}
CLAIMS = {name for text in cells("code") for name in re.findall(r'\bclaim\(\s*"([\w.-]+)"', text)}
CLAIMS |= {claim["id"] for claim in tomllib.loads((ROOT / "book/claims.toml").read_text(encoding="utf-8"))["claim"]}


def described(doc):
    """The arguments that the section Args of a docstring describes."""
    section = re.search(r"^Args:\n((?:[ ]+.*\n?|\n)*)", doc, re.MULTILINE)
    lines = re.findall(r"^    (\w+(?:, \w+)*): \S", section[1], re.MULTILINE) if section else []
    return [name for line in lines for name in line.split(", ")]


def test_there_is_something_to_compare():
    assert len(NAMED) >= 20
    assert len(EQUATIONS) > 250
    assert len(CLAIMS) > 150


@pytest.mark.parametrize("name", NAMED)
def test_the_equations_and_claims_that_a_docstring_names_exist(name):
    labels, ids = NAMED[name]
    assert set(labels) <= EQUATIONS
    assert set(ids) <= CLAIMS


@pytest.mark.parametrize("name", [name for name, thing in FUNCTIONS.items() if "Args:\n" in inspect.getdoc(thing)])
def test_the_docstring_of_a_function_describes_its_arguments_in_their_order(name):
    assert sorted(described(inspect.getdoc(FUNCTIONS[name]))) == sorted(parameters(FUNCTIONS[name]))


def test_an_argument_that_is_only_mentioned_is_not_described():
    doc = "Weights at beta.\n\nArgs:\n    q, r: query,\n        at beta: one.\n    x: tokens.\n\nReturns:\n    a: b."
    assert described(doc) == ["q", "r", "x"]


def test_every_public_module_stands_on_the_page_of_the_library():
    page = (ROOT / "book/appendix/api.md").read_text(encoding="utf-8")
    shown = re.findall(r"automodule:: sga\.(\w+)", page)
    assert sorted(shown) == sorted(name for name in MODULES if name[0] != "_")


def test_equations_and_claims_become_references():
    text = "Source: claims T2, A8.law and B3; the book's equations (sga), (ode-apt) and (x); see (1951)."
    assert linked(text) == (
        "Source: claims T2, :claim:`A8.law` and :claim:`B3`; "
        "the book's equations :eq:`eq:sga`, :eq:`eq:ode-apt` and :eq:`eq:x`; see (1951)."
    )


def test_a_source_may_go_over_lines_and_other_text_is_left_alone():
    lines = [
        "As equation (a) says.",
        "",
        "Source: the book's equation (a); claims B1",
        "and B2.",
        "",
        "    x: y.",
    ]
    assert with_links(lines) == [
        *("As equation (a) says.", "", "Source: the book's equation :eq:`eq:a`; claims :claim:`B1` and :claim:`B2`."),
        *("", "    x: y."),
    ]
