"""What the records in the notebooks and `claims.toml` say together: the claims of the book and of its source.

Pure functions, which raise `LedgerError` on whatever would make the ledger say something false.
"""

import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sphinx.errors import SphinxError

import evidence
from evidence import Scope, Verdict
from evidence.words import pieces
from press.structure import ROOT, toc_notebooks

PHRASES = {
    "holds": "holds",
    "definition": "a definition; ",
    "conditional": "holds only if: ",
    "fails": "fails as stated: ",
    "in part": "in part: ",
    "not checked": "not checked",
}
#: The verdicts that need no condition.
PLAIN = ("holds", "not checked")
NONE = "–"


class LedgerError(SphinxError):
    """Records or source claims from which no true ledger can be made."""

    category = "Ledger"


@dataclass(frozen=True)
class BookClaim:
    """A claim of the book and its checks: records as the notebook at `notebook` stores them."""

    record: dict
    checks: tuple
    notebook: Path

    @property
    def id(self):
        """The permanent id."""
        return self.record["id"]

    @property
    def demonstration(self):
        """Whether the claim shows a check that is meant to fail."""
        return self.record["demonstration"]

    @property
    def verdict(self):
        """What the checks say: an `evidence.Verdict`."""
        return evidence.verdict(self.checks)


@dataclass(frozen=True)
class SourceClaim:
    """A claim of the source, as `claims.toml` has it."""

    id: str
    statement: str
    where: tuple
    evidence: tuple
    verdict: str
    condition: str = ""

    def shown_verdict(self, claims):
        """Returns the verdict that follows from `claims`, a dictionary of the book's claims by id."""
        if not self.evidence or any(name not in claims for name in self.evidence):
            return Verdict.NOT_CHECKED
        found = {claims[name].verdict for name in self.evidence}
        if Verdict.NOT_CHECKED in found:
            return Verdict.NOT_CHECKED
        return PHRASES[self.verdict] + self.condition if found == {Verdict.PASSED} else Verdict.NOT_PASSED


@dataclass(frozen=True)
class Summary:
    """The ledger in numbers; `spent` is the false-alarm probability that the statistical tests use up together."""

    claims: int
    verdicts: Counter
    scopes: Counter
    tests: int
    spent: float
    budget: float
    demonstrations: int


def collect(records):
    """Returns the claims found in `records`, in the order of the records.

    Raises LedgerError if an id is malformed or used twice, if a check belongs to no claim of its notebook, or if it
    says another verdict than follows from its numbers.
    """
    claims, checks = {}, {}
    for record in records:
        place = Path(record["notebook"])
        if record["kind"] == "claim":
            name = record["id"]
            _require_id(name, place.name)
            if name in claims:
                raise LedgerError(f"claim id {name} is used twice: in {claims[name]['notebook']} and in {place}")
            claims[name], checks[name] = record, []
        elif record["claim"] not in claims or Path(claims[record["claim"]]["notebook"]) != place:
            raise LedgerError(f"{place} holds a check of {record['claim']}, but states no such claim before it")
        elif record["verdict"] != (follows := evidence.judged(record)):
            said = f"{place}: a check of {record['claim']} ({record['about']}) says {record['verdict']!r}"
            raise LedgerError(f"{said}, but its record says {str(follows)!r}")
        else:
            checks[record["claim"]].append(record)
    return [BookClaim(record, tuple(checks[name]), Path(record["notebook"])) for name, record in claims.items()]


def book_claims(root=ROOT):
    """Returns the claims of the book whose root is given."""
    return collect(evidence.read(toc_notebooks(root)))


def _require_id(name, place):
    if not evidence.ID.fullmatch(name):
        raise LedgerError(f'{place}: malformed claim id {name!r}: it must look like "B1" or "B1.noise"')


def read_source_claims(path):
    """Returns the source's claims in the file at `path`; raises LedgerError if one is malformed or used twice."""
    entries = tomllib.loads(Path(path).read_text(encoding="utf-8"))["claim"]
    claims = [_source_claim(entry, Path(path).name) for entry in entries]
    for name, count in Counter(claim.id for claim in claims).items():
        if count > 1:
            raise LedgerError(f"{Path(path).name}: claim id {name} is used twice")
    return claims


