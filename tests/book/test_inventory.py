"""The inventory is up to date, and whatever is lost shows in it."""

import tomllib

import pytest

from books import check_record, claim_record
from press.claims import SourceClaim, book_claims, collect
from press.commands import inventory
from press.structure import ROOT

EXACT = {"test": "exact", "scope": "exact", "n": 3}
RIVALS = (("no square", True), ("flat", True))
WHOLE = (
    claim_record("B1", assumes="$L$ large"),
    check_record("B1", **EXACT, error=1e-9, rivals=RIVALS),
    check_record("B1", **EXACT, error=1e-12),
    claim_record("B2"),
    check_record("B2", rivals=RIVALS[:1]),
)
SOURCE = SourceClaim("T1", "s", ("part/one",), ("B1",), "conditional", "$x > 0$")


def inventory_of(*records, source=SOURCE):
    """Returns the inventory of records of one chapter and of a claim of the source."""
    place = str(ROOT / "book" / "part" / "one.ipynb")
    return inventory.inventory([source], collect([{**record, "notebook": place} for record in records]))


def test_the_inventory_is_that_of_the_book():
    stored = (ROOT / "book" / "inventory.toml").read_text(encoding="utf-8")
    assert stored == inventory.current(), "read what changed, then: python book/press inventory"


def test_the_inventory_of_the_book_is_complete():
    stored = tomllib.loads((ROOT / "book" / "inventory.toml").read_text(encoding="utf-8"))
    assert list(stored["book"]) == [claim.id for claim in book_claims()]
    assert len(stored["source"]) == 10
    assert all(row["checks"] for row in stored["book"].values())


def test_a_line_says_by_what_a_claim_is_checked():
    assert tomllib.loads(inventory_of(*WHOLE)) == {
        "source": {"T1": {"verdict": "conditional", "condition": "$x > 0$", "evidence": ["B1"]}},
        "book": {
            "B1": {"chapter": "part/one", "checks": 2, "rivals": 2, "errors": [1e-9, 1e-12], "assumes": "$L$ large"},
            "B2": {"chapter": "part/one", "checks": 1, "rivals": 1, "errors": [], "assumes": ""},
        },
    }


@pytest.mark.parametrize(
    "records",
    [
        WHOLE[:2] + WHOLE[3:],
        (WHOLE[0], check_record("B1", **EXACT, error=1e-9, rivals=RIVALS[:1]), *WHOLE[2:]),
        (WHOLE[0], check_record("B1", **EXACT, error=1e-6, rivals=RIVALS), *WHOLE[2:]),
        (*WHOLE[:2], check_record("B1", **EXACT, error=1e-9), *WHOLE[3:]),
        (claim_record("B1"), *WHOLE[1:]),
        WHOLE[:3],
    ],
    ids=["a check", "a rival", "an error x 1000", "the smaller error x 1000", "an assumption", "a claim"],
)
def test_what_is_lost_changes_one_line(records):
    before, after = inventory_of(*WHOLE).splitlines(), inventory_of(*records).splitlines()
    assert len(set(before) - set(after)) == 1


@pytest.mark.parametrize(
    "source",
    [
        SourceClaim("T1", "s", ("part/one",), ("B1",), "fails", "$x > 0$"),
        SourceClaim("T1", "s", ("part/one",), ("B1",), "conditional", "$x < 0$"),
        SourceClaim("T1", "s", ("part/one",), ("B1", "B2"), "conditional", "$x > 0$"),
    ],
)
def test_another_verdict_condition_or_evidence_changes_one_line(source):
    before, after = inventory_of(*WHOLE).splitlines(), inventory_of(*WHOLE, source=source).splitlines()
    assert len(set(before) - set(after)) == 1
