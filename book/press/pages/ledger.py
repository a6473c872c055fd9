"""Sphinx extension: the ledger and the table of the source's claims, generated from the records in the notebooks."""

import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

from evidence import BUDGET, Verdict, words
from evidence.render import paragraph, table, typeset
from press.claims import NONE, read_source_claims, require_evidence, sentence, summarize
from press.freshness import load, text_of
from press.pages.depths import Fold, fold
from press.pages.domain import claim_link, claims_of
from press.structure import toc_files

HEADINGS = ("about", "scope", "test", "n", "z or p", "resolution", "rivals rejected", "verdict")

#: A p-value below which a test is named to skeptical readers.
TIGHT = 0.05


def check_row(check):
    """Returns the cells of a check's row, as text: see HEADINGS."""
    rejected = [words.named(rival, check) for rival in check["rivals"] if rival["rejected"]]
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


def first_heading(notebook):
    """Returns the title of the chapter that the notebook file is."""
    text = "\n".join(text_of(cell["source"]) for cell in load(notebook)["cells"] if cell["cell_type"] == "markdown")
    return re.search(r"^# (.+)$", text, re.MULTILINE)[1]


def _number(value, form, prefix=""):
    return NONE if value is None else prefix + f"{value:{form}}".replace("-", "−")


class LedgerDirective(SphinxDirective):
    """What `{ledger}` and `{source-claims}` share: the records, the pages they point to, and the pieces of a page."""

    def run(self):
        """Reads everything the page depends on and returns its nodes."""
        root = Path(self.env.app.srcdir)
        source = root / "book" / "claims.toml"
        self.env.note_dependency(str(source))
        self.pages = {path: path.relative_to(root).with_suffix("").as_posix() for path in toc_files(root)}
        self.source = read_source_claims(source)
        self.claims = claims_of(self.env)
        require_evidence(self.source, self.claims, root)
        return self.render()

    def number(self, page):
        """Returns what a chapter is called in short, such as "ch. 10"; nothing for a page that is none."""
        chapters = [path for path in self.pages if path.suffix == ".ipynb"]
        found = [number for number, path in enumerate(chapters, 1) if self.pages[path] == page]
        return f"ch. {found[0]}" if found else ""

    def chapter(self, page, words=""):
        """Returns a link to the chapter `page` that shows `words`, or else its title."""
        target = {
            "refdomain": "std",
            "reftype": "doc",
            "reftarget": f"/{page}",
            "refdoc": self.env.docname,
        }
        return addnodes.pending_xref("", nodes.inline("", words), refexplicit=bool(words), refwarn=True, **target)

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

    def source_table(self):
        """Returns the table of the source's claims, each with the verdict that follows from the records."""
        claims = {claim.id: claim for claim in self.claims}
        rows = [self._source_row(entry, claims) for entry in self.source]
        made = table(("claim", "what the source says", "verdict", "treated in"), rows, ["sga-ledger", "sga-source"])
        for line in list(made.findall(Fold)):  # no fold fits into a paragraph
            text = line.parent
            text.remove(line)
            text.parent.append(line)
        return made

    def _source_row(self, entry, claims):
        word, colon, condition = entry.shown_verdict(claims).partition(": ")
        verdict = nodes.inline("", word, classes=["sga-badge"])
        chapters = [self.chapter(f"book/{name}", self.number(f"book/{name}")) for name in entry.where]
        links = [claim_link(self.env, name) for name in entry.evidence]
        treated = _separated(chapters)
        if links and self.env.app.builder.format == "html":
            treated = [
                *treated,
                fold("links", _count(links), nodes.paragraph("", "", *_texts(_separated(links)))),
            ]
        elif links:
            treated = [*treated, ": ", *_separated(links)]
        return [[entry.id], [entry.statement], [verdict, *([f" {condition}"] if colon else [])], treated]


def _scopes(claim):
    return dict.fromkeys(check["scope"] for check in claim.checks)


def _doubtful(check):
    """Returns why a skeptical reader looks at a check first, or ""."""
    if check["verdict"] != Verdict.PASSED:
        return check["verdict"]
    return f"p = {check['p']:.1g}" if check["p"] is not None and check["p"] < TIGHT else ""


def _separated(items):
    """Returns `items` with commas between them, or a dash if there are none."""
    parts = [part for item in items for part in (item, ", ")]
    return parts[:-1] or [NONE]


def _count(claims):
    return f"{len(claims)} claim{'s' if len(claims) > 1 else ''}"


def _texts(items):
    return [nodes.Text(item) if isinstance(item, str) else item for item in items]


