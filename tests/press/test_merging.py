"""A chapter that two people work on: a small change is a small diff, and git merges changes in different places."""

import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from press.execution import write
from press.freshness import COUNT, STAMPS, keep, load, problems, stamp_of
from press.structure import ROOT

CHAPTER, OTHER = "book/beyond/sign.ipynb", "book/beyond/cold.ipynb"


def git(folder, *arguments):
    """Runs git in `folder` with no configuration but its own."""
    who = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main"]
    plain = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "PATH": "/usr/bin:/bin:/usr/local/bin"}
    command = ["git", *who, *arguments]
    return subprocess.run(command, cwd=folder, env=plain, capture_output=True, text=True)


@pytest.fixture
def clone(tmp_path):
    """A repository with two chapters of the book, its attributes and their stamps, in one commit."""
    for name in (".gitattributes", CHAPTER, OTHER):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    for name in (CHAPTER, OTHER):
        restamp(tmp_path, name)
    git(tmp_path, "init")
    commit(tmp_path)
    assert problems(tmp_path / CHAPTER, tmp_path) == []
    return tmp_path


def restamp(clone, name):
    keep({clone / name: stamp_of(load(clone / name), clone / name, clone)}, clone)


def commit(clone):
    git(clone, "add", "-A")
    done = git(clone, "commit", "-m", "change")
    assert done.returncode == 0, done.stdout + done.stderr


def insert(clone, at, text, name=CHAPTER):
    """Inserts two cells, as an editor with cell ids of its own does, and stores them as `refresh` does."""
    notebook = nbformat.read(clone / name, as_version=4)
    cell = new_code_cell(f"{text} = 1\nprint({text})", execution_count=COUNT)
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="1\n")]
    notebook.cells[at:at] = [new_markdown_cell(f"A text on {text}."), cell]
    write(notebook, clone / name)
    restamp(clone, name)


def on_branches(clone, ours, theirs):
    """Commits `theirs()` on a branch and `ours()` on another, and merges the two."""
    for branch, change in (("theirs", theirs), ("ours", ours)):
        git(clone, "checkout", "-b", branch, "main")
        change()
        commit(clone)
    return git(clone, "merge", "theirs", "-m", "merge")


def test_inserting_two_cells_changes_few_lines(clone):
    insert(clone, 20, "one")
    rows = git(clone, "diff", "--numstat").stdout.split("\n")[:-1]
    assert [row.split("\t")[2] for row in rows] == [CHAPTER, STAMPS]
    assert sum(int(lines) for row in rows for lines in row.split("\t")[:2]) < 30


def test_insertions_in_different_places_merge_without_conflict_and_the_result_counts_as_not_executed(clone):
    done = on_branches(clone, lambda: insert(clone, 20, "one"), lambda: insert(clone, 100, "two"))
    assert done.returncode == 0, done.stdout + done.stderr
    notebook = nbformat.read(clone / CHAPTER, as_version=4)
    nbformat.validate(notebook, relax_add_props=False)
    assert {"one = 1\nprint(one)", "two = 1\nprint(two)"} <= {cell.source for cell in notebook.cells}
    assert problems(clone / CHAPTER, clone) == ["it was executed on two branches and not since they were merged"]
    assert problems(clone / OTHER, clone) == []
    restamp(clone, CHAPTER)
    assert problems(clone / CHAPTER, clone) == []


def test_a_merge_that_keeps_one_of_the_stamps_does_not_pass_as_executed(clone):
    done = on_branches(clone, lambda: insert(clone, 20, "one"), lambda: insert(clone, 100, "two"))
    assert done.returncode == 0
    git(clone, "checkout", "theirs", "--", STAMPS)
    assert "its code cells changed" in problems(clone / CHAPTER, clone)


def test_two_chapters_that_stand_side_by_side_in_the_stamps_are_both_fresh_after_a_merge(clone):
    done = on_branches(clone, lambda: insert(clone, 20, "one"), lambda: insert(clone, 20, "two", OTHER))
    assert done.returncode == 0, done.stdout + done.stderr
    assert problems(clone / CHAPTER, clone) == problems(clone / OTHER, clone) == []


def test_a_change_of_text_merges_with_an_execution_and_stays_fresh(clone):
    def retitle():
        path = clone / CHAPTER
        path.write_text(path.read_text(encoding="utf-8").replace("# ", "# On ", 1), encoding="utf-8")

    done = on_branches(clone, retitle, lambda: insert(clone, 100, "two"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert problems(clone / CHAPTER, clone) == []


def test_nbdime_merges_where_it_is_set_up(clone):
    pytest.importorskip("nbdime")
    driver = f"{sys.executable} -m nbdime.vcs.git.mergedriver merge %O %A %B %L %P"
    assert git(clone, "config", "merge.jupyternotebook.driver", driver).returncode == 0
    done = on_branches(clone, lambda: insert(clone, 20, "one"), lambda: insert(clone, 100, "two"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert problems(clone / CHAPTER, clone) == ["it was executed on two branches and not since they were merged"]
