"""A small book with all explorers, opened in a browser."""

import pytest

from books import SmallBook
from press.pages.explorers import KINDS


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of a small book with a page of all explorers and one without any, and what its build said."""
    root = tmp_path_factory.mktemp("explorers")
    book = SmallBook(root / "source", root / "target")
    page = "# Explorers\n"
    for kind in KINDS:
        picture = f"![A still picture of {kind}](../_static/explorers/{kind}.png)"
        page += f"\nSee {{numref}}`fig-{kind}`.\n"
        page += f"\n:::{{explorer}} {kind}\n:name: fig-{kind}\n\n{picture}\n\nA caption.\n:::\n"
    book.text("book/pages/explorers.md", page)
    book.text("book/pages/plain.md", "# Plain\n\nNo explorer.\n")
    for name in ("book/pages/explorers", "book/pages/plain"):
        book.chapter(name)
    done = book.build()
    assert done.returncode == 0, done.stdout + done.stderr
    return book


@pytest.fixture
def address(site):
    """The address of the page of all explorers, in the folder where it was built."""
    return (site.target / "_build" / "html" / "book" / "pages" / "explorers.html").as_uri()


@pytest.fixture
def visit(browser, address):
    """A function that opens the page, offline, in a context with the given options; no errors, no network."""
    contexts, faults = [], []

    def opened(**options):
        options = {"viewport": {"width": 1280, "height": 900}, **options}
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request", lambda request: faults.append(request.url) if request.url[:5] not in ("file:", "data:") else None
        )
        page.goto(address, wait_until="domcontentloaded")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []
