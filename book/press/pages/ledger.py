"""Sphinx extension: the ledger and the table of the source's claims, generated from the records in the notebooks.

The first half reads: pure functions from records to `Claim`, `SourceClaim` and `Summary`, which raise `LedgerError` on
whatever would make the ledger say something false. The second half renders these as docutils nodes.
"""

import json
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import SphinxError
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.nodes import make_refnode

from press.structure import toc_files, toc_notebooks
from sga import evidence

SCOPES = ("symbolic", "exact", "Monte Carlo", "illustrated")
VERDICTS = ("passed", "not passed", "illustrated", "not checked")
PHRASES = {
    "holds": "holds",
    "definition": "a definition; ",
    "conditional": "holds only if: ",
    "fails": "fails as stated: ",
    "in part": "in part: ",
}
NONE = "–"


class LedgerError(SphinxError):
    """Records or source claims from which no true ledger can be made."""

    category = "Ledger"


@dataclass(frozen=True)
class Claim:
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
        """What the checks say: "passed", "not passed", "illustrated" or "not checked"."""
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
        if not self.evidence or any(id not in claims for id in self.evidence):
            return "not checked"
        found = {claims[id].verdict for id in self.evidence}
        if "not checked" in found:
            return "not checked"
        return PHRASES[self.verdict] + self.condition if found == {"passed"} else "not passed"


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

    Raises LedgerError if an id is malformed or used twice, or if a check belongs to no claim of its notebook.
    """
    claims, checks = {}, {}
    for record in records:
        place = Path(record["notebook"])
        if record["kind"] == "claim":
            id = record["id"]
            _require_id(id, place.name)
            if id in claims:
                raise LedgerError(f"claim id {id} is used twice: in {claims[id]['notebook']} and in {place}")
            claims[id], checks[id] = record, []
        elif record["claim"] not in claims or Path(claims[record["claim"]]["notebook"]) != place:
            raise LedgerError(f"{place} holds a check of {record['claim']}, but states no such claim before it")
        else:
            checks[record["claim"]].append(record)
    return [Claim(record, tuple(checks[id]), Path(record["notebook"])) for id, record in claims.items()]


def _require_id(id, place):
    if not evidence.ID.fullmatch(id):
        raise LedgerError(f'{place}: malformed claim id {id!r}: it must look like "B1" or "B1.noise"')


def read_source_claims(path):
    """Returns the source's claims in the file at `path`; raises LedgerError if one is malformed or used twice."""
    entries = tomllib.loads(Path(path).read_text(encoding="utf-8"))["claim"]
    claims = [_source_claim(entry, Path(path).name) for entry in entries]
    for id, count in Counter(claim.id for claim in claims).items():
        if count > 1:
            raise LedgerError(f"{Path(path).name}: claim id {id} is used twice")
    return claims


