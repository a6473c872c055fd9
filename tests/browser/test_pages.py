"""Every page in a browser: without a network, by keyboard, on a phone, in the dark; and each check on a broken page."""

import re
import shutil
from functools import cache

import pytest

from pages import (
    MADE,
    TOOLS,
    WEIGHT,
    WIDTHS,
    anchors_and_links,
    look,
    opened,
    problems_axe,
    problems_keyboard,
    problems_links,
    problems_opening,
    problems_order,
    problems_typesetting,
    problems_weight,
    problems_width,
)
from press.structure import ROOT, toc_files

NAMES = [path.relative_to(ROOT).with_suffix("").as_posix() for path in toc_files()]
NOTEBOOKS = [path.relative_to(ROOT).with_suffix("").as_posix() for path in toc_files() if path.suffix == ".ipynb"]
PLAIN = "book/appendix/notation"
CODE = "book/dynamics/landscape"

each_page = pytest.mark.parametrize("name", [*NAMES, *MADE])


@pytest.fixture(scope="module")
def seen(browser, built_book):
    """Returns the problems of a page and the files that it loads; looks at a page when it is first asked for."""
    return cache(lambda name: look(browser, built_book / f"{name}.html"))


@each_page
def test_a_page_serves_every_reader(seen, name):
    assert {kind: words for kind, words in seen(name)[0].items() if words} == {}


def test_no_page_is_heavy(seen):
    assert problems_weight({name: seen(name)[1] for name in (*NAMES, *MADE)}) == []


def test_every_page_is_looked_at(built_book):
    first = built_book / "index.html"
    inside = [path for path in built_book.rglob("*.html") if "_static" not in path.parts and path != first]
    assert {path.relative_to(built_book).with_suffix("").as_posix() for path in inside} == {*NAMES, *MADE}
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"(?:file|root): (\S+)", toc)) == set(NAMES)


def test_every_link_leads_to_a_page_and_an_anchor(built_book):
    found = {name: problems_links(built_book / f"{name}.html") for name in (*NAMES, *MADE)}
    assert {name: words for name, words in found.items() if words} == {}


def test_pages_lead_through_the_table_of_contents(built_book):
    assert problems_order(built_book, NAMES) == []


def test_chapters_are_offered_as_notebooks(built_book):
    for name in NOTEBOOKS:
        path = built_book / f"{name}.html"
        (href,) = [href for href, classes in anchors_and_links(path)[1] if "btn-download-source-button" in classes]
        assert href.endswith(".ipynb")
        assert (path.parent / href).resolve().is_file()


#: Of radio buttons, Tab comes to the one that is chosen.
STOPS = f"""() => {{
    {TOOLS}
    return controls().filter(node => node.type !== "radio" || node.checked).length; }}"""
MISSED = f"""() => {{
    {TOOLS}
    return controls().filter(node => !reached.has(node) && (node.type !== "radio" || node.checked)).map(named);
}}"""


@pytest.mark.parametrize("name", [CODE, "book/dynamics/ascent", "book/recovery/filtering", "book/beyond/sign"])
def test_tab_comes_to_every_control(browser, built_book, name):
    with opened(browser, built_book / f"{name}.html", viewport={"width": WIDTHS[-1], "height": 900}) as (page, *_):
        count = page.evaluate(STOPS)
        page.evaluate("window.reached = new Set(); document.addEventListener('focusin', e => reached.add(e.target))")
        for _ in range(count + 1):
            page.keyboard.press("Tab")
        assert count > 50
        assert page.evaluate(MISSED) == []


def test_the_ledger_is_short_while_closed(browser, built_book):
    path = built_book / "book/appendix/ledger.html"
    with opened(browser, path, viewport={"width": 1280, "height": 900}) as (page, *_):
        assert page.evaluate("document.documentElement.scrollHeight") < 6000


def test_the_colors_are_switched_by_keyboard(browser, built_book):
    with opened(browser, built_book / f"{PLAIN}.html", color_scheme="light") as (page, *_):
        themes = []
        for _ in range(3):
            page.locator(".theme-switch-button:visible").first.press("Enter")
            themes.append(page.evaluate("document.documentElement.dataset.theme"))
        assert set(themes) == {"light", "dark"}


def test_code_is_copied_by_keyboard(browser, built_book):
    with opened(browser, built_book / f"{CODE}.html") as (page, *_):
        cell = page.locator("div.cell_input:visible").first
        assert page.locator("div.cell_input").count() == page.locator("div.cell_input button.copybtn").count()
        cell.locator("button.copybtn").press("Enter")
        page.wait_for_selector("button.copybtn.success", state="attached")
        page.evaluate("document.body.append(Object.assign(document.createElement('textarea'), {id: 'pasted'}))")
        page.locator("#pasted").press("Control+V")
        assert page.locator("#pasted").input_value().strip() == cell.locator("pre").inner_text().strip()


