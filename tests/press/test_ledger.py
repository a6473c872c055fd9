"""The ledger says what the records say, and refuses records from which it could not."""

import re
import zlib
from pathlib import Path

import pytest

import evidence
from books import check_record, claim_record, edit, shown
from press.claims import (
    LedgerError,
    SourceClaim,
    book_claims,
    collect,
    read_source_claims,
    require_evidence,
    sentence,
    summarize,
)
from press.freshness import keep, stamp
from press.pages.ledger import check_row
from press.structure import ROOT, toc_files

MONTE_CARLO = {
    "test": "mean",
    "scope": "Monte Carlo",
    "n": 4000,
    "z": 0.7,
    "p": 0.5,
    "alpha": 1e-6,
    "resolution": 0.0022,
    "critical": 4.9,
}
ENTRY = '[[claim]]\nid = "{id}"\nstatement = "s"\nwhere = []\nevidence = {evidence}\nverdict = "{verdict}"\n'
HOLDS = ENTRY.format(id="T1", evidence='["B1"]', verdict="holds")


def at(*records, notebook="a.ipynb"):
    """Returns records as `evidence.read` gives them."""
    return [{**record, "notebook": notebook} for record in records]


def claims(*records):
    """Returns the claims in records of one notebook, by id."""
    return {claim.id: claim for claim in collect(at(*records))}


def source_file(folder, *entries):
    """Writes a file of source claims."""
    path = folder / "claims.toml"
    path.write_text("\n".join(entries), encoding="utf-8")
    return path


# Claims


def test_a_claim_passes_only_if_all_its_asserting_checks_pass():
    found = claims(
        claim_record("B1"),
        check_record("B1"),
        check_record("B1", test="illustrated", scope="illustrated", passed=None),
        claim_record("B2"),
        check_record("B2"),
        check_record("B2", passed=False),
        claim_record("B3"),
        check_record("B3", test="illustrated", scope="illustrated", passed=None),
        claim_record("B4"),
    )
    assert [claim.verdict for claim in found.values()] == ["passed", "not passed", "illustrated", "not checked"]


def test_claims_keep_the_order_of_the_notebooks():
    records = at(claim_record("Z9"), claim_record("A1")) + at(claim_record("B2"), notebook="b.ipynb")
    assert [claim.id for claim in collect(records)] == ["Z9", "A1", "B2"]
    assert collect(records)[2].notebook == Path("b.ipynb")


@pytest.mark.parametrize("second", ["a.ipynb", "b.ipynb"])
def test_a_claim_id_used_twice_is_an_error_that_names_both_places(second):
    with pytest.raises(LedgerError, match=rf"claim id B1 is used twice: in a\.ipynb and in {second}"):
        collect(at(claim_record("B1")) + at(claim_record("B1"), notebook=second))


def test_a_check_without_its_claim_is_an_error():
    with pytest.raises(LedgerError, match=r"a\.ipynb holds a check of B1, but states no such claim before it"):
        collect(at(check_record("B1")))


def test_a_check_in_another_notebook_than_its_claim_is_an_error():
    with pytest.raises(LedgerError, match=r"b\.ipynb holds a check of B1"):
        collect(at(claim_record("B1")) + at(check_record("B1"), notebook="b.ipynb"))


@pytest.mark.parametrize("id", ["b1", "", "B1.", "B 1", "B1..x"])
def test_a_malformed_id_of_a_claim_is_an_error(id):
    with pytest.raises(LedgerError, match=r"a\.ipynb: malformed claim id"):
        collect(at(claim_record(id)))


# The claims of the source


def test_the_claims_of_the_source_are_complete_and_point_to_chapters_of_the_book():
    found = read_source_claims(ROOT / "book" / "claims.toml")
    assert [claim.id for claim in found] == [f"T{number}" for number in range(1, 11)]
    pages = {path.relative_to(ROOT / "book").with_suffix("").as_posix() for path in toc_files()}
    assert {name for claim in found for name in claim.where} <= pages
    require_evidence(found, book_claims())


@pytest.mark.parametrize("forged", [{"passed": False}, {"z": 99.0}, {"p": 1e-9}, {"alpha": None}])
def test_a_check_that_says_another_verdict_than_its_numbers_is_an_error(forged):
    record = {**check_record("B1", **MONTE_CARLO), **forged}
    with pytest.raises(
        LedgerError, match=r"a check of B1 \(a formula\) says 'passed', but its record says 'not passed'"
    ):
        collect(at(claim_record("B1"), record))