def _source_claim(entry, place):
    try:
        claim = SourceClaim(**{**entry, "where": tuple(entry["where"]), "evidence": tuple(entry["evidence"])})
    except (KeyError, TypeError) as error:
        raise LedgerError(f"{place}: claim {entry.get('id', '?')} has a missing or an unknown key: {error}") from error
    for id in (claim.id, *claim.evidence):
        _require_id(id, place)
    if claim.verdict not in PHRASES:
        raise LedgerError(f"{place}: {claim.id} has verdict {claim.verdict!r}, not one of {', '.join(PHRASES)}")
    if bool(claim.condition) == (claim.verdict == "holds"):
        raise LedgerError(f"{place}: {claim.id} has verdict {claim.verdict!r} and condition {claim.condition!r}")
    return claim


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
    verdicts = _list_counts(summary.verdicts, VERDICTS)
    scopes = _list_counts(summary.scopes, SCOPES)
    return (
        f"{_count(summary.claims, 'claim')} ({verdicts}), with {_count(sum(summary.scopes.values()), 'check')} "
        f"({scopes}). Together the {_count(summary.tests, 'statistical test')} may raise a false alarm with a "
        f"probability of at most {_scientific(summary.spent)}; the budget of the book is {_scientific(summary.budget)}."
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


def check_row(check):
    """Returns the cells of a check's row, as text: see HEADINGS."""
    rejected = [rival["name"] for rival in check["rivals"] if rival["rejected"]]
    kept = [rival["name"] for rival in check["rivals"] if not rival["rejected"]]
    rivals = f"{len(rejected)} of {len(check['rivals'])}" if check["rivals"] else NONE
    if rejected:
        rivals += f": {'; '.join(rejected)}"
    if kept:
        rivals += f" (not rejected: {'; '.join(kept)})"
    return (
        check["about"],
        check["scope"],
        check["test"],
        _number(check["n"], ",d"),
        _number(check["p"], ".1g", "p = ") if check["z"] is None else _number(check["z"], ".1f", "z = "),
        _number(check["error"] if check["resolution"] is None else check["resolution"], ".2g"),
        rivals,
        check["verdict"],
    )


HEADINGS = ("about", "scope", "test", "n", "z or p", "resolution", "rivals rejected", "verdict")


def _number(value, form, prefix=""):
    return NONE if value is None else prefix + f"{value:{form}}".replace("-", "−")


# Rendering


def typeset(text):
    """Returns the inline nodes of a text in which $...$ is mathematics."""
    parts = text.split("$")
    if len(parts) % 2 == 0:
        raise LedgerError(f"unpaired $ in {text!r}")
    return [nodes.math("", part) if i % 2 else nodes.Text(part) for i, part in enumerate(parts) if part]


def paragraph(*children):
    """Returns a paragraph of nodes and of texts."""
    pieces = [typeset(child) if isinstance(child, str) else [child] for child in children]
    return nodes.paragraph("", "", *[node for piece in pieces for node in piece])


def book_claims(env):
    """Returns the claims of the book; the page that is being read depends on them from then on."""
    if "book_claims" not in env.temp_data:
        root = Path(env.app.srcdir)
        notebooks = toc_notebooks(root)
        for path in (root / "_toc.yml", *notebooks):
            env.note_dependency(str(path))
        env.temp_data["book_claims"] = collect(evidence.read(notebooks))
    return env.temp_data["book_claims"]


def claim_link(env, claim, label):
    """Returns a link to the place where `claim` is made."""
    target = {
        "refdomain": "",
        "reftype": "sga-claim",
        "reftarget": claim.id,
        "refdoc": env.docname,
        "page": claim.notebook.relative_to(env.app.srcdir).with_suffix("").as_posix(),
    }
    return addnodes.pending_xref("", nodes.inline("", label), refwarn=True, **target)


class ClaimRole(SphinxRole):
    """`{claim}`B4``: a link to the claim with its verdict, if that is not "passed"; an unknown id is an error."""

    def run(self):
        """Returns the link and the verdict."""
        found = {claim.id: claim for claim in book_claims(self.env)}.get(self.text)
        if found is None:
            raise LedgerError(f"{self.env.docname}: there is no claim {self.text!r} in the book")
        verdict = "" if found.verdict == "passed" else f" ({found.verdict})"
        return [claim_link(self.env, found, found.id), nodes.Text(verdict)], []


class LedgerDirective(SphinxDirective):
    """What `{ledger}` and `{source-claims}` share: the records, the pages they point to, and the pieces of a page."""

    def run(self):
        """Reads everything the page depends on and returns its nodes."""
        root = Path(self.env.app.srcdir)
        source = root / "book" / "claims.toml"
        self.env.note_dependency(str(source))
        self.pages = {path: path.relative_to(root).with_suffix("").as_posix() for path in toc_files(root)}
        self.source = read_source_claims(source)
        self.claims = book_claims(self.env)
        return self.render()

    def chapter(self, page):
        """Returns a link that shows the title of the chapter `page`."""
        target = {
            "refdomain": "std",
            "reftype": "doc",
            "reftarget": f"/{page}",
            "refdoc": self.env.docname,
        }
        return addnodes.pending_xref("", nodes.inline("", ""), refexplicit=False, refwarn=True, **target)

    def proved(self, label):
        """Returns a link to the theorem with the label `label`, which shows its number; an unknown one is a warning."""
        target = {
            "refdomain": "prf",
            "reftype": "ref",
            "reftarget": label,
            "refdoc": self.env.docname,
        }
        name = nodes.inline("", label)
        return addnodes.pending_xref("", name, refexplicit=False, refwarn=True, **target)

    def table(self, headings, rows, classes=()):
        """Returns a table; a cell is a list of nodes and of texts."""
        group = nodes.tgroup("", *[nodes.colspec(colwidth=1) for _ in headings], cols=len(headings))
        group += nodes.thead("", self._row([[heading] for heading in headings]))
        group += nodes.tbody("", *[self._row(row) for row in rows])
        return nodes.table("", group, classes=["sga-ledger", *classes])

    def _row(self, cells):
        return nodes.row("", *[nodes.entry("", paragraph(*cell)) for cell in cells])

    def source_table(self):
        """Returns the table of the source's claims, each with the verdict that follows from the records."""
        claims = {claim.id: claim for claim in self.claims}
        rows = [self._source_row(entry, claims) for entry in self.source]
        return self.table(("claim", "what the source says", "verdict", "treated in"), rows, ["sga-source"])

    def _source_row(self, entry, claims):
        verdict = nodes.strong("", "", *typeset(entry.shown_verdict(claims)))
        chapters = [self.chapter(f"book/{name}") for name in entry.where]
        evidence = [claim_link(self.env, claims[id], id) if id in claims else id for id in entry.evidence]
        treated = [*_separated(chapters), ": ", *_separated(evidence)] if evidence else _separated(chapters)
        return [[entry.id], [entry.statement], [verdict], treated]


def _separated(items):
    """Returns `items` with commas between them, or a dash if there are none."""
    parts = [part for item in items for part in (item, ", ")]
    return parts[:-1] or [NONE]


class SourceClaims(LedgerDirective):
    """`{source-claims}`: the table of the source's claims."""

    def render(self):
        """Returns the table."""
        return [self.source_table()]


class Ledger(LedgerDirective):
    """`{ledger}`: the summary, the source's claims, and every claim of the book with its checks."""

    def render(self):
        """Returns the sections of the ledger."""
        summary = summarize(self.claims, evidence.BUDGET)
        sections = [
            self.section("In numbers", paragraph(sentence(summary))),
            self.section("Claims of the source", self.source_table()),
            self.section("Claims of this book", *self.blocks(demonstration=False)),
        ]
        if summary.demonstrations:
            note = paragraph("These checks are meant to fail, to show what a failure looks like. They do not count.")
            sections.append(self.section("Demonstrations", note, *self.blocks(demonstration=True)))
        return sections

    def section(self, title, *children):
        """Returns a section with an id made of its title."""
        name = nodes.fully_normalize_name(title)
        id = nodes.make_id(f"ledger {title}")
        section = nodes.section("", nodes.title("", title), *children, ids=[id], names=[name])
        self.state.document.note_implicit_target(section)
        return section

    def blocks(self, demonstration):
        """Returns the blocks of all claims that are demonstrations, or of all that are not."""
        return [block for claim in self.claims if claim.demonstration == demonstration for block in self.block(claim)]

    def block(self, claim):
        """Returns a claim's statement, its assumptions and chapter, and the table of its checks."""
        head = nodes.container("", classes=["sga-claim"], ids=[f"ledger-{claim.id}"])
        label = claim_link(self.env, claim, claim.id)
        head += paragraph(nodes.strong("", "", label), f" · {claim.record['statement']}.")
        assumes = claim.record["assumes"]
        place = self.chapter(self.pages[claim.notebook])
        verdict = nodes.strong("", claim.verdict, classes=["sga-verdict"])
        theorem = claim.record["theorem"]
        proof = ["Proof: ", self.proved(theorem), ". "] if theorem else []
        given = f"Assumes: {assumes}. " if assumes else ""
        head += paragraph(given, *proof, "In ", place, ": ", verdict)
        if not claim.checks:
            return [head]
        rows = [[[cell] for cell in check_row(check)] for check in claim.checks]
        return [head, self.table(HEADINGS, rows, ["sga-checks"])]


def resolve_claim(app, env, node, content):
    """Returns the reference that a link to a claim becomes, or None if the link is another one."""
    if node.get("reftype") != "sga-claim":
        return None
    target = f"claim-{node['reftarget']}"
    return make_refnode(app.builder, node["refdoc"], node["page"], target, content)


def hide_records(app, docname, source):
    """Takes the records, which myst-nb cannot show, out of a notebook that is being read."""
    if app.env.doc2path(docname).endswith(".ipynb"):
        notebook = json.loads(source[0])
        for cell in notebook["cells"]:
            for output in cell.get("outputs", []):
                output.get("data", {}).pop(evidence.MIME, None)
        source[0] = json.dumps(notebook)


def setup(app):
    """Registers the directives."""
    app.connect("source-read", hide_records)
    app.connect("missing-reference", resolve_claim)
    app.add_directive("ledger", Ledger)
    app.add_directive("source-claims", SourceClaims)
    app.add_role("claim", ClaimRole())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
