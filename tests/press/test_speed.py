"""The page on speed shows what was measured, and the programs that were measured compute the same thing."""

import copy
import importlib.util
import json
import re
import sys

import numpy as np
import pytest

from books import parse
from press.pages import speed
from press.pages.speed import SpeedError
from press.structure import ROOT
from sga import Model, gradient

SCRIPT = ROOT / "lib" / "benchmarks" / "peers.py"
MODEL = Model(tokens=40, informative=5, dim=6, theta=1.3, beta=0.8, sigma=1.5)


@pytest.fixture(scope="module")
def peers():
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("peers", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def stored():
    return speed.read(ROOT / speed.RESULT)


# The programs


def first_steps(peers):
    """Queries, bags, alignments after a step as `ascend` finds them, and the other arguments of a step."""
    q, x, rho = peers.first_steps(MODEL, 4)
    return q, x, rho, MODEL.beta, float(peers.SCHEDULE(0))


def test_the_programs_in_numpy_take_the_step_of_the_library(peers):
    q, x, rho, beta, eta = first_steps(peers)
    after = q + eta * gradient(q, x, beta)
    after /= np.linalg.norm(after, axis=-1, keepdims=True)
    steps = peers.numpy_steps(q, x, beta, eta)
    assert list(steps) == ["numpy-single", "numpy-tokens"]
    for found in steps.values():
        np.testing.assert_allclose(found, after, rtol=0, atol=1e-13)
    peers.require_agreement(rho, steps)


@pytest.mark.extra
def test_the_programs_in_pytorch_take_the_same_step(peers):
    pytest.importorskip("torch")
    q, x, rho, beta, eta = first_steps(peers)
    steps = peers.torch_steps(q, x, beta, eta)
    assert list(steps) == ["torch-together", "torch-single"]
    peers.require_agreement(rho, peers.numpy_steps(q, x, beta, eta) | steps)


@pytest.mark.parametrize("name", ["numpy-single", "numpy-tokens"])
def test_a_program_that_takes_another_step_is_found_out(peers, name):
    q, x, rho, beta, eta = first_steps(peers)
    steps = peers.numpy_steps(q, x, beta, eta)
    steps[name] = peers.numpy_steps(q, x, beta, eta * (1 + 1e-9))[name]
    with pytest.raises(RuntimeError, match=r"numpy-\w+ takes another step: it is off by \d"):
        peers.require_agreement(rho, steps)


def test_not_a_number_is_found_out(peers):
    q, x, rho, beta, eta = first_steps(peers)
    with pytest.raises(RuntimeError, match="off by nan"):
        peers.require_agreement(rho, peers.numpy_steps(q * np.nan, x, beta, eta))


def test_every_program_without_pytorch_learns_on_as_many_bags_as_are_counted(peers, monkeypatch):
    """The bags that pass through a step, or that `ascend` draws."""
    size, count = peers.Size(MODEL, 3, 1), []
    monkeypatch.setattr(peers, "ascend", lambda model, steps, *_, runs, **__: count.append(runs * (steps + 1)))
    for name, way in peers.WAYS.items():
        runs, bags = way.amount(size)
        count.clear()
        if name.startswith("numpy"):
            peers.learn_numpy(lambda q, *_: count.append(1) or q, MODEL, runs, bags, 1)
        elif not name.startswith("torch"):
            way.learn(MODEL, runs, bags, 1)
        else:
            continue
        assert sum(count) == runs * bags


def test_without_pytorch_the_script_says_what_is_missing(peers, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match="pip install torch"):
        peers.main(1)


# The stored result


def test_the_stored_result_is_of_the_sizes_and_ways_of_the_script(peers, stored):
    assert list(stored["sizes"]) == list(peers.SIZES) == list(speed.SIZES)
    for name, size in peers.SIZES.items():
        found = stored["sizes"][name]
        assert list(found["ways"]) == list(peers.WAYS) == list(speed.WAYS)
        assert Model(found["tokens"], found["informative"], found["dim"], theta=1.0) == size.model
    assert stored["runs"] == peers.RUNS
    assert stored["repeats"] >= 5


def test_a_way_takes_as_long_as_itself(stored):
    for size in stored["sizes"].values():
        assert size["ways"]["full"]["over_full"] == size["ways"]["reduced"]["over_reduced"] == [1, 1, 1]


def test_no_stored_range_contradicts_what_the_page_says_in_words(stored):
    """On a steady computer the ranges are narrow, and this is a sharp test."""
    ways = {name: size["ways"] for name, size in stored["sizes"].items()}
    least, most = (
        {name: {way: found["over_full"][end] for way, found in size.items()} for name, size in ways.items()}
        for end in (1, 2)
    )
    for name in ways:
        assert most[name]["reduced"] < 0.2, "the chain goes below the floor"
        assert most[name]["torch-together"] > 1 and most[name]["torch-single"] > 1
    small, alone, wide = "small", "small-one-thread", "wide"
    assert least[alone]["numpy-single"] < 1.2 and most[alone]["numpy-single"] > 0.8, "the same work"
    assert most[small]["numpy-single"] > least[alone]["numpy-single"], "threads help"
    assert most[small]["numpy-tokens"] > 3 * least[wide]["numpy-tokens"], "the interpreter is paid once a token"
    assert ways[alone]["full"]["drawing"][2] > 0.5, "drawing is most of the work"
    assert least[wide]["reduced"] < most[small]["reduced"] / 5, "the gain of the chain follows the dimension"


def test_no_stored_range_contradicts_that_pytorch_is_mostly_slower_at_drawing(stored):
    ways = stored["sizes"]["small-one-thread"]["ways"]
    full, together, single = (ways[way] for way in ("full", "torch-together", "torch-single"))
    generators = together["drawing"][2] * together["over_full"][2] - full["drawing"][1]
    assert generators > 0.5 * (together["over_full"][2] - 1)
    assert single["over_full"][2] > together["over_full"][1], "run by run, small operations cost more"


def test_the_stored_result_names_no_machine_and_no_path(stored):
    assert set(stored["machine"]) == set(speed.MACHINE)
    assert not re.search(r"[\s\"]/|\\", json.dumps(stored))


def broken(stored, *keys, value=None):
    """Returns the result with an entry replaced, or removed if no value is given."""
    result = copy.deepcopy(stored)
    place = result
    for key in keys[:-1]:
        place = place[key]
    if value is None:
        del place[keys[-1]]
    else:
        place[keys[-1]] = value
    return result


WIDE = ("sizes", "wide", "ways", "torch-single", "over_full")


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (("date",), None, "it has no 'date'"),
        (("machine", "torch"), None, "it has no 'torch'"),
        (("sizes", "long"), None, "it has no 'long'"),
        (WIDE[:4], None, "it has no 'torch-single'"),
        (WIDE, [2.0, 1.0], "not enough values to unpack"),
        (WIDE, [2.0, 2.5, 3.0], "wide, torch-single, over_full: .* is not a median, a least and a greatest ratio"),
        (WIDE, [0.0, 0.0, 3.0], "is not a median"),
        (WIDE, [float("nan")] * 3, "is not a median"),
        (WIDE, ["a", "b", "c"], "not supported between"),
        (("sizes",), [1], "must be integers"),
    ],
)
def test_a_malformed_result_is_an_error_that_says_what_is_wrong_and_what_to_do(tmp_path, stored, keys, value, message):
    path = tmp_path / "peers.json"
    path.write_text(json.dumps(broken(stored, *keys, value=value)), encoding="utf-8")
    with pytest.raises(SpeedError, match=rf"^lib/benchmarks/peers\.json: .*{message}.*python book/press data speed"):
        speed.read(path)