PASSED = (claim_record("B1"), check_record("B1"))
FAILED = (claim_record("B2"), check_record("B2", passed=False))
BARE = (claim_record("B3"),)


@pytest.mark.parametrize(
    ("evidence_ids", "verdict", "condition", "expected"),
    [
        (("B1",), "holds", "", "holds"),
        (("B1",), "conditional", "$x > 0$", "holds only if: $x > 0$"),
        (("B1",), "fails", "a factor is missing", "fails as stated: a factor is missing"),
        (("B1",), "in part", "for $d = 2$", "in part: for $d = 2$"),
        ((), "holds", "", "not checked"),
        (("B1", "B7"), "holds", "", "not checked"),
        (("B1", "B3"), "holds", "", "not checked"),
        (("B1", "B2"), "holds", "", "not passed"),
        (("B1", "B2"), "conditional", "$x > 0$", "not passed"),
    ],
)
def test_the_verdict_on_the_source_follows_from_the_records(evidence_ids, verdict, condition, expected):
    source = SourceClaim("T1", "s", (), evidence_ids, verdict, condition)
    assert source.shown_verdict(claims(*PASSED, *FAILED, *BARE)) == expected


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([ENTRY.format(id="T1", evidence='["b 1"]', verdict="holds")], "malformed claim id 'b 1'"),
        ([ENTRY.format(id="a1", evidence="[]", verdict="holds")], "malformed claim id 'a1'"),
        ([HOLDS] * 2, "claim id T1 is used twice"),
        ([ENTRY.format(id="T1", evidence='["B1"]', verdict="true")], "T1 has verdict 'true', not one of holds"),
        ([ENTRY.format(id="T1", evidence='["B1"]', verdict="fails")], "T1 has verdict 'fails' and condition ''"),
        (
            [HOLDS + 'condition = "x"'],
            "T1 has verdict 'holds' and condition 'x'",
        ),
        (
            [HOLDS + 'evidense = ["B1"]'],
            "T1 has a missing or an unknown key",
        ),
        ([ENTRY.format(id="T1", evidence="[]", verdict="holds")], "T1 has verdict 'holds' and evidence \\[\\]"),
        ([HOLDS.replace('"holds"', '"not checked"')], r"T1 has verdict 'not checked' and evidence \['B1'\]"),
        ([HOLDS.replace('"s"', '"costs $5"')], r"T1: unpaired \$ in 'costs \$5'"),
        (['[[claim]]\nid = "T1"'], "T1 has a missing or an unknown key: 'where'"),
    ],
)
def test_a_malformed_claim_of_the_source_is_an_error(tmp_path, entries, message):
    with pytest.raises(LedgerError, match=message):
        read_source_claims(source_file(tmp_path, *entries))


# Numbers


def test_the_summary_counts_checks_by_scope_and_leaves_demonstrations_out():
    found = collect(
        at(
            *PASSED,
            claim_record("B4"),
            *[check_record("B4", **MONTE_CARLO)] * 3,
            claim_record("D1", demonstration=True),
            check_record("D1", **{**MONTE_CARLO, "passed": False}),
        )
    )
    summary = summarize(found, budget=1e-3)
    assert (summary.claims, summary.tests, summary.demonstrations) == (2, 3, 1)
    assert summary.scopes == {"symbolic": 1, "Monte Carlo": 3}
    assert summary.verdicts == {"passed": 2}
    assert summary.spent == pytest.approx(3e-6)
    assert sentence(summary) == (
        "2 claims (2 passed), with 4 checks (1 symbolic, 3 Monte Carlo). The levels of the 3 statistical tests "
        r"add up to $3 \times 10^{-6}$; the budget of the book is $1 \times 10^{-3}$."
    )


def test_an_empty_ledger_is_said_to_be_empty():
    summary = summarize([], budget=1e-3)
    assert sentence(summary).startswith("0 claims (–), with 0 checks (–).")
    assert "add up to $0$" in sentence(summary)