@pytest.fixture(scope="module")
def broken(built_book, tmp_path_factory):
    """A function that adds HTML to a copy of a page, and returns where the copy lies."""
    site = tmp_path_factory.mktemp("broken") / "html"
    shutil.copytree(built_book, site)

    def spoil(added):
        page = site / f"{PLAIN}.html"
        text, end = page.read_text(encoding="utf-8"), "</article>"
        assert text.count(end) == 1
        copy = page.with_name("broken.html")
        copy.write_text(text.replace(end, added + end), encoding="utf-8")
        return copy

    return spoil


BUTTON = "<button {}>A button</button>"
DEFECTS = {
    "a picture without words": ("axe", "image-alt", '<img src="../../_static/model.svg">'),
    "pale text": ("axe", "color-contrast", '<p style="color: #999; background: #fff">pale</p>'),
    "text pale in the dark": ("axe", "dark, 1280 pixels: color-contrast", '<p style="color: #555">pale</p>'),
    "a pale equation": ("axe", "color-contrast", r'<p class="math" style="color: #ccc; background: #fff">\(x\)</p>'),
    "a link that looks like its text": (
        "axe",
        "link-in-text-block",
        '<p>Words <a href="#" style="color: #0a53b8; text-decoration: none">link</a> and many more words.</p>',
    ),
    "a button without a name": ("axe", "button-name", "<button></button>"),
    "something too wide": ("width", "on a screen of 390", '<div style="width: 900px">wide</div>'),
    "an error of a script": ("loading", "wrong", "<script>console.error('wrong')</script>"),
    "an exception in a script": ("loading", "wrong", "<script>throw new Error('wrong')</script>"),
    "a missing file": ("loading", "did not get", '<img src="gone.png" alt="a gone picture here">'),
    "a request to the outside": (
        "loading",
        "asks for https://example.org",
        "<img src='https://example.org/a.png' alt='x'>",
    ),
    "an unknown macro": ("typesetting", "mjx-", r'<p class="math">\(\nonsense{x}\)</p>'),
    "mathematics that ends too early": ("typesetting", "mjx-", r'<p class="math">\(\left( x\)</p>'),
    "raw mathematics": ("typesetting", "x + y", '<p class="math">x + y</p>'),
    "a button that Tab passes over": ("keyboard", "not reached by Tab", BUTTON.format('tabindex="-1"')),
    "an inert button": ("keyboard", "not reached by Tab", f"<div inert>{BUTTON.format('')}</div>"),
    "focus that is not seen": (
        "keyboard",
        "looks the same",
        f"<style>#x:focus-visible {{ outline: none !important }}</style>{BUTTON.format('id=x')}",
    ),
    "a scrolling part without focus": (
        "keyboard",
        "not by keyboard",
        '<div style="overflow-x: auto; width: 99px"><div style="width: 999px">wide</div></div>',
    ),
    "a solution that stays closed": (
        "opening",
        "stays closed",
        '<details onclick="event.preventDefault()"><summary>Solution</summary>No.</details>',
    ),
}


CHECKS = {
    "axe": problems_axe,
    "keyboard": problems_keyboard,
    "opening": problems_opening,
    "typesetting": problems_typesetting,
    "width": problems_width,
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_broken_page_is_seen(browser, broken, defect):
    kind, words, added = DEFECTS[defect]
    with opened(browser, broken(added)) as (page, faults, _):
        found = faults if kind == "loading" else CHECKS[kind](page)
    assert [problem for problem in found if words in problem], found


def test_a_dead_link_and_a_dead_anchor_are_seen(broken):
    path = broken('<a href="gone.html">x</a> <a href="ledger.html#gone">x</a> <a href="#gone">x</a>')
    assert problems_links(path) == ["no file: gone.html", "no anchor: ledger.html#gone", "no anchor: #gone"]


def test_a_heavy_picture_is_seen(browser, broken):
    path = broken('<img src="heavy.svg" alt="a heavy picture here"> <img src="both.svg" alt="one of two pages">')
    for name in ("heavy", "both"):
        picture = f'<svg xmlns="http://www.w3.org/2000/svg"/>{" " * WEIGHT}'
        path.with_name(f"{name}.svg").write_text(picture, encoding="utf-8")
    with opened(browser, path) as (_, _, files):
        pass
    (words,) = problems_weight({"broken": files, "other": {file for file in files if "heavy" not in file}})
    assert int(re.search(r"\d+", words)[0]) > WEIGHT
    assert problems_weight({"broken": files, "other": files}) == []


def test_a_page_that_is_missing_or_leads_elsewhere_is_seen(built_book, broken):
    assert problems_order(built_book, [*NAMES, "book/gone"]) == [
        f"{NAMES[-1]} does not lead to book/gone by right-next",
        "no page book/gone",
    ]
    assert len(problems_order(built_book, [NAMES[0], *NAMES[2:]])) == 2
