"""Runs every statistical check with other random streams: python book/press fresh-seeds --seeds N [NOTEBOOK ...]

Executes the notebooks that have a statistical check, once for each master seed, which is mixed into every stream of
random numbers, and says how each check fared. The notebooks stay as they are. A cell that fails, because it holds a
number that belongs to the stored streams, is named and does not stop the others. Results are added to
book/appendix/fresh_seeds.json one by one, for the page of the ledger; a run that was stopped goes on from them. The
exit code is 1 if a prediction was rejected.
"""

import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from time import monotonic

from press.commands import parser
from press.commands.refresh import check_library, named
from press.freshness import load
from press.structure import ROOT, code_cells, unmet
from press.trials import keep, key, of_now, records_of, statistical, tested


def trial(path, master):
    """Executes a copy of the notebook at `path` with a master seed; returns (what came of it, seconds)."""
    import nbformat

    from press.kernel import run

    begun, present = monotonic(), key(path)
    notebook = nbformat.read(path, as_version=4)
    for cell in code_cells(notebook):
        cell.outputs = []
    run(notebook, path.parent, ("seeds", f"mix({master!r})"), allow_errors=True)
    place = {"notebook": path.relative_to(ROOT).as_posix(), "master": master, "key": present}
    return {**place, "checks": statistical(records_of(notebook)), "errors": errors(notebook)}, monotonic() - begun


def errors(notebook):
    """Returns what the cells that failed said, one line a cell."""
    found = []
    for number, cell in enumerate(code_cells(notebook), 1):
        wrong = [output for output in cell["outputs"] if output["output_type"] == "error"]
        found += [f"code cell {number}: {error['ename']}: {error['evalue']}".splitlines()[0] for error in wrong]
    return found


def described(result, seconds):
    """Returns lines on a trial: a summary, then each check and each cell that failed."""
    checks = result["checks"]
    passed = sum(check["passed"] for check in checks)
    name = f"{result['notebook']}, master seed {result['master']}"
    yield f"{name}: {passed} of {len(checks)} checks passed in {seconds:.0f} s"
    for check in checks:
        if not check["passed"]:
            size = f"p = {check['p']:.1g}" if check["z"] is None else f"z = {check['z']:.1f}, p = {check['p']:.1g}"
            why = (["prediction rejected"] if check["rejected"] else []) + [f"kept: {rival}" for rival in check["kept"]]
            yield f"  {check['claim']} · {check['about']} · {size}: {'; '.join(why)}"
    yield from (f"  {error}" for error in result["errors"])


def pending(paths, masters):
    """Returns the pairs (notebook, master seed) without a result, all notebooks of a master seed together."""
    done = {path: of_now(path) for path in paths}
    return [(path, master) for master in masters for path in paths if master not in done[path]]


def main(arguments=None):
    """Runs what the arguments ask for and has no result yet; returns the exit code."""
    words = parser(__name__, __doc__)
    words.add_argument("notebooks", nargs="*", type=Path, help="default: all that have a statistical check")
    words.add_argument("--seeds", type=int, required=True, metavar="N", help="the number of master seeds")
    words.add_argument("--first", type=int, default=1, metavar="M", help="the first of them (default: 1)")
    given = words.parse_args(arguments)
    if given.seeds < 1 or given.first < 1:
        words.error("N and M must be at least 1: master seed 0 is the book as it is")
    check_library()
    chosen = [path for path in named(given.notebooks) if path in tested()]
    missing = {path: reason for path in chosen if (reason := unmet(load(path)))}
    for path, reason in missing.items():
        print(f"{os.path.relpath(path)}: left out: {reason}")
    paths, masters = [path for path in chosen if path not in missing], range(given.first, given.first + given.seeds)
    run_all(pending(paths, masters))
    found = {path: of_now(path) for path in paths}
    results = [found[path][master] for path in paths for master in masters]
    checks = [check for result in results for check in result["checks"]]
    rejected, kept = sum(check["rejected"] for check in checks), sum(bool(check["kept"]) for check in checks)
    print(f"{len(checks)} checks with {len(masters)} master seeds: {rejected} predictions rejected, {kept} rivals kept")
    return min(rejected, 1)


def run_all(jobs):
    """Runs the trials in two processes, and writes each result down when it is there."""
    with ProcessPoolExecutor(2) as pool:
        for done in as_completed([pool.submit(trial, *job) for job in jobs]):
            result, seconds = done.result()
            keep(result)
            print("\n".join(described(result, seconds)), flush=True)
