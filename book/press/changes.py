"""What a change can touch: the tests and the notebooks to run before it is committed.

A room of tests is chosen by the folders of the changed files, a notebook by its stamp: its cells, its outputs and all
that they reach. A file that no rule knows concerns everything.
"""

import io
import subprocess
import tarfile
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory

from press import CommandError
from press.freshness import load, parts_of
from press.sources import Shelf
from press.structure import ROOT, toc_notebooks

EVERYTHING = ("tests", "book")
PAGES = ("tests/lib", "tests/book", "tests/evidence", "tests/press", "tests/browser", "tests/paper")
#: (pattern, rooms that a changed file of this name concerns); the first that fits counts. None: that file itself.
RULES = (
    ("tests/*/conftest.py", EVERYTHING),
    ("tests/*/test_*.py", None),
    ("lib/*.toml", EVERYTHING),
    ("lib/*", PAGES),
    ("book/conftest.py", EVERYTHING),
    ("book/press/structure.py", EVERYTHING),
    ("book/press/execution.py", EVERYTHING),
    ("book/*", PAGES),
    ("_toc.yml", PAGES),
    ("_config.yml", PAGES),
    ("*.md", PAGES),
    (".github/*", PAGES),
)


def touched(base=None, root=ROOT):
    """Returns the arguments for pytest: rooms of tests, test files and notebooks that a change since `base` can touch.

    `base` is a revision, and by default the commit where this branch left `main`. What is not committed counts too.
    """
    base = base or fork(root)
    names = changed(base, root)
    chosen = {room for name in names for room in rooms(name)}
    if chosen.issuperset(EVERYTHING):
        return list(EVERYTHING)
    chosen = {room for room in chosen if (root / room).exists() and str(Path(room).parent.as_posix()) not in chosen}
    return [*sorted(chosen), *(notebooks(base, root) if names else ())]


def rooms(name):
    """Returns the rooms, or the test file, that a change of the file `name` concerns."""
    for pattern, concerned in RULES:
        if fnmatch(name, pattern):
            return (name,) if concerned is None else concerned
    return EVERYTHING


def fork(root=ROOT):
    """Returns the commit where this branch left `main`, or the last one if there is no `main`."""
    try:
        return _git(root, "merge-base", "HEAD", "main").decode().strip()
    except CommandError:
        return "HEAD"


def changed(base, root=ROOT):
    """Returns the names of the files that differ from `base`, and of those that git does not know yet."""
    listed = _git(root, "diff", "--name-only", "--no-renames", "-z", base)
    listed += _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return sorted(set(listed.decode().split("\0")) - {""})


def notebooks(base, root=ROOT):
    """Returns the names of the notebooks whose cells, outputs or whatever they reach differ from `base`."""
    with TemporaryDirectory() as folder:
        before = Path(folder).resolve()
        archive = io.BytesIO(_git(root, "archive", base))
        with tarfile.open(fileobj=archive) as tar:
            tar.extractall(before, filter="data")
        old, new = Shelf(before), Shelf(root)
        names = [path.relative_to(root).as_posix() for path in toc_notebooks(root)]
        return [name for name in names if _parts(name, before, old) != _parts(name, root, new)]


def _parts(name, root, shelf):
    path = root / name
    return parts_of(load(path), path, root, shelf) if path.is_file() else None


def _git(root, *arguments):
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True)
    if done.returncode:
        raise CommandError(done.stderr.decode().strip())
    return done.stdout
