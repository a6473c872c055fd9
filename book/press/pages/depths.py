"""Sphinx extension: the depths of a chapter. What is not for every reader folds under a line that says what it is.

Each fold is a `<details>`, which opens without scripts; `depths.js` adds the switch that opens all proofs or checks.
What a cell is for says `press.depths`. Paper has the text and the proofs; there the code that is folded on a page, and
the numbers behind a verdict, are left to the notebooks.
"""

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import solution_node
from sphinx_proof.nodes import proof_node

import evidence
from evidence import words
from press.claims import collect
from press.depths import Role, role_of
from press.freshness import load
from press.structure import code_cells

#: A proof of more words folds.
LONG = 120
OBJECTIVES = "Objectives, prerequisites, run time"
SUMMARIES = {Role.IMPORTS: "Imports", Role.SERVES: "Code", Role.ANSWER: "In the notebook", Role.CHECK: "Code"}


class Fold(nodes.General, nodes.Element):
    """Content below a summary; the first child is the `Summary`."""


class Summary(nodes.General, nodes.TextElement):
    """The line that a fold shows while it is closed."""


def fold(kind, summary, *content):
    """Returns a fold; `kind` is what it holds: "code", "check", "proof", "solution" or "start"."""
    head = Summary("", "", *([nodes.Text(summary)] if isinstance(summary, str) else summary))
    return Fold("", head, *content, classes=["sga-fold", f"sga-fold-{kind}"])


def note_roles(app, doctree):
    """Notes what each code cell of a page is for, and adds to a claim the theorem that proves it and its verdict."""
    docname = app.env.docname
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".ipynb":
        roles = [role for role in map(role_of, code_cells(load(path))) if role != Role.LEFT_OUT]
        cells = [node for node in doctree.findall(nodes.container) if node.get("nb_element") == "cell_code"]
        if len(cells) != len(roles):
            raise ExtensionError(f"{docname}: {len(roles)} code cells, {len(cells)} on the page")
        for cell, role in zip(cells, roles, strict=True):
            cell["role"] = str(role)
            cell.attributes.pop("hide_mode", None)
        made = {claim.id: claim for claim in collect(evidence.read([path]))}
        for claim in doctree.findall(lambda node: isinstance(node, nodes.container) and "claim" in node):
            add_footer(docname, claim, made[claim["claim"]])


def add_footer(docname, claim, made):
    """Writes behind the name of a claim the theorem that proves it, if one does, and what came of its checks."""
    name, *rest = claim[0].children
    name.replace_self(name := nodes.strong("", name.astext().rstrip(".")))
    said = []
    if claim.get("theorem"):
        target = {"refdomain": "prf", "reftype": "ref", "reftarget": claim["theorem"], "refdoc": docname}
        link = addnodes.pending_xref("", nodes.inline("", claim["theorem"]), refwarn=True, refexplicit=False, **target)
        said += [nodes.Text(" ("), link, nodes.Text(")")]
    scopes = ", ".join(dict.fromkeys(check["scope"] for check in made.checks))
    said.append(nodes.Text(f" · {words.SIGNS[made.verdict]} {made.verdict}{scopes and ': '}{scopes}"))
    claim[0].children = []
    claim[0] += [name, *said, nodes.Text(". "), *(node for node in rest if isinstance(node, nodes.inline))]


