"""The filter of the ledger shows the claims that are asked for, and all of them at first."""

import pytest

from press.structure import ROOT

SCRIPT = ROOT / "book" / "_static" / "ledger.js"
LINE = "<details class='sga-fold sga-fold-ledger {}'><summary>{}</summary></details>"
PAGE = """<!doctype html><meta charset=utf-8>
<section id=one><h3>One</h3><details class="sga-fold sga-fold-group"><summary>2 claims</summary>{}{}</details></section>
<section id=two><h3>Two</h3><details class="sga-fold sga-fold-group"><summary>1 claim</summary>{}</details></section>
<script>{}</script>"""


@pytest.fixture
def page(browser, tmp_path):
    """A page of three claims in two chapters."""
    lines = [
        LINE.format("sga-is-passed sga-is-exact", "B1 the slope"),
        LINE.format("sga-is-passed sga-is-Monte-Carlo", "B2 the trap"),
        LINE.format("sga-is-illustrated", "C1 the Trap, drawn"),
    ]
    file = tmp_path / "page.html"
    file.write_text(PAGE.format(*lines, SCRIPT.read_text(encoding="utf-8")), encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    yield page
    context.close()


def left(page):
    """The claims that the page shows, and what it counts."""
    shown = page.locator("details.sga-fold-ledger:visible").all_inner_texts()
    return [text[:2] for text in shown], page.locator("output").inner_text()


def test_at_first_all_claims_are_counted_and_folded_by_chapter(page):
    assert left(page) == ([], "3 of 3 claims")
    page.get_by_text("2 claims").first.click()
    assert left(page)[0] == ["B1", "B2"]


def test_claims_are_found_by_verdict_evidence_chapter_and_text_together(page):
    page.get_by_label("Text").fill("trap")
    assert left(page) == (["B2", "C1"], "2 of 3 claims")
    page.get_by_label("Verdict").select_option("passed")
    assert left(page) == (["B2"], "1 of 3 claims")
    page.get_by_label("Evidence").select_option("exact")
    assert left(page) == ([], "0 of 3 claims")
    page.get_by_label("Text").fill("")
    assert left(page) == (["B1"], "1 of 3 claims")
    page.get_by_label("Chapter").select_option("two")
    assert left(page) == ([], "0 of 3 claims")
    for label in ("Verdict", "Evidence"):
        page.get_by_label(label).select_option("")
    assert left(page) == (["C1"], "1 of 3 claims")
