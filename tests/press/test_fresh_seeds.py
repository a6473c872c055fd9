"""The command that runs the statistical checks with other random streams, and what the ledger says of its results."""

import json
import re
import subprocess
import sys

import pytest

from books import check_record, claim_record, shown
from press import trials
from press.freshness import load, sources_of
from press.pages.seeds import NOTHING, lines
from press.structure import ROOT, toc_notebooks
from press.trials import keep, key, of_now, statistical, tally

CHAPTER = "book/part/chapter"
SEEDS = ROOT / "book" / "press" / "inside" / "seeds.py"
#: Every way in which a chapter or a library may make a generator, each as an expression that draws three numbers.
STREAMS = {
    "a number": "np.random.default_rng(5).random(3)",
    "numbers": "np.random.default_rng((100, 2)).random(3)",
    "zero": "np.random.default_rng(0).random(3)",
    "a sequence": "np.random.default_rng(np.random.SeedSequence(7, spawn_key=(3,))).random(3)",
    "a child": "np.random.default_rng(np.random.SeedSequence(7).spawn(2)[1]).random(3)",
    "a spawned generator": "np.random.default_rng(5).spawn(1)[0].random(3)",
    "a bit generator": "np.random.Generator(np.random.PCG64(5)).random(3)",
    "another bit generator": "np.random.Generator(np.random.Philox(np.random.SeedSequence(5))).random(3)",
    "an older one": "np.random.RandomState(5).random_sample(3)",
    "the global one": "(np.random.seed(5), np.random.random_sample(3))[1]",
    "scipy": "stats.norm.rvs(size=3, random_state=5)",
    "scipy's qmc": "stats.qmc.Sobol(3, rng=5).random(1)[0]",
    "a run": "ascend(Model(4, 2, 3, 1.0), 3, Constant(0.1), runs=1, seed=2).rho[0, 1:]",
    "a reduced run": "ascend(Model(4, 2, 3, 1.0), 3, Constant(0.1), runs=1, method='reduced').rho[0, 1:]",
}
DRAW = """
{mixing}
import json
from scipy import stats
from sga import Constant, Model, ascend
import numpy as np
print(json.dumps({{name: np.asarray(eval(code)).tolist() for name, code in json.loads({streams!r}).items()}}))
"""


def drawn(mixing=""):
    """Returns what the streams give in a process of their own, after `mixing`."""
    code = DRAW.format(mixing=mixing, streams=json.dumps(STREAMS))
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def mixed(master):
    return drawn(f"exec(open({str(SEEDS)!r}).read(), globals())\nmix({master!r})")


@pytest.fixture(scope="module")
def streams():
    return {"plain": drawn(), 1: mixed(1), 2: mixed(2)}


def test_without_a_master_seed_all_streams_are_those_of_the_book(streams):
    assert mixed(0) == mixed(None) == streams["plain"]


@pytest.mark.parametrize("name", STREAMS)
def test_a_master_seed_changes_every_stream_to_one_of_its_own(streams, name):
    found = [tuple(streams[master][name]) for master in ("plain", 1, 2)]
    assert len(set(found)) == 3


def test_different_streams_stay_different_and_a_master_seed_gives_the_same_again(streams):
    uniform = [tuple(streams[1][name]) for name in list(STREAMS)[:6]]
    assert len(set(uniform)) == len(uniform)
    assert mixed(1) == streams[1]


def test_a_chapter_uses_no_generator_that_is_not_mixed():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "lib").glob("*/*.py")]
    for path in toc_notebooks():
        texts += sources_of(load(path))
    used = {name for text in texts for name in re.findall(r"np\.random\.(\w+)", text)}
    assert used == {"default_rng", "SeedSequence", "Generator"}
    for text in texts:
        assert not re.search(r"^\s*(import random|from (numpy\.)?random import|from numpy import random)", text, re.M)


