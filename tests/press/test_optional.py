"""A notebook may need an optional extra of the library: without it the notebook is skipped, never half executed."""

import re
import tomllib

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from books import edit, nbval
from press.commands.refresh import attempt
from press.execution import METADATA
from press.structure import ROOT, code_cells, unmet

CHAPTER = "book/part/chapter"
EXTRAS = tomllib.loads((ROOT / "lib" / "pyproject.toml").read_text(encoding="utf-8"))["project"].get(
    "optional-dependencies", {}
)
OPTIONAL = {"torch"}


def needing(*modules, cells=()):
    """Returns a notebook that needs `modules`."""
    return new_notebook(cells=list(cells), metadata={**METADATA, "sga": {"requires": list(modules)}})


@pytest.mark.parametrize(
    ("modules", "reason"),
    [
        ((), ""),
        (("numpy",), ""),
        (("no_such_module",), "needs no_such_module: pip install -e './lib[no_such_module]'"),
        (("numpy", "none_1", "none_2"), "needs none_1, none_2: pip install -e './lib[none_1,none_2]'"),
    ],
)
def test_what_is_missing_is_named_with_the_command_that_installs_it(modules, reason):
    assert unmet(needing(*modules)) == reason


def test_a_notebook_that_says_nothing_needs_nothing():
    assert unmet(new_notebook(metadata=METADATA)) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "verdict"),
    [("numpy", "1 passed"), ("no_such_module", "SKIPPED [1]")],
)
def test_nbval_skips_a_notebook_whose_module_is_missing_and_says_why(tmp_path, module, verdict):
    output = new_output("execute_result", data={"text/plain": "4"}, execution_count=1)
    cell = new_code_cell(f"import {module}\n2 + 2", execution_count=1, outputs=[output])
    done = nbval(tmp_path, needing(module, cells=[cell]), "-rs")
    assert done.returncode == 0, done.stdout
    assert verdict in done.stdout
    assert ("needs no_such_module: pip install -e './lib[no_such_module]'" in done.stdout) is (module != "numpy")


def test_refreshing_without_the_module_is_refused_and_leaves_the_notebook_as_it_was(small_book):
    path = small_book.notebook(CHAPTER, ("2 + 2", []))
    edit(path, lambda notebook: notebook.metadata.update(sga={"requires": ["no_such_module"]}))
    before = path.read_bytes()
    assert attempt(path)[1].startswith("not refreshed: needs no_such_module: pip install -e")
    assert path.read_bytes() == before


@pytest.mark.slow
def test_refreshing_keeps_what_a_notebook_says_it_needs(small_book):
    path = small_book.notebook(CHAPTER, ("2 + 2", []))
    edit(path, lambda notebook: notebook.metadata.update(sga={"requires": ["numpy"]}))
    assert small_book.refresh().returncode == 0
    assert nbformat.read(path, as_version=4).metadata["sga"] == {"requires": ["numpy"]}


def test_a_chapter_says_which_optional_modules_it_imports_and_they_are_extras(notebook):
    source = "\n".join(cell.source for cell in code_cells(notebook))
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", source, re.MULTILINE))
    needed = set(notebook.metadata.get("sga", {}).get("requires", []))
    assert imported & OPTIONAL == needed
    assert needed <= set(EXTRAS)
