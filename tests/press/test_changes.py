"""What `test --changed` runs: all that a change can touch."""

import subprocess

import pytest

from press import CommandError
from press.changes import EVERYTHING, PAGES, changed, rooms, touched

FIRST, SECOND = "book/part/first", "book/part/second"


def git(root, *arguments):
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", *arguments], cwd=root, check=True)


@pytest.fixture
def book(small_book):
    """A small book in a repository: one chapter uses the model, the other a file of data."""
    small_book.text("book/part/data/numbers.csv", "1\n")
    small_book.notebook(FIRST, ("from sga.model import Model", []))
    small_book.notebook(SECOND, ("open('data/numbers.csv')", []))
    for room in ("lib", "evidence", "book", "press", "browser", "paper"):
        small_book.text(f"tests/{room}/test_one.py", "")
    small_book.text(".gitignore", "__pycache__/\n")
    git(small_book.root, "init", "-q", "-b", "main")
    git(small_book.root, "add", "-A")
    git(small_book.root, "commit", "-qm", "first")
    return small_book


def append(book, name, text="# more\n"):
    path = book.root / name
    path.write_text((path.read_text(encoding="utf-8") if path.is_file() else "") + text, encoding="utf-8")


def chapters(chosen):
    return [name for name in chosen if name.endswith(".ipynb")]


def test_without_a_change_there_is_nothing_to_run(book):
    assert touched(root=book.root) == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("lib/sga/model.py", "EXTRA = 1\n", [f"{FIRST}.ipynb"]),
        ("lib/sga/model.py", "# a comment\n", []),
        ("book/part/data/numbers.csv", "2\n", [f"{SECOND}.ipynb"]),
        ("book/part/data/others.csv", "2\n", []),
        ("book/intro.md", "More.\n", []),
    ],
)
def test_a_notebook_is_run_where_its_stamp_changes(book, name, text, expected):
    append(book, name, text)
    assert chapters(touched(root=book.root)) == expected


def test_a_change_of_a_cell_or_of_an_output_is_one_of_the_notebook(book):
    path = book.root / f"{SECOND}.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("open(", "len("), encoding="utf-8")
    assert chapters(touched(root=book.root)) == [f"{SECOND}.ipynb"]


def test_what_is_committed_on_a_branch_counts_until_it_is_merged(book):
    git(book.root, "checkout", "-qb", "other")
    append(book, "lib/sga/model.py", "EXTRA = 1\n")
    git(book.root, "commit", "-qam", "second")
    assert chapters(touched(root=book.root)) == [f"{FIRST}.ipynb"]
    assert touched("HEAD", book.root) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lib/sga/model.py", set(PAGES)),
        ("book/press/freshness.py", set(PAGES)),
        ("book/_static/custom.css", set(PAGES)),
        ("tests/lib/test_one.py", {"tests/lib/test_one.py"}),
    ],
)
def test_the_rooms_that_a_file_concerns_are_run(book, name, expected):
    append(book, name)
    chosen = touched(root=book.root)
    assert {room for room in chosen if room.startswith("tests/")} == expected


@pytest.mark.parametrize("name", ["tests/books.py", ".pytest.ini", "requirements.txt", "lib/pyproject.toml", "new"])
def test_a_file_that_concerns_all_or_that_no_rule_knows_runs_everything(book, name):
    append(book, name)
    assert touched(root=book.root) == list(EVERYTHING) == list(rooms(name))


def test_a_removed_test_is_not_run_and_a_removed_module_counts(book):
    (book.root / "tests/lib/test_one.py").unlink()
    assert touched(root=book.root) == []
    (book.root / "lib/sga/model.py").unlink()
    assert "lib/sga/model.py" in changed("HEAD", book.root)
    assert "tests/lib" in touched(root=book.root)


def test_an_unknown_revision_is_said_in_gits_words(book):
    with pytest.raises(CommandError, match="none"):
        touched("none", book.root)
