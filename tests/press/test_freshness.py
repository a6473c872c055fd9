"""A book with stale outputs must not build, and refreshing must be safe and repeatable."""

import nbformat
import pytest
from nbformat.v4 import new_output

from books import edit
from press.freshness import STAMP, report, stamp

CHAPTER = "book/part/chapter"
SUM = [new_output("execute_result", data={"text/plain": "4"}, execution_count=1)]


@pytest.fixture
def book(small_book):
    """A small book with one fresh notebook that has a data file."""
    small_book.text("book/part/data/numbers.csv", "1,2,3\n")
    small_book.notebook(CHAPTER, ("2 + 2", SUM))
    return small_book


def change_cell(book):
    def change(notebook):
        notebook.cells[1].source = "2 + 3"

    edit(book.root / f"{CHAPTER}.ipynb", change)


def change_library(book):
    path = book.root / "lib" / "sga" / "model.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")


def change_data(book):
    book.text("book/part/data/numbers.csv", "1,2,4\n")


def add_module(book):
    book.text("lib/sga/extra.py", "")


def forget_execution(book):
    def change(notebook):
        notebook.cells[1].execution_count = None

    edit(book.root / f"{CHAPTER}.ipynb", change)


def store_error(book):
    def change(notebook):
        notebook.cells[1].outputs = [new_output("error", ename="ValueError", evalue="no", traceback=["no"])]

    edit(book.root / f"{CHAPTER}.ipynb", change)


def remove_stamp(book):
    edit(book.root / f"{CHAPTER}.ipynb", lambda notebook: notebook.metadata.pop(STAMP))


CHANGED = "its cells, lib/sga, a module beside it or its data changed after the outputs were stored"
DAMAGES = {
    change_cell: CHANGED,
    change_library: CHANGED,
    change_data: CHANGED,
    add_module: CHANGED,
    remove_stamp: CHANGED,
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
    assert f"python book/press refresh {CHAPTER}.ipynb" in said


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
    assert said.endswith(f"refresh.py {CHAPTER}.ipynb")
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
