"""A small book to break on purpose, and the real one built once."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from books import SmallBook, build
from freshness import ROOT


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
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("needs Chromium: a program named chromium, chromium-browser or google-chrome")
    with sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()
