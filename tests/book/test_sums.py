"""The stored data are as the commands wrote them."""

import shutil

import pytest

from press import sums
from press.commands import data
from press.structure import ROOT


@pytest.fixture
def copy(tmp_path):
    """A root with the stored data and their sums."""
    for name in (sums.SUMS, *sums.stored()):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_stored_data_are_as_they_were_made():
    assert sums.problems() == []


def test_all_data_of_the_chapters_and_of_the_explorers_have_a_sum():
    data = [
        *(ROOT / "book").glob("*/data/**/*"),
        *(ROOT / "book" / "_static" / "explorers").glob("*.png"),
        ROOT / "book/_static/explorers/runs.js",
    ]
    data += (ROOT / "lib" / "benchmarks").glob("*.json")
    assert {path.relative_to(ROOT).as_posix() for path in data if path.is_file()} == set(sums.stored())


@pytest.mark.parametrize(("maker", "name"), [(maker, name) for maker, names in sums.MADE.items() for name in names])
def test_one_changed_bit_is_seen_until_its_command_keeps_the_sum(copy, maker, name):
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    assert sums.problems(copy) == [f"{name} is not as `python book/press {maker}` wrote it"]
    sums.keep(maker, copy)
    assert sums.problems(copy) == []


def test_a_file_that_is_gone_and_a_sum_of_nothing_are_seen(copy):
    (copy / "lib/benchmarks/peers.json").unlink()
    with (copy / sums.SUMS).open("a", encoding="utf-8") as file:
        file.write(f"{'0' * 64}  book/other.npz\n")
    assert sums.problems(copy) == [
        "lib/benchmarks/peers.json is not as `python book/press data speed` wrote it",
        "book/other.npz is in book/sums.txt, but no command makes it",
    ]


@pytest.mark.parametrize(("code", "kept"), [(0, ["data cost"]), (1, [])])
def test_only_a_script_that_succeeds_keeps_its_sums(monkeypatch, code, kept):
    calls = []
    monkeypatch.setattr(sums, "keep", calls.append)
    monkeypatch.setattr(data.subprocess, "run", lambda *_, **__: data.subprocess.CompletedProcess([], code))
    assert data.main(["cost"]) == code
    assert calls == kept