class SourceClaims(LedgerDirective):
    """`{source-claims}`: the table of the source's claims."""

    def render(self):
        """Returns the table."""
        return [self.source_table()]


class Ledger(LedgerDirective):
    """`{ledger}`: the summary, the source's claims, and every claim of the book with its checks."""

    def render(self):
        """Returns the sections of the ledger."""
        summary = summarize(self.claims, BUDGET)
        sections = [
            self.section("In numbers", paragraph(sentence(summary))),
            self.section("Claims of the source", self.source_table()),
            *self.sceptics(),
            self.section("Claims of this book", *self.chapters()),
        ]
        if summary.demonstrations:
            note = paragraph("These checks are meant to fail, to show what a failure looks like. They do not count.")
            sections.append(self.section("Demonstrations", note, *self.blocks(demonstration=True)))
        return sections

    def section(self, title, *children):
        """Returns a section with an id made of its title."""
        name = nodes.fully_normalize_name(title)
        target = nodes.make_id(f"ledger {title}")
        section = nodes.section("", nodes.title("", title), *children, ids=[target], names=[name])
        self.state.document.note_implicit_target(section)
        return section

    def sceptics(self):
        """Returns the section of what a skeptical reader looks at first, or nothing if there is none."""
        doubtful = [claim for claim in self.claims if not claim.demonstration and any(map(_doubtful, claim.checks))]
        if not doubtful:
            return []
        said = paragraph(
            "What asserts nothing, what did not pass, and tests whose p is below 0.05: of many true predictions, "
            "one in twenty is expected there."
        )
        links = nodes.bullet_list("", *[self.item(claim) for claim in doubtful])
        return [self.section("For a skeptic", said, links)]

    def item(self, claim):
        """Returns a line on the doubtful checks of a claim."""
        found = [f"{check['about']} ({_doubtful(check)})" for check in claim.checks if _doubtful(check)]
        return nodes.list_item("", paragraph(claim_link(self.env, claim.id), f": {'; '.join(found)}"))

    def chapters(self):
        """Returns a section for each chapter, with its claims."""
        made = [claim for claim in self.claims if not claim.demonstration]
        sections = []
        for notebook in dict.fromkeys(claim.notebook for claim in made):
            page = self.pages[notebook]
            inside = [block for claim in made if claim.notebook == notebook for block in self.block(claim)]
            if self.env.app.builder.format == "html":
                inside = [fold("group", _count(inside), *inside)]
            title = nodes.title("", first_heading(notebook))
            sections.append(nodes.section("", title, *inside, ids=[nodes.make_id(f"ledger {page}")]))
        return sections

    def blocks(self, demonstration):
        """Returns the blocks of all claims that are demonstrations, or of all that are not."""
        return [block for claim in self.claims if claim.demonstration == demonstration for block in self.block(claim)]

    def block(self, claim):
        """Returns a claim's statement, its assumptions and chapter, and the table of its checks."""
        head = nodes.container("", classes=["sga-claim"], ids=[f"ledger-{claim.id}"])
        head += paragraph(nodes.strong("", "", claim_link(self.env, claim.id)), f" · {claim.record['statement']}.")
        assumes = claim.record["assumes"]
        place = self.chapter(self.pages[claim.notebook])
        verdict = nodes.strong("", claim.verdict, classes=["sga-verdict"])
        theorem = claim.record["theorem"]
        proof = ["Proof: ", self.proved(theorem), ". "] if theorem else []
        given = f"Assumes: {assumes}. " if assumes else ""
        head += paragraph(given, *proof, "In ", place, ": ", verdict)
        rows = [[[cell] for cell in check_row(check)] for check in claim.checks]
        block = [head, *([table(HEADINGS, rows, ["sga-ledger", "sga-checks"])] if rows else [])]
        if self.env.app.builder.format != "html":
            return block
        sign = nodes.strong("", f"{words.SIGNS[claim.verdict]} {claim.id}")
        line = fold("ledger", [sign, *typeset(f" · {claim.record['statement']}")], *block)
        line["classes"] += [f"sga-is-{name.replace(' ', '-')}" for name in (claim.verdict, *_scopes(claim))]
        return [line]


def add_filter(app, pagename, templatename, context, doctree):
    """Lets the page of the ledger load the script that filters it."""
    if doctree is not None and any("sga-fold-ledger" in node["classes"] for node in doctree.findall(Fold)):
        app.add_js_file("ledger.js", loading_method="defer")


def setup(app):
    """Registers the directives."""
    app.add_directive("ledger", Ledger)
    app.add_directive("source-claims", SourceClaims)
    app.connect("html-page-context", add_filter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
