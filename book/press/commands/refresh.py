"""Executes notebooks and stores their outputs: python book/press refresh [book/model/population.ipynb ...]

Without arguments, all notebooks of the table of contents; with --changed those whose outputs are stale, and with
--check these are only named. A notebook whose execution raises or writes to stderr, that opens a file of the repository
which its stamp does not cover, or that needs an optional module which is not installed, is left as it was, and the exit
code is 1. Executing twice gives the same file, byte for byte, if the cells are deterministic.
"""

import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

from press import CommandError
from press.commands import parser
from press.freshness import keep, report, stale
from press.sources import Shelf
from press.structure import ROOT, toc_notebooks


def attempt(path):
    """Refreshes the notebook at `path`; returns (its stamp, or None if it could not be done, what is to be said)."""
    from press.execution import RefreshError, refresh  # takes seconds to import, and --check does without

    print(f"{path}: started", flush=True)
    begun = monotonic()
    try:
        stamp = refresh(path)
    except RefreshError as error:
        return None, f"not refreshed: {error}"
    return stamp, f"refreshed in {monotonic() - begun:.0f} s"


def check_library():
    """Raises CommandError unless the packages that notebooks import are those that the stamps cover."""
    for expected in Shelf().packages():
        spec = find_spec(expected.name)
        found = Path(spec.origin).resolve().parent if spec else None
        if found != expected:
            raise CommandError(f"`import {expected.name}` finds {found}, not {expected}: pip install -e {ROOT / 'lib'}")


def named(paths):
    """Returns the notebooks at `paths`, all if there are none, in the order of the table of contents.

    Raises CommandError with a line for each path that is not in it.
    """
    book, given = toc_notebooks(), {path: path.resolve() for path in paths}
    if wrong := [path for path, place in given.items() if place not in book]:
        raise CommandError("\n".join(f"{path}: {_why_not(path)}" for path in wrong))
    return [path for path in book if not given or path in given.values()]


def _why_not(path):
    if not path.exists():
        return "there is no such file"
    return "not in _toc.yml" if path.suffix == ".ipynb" else "not a notebook"


def main(arguments=None):
    """Refreshes the notebooks named on the command line, or says which are stale, and returns the exit code."""
    words = parser(__name__, __doc__)
    words.add_argument("notebooks", nargs="*", type=Path, help="default: all of the table of contents")
    only = words.add_mutually_exclusive_group()
    only.add_argument("--check", action="store_true", help="execute nothing: say which are stale, with exit code 1")
    only.add_argument("--changed", action="store_true", help="only those that are stale")
    given = words.parse_args(arguments)
    paths = named(given.notebooks)
    if given.check:
        said = report(notebooks=paths)
        print(said or "all stored outputs are fresh")
        return 1 if said else 0
    if given.changed:
        paths = list(stale(notebooks=paths))
    check_library()
    return refresh_all([Path(os.path.relpath(path)) for path in paths])


def refresh_all(paths):
    """Refreshes the notebooks in two processes and returns the exit code."""
    failed = 0
    with ProcessPoolExecutor(2) as pool:
        jobs = {pool.submit(attempt, path): path for path in paths}
        for job in as_completed(jobs):
            stamp, said = job.result()
            print(f"{jobs[job]}: {said}", flush=True)
            if stamp is None:
                failed = 1
            else:
                keep({jobs[job].resolve(): stamp})
    return failed