class Depths(SphinxPostTransform):
    """Folds a page of HTML, and leaves out of paper what folds there."""

    default_priority = 250
    formats = ("html", "latex")

    def run(self, **kwargs):
        """Changes the tree of a page, or that of the whole book."""
        page = self.app.builder.format == "html"
        cells = [node for node in self.document.findall(nodes.container) if "role" in node]
        for cell in cells:
            if cell["role"] != Role.SHOWN and (page or cell["role"] != Role.ANSWER):
                (self.fold_cell if page else self.strip)(cell)
        if not page:
            for numbers in list(self.document.findall(_is("sga-behind"))):
                numbers.parent.remove(numbers)
            return
        for proof in list(self.document.findall(proof_node)):
            if len(proof.astext().split()) > LONG:
                proof.replace_self(fold("proof", "Proof", proof.deepcopy()))
        for solution in list(self.document.findall(solution_node)):
            self.fold_solution(solution)
        for section in self.document.findall(nodes.section):
            if "objectives" in section["ids"] and self.env.docname.startswith("book/"):
                title, *content = section.children
                section.children = []
                section += [title, fold("start", OBJECTIVES, *content)]

    def strip(self, cell):
        """Leaves out the source of a cell."""
        for source in _sources(cell):
            cell.remove(source)

    def fold_cell(self, cell):
        """Puts the source of a cell under a line that says what it is, below the outputs that stay."""
        role, sources = Role(cell["role"]), _sources(cell)
        if role == Role.LIST:
            return self.strip(cell)
        if role == Role.SERVES and (check := _next_check(cell)) is not None:
            for source in sources:  # the check that follows shows it with its own
                cell.remove(source)
                at = check.index(_sources(check)[-1])
                check.insert(at, source)
            return None
        if role == Role.ANSWER:
            content, cell.children = cell.children, []
            cell += fold("code", SUMMARIES[role], *content)
            return None
        self.strip(cell)
        code = nodes.container("", *sources, classes=["cell"])
        if role == Role.CHECK:
            return self.fold_checks(cell, code)
        if role == Role.CLAIM:
            claim = next(node for node in cell.findall(nodes.container) if "claim" in node)
            said = [part for part in claim[0].findall(nodes.inline) if "sga-statement" in part["classes"]]
            restates = said if claim.get("theorem") else []
            for part in restates:
                claim[0].remove(part)
            shown = [nodes.paragraph("", "", *restates)] if restates else []
            claim += fold("code", "Statement and code" if restates else "Code", *shown, code)
            return None
        summary = SUMMARIES.get(role) or self.name_of_figure(cell)
        cell += fold("code", summary, code)
        return None

    def fold_checks(self, cell, code):
        """Lets the line of each check open to its numbers, and the last one to the code as well."""
        checks = list(cell.findall(_is("sga-check")))
        for check in checks:
            said, *numbers = check.children
            check.children = []
            check += fold("check", said.children, *numbers, *([code] if check is checks[-1] else []))

    def name_of_figure(self, cell):
        """Returns what the code of a figure is called."""
        numbers = self.env.toc_fignumbers.get(self.env.docname, {}).get("figure", {})
        for figure in cell.findall(nodes.figure):
            if number := next((numbers[name] for name in figure["ids"] if name in numbers), None):
                return f"Code of Fig. {'.'.join(map(str, number))}"
        return "Code of the figure"

    def fold_solution(self, solution):
        """Lets a solution open by its title, which is no link then."""
        title, *content = solution.children
        for link in list(title.findall(nodes.reference)):
            link.replace_self(link.children)
        solution["classes"] = [name for name in solution["classes"] if name != "dropdown"]
        solution.children = []
        solution += fold("solution", title.astext().replace("Solution to", "Solution to ").replace("  ", " "), *content)


def _is(name):
    return lambda node: isinstance(node, nodes.container) and name in node["classes"]


def _sources(cell):
    found = (node for node in cell.children if isinstance(node, nodes.container))
    return [node for node in found if node.get("nb_element") == "cell_code_source"]


def _next_check(cell):
    """Returns the check that a cell serves: the next one, with no text between."""
    siblings = cell.parent.children
    for node in siblings[cell.parent.index(cell) + 1 :]:
        role = node.get("role") if isinstance(node, nodes.Element) else None
        if role == Role.CHECK:
            return node
        if role not in (Role.SERVES, Role.CLAIM):
            return None
    return None


def visit_fold(writer, node):
    """Begins a `<details>`."""
    writer.body.append(writer.starttag(node, "details"))


def depart_fold(writer, node):
    """Ends it."""
    writer.body.append("</details>\n")


def visit_summary(writer, node):
    """Begins a `<summary>`."""
    writer.body.append(writer.starttag(node, "summary", ""))


def depart_summary(writer, node):
    """Ends it."""
    writer.body.append("</summary>\n")


def setup(app):
    """Registers the transform, the nodes and the files of the switch."""
    app.add_node(Fold, html=(visit_fold, depart_fold))
    app.add_node(Summary, html=(visit_summary, depart_summary))
    app.connect("doctree-read", note_roles)
    app.add_post_transform(Depths)
    app.add_css_file("depths.css")
    app.add_js_file("depths.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
