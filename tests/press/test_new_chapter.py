"""The command that begins a chapter: what it writes passes the tests of the book as it is, and slips are refused."""

import os
import re
import shutil
import subprocess
import sys
import tomllib

import nbformat
import pytest
import yaml

from press import CommandError
from press.commands.new_chapter import chapter, enlist, examine
from press.freshness import keep, stamp
from press.pages.chapters import read_chapters
from press.selfchecks import answers_in
from press.structure import ROOT, toc_notebooks

NAME, TITLE = "model/brand_new", "A chapter that is new"
COPIED = ("_config.yml", "_toc.yml", "CITATION.cff", ".pytest.ini", ".ruff.toml", "book", "lib", "tests")
#: The tests of one notebook that need no built book, and the notebook itself, which nbval executes.
TESTS = (
    "tests/book/test_notebooks.py",
    "tests/lib/test_exercises.py",
    "tests/press/test_hosted.py",
    "tests/press/test_optional.py",
    "tests/press/test_editions.py",
    f"book/{NAME}.ipynb",
)

#: The copy and its chapter take longer than a quick test may.
slow = pytest.mark.slow


def run(house, *arguments):
    """Runs Python in a copy of the repository, with the copy's library."""
    environment = {**os.environ, "PYTHONPATH": str(house / "lib")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=house,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the repository, to which the command has added a chapter."""
    copy = tmp_path_factory.mktemp("house")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / name, copy / name)
    done = run(copy, "book/press", "new-chapter", NAME, TITLE)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "brand_new.ipynb: refreshed" in done.stdout
    return copy


@slow
def test_the_chapter_is_the_last_of_its_part_and_nothing_else_changes(house):
    before, after = (yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8")) for root in (ROOT, house))
    part = next(p for p in before["parts"] if any(c["file"].startswith("book/model/") for c in p["chapters"]))
    part["chapters"].append({"file": f"book/{NAME}"})
    assert after == before
    assert answers_in(house).keys() - answers_in().keys() == {"ex:brand-new-four"}
    assert (house / "lib/sga/exercises.toml").read_bytes() == (ROOT / "lib/sga/exercises.toml").read_bytes()


@slow
def test_it_passes_the_tests_of_a_notebook_and_nbval_as_it_is(house):
    done = run(house, "-m", "pytest", "-q", "-rs", *TESTS, "-k", "brand_new or stored_answer")
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 30
    assert "skipped" not in done.stdout


@slow
def test_no_other_chapter_becomes_stale_and_the_inventory_names_its_claim(house):
    done = run(house, "book/press", "refresh", "--check")
    assert done.returncode == 0, done.stdout
    known, counted = (
        tomllib.loads((root / "book" / "inventory.toml").read_text(encoding="utf-8"))["book"] for root in (ROOT, house)
    )
    assert counted.keys() - known.keys() == {"BrandNew.largest"}


@slow
def test_it_is_formatted_and_on_the_map_of_chapters(house):
    for words in (("check",), ("format", "--check")):
        done = run(house, "-m", "ruff", *words, f"book/{NAME}.ipynb")
        assert done.returncode == 0, done.stdout
    assert f"book/{NAME}" in [found.page for found in read_chapters(house)]


@slow
def test_its_page_builds_without_a_warning_and_shows_no_advice_to_its_author(house, small_book):
    path = small_book.root / "book" / f"{NAME}.ipynb"
    path.parent.mkdir()
    shutil.copy(house / "book" / f"{NAME}.ipynb", path)
    small_book.chapter(f"book/{NAME}")
    keep({path: stamp(path, small_book.root)}, small_book.root)
    small_book.text("book/bibliography.md", "# Bibliography\n\n```{bibliography}\n```\n")
    small_book.chapter("book/bibliography")
    done = small_book.build()
    assert done.returncode == 0, done.stdout + done.stderr
    page = small_book.page(f"book/{NAME}").find("article")
    assert page.h1.get_text().startswith(f"1. {TITLE}")
    assert len(page.select("div.exercise")) == 3 and len(page.select("figure img")) == 1
    assert "skeleton" not in page.get_text() and "percent sign" not in page.get_text()


def test_the_names_of_the_chapter_are_filled_in_everywhere():
    notebook = chapter(NAME, TITLE)
    sources = [cell.source for cell in notebook.cells]
    assert sources[0].startswith(f"(brand-new)=\n# {TITLE}\n")
    assert not re.search(r"@\w+@", nbformat.writes(notebook))
    assert any('claim(\n    "BrandNew.largest"' in source for source in sources)
    assert notebook.metadata["sga"] == {"needs": [], "uses": []}


def test_a_new_part_stands_before_the_appendix():
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    parts = yaml.safe_load(enlist(toc, "many/first", "Several directions"))["parts"]
    expected = {"caption": "Several directions", "numbered": True, "chapters": [{"file": "book/many/first"}]}
    assert parts[-2] == expected and parts[-1]["caption"] == "Appendix"
    assert [*parts[:-2], parts[-1]] == yaml.safe_load(toc)["parts"]


@pytest.mark.parametrize(
    ("name", "title", "caption", "words"),
    [
        ("tokens", TITLE, None, "the name must be part/chapter"),
        ("model/Brand", TITLE, None, "the name must be part/chapter"),
        ("model/../lib", TITLE, None, "the name must be part/chapter"),
        ("model/new.ipynb", TITLE, None, "the name must be part/chapter"),
        (NAME, "", None, "the title must be one line"),
        (NAME, "one\ntwo", None, "the title must be one line"),
        ("models/new", TITLE, None, "there is no part 'models': it must be one of primer, model, "),
        ("appendix/new", TITLE, None, "there is no part 'appendix'"),
        ("model/tokens", TITLE, None, "'tokens' is taken by book/model/tokens.ipynb"),
        ("model/rates", TITLE, None, "'rates' is taken by book/primer/rates.ipynb"),
        ("model/intro", TITLE, None, "'intro' is taken by book/intro.md"),
        ("model/new", TITLE, "Models", "book/model is there already"),
    ],
)
def test_a_name_or_a_title_that_cannot_be_is_refused(name, title, caption, words):
    with pytest.raises(CommandError, match=f"^{re.escape(words)}"):
        examine(name, title, caption)


@slow
def test_a_chapter_is_not_written_over_another_and_the_command_says_so_in_one_line(house):
    before = (house / "book" / f"{NAME}.ipynb").read_bytes(), (house / "_toc.yml").read_bytes()
    done = run(house, "book/press", "new-chapter", NAME, "Another title")
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr
        == f"'brand_new' is taken by book/{NAME}.ipynb: labels begin with it, so it must be new in the book\n"
    )
    assert before == ((house / "book" / f"{NAME}.ipynb").read_bytes(), (house / "_toc.yml").read_bytes())


def test_a_file_that_is_not_in_the_table_of_contents_is_left_alone(small_book):
    path = small_book.notebook("book/model/first", ("1", ()))
    path.with_name("draft.ipynb").write_text("mine", encoding="utf-8")
    assert [found.name for found in toc_notebooks(small_book.root)] == ["first.ipynb"]
    with pytest.raises(CommandError, match=r"^book/model/draft\.ipynb exists$"):
        examine("model/draft", TITLE, None, small_book.root)
