"""What the command `data` goes on from: parts that the present code has finished, and no others."""

import shutil

import pytest

from press.commands.data import EXPERIMENTS, store
from press.structure import ROOT


@pytest.fixture
def book(tmp_path):
    """A copy of the library and of the script, with a file of data."""
    for name in ("lib/sga", "lib/evidence"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / EXPERIMENTS).parent.mkdir(parents=True)
    shutil.copy(ROOT / EXPERIMENTS, tmp_path / EXPERIMENTS)
    (tmp_path / EXPERIMENTS).with_name("data").mkdir()
    return tmp_path


@pytest.mark.parametrize("name", [EXPERIMENTS, "lib/sga/ascent.py", "lib/sga/_chain.py", "lib/sga/sweep.py"])
def test_finished_parts_do_not_survive_a_change_of_the_script_or_of_the_library(book, name):
    before, path = store(book), book / name
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "# a comment\n", encoding="utf-8")
    assert store(book) == before
    path.write_text(text + "EXTRA = 1\n", encoding="utf-8")
    assert store(book) != before


def test_data_that_was_made_does_not_begin_the_parts_anew(book):
    before = store(book)
    (book / EXPERIMENTS).with_name("data").joinpath("full_scale.npz").write_bytes(b"new")
    assert store(book) == before
    assert before.parent == book / "_build" / "full_scale"
