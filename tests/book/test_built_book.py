"""The book as readers get it: complete, offline and without leftovers."""

import json
import re
from copy import copy
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

import evidence
from books import LEAKS, parse
from press.structure import ROOT, numbered_files, toc_files

FILES = {path.relative_to(ROOT).with_suffix("").as_posix(): path for path in toc_files()}
CHAPTERS = [name for name, path in FILES.items() if path.suffix == ".ipynb"]
NUMBERED = re.compile(r'<h1><span class="section-number">([\d.]+)')
LABELED = re.compile(r"\$\$ *\([\w:.-]+\) *$", re.MULTILINE)
UNRESOLVED = re.compile(r"\?\?\?|\[\?\]|%s|\{(?:eq|ref|numref|doc|term|prf:ref|cite:?\w*|glue:?\w*)\}")

#: The scope lets pytest put the tests of one page together, so that it is parsed once.
each_page = pytest.mark.parametrize("name", FILES, scope="module")


@pytest.fixture(scope="module")
def page(built_book, name):
    """The article of a page: what the book says there, without the theme's frame."""
    return parse(built_book / f"{name}.html").find("article")


def prose(article):
    """Returns the text of an article without code and mathematics."""
    rest = copy(article)
    for node in rest.select("script, style, pre, code, .math"):
        node.decompose()
    return rest.get_text(" ")


@each_page
def test_a_page_shows_no_traceback_raw_representation_or_path(page):
    assert LEAKS.findall(page.get_text(" ")) == []


@each_page
def test_a_page_shows_no_raw_mathematics(page):
    text = prose(page)
    assert [text[max(0, m.start() - 60) : m.end() + 60] for m in re.finditer(r"\$|\\\(|\\\[|\\begin", text)] == []


@each_page
def test_a_page_has_no_unresolved_reference(page):
    assert UNRESOLVED.findall(prose(page)) == []
    assert [str(node) for node in page.select(".problematic, .system-message")] == []
    loose = [node for node in page.select(".xref") if not node.find_parent("a") and not node.select("a")]
    assert [str(node) for node in loose if "py" not in node["class"]] == []


@each_page
def test_a_page_says_in_its_head_what_it_is_about(built_book, name):
    (about,) = parse(built_book / f"{name}.html").select("meta[name=description]")
    assert 60 < len(about["content"]) <= 202


def test_the_page_of_the_library_calls_arrays_what_numpy_calls_them(built_book):
    text = (built_book / "book" / "appendix" / "api.html").read_text(encoding="utf-8")
    assert "array_like" in text and "_SupportsArray" not in text and "dtype[" not in text


def test_the_search_knows_every_page_and_leads_to_places_that_exist(built_book):
    text = (built_book / "_static" / "search-parts.js").read_text(encoding="utf-8")
    pages = json.loads(text.partition(" = ")[2])["pages"]
    assert set(FILES) <= set(pages)
    for name, (_, parts) in pages.items():
        addresses = [unquote(address).partition("#") for _, _, address, _ in parts]
        assert {page for page, _, _ in addresses} == {f"{name}.html"}
        ids = {node["id"] for node in parse(built_book / f"{name}.html").select("[id]")}
        assert [place for _, _, place in addresses if place and place not in ids] == []
    assert "import numpy" not in text


@pytest.mark.parametrize("name", CHAPTERS, scope="module")
def test_every_labeled_equation_of_a_chapter_has_a_number(page, name):
    cells = nbformat.read(FILES[name], as_version=4).cells
    labeled = sum(len(LABELED.findall(cell.source)) for cell in cells if cell.cell_type == "markdown")
    numbers = [node.get_text() for node in page.select(".eqno")]
    assert labeled >= 1
    assert len(numbers) == len(set(numbers)) == labeled


@each_page
def test_every_table_of_a_page_has_rows_of_one_length(page):
    for table in page.select("table"):
        lengths = {sum(int(cell.get("colspan", 1)) for cell in row.select("th, td")) for row in table.select("tr")}
        assert len(lengths) == 1, table.get_text(" ")[:200]
        assert len(table.select("tr")) >= 2, table.get_text(" ")[:200]


def test_every_claim_of_the_ledger_links_to_the_place_where_it_is_made(built_book):
    ledger = parse(built_book / "book" / "appendix" / "ledger.html")
    links = [link["href"] for link in ledger.select(".sga-claim strong a")]
    assert len(links) == len(ledger.select("div.sga-claim")) > 0
    assert all(re.search(r"\.html#claim-[A-Z]", link) for link in links)


def test_the_first_page_opens_the_book(built_book):
    assert "book/intro.html" in (built_book / "index.html").read_text(encoding="utf-8")


def test_chapters_are_numbered_through_all_parts(built_book):
    names = [name for name, path in FILES.items() if path in numbered_files()]
    titles = [NUMBERED.search((built_book / f"{name}.html").read_text(encoding="utf-8")) for name in names]
    assert [title and title[1] for title in titles] == [f"{n}." for n in range(1, len(names) + 1)]
    assert len(names) > len(CHAPTERS)


def test_the_bibliography_lists_the_source(built_book):
    page = parse(built_book / "book" / "appendix" / "bibliography.html")
    assert "asymptotic signal subspace recovery" in page.find("article").get_text(" ").lower()


def test_docstrings_are_shown_as_they_are_written(built_book):
    text = parse(built_book / "book" / "appendix" / "api.html").find("article").get_text(" ")
    assert "|f|^2" in text
    assert "(*size, L, d)" in text


def test_unused_parts_of_mathjax_are_not_shipped(built_book):
    shipped = {path.name for path in Path(built_book, "_static", "mathjax").iterdir()}
    assert "tex-chtml.js" in shipped
    assert not {name for name in shipped if name.endswith("svg.js") or name.startswith("mml-")}


def test_the_ledger_leads_from_a_proved_claim_to_its_proof(built_book):
    ledger = parse(built_book / "book" / "appendix" / "ledger.html")
    links = {unquote(urlsplit(link["href"]).fragment): link.get_text() for link in ledger.select("a[href]")}
    records = evidence.read(path for path in toc_files() if path.suffix == ".ipynb")
    proofs = {record["theorem"] for record in records if record["kind"] == "claim"} - {None}
    assert len(proofs) >= 10
    assert all(re.fullmatch(r"(Theorem|Proposition|Lemma|Corollary) \d+\.\d+", links[label]) for label in proofs)