def test_a_result_that_is_not_json_or_not_there_is_an_error(tmp_path):
    path = tmp_path / "peers.json"
    with pytest.raises(SpeedError, match="it can not be read: No such file"):
        speed.read(path)
    path.write_text('{"date": ', encoding="utf-8")
    with pytest.raises(SpeedError, match="it is not JSON: Expecting value"):
        speed.read(path)


# The page


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.00391, "0.0039"),
        (0.05, "0.050"),
        (0.632, "0.63"),
        (0.998, "1.0"),
        (2.86, "2.9"),
        (9.96, "10"),
        (56.4, "56"),
        (198, "200"),
        (1404, "1,400"),
    ],
)
def test_a_ratio_is_shown_with_two_digits(value, shown):
    assert speed.number(value) == shown


def test_a_table_or_a_ratio_that_does_not_exist_is_an_error(stored):
    with pytest.raises(SpeedError, match="no table 'over_torch': it must be one of over_full"):
        speed.table(stored, "over_torch")
    for place in ("over_full wide", "over_full wide jax", "over_torch wide full"):
        with pytest.raises(SpeedError, match=f"no ratio '{place}'"):
            speed.ratio(stored, place)


def cells(page):
    """Returns the texts of the tables on a page, row by row."""
    return [
        [[cell.get_text().strip() for cell in row.select("th, td")] for row in table.select("tr")]
        for table in page.select("table.sga-speed")
    ]


def test_a_built_page_shows_the_stored_numbers_and_follows_a_new_result(small_book, stored):
    page = "# Speed\n\n```{speed} over_full\n```\n\n```{speed-machine}\n```\n\nIt is {ratio}`drawing wide full`.\n"
    small_book.text("book/speed.md", page)
    small_book.chapter("book/speed")
    small_book.text(speed.RESULT, json.dumps(stored))
    assert small_book.build().returncode == 0
    (rows,) = cells(small_book.page("book/speed"))
    for row, way in zip(rows[1:], stored["sizes"]["wide"]["ways"], strict=True):
        assert row[1:] == [speed.cell(size["ways"][way]["over_full"]) for size in stored["sizes"].values()]
    text = small_book.page("book/speed").find("article").get_text(" ")
    assert f"It is {speed.number(stored['sizes']['wide']['ways']['full']['drawing'][0])}." in text
    assert stored["machine"]["processor"] in text

    small_book.text(speed.RESULT, json.dumps(broken(stored, *WIDE, value=[777.0, 666.0, 888.0])))
    assert small_book.build().returncode == 0
    assert cells(small_book.page("book/speed"))[0][4][4] == "780 (670\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}890)"


def test_a_malformed_result_stops_the_build(small_book, stored):
    small_book.text("book/speed.md", "# Speed\n\n```{speed} over_full\n```\n")
    small_book.chapter("book/speed")
    small_book.text(speed.RESULT, json.dumps(broken(stored, "sizes", "wide")))
    done = small_book.build()
    assert done.returncode != 0
    assert "lib/benchmarks/peers.json: it has no 'wide'" in done.stdout + done.stderr


def test_the_page_of_the_book_shows_every_stored_ratio(built_book, stored):
    tables = cells(parse(built_book / "book" / "appendix" / "speed.html"))
    assert len(tables) == len(speed.TABLES)
    shown = {cell for rows in tables for row in rows[1:] for cell in row[1:]}
    ratios = [
        way[table] for size in stored["sizes"].values() for way in size["ways"].values() for table in speed.TABLES
    ]
    assert shown == set(map(speed.cell, ratios))
