"""A small book to break on purpose, the real one built once, and every chapter; which tests are slow, and their order.

The processes of one run (`pytest -n 2`) share a folder: what is made there, like the built book, is made once.
"""

import os

import nbformat
import pytest
from filelock import FileLock

from books import SmallBook, build
from pages import chromium, headless
from press.structure import ROOT, toc_notebooks

#: What needs one of these is no test of a minute: it is left out by `-m "not slow"`.
SLOW = {"built_book", "browser", "paper"}
#: What several processes begin with, so that they end together: the longest first.
LONGEST = (
    "tests/paper",
    "tests/browser/test_pages.py",
    "tests/press/test_freshness.py",
    "book/recovery/experiments.ipynb",
    "tests/lib/test_sweep.py",
    "book",
    "tests/press/test_slides.py",
    "tests/browser",
)


def pytest_generate_tests(metafunc):
    """Runs a test that asks for a `chapter` once for every notebook of the book."""
    if "chapter" in metafunc.fixturenames:
        paths = toc_notebooks()
        names = [path.relative_to(ROOT / "book").as_posix() for path in paths]
        metafunc.parametrize("chapter", paths, ids=names)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Marks what is slow; in one of several processes, puts the longest tests first."""
    for item in items:
        if SLOW & set(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
    if hasattr(config, "workerinput"):
        items.sort(key=_turn)


def _turn(item):
    """Returns the place of a test among several processes, and that of longer notebooks before shorter ones."""
    path = item.path.relative_to(ROOT)
    places = [place for place, name in enumerate(LONGEST) if path.is_relative_to(name)]
    return min(places, default=len(LONGEST)), -item.path.stat().st_size if path.suffix == ".ipynb" else 0


@pytest.fixture
def notebook(chapter):
    """The notebook of a chapter."""
    return nbformat.read(chapter, as_version=4)


@pytest.fixture
def small_book(tmp_path):
    """A small book in a folder of its own."""
    return SmallBook(tmp_path / "source", tmp_path / "target")


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """The folder that the processes of this run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def built_book(shared):
    """The folder of the real book's pages, built from clean with the arguments of `python book/press build`."""
    target, unfinished = shared / "built", shared / "unfinished"
    with FileLock(shared / "built.lock"):
        if not target.exists():
            assert not unfinished.exists(), "the book does not build: another process of this run says why"
            done = build(ROOT, unfinished)
            assert done.returncode == 0, done.stdout + done.stderr
            unfinished.rename(target)
    return target / "_build" / "html"


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium, which leaves no event loop behind for other modules; skips where there is none."""
    if chromium() is None:
        pytest.skip("needs Chromium: a program named chromium, chromium-browser or google-chrome")
    with headless() as running:
        yield running