def test_spending_more_than_the_budget_is_an_error():
    found = collect(at(claim_record("B1"), *[check_record("B1", **MONTE_CARLO)] * 3))
    assert summarize(found, budget=3.1e-6).spent <= 3.1e-6
    with pytest.raises(LedgerError, match="3 tests spend 3e-06 of a false-alarm budget of 2e-06"):
        summarize(found, budget=2e-6)


def test_a_row_shows_which_rivals_were_rejected_and_which_were_not():
    row = check_row(check_record("B1", **MONTE_CARLO, rivals=(("no square", True), ("no $1/L$ term", False))))
    assert row == (
        "a formula",
        "Monte Carlo",
        "mean",
        "4,000",
        "z = 0.7",
        "0.0022",
        "1 of 2: no square (not rejected: no $1/L$ term)",
        "passed",
    )


def test_a_row_of_an_exact_check_shows_its_error_as_resolution():
    row = check_row(check_record("B1", test="exact", scope="exact", n=5, error=1e-12, passed=False))
    assert row == ("a formula", "exact", "exact", "5", "–", "1e−12", "–", "not passed")


def test_a_row_without_z_shows_p():
    assert check_row(check_record("B1", test="law", p=0.3))[4] == "p = 0.3"


# The page


@pytest.fixture
def book(small_book):
    """A small book with two chapters of evidence, a ledger, and the source's claims on its first page."""
    records = (
        claim_record("B1", r"the drift is $2 b \theta$", assumes="$L$ large"),
        check_record("B1", **MONTE_CARLO, rivals=(("no square", True),)),
        claim_record("D1", "a wrong formula", demonstration=True),
        check_record("D1", **{**MONTE_CARLO, "passed": False}),
    )
    small_book.notebook("book/part/one", ("show()", shown(*records)))
    small_book.notebook("book/part/two", ("show()", shown(claim_record("B2"), check_record("B2"))))
    small_book.text("book/ledger.md", "# The ledger\n\n```{ledger}\n```\n")
    small_book.text("book/intro.md", "# A small book\n\n```{source-claims}\n```\n")
    small_book.chapter("book/ledger")
    entry = ENTRY.replace("where = []", 'where = ["part/one"]')
    source_file(
        small_book.root / "book",
        entry.format(id="T1", evidence='["B1"]', verdict="conditional") + 'condition = "$x > 0$"',
        ENTRY.format(id="T2", evidence="[]", verdict="not checked"),
    )
    return small_book


def section(page, id):
    """Returns the text of a section of the ledger."""
    return page.find(id=id).get_text(" ", strip=True)


def test_the_pages_show_every_claim_with_its_checks_and_follow_changes_in_an_incremental_build(book):
    done = book.build()
    assert done.returncode == 0, done.stdout + done.stderr
    claims_of_the_book_are_complete(book)
    claims_of_the_source_have_verdicts_and_links(book)
    claims_are_objects_that_other_books_can_link_to(book)
    change_a_record_and_a_source_claim(book)
    assert book.build().returncode == 0
    assert "2 passed, 1 not passed" in section(book.page("book/ledger"), "ledger-in-numbers")
    verdicts = book.page("book/intro").select("table.sga-source tr td:nth-child(3)")
    assert verdicts[1].get_text() == "holds"


def claims_of_the_book_are_complete(book):
    page = book.page("book/ledger")
    stated = section(page, "ledger-claims-of-this-book")
    assert stated.index("B1") < stated.index("B2")
    assert "Assumes: \\(L\\) large. In Chapter one : passed" in stated
    assert "1 of 1: no square" in stated
    assert "D1" not in stated
    assert "D1" in section(page, "ledger-demonstrations")
    assert "not passed" in section(page, "ledger-demonstrations")
    assert "2 claims (2 passed)" in section(page, "ledger-in-numbers")
    assert page.find(id="ledger-claims-of-this-book").select_one("span.math").get_text() == "\\(2 b \\theta\\)"


def claims_of_the_source_have_verdicts_and_links(book):
    for name in ("book/ledger", "book/intro"):
        rows = book.page(name).select("table.sga-source tbody tr")
        cells = [[cell.get_text(" ", strip=True) for cell in row.select("td")] for row in rows]
        assert [row[2] for row in cells] == ["holds only if \\(x > 0\\)", "not checked"]
        assert [row[3] for row in cells] == ["ch. 1 1 claim B1", "–"]
        assert "part/one.html#claim-B1" in [link["href"] for link in rows[0].select("a")]