def _source_claim(entry, place):
    try:
        claim = SourceClaim(**{**entry, "where": tuple(entry["where"]), "evidence": tuple(entry["evidence"])})
    except (KeyError, TypeError) as error:
        raise LedgerError(f"{place}: claim {entry.get('id', '?')} has a missing or an unknown key: {error}") from error
    for name in (claim.id, *claim.evidence):
        _require_id(name, place)
    if claim.verdict not in PHRASES:
        raise LedgerError(f"{place}: {claim.id} has verdict {claim.verdict!r}, not one of {', '.join(PHRASES)}")
    if bool(claim.condition) == (claim.verdict in PLAIN):
        raise LedgerError(f"{place}: {claim.id} has verdict {claim.verdict!r} and condition {claim.condition!r}")
    if bool(claim.evidence) == (claim.verdict == Verdict.NOT_CHECKED):
        raise LedgerError(f"{place}: {claim.id} has verdict {claim.verdict!r} and evidence {list(claim.evidence)}")
    try:
        pieces(claim.statement), pieces(claim.condition)
    except ValueError as error:
        raise LedgerError(f"{place}: {claim.id}: {error}") from error
    return claim


def require_evidence(source, claims, root=ROOT):
    """Raises LedgerError if a claim of the source lacks the evidence that it names.

    Every id must be that of a claim of the book, made in a chapter that treats the claim, whose checks passed; and no
    claim of the source may have the id of a claim of the book.
    """
    made = {claim.id: claim for claim in claims}
    for entry in source:
        if entry.id in made:
            raise LedgerError(f"{entry.id} is a claim of the source and one of the book, in {made[entry.id].notebook}")
        chapters = [root / "book" / f"{name}.ipynb" for name in entry.where]
        for name in entry.evidence:
            if name not in made:
                raise LedgerError(f"claims.toml: {entry.id} names as evidence {name}, which is no claim of the book")
            if made[name].notebook not in chapters:
                raise LedgerError(f"claims.toml: {entry.id} names as evidence {name}, made in {made[name].notebook}")
        if entry.shown_verdict(made) != PHRASES[entry.verdict] + entry.condition:
            verdicts = ", ".join(f"{name} {made[name].verdict}" for name in entry.evidence)
            raise LedgerError(
                f"claims.toml: {entry.id} has verdict {entry.verdict!r}, but its evidence says: {verdicts}"
            )


def summarize(claims, budget):
    """Returns the Summary of `claims`, demonstrations left out; raises LedgerError if more than `budget` is spent."""
    counted = [claim for claim in claims if not claim.demonstration]
    checks = [check for claim in counted for check in claim.checks]
    alphas = [check["alpha"] for check in checks if check["alpha"] is not None]
    if sum(alphas) > budget:
        raise LedgerError(f"{len(alphas)} tests spend {sum(alphas):.2g} of a false-alarm budget of {budget:g}")
    return Summary(
        claims=len(counted),
        verdicts=Counter(claim.verdict for claim in counted),
        scopes=Counter(check["scope"] for check in checks),
        tests=len(alphas),
        spent=sum(alphas),
        budget=budget,
        demonstrations=len(claims) - len(counted),
    )


def sentence(summary):
    """Returns the summary in words."""
    verdicts = _list_counts(summary.verdicts, Verdict)
    scopes = _list_counts(summary.scopes, Scope)
    return (
        f"{_count(summary.claims, 'claim')} ({verdicts}), with {_count(sum(summary.scopes.values()), 'check')} "
        f"({scopes}). The levels of the {_count(summary.tests, 'statistical test')} add up to "
        f"{_scientific(summary.spent)}; the budget of the book is {_scientific(summary.budget)}."
    )


def _list_counts(counts, names):
    return ", ".join(f"{counts[name]} {name}" for name in names if counts[name]) or NONE


def _scientific(value):
    """Returns a probability as inline mathematics with two digits."""
    if value == 0:
        return "$0$"
    digits, power = f"{value:.1e}".split("e")
    return rf"${digits.removesuffix('.0')} \times 10^{{{int(power)}}}$"


def _count(number, noun):
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
