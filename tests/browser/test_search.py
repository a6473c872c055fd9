"""The search, opened from a disk: it finds parts of pages, knows other words for them, and shows them as text."""

import pytest


@pytest.fixture
def search(browser, built_book):
    """A function that asks the page of the search, offline, and returns that page; no errors, no network."""
    context, faults = browser.new_context(offline=True), []
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: faults.append(request.url) if not request.url.startswith("file:") else None)

    def asked(query):
        page.goto(f"{(built_book / 'search.html').as_uri()}?q={query.replace(' ', '+')}")
        page.wait_for_selector("#search-results .search-summary")
        return page

    yield asked
    context.close()
    assert faults == []


def first(page):
    """Where the first result leads, without the folder."""
    return page.locator("#search-results li a").first.get_attribute("href").rpartition("/")[2]


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("Theorem 10.2", "convergence.html#thm:convergence"),
        ("trap", "glossary.html#term-trap"),
        ("critical dimension", "glossary.html#term-critical-dimension-per-token"),
        ("ascend", "api.html#sga.ascent.ascend"),
        ("one step on the sphere", "tokens.html#one-step-on-the-sphere"),
    ],
)
def test_what_is_asked_for_by_name_comes_first(search, query, place):
    assert first(search(query)) == place


@pytest.mark.parametrize(
    ("query", "said", "place"),
    [
        ("learning rate", "step size", "glossary.html#term-step-size"),
        ("Theta_c", "critical strength", "glossary.html#term-critical-strength"),
        ("install", "run it", "run.html"),
    ],
)
def test_other_words_find_what_the_book_calls_differently(search, query, said, place):
    page = search(query)
    assert f"The book says “{said}”." in page.locator(".search-summary").inner_text()
    assert first(page) == place


def test_formulas_of_an_excerpt_are_typeset(search):
    page = search("Theorem 10.2")
    page.wait_for_selector("#search-results li mjx-container")
    assert "\\" not in page.locator("#search-results").inner_text()


def test_a_word_that_is_nowhere_says_so(search):
    page = search("xylophone")
    assert page.locator(".search-summary").inner_text().startswith("Nothing was found.")
    assert page.locator("#search-results li").count() == 0