def test_a_master_seed_reaches_torch_when_it_is_imported(tmp_path):
    (tmp_path / "torch.py").write_text("given = []\n\n\ndef manual_seed(n):\n    given.append(n)\n    return n\n")
    code = "exec(open({0!r}).read(), globals())\nmix({1})\nimport torch\ntorch.manual_seed(5)\nprint(torch.given[0])"
    said = []
    for master in (0, 1, 1, 2):
        command = [sys.executable, "-c", code.format(str(SEEDS), master)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said.append(int(done.stdout))
    assert said[0] == 5 and said[1] == said[2] and len(set(said)) == 3


CELLS = [
    ("import numpy as np\nfrom sga import claim, sample_size", []),
    ("B1 = claim('B1', 'the mean is zero')", shown(claim_record("B1"))),
    ("x = np.random.default_rng(1).standard_normal(1000)\nassert abs(x[0] - 0.3455841920916) < 1e-9", []),
    (
        "B1.mean(x, 0.0, about='the mean', rivals={'near': 0.5}, tails='normal')",
        shown(check_record("B1", test="mean", scope="Monte Carlo", about="the mean", n=1000, p=0.5, alpha=1e-6)),
    ),
    ("B1.mean(x, 1.0, about='wrong', rivals={'zero': 0.0}, tails='normal')", []),
]


@pytest.fixture
def book(small_book):
    small_book.notebook(CHAPTER, *CELLS)
    return small_book


def fresh_seeds(book, *arguments):
    command = [sys.executable, "book/press", "fresh-seeds", *arguments]
    environment = {"PYTHONPATH": str(book.root / "lib"), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=book.root, env=environment, capture_output=True, text=True)


def test_the_command_runs_what_has_no_result_and_reports_each_check(book):
    path = book.root / f"{CHAPTER}.ipynb"
    before = path.read_bytes()
    done = fresh_seeds(book, "--seeds", "2")
    assert done.returncode == 1, done.stderr
    assert f"{CHAPTER}.ipynb, master seed 2: 1 of 2 checks passed" in done.stdout
    assert "B1 · wrong · z = " in done.stdout and "prediction rejected; kept: zero" in done.stdout
    assert "code cell 3: AssertionError" in done.stdout
    assert "4 checks with 2 master seeds: 2 predictions rejected, 2 rivals kept" in done.stdout
    assert path.read_bytes() == before
    found = of_now(path, book.root)
    assert len({found[master]["checks"][0]["z"] for master in (1, 2)}) == 2
    again = fresh_seeds(book, "--seeds", "2")
    assert "master seed 2" not in again.stdout and "4 checks with 2 master seeds" in again.stdout


def trial(book, master, *checks, errors=()):
    path = book.root / f"{CHAPTER}.ipynb"
    place = {"notebook": f"{CHAPTER}.ipynb", "master": master, "key": key(path, book.root)}
    keep({**place, "checks": list(checks), "errors": list(errors)}, book.root)


GOOD = {
    "claim": "B1",
    "about": "$|x|$",
    "z": 1.0,
    "p": 0.3,
    "alpha": 1e-6,
    "passed": True,
    "rejected": False,
    "kept": [],
}
BAD = {**GOOD, "passed": False, "rejected": True}
LOOSE = {**GOOD, "about": "loose", "passed": False, "kept": ["one"]}


def test_the_page_counts_what_failed_and_how(book):
    assert lines(tally(book.root)) == [NOTHING]
    trial(book, 1, GOOD, GOOD)
    assert lines(tally(book.root))[0].endswith("No check failed.")
    trial(book, 2, BAD, LOOSE, errors=["code cell 3: AssertionError"])
    found = tally(book.root)
    assert (found.masters, found.runs, found.rejections, found.errors) == (2, 4, 1, 1)
    text = "\n".join(lines(found))
    assert "With 2 master seeds 4 checks were run, in 1 chapters" in text and "rejected 1 times" in text
    assert rf"| B1 · $\|x\|$ | {{doc}}`/{CHAPTER}` | 1 | 0 |" in text
    assert "| B1 · loose |" in text and "1 cells stopped" in text


def test_the_page_shows_the_table(book):
    trial(book, 1, GOOD, BAD)
    book.text("book/part/seeds.md", "# Seeds\n\n```{fresh-seeds}\n```\n")
    book.chapter("book/part/seeds")
    done = book.build()
    assert done.returncode == 0, done.stdout + done.stderr
    shown = book.page("book/part/seeds").select_one(".sga-seeds")
    assert "With 1 master seeds 2 checks were run" in shown.get_text()
    cells = [cell.get_text() for cell in shown.select("tbody td")]
    assert cells == [r"B1 · \(|x|\)", "Chapter chapter", "1", "0"]
    assert shown.select_one("tbody a")["href"].startswith("chapter.html")


def test_a_result_does_not_outlive_the_code_that_made_it(book):
    trial(book, 1, GOOD)
    assert tally(book.root).runs == 1
    path = book.root / "lib" / "evidence" / "levels.py"
    path.write_text(path.read_text(encoding="utf-8") + "# a comment\n", encoding="utf-8")
    assert tally(book.root).runs == 1
    path.write_text(path.read_text(encoding="utf-8") + "EXTRA = 1\n", encoding="utf-8")
    assert tally(book.root).runs == 0
    trial(book, 2, BAD)
    assert [(t["master"], t["checks"]) for t in trials.results(book.root)] == [(2, [BAD])]


def test_demonstrations_and_other_scopes_are_left_out():
    records = [
        claim_record("B1"),
        claim_record("D1", demonstration=True),
        check_record("B1"),
        check_record("D1", scope="Monte Carlo", p=1e-9, alpha=1e-6, passed=False),
        check_record("B1", scope="Monte Carlo", p=1e-9, alpha=1e-6, passed=False, rivals=(("one", True),)),
        check_record("B1", scope="Monte Carlo", p=0.1, alpha=1e-6, passed=False, rivals=(("one", False),)),
    ]
    assert [(check["rejected"], check["kept"]) for check in statistical(records)] == [(True, []), (False, ["one"])]
