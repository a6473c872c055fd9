"""A small book to break on purpose, and the real one built once."""

import pytest

from books import SmallBook, build
from pages import chromium, headless
from press.structure import ROOT


@pytest.fixture
def small_book(tmp_path):
    """A small book in a folder of its own."""
    return SmallBook(tmp_path / "source", tmp_path / "target")


@pytest.fixture(scope="session")
def built_book(tmp_path_factory):
    """The folder of the real book's pages, built from clean by README's command."""
    target = tmp_path_factory.mktemp("book")
    done = build(ROOT, target)
    assert done.returncode == 0, done.stdout + done.stderr
    return target / "_build" / "html"


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium; skips where there is none."""
    if chromium() is None:
        pytest.skip("needs Chromium: a program named chromium, chromium-browser or google-chrome")
    with headless() as running:
        yield running
