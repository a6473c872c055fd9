"""The cell that installs the library: the same in every notebook, and silent, or one installation, when it runs."""

import importlib.util

import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from press.commands.hosted import TAG, first_source, put_first
from press.structure import ROOT, code_cells

ADDRESS = "https://git.example/book"


@pytest.fixture
def addressed(tmp_path):
    """The root of a repository whose citation has an address."""
    (tmp_path / "CITATION.cff").write_text(f"title: A book\nrepository-code: {ADDRESS}\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(monkeypatch):
    """Runs a cell in a folder, where the library is missing or not; returns its error and what it installs."""

    def run_in(folder, source, missing):
        installed, shell = [], InteractiveShell()
        shell.register_magic_function(installed.append, "line", "pip")
        find = importlib.util.find_spec
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if missing and name == "sga" else find(name))
        monkeypatch.chdir(folder)
        return shell.run_cell(source).error_in_exec, installed

    return run_in


def test_every_notebook_starts_with_the_cell_that_the_citation_asks_for_and_does_not_show_it(notebook):
    first = code_cells(notebook)[0]
    assert first.source == first_source() and first.metadata.tags == [TAG]


def test_where_the_library_is_there_the_cell_does_nothing(run):
    assert run(ROOT / "book" / "model", first_source(), missing=False) == (None, [])


def test_in_a_clone_the_library_comes_from_the_clone(run, addressed):
    for source in (first_source(), first_source(addressed)):
        assert run(ROOT / "book" / "model", source, missing=True) == (None, [f"install --quiet {ROOT / 'lib'}"])


def test_outside_of_a_clone_it_comes_from_the_address_if_there_is_one(run, addressed):
    error, installed = run(addressed, first_source(addressed), missing=True)
    assert error is None and installed == [f"install --quiet git+{ADDRESS}#subdirectory=lib"]


def test_outside_of_a_clone_and_without_an_address_the_cell_says_what_to_do(run, tmp_path):
    error, installed = run(tmp_path, first_source(), missing=True)
    assert "open this notebook in a clone of the book" in str(error) and installed == []


def test_the_cell_is_put_before_the_first_code_and_replaced_when_the_address_changes(addressed):
    notebook = new_notebook(cells=[new_markdown_cell("# Title"), new_code_cell("1 + 1")])
    put_first(notebook)
    put_first(notebook, addressed)
    assert [cell.source for cell in notebook.cells] == ["# Title", first_source(addressed), "1 + 1"]
