"""A book with stale outputs must not build, and refreshing must be safe and repeatable."""

import shlex
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_output

from books import edit
from press import freshness
from press.freshness import STAMPS, keep, report, stamp, stored
from press.structure import ROOT

CHAPTER = "book/part/chapter"
SUM = [new_output("execute_result", data={"text/plain": "4"}, execution_count=1)]


@pytest.fixture
def book(small_book):
    """A small book with one fresh notebook that has a data file."""
    small_book.text("book/part/data/numbers.csv", "1,2,3\n")
    small_book.notebook(CHAPTER, ("from sga import Model\nopen('data/numbers.csv')\n2 + 2", SUM))
    return small_book


def change_cell(book):
    def change(notebook):
        notebook.cells[1].source = "2 + 3"

    edit(book.root / f"{CHAPTER}.ipynb", change)


def change_library(book):
    path = book.root / "lib" / "sga" / "model.py"
    path.write_text(path.read_text(encoding="utf-8") + "EXTRA = 1\n", encoding="utf-8")


def change_data(book):
    book.text("book/part/data/numbers.csv", "1,2,4\n")


def change_output(book):
    def change(notebook):
        notebook.cells[1].outputs[0].data["text/plain"] = "5"

    edit(book.root / f"{CHAPTER}.ipynb", change)


def forget_execution(book):
    def change(notebook):
        notebook.cells[1].execution_count = None

    edit(book.root / f"{CHAPTER}.ipynb", change)


def store_error(book):
    def change(notebook):
        notebook.cells[1].outputs = [new_output("error", ename="ValueError", evalue="no", traceback=["no"])]

    edit(book.root / f"{CHAPTER}.ipynb", change)


def remove_stamp(book):
    (book.root / STAMPS).unlink()


def add_a_second_stamp(book):
    path = book.root / STAMPS
    path.write_text(path.read_text(encoding="utf-8") + "  cells=1\n", encoding="utf-8")


DAMAGES = {
    change_cell: "its code cells changed",
    change_library: "lib/sga/model.py changed",
    change_data: "book/part/data/numbers.csv changed",
    change_output: "its outputs were changed by something else than `refresh`",
    remove_stamp: "`refresh` has never stored its outputs: book/stamps.txt does not name it",
    add_a_second_stamp: "it was executed on two branches and not since they were merged",
    forget_execution: "code cell 1 has execution count None, not 1",
    store_error: "code cell 1 holds an error",
}


def test_a_matching_stamp_lets_the_book_build_and_a_later_change_stops_every_build(book):
    done = book.build()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 + 2" in book.page(CHAPTER).get_text()
    change_library(book)
    assert book.build().returncode != 0
    assert book.build().returncode != 0


@pytest.mark.parametrize("damage", [change_cell, forget_execution], ids=lambda damage: damage.__name__)
def test_a_stale_notebook_makes_the_build_fail_and_is_named_with_the_command(book, damage):
    damage(book)
    done = book.build()
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert f"{CHAPTER}.ipynb: {DAMAGES[damage]}" in said
    assert f" book/press refresh {CHAPTER}.ipynb" in said


def test_a_fresh_book_has_nothing_to_report(book):
    assert report(book.root) == ""


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_every_way_to_become_stale_is_reported(book, damage):
    damage(book)
    assert f"{CHAPTER}.ipynb: {DAMAGES[damage]}" in report(book.root)


def test_only_the_stale_notebook_is_named(book):
    book.notebook("book/part/other", ("1 + 1", []))
    change_cell(book)
    said = report(book.root)
    assert said.endswith(f"refresh {book.root / CHAPTER}.ipynb")
    assert "other.ipynb" not in said


def test_prose_does_not_change_the_stamp(book):
    path = book.root / f"{CHAPTER}.ipynb"
    before = stamp(path, book.root)

    def change(notebook):
        notebook.cells[0].source = "# Another title"

    edit(path, change)
    assert stamp(path, book.root) == before


def test_moving_a_line_between_cells_changes_the_stamp(book):
    first = book.notebook("book/part/one", ("a = 1\nb = 2", []), ("c = 3", []))
    second = book.notebook("book/part/two", ("a = 1", []), ("b = 2\nc = 3", []))
    assert stamp(first, book.root) != stamp(second, book.root)


def test_refreshing_a_stale_notebook_lets_the_book_build_with_the_new_output(book):
    change_cell(book)
    done = book.refresh(f"{CHAPTER}.ipynb")
    assert done.returncode == 0, done.stdout + done.stderr
    assert book.build().returncode == 0
    assert "5" in book.page(CHAPTER).select_one(".cell_output").get_text()


def test_refreshing_twice_gives_the_same_bytes(book):
    source = [
        "print('one')",
        "display({'text/html': '<b>two</b>'}, raw=True)",
        "print('three', flush=True)",
        "{'four': 4}",
    ]
    path = book.notebook(CHAPTER, ("\n".join(source), []), ("import math\nf'{math.pi:.4f}'", []))
    assert book.refresh().returncode == 0
    first = path.read_bytes()
    assert book.refresh().returncode == 0
    assert path.read_bytes() == first
    assert "3.1416" in first.decode()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise ValueError('broken on purpose')", "code cell 2 failed"),
        ("import sys\nprint('a warning', file=sys.stderr)", "code cell 2 wrote to stderr"),
        ("import warnings\nwarnings.warn('careful', stacklevel=1)", "code cell 2 wrote to stderr"),
    ],
)
def test_a_notebook_that_cannot_be_stored_is_left_as_it_was(book, source, reason):
    path = book.notebook(CHAPTER, ("2 + 2", []), (source, []))
    before = path.read_bytes()
    done = book.refresh()
    assert done.returncode == 1
    assert f"{CHAPTER}.ipynb: not refreshed: {reason}" in done.stdout
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir() if file.is_file()] == [path.name]