def claims_are_objects_that_other_books_can_link_to(book):
    head, _, packed = (book.target / "_build" / "html" / "objects.inv").read_bytes().partition(b"zlib.\n")
    assert b"Sphinx inventory version 2" in head
    assert "B1 evidence:claim 1 book/part/one.html#claim-$ -" in zlib.decompress(packed).decode()


def change_a_record_and_a_source_claim(book):
    def change(notebook):
        notebook.cells[1].outputs = shown(
            claim_record("B2"), check_record("B2", passed=False), claim_record("B3"), check_record("B3")
        )

    path = book.root / "book" / "part" / "two.ipynb"
    edit(path, change)
    keep({path: stamp(path, book.root)}, book.root)
    source = book.root / "book" / "claims.toml"
    changed = source.read_text(encoding="utf-8").replace("where = []", 'where = ["part/two"]')
    changed = changed.replace("evidence = []", 'evidence = ["B3"]').replace('"not checked"', '"holds"')
    source.write_text(changed, encoding="utf-8")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (SourceClaim("T2", "s", ("part/one",), ("B22",), "holds"), "T2 names as evidence B22, which is no claim"),
        (SourceClaim("T2", "s", ("part/two",), ("B1",), "holds"), r"T2 names as evidence B1, made in .*one\.ipynb"),
        (SourceClaim("T2", "s", ("part/one",), ("B1", "B2"), "holds"), "T2 .* says: B1 passed, B2 not passed"),
        (SourceClaim("T2", "s", ("part/one",), ("B3",), "fails", "never"), "T2 .* says: B3 not checked"),
        (SourceClaim("B1", "s", (), (), "not checked"), "B1 is a claim of the source and one of the book"),
    ],
)
def test_a_claim_of_the_source_without_its_evidence_is_an_error(entry, message):
    found = collect(at(*PASSED, *FAILED, *BARE, notebook=str(ROOT / "book" / "part" / "one.ipynb")))
    require_evidence([SourceClaim("T1", "s", ("part/one",), ("B1",), "holds")], found)
    with pytest.raises(LedgerError, match=message):
        require_evidence([entry], found)


def test_a_claim_of_the_source_that_says_so_may_be_unchecked():
    require_evidence([SourceClaim("T1", "s", (), (), "not checked")], [])


def test_evidence_that_is_missing_stops_the_build(book):
    source = book.root / "book" / "claims.toml"
    source.write_text(source.read_text(encoding="utf-8").replace('["B1"]', '["B11"]'), encoding="utf-8")
    done = book.build()
    assert done.returncode != 0
    assert "T1 names as evidence B11, which is no claim of the book" in done.stdout + done.stderr


def test_a_claim_made_in_two_chapters_makes_the_build_fail(book):
    book.notebook("book/part/three", ("show()", shown(claim_record("B1"))))
    done = book.build()
    assert done.returncode != 0
    assert "claim id B1 is used twice" in done.stdout + done.stderr


def test_an_overspent_budget_makes_the_build_fail(book):
    greedy = {**MONTE_CARLO, "alpha": 2 * evidence.BUDGET}
    book.notebook("book/part/three", ("show()", shown(claim_record("B3"), check_record("B3", **greedy))))
    done = book.build()
    assert done.returncode != 0
    assert "of a false-alarm budget of 0.001" in done.stdout + done.stderr


def test_a_claim_in_a_text_leads_to_its_place_and_says_its_verdict_unless_it_passed(book):
    book.text("book/results.md", "# Results\n\nSee {claim}`B1` and {claim}`D1`.\n")
    book.chapter("book/results")
    done = book.build()
    assert done.returncode == 0, done.stdout + done.stderr
    (said,) = (p for p in book.page("book/results").select("article p") if p.get_text().startswith("See "))
    assert said.get_text() == "See B1 and D1 (not passed)."
    assert [link["href"] for link in said("a")] == ["part/one.html#claim-B1", "part/one.html#claim-D1"]


def test_a_claim_in_a_text_that_is_not_in_the_book_stops_the_build(book):
    book.text("book/results.md", "# Results\n\nSee {claim}`B9`.\n")
    book.chapter("book/results")
    done = book.build()
    assert done.returncode != 0
    assert re.search(r"results\.md:3: WARNING: there is no claim B9 in the book", done.stdout + done.stderr)
