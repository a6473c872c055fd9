"""How the statistical checks of the book fare with other streams of random numbers: what `fresh-seeds` has found.

The results stand in one file, a trial a line: a notebook, a master seed, the checks, and what the cells that failed
said. A trial belongs to the code that made it: it does not count for a notebook with another key, the digest of its
cells and of all that they reach.
"""

import json
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from evidence import MIME, Verdict, judged
from press.freshness import inputs_of, line, load
from press.sources import Shelf, digest
from press.structure import ROOT, code_cells, toc_notebooks

RESULTS = "book/appendix/fresh_seeds.json"
MONTE_CARLO = "Monte Carlo"
REJECTED, KEPT = "prediction rejected", "rival kept"


def records_of(notebook):
    """Returns the records in the outputs of a notebook, in order."""
    outputs = [output for cell in code_cells(notebook) for output in cell["outputs"]]
    found = (output.get("data", {}).get(MIME) for output in outputs)
    return [record for record in found if record]


def statistical(records):
    """Returns the statistical checks among `records`, in short, without demonstrations, meant to fail."""
    shown = {record["id"] for record in records if record["kind"] == "claim" and record["demonstration"]}
    checks = [record for record in records if record["kind"] == "check" and record["scope"] == MONTE_CARLO]
    return [_short(check) for check in checks if check["claim"] not in shown]


def _short(check):
    kept = [rival["name"] for rival in check["rivals"] if not rival["rejected"]]
    passed = judged(check) == Verdict.PASSED
    rejected = not passed and (not kept or check["p"] < check["alpha"])
    names = ("claim", "about", "z", "p", "alpha")
    return {**{name: check[name] for name in names}, "passed": passed, "rejected": rejected, "kept": kept}


def key(path, root=ROOT, shelf=None):
    """Returns the digest of all that the outputs of the notebook at `path` depend on."""
    return digest(line(inputs_of(load(path), path, root, shelf)))


def tested(root=ROOT):
    """Returns the notebooks whose stored outputs hold a statistical check."""
    return [path for path in toc_notebooks(root) if statistical(records_of(load(path)))]


def results(root=ROOT):
    """Returns the trials in the file of results."""
    file = Path(root) / RESULTS
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []


def of_now(path, root=ROOT, shelf=None):
    """Returns {master seed: trial} of the notebook at `path`, as far as its present code made them."""
    name, present = Path(path).relative_to(root).as_posix(), key(path, root, shelf)
    return {t["master"]: t for t in results(root) if (t["notebook"], t["key"]) == (name, present)}


def keep(trial, root=ROOT):
    """Adds a trial to the file; those of the same notebook that have another key go."""
    same = [t for t in results(root) if t["notebook"] != trial["notebook"] or t["key"] == trial["key"]]
    found = {(t["notebook"], t["master"]): t for t in [*same, trial]}
    lines = [json.dumps(found[place], ensure_ascii=False) for place in sorted(found)]
    file = Path(root) / RESULTS
    file.parent.mkdir(exist_ok=True)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    unfinished.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8", newline="\n")
    unfinished.replace(file)


@dataclass(frozen=True)
class Tally:
    """Results of all notebooks together."""

    masters: int
    notebooks: int
    complete: int
    runs: int
    failures: dict
    spent: float
    errors: int

    @property
    def rejections(self):
        """How often a prediction was rejected."""
        return sum(counts[REJECTED] for counts in self.failures.values())


def tally(root=ROOT):
    """Returns the Tally of the results that the present code made.

    `spent` is the mean number of false alarms that these runs would give if each test spent its whole level.
    """
    shelf = Shelf(root)
    found = {path: of_now(path, root, shelf) for path in tested(root)}
    masters = {master for trials in found.values() for master in trials}
    trials = [trial for trials in found.values() for trial in trials.values()]
    runs = [(trial["notebook"], check) for trial in trials for check in trial["checks"]]
    failures = {}
    for name, check in runs:
        if not check["passed"]:
            counts = failures.setdefault((name, check["claim"], check["about"]), Counter())
            counts[REJECTED] += check["rejected"]
            counts[KEPT] += bool(check["kept"])
    return Tally(
        masters=len(masters),
        notebooks=len(found),
        complete=sum(masters == trials.keys() for trials in found.values()) if masters else 0,
        runs=len(runs),
        failures=failures,
        spent=sum(check["alpha"] for _, check in runs),
        errors=sum(len(trial["errors"]) for trial in trials),
    )