def test_a_failing_notebook_does_not_keep_the_others_from_being_refreshed(book):
    book.notebook(CHAPTER, ("1 / 0", []))
    other = book.notebook("book/part/other", ("1 + 1", []))
    assert book.refresh().returncode == 1
    assert nbformat.read(other, as_version=4).cells[1].outputs[0].data["text/plain"] == "2"


def test_cells_run_in_the_folder_of_their_notebook(book):
    path = book.notebook(CHAPTER, ("print(open('data/numbers.csv').read())", []))
    assert book.refresh().returncode == 0
    assert nbformat.read(path, as_version=4).cells[1].outputs[0].text == "1,2,3\n\n"


def test_refreshing_with_another_library_than_the_stamped_one_is_refused(book):
    outside = book.root.parent / "elsewhere" / "sga"
    outside.mkdir(parents=True)
    (outside / "__init__.py").touch()
    (book.root / "lib" / "sga").rename(book.root / "lib" / "moved")
    (book.root / "lib" / "sga").symlink_to(outside)
    done = book.refresh()
    assert done.returncode == 1
    assert "`import sga` finds" in done.stderr


def test_the_command_that_is_named_works_when_it_is_pasted(book, monkeypatch):
    change_cell(book)
    for folder in (book.root, book.root / "book"):
        monkeypatch.chdir(folder)
        command = freshness.report(book.root).splitlines()[-1].strip()
        done = subprocess.run(f"{command} --check", shell=True, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 1 and "its code cells changed" in done.stdout, done.stderr


def test_a_python_below_the_current_folder_is_named_relative_to_it(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "executable", str(ROOT / ".venv" / "bin" / "python"))
    words = shlex.split(freshness.command(ROOT, [ROOT / "book" / "a b.ipynb"]))
    assert words == [".venv/bin/python", "book/press", "refresh", "book/a b.ipynb"]


def test_a_stale_notebook_that_cannot_be_refreshed_here_is_said_to_keep_the_book_from_being_built(book):
    edit(
        book.root / f"{CHAPTER}.ipynb", lambda notebook: notebook.metadata.update(sga={"requires": ["no_such_module"]})
    )
    assert report(book.root) == ""
    change_cell(book)
    said = report(book.root).splitlines()[-1]
    assert said.startswith("chapter.ipynb needs no_such_module") and "the book is not built" in said


def test_check_names_the_stale_ones_and_changed_refreshes_only_them(book):
    other = book.notebook("book/part/other", ("1 + 1", []))
    assert book.refresh("--check").returncode == 0
    change_cell(book)
    checked = book.refresh("--check")
    assert checked.returncode == 1 and "other" not in checked.stdout
    assert book.refresh("--check", "book/part/other.ipynb").returncode == 0
    before = other.read_bytes()
    done = book.refresh("--changed")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == f"{CHAPTER}.ipynb: started" and lines[1].startswith(f"{CHAPTER}.ipynb: refreshed in ")
    assert len(lines) == 2 and other.read_bytes() == before
    assert book.refresh("--check").stdout == "all stored outputs are fresh\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("book/part/none.ipynb", "there is no such file"),
        ("book/intro.md", "not a notebook"),
        ("book/part", "not a notebook"),
        ("book/part/apart.ipynb", "not in _toc.yml"),
    ],
)
def test_a_path_that_is_no_notebook_of_the_book_gets_one_line(book, name, reason):
    book.text("book/part/apart.ipynb", "{}")
    done = book.refresh(name)
    assert done.returncode == 1
    assert done.stderr == f"{name}: {reason}\n"


def test_the_stamp_of_a_removed_notebook_goes_and_those_of_others_stay(book):
    other = book.notebook("book/part/other", ("1 + 1", []))
    before = stored(book.root)
    other.unlink()
    keep({}, book.root)
    assert stored(book.root) == {name: stamps for name, stamps in before.items() if name != "book/part/other.ipynb"}


@pytest.mark.parametrize(
    ("source", "opened"),
    [
        ("name = 'num' + 'bers.csv'\nlen(open('da' + 'ta/' + name).read())", "book/part/data/numbers.csv"),
        ("import pathlib\nlen(pathlib.Path('..', '..', '_toc.yml').read_text())", "_toc.yml"),
        ("import sys\nsys.__dict__['path'].insert(0, '..')\nimport hidden", "book/hidden.py"),
    ],
)
def test_a_notebook_that_opens_what_its_stamp_does_not_cover_is_not_stored(book, source, opened):
    book.text("book/hidden.py", "x = 1\n")
    path = book.notebook(CHAPTER, (source, []))
    before = path.read_bytes()
    done = book.refresh()
    assert done.returncode == 1
    assert f"not refreshed: it opened {opened}, which its stamp does not cover" in done.stdout
    assert path.read_bytes() == before


def test_what_a_notebook_opens_through_the_library_is_covered_by_its_stamp(book):
    path = book.notebook(
        CHAPTER,
        ("from sga import Constant, Model, ascend, check_answer", []),
        ("ascend(Model(4, 2, 3, 1.0), 2, Constant(0.1), runs=2, method='reduced').rho.shape", []),
        ("open('data/numbers.csv').read()", []),
    )
    done = book.refresh()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lib/sga/_chain.py=" in stamp(path, book.root) and "lib/sga/exercises.toml=" in stamp(path, book.root)
