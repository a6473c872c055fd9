"""Sphinx extension: what paper needs in place of what a web page shows. It acts on the LaTeX builder alone.

Claims get a label that LaTeX finds; tables of the ledger get columns and a font that fit the page; a proof loses the
frame of an admonition, a note its place in the margin; a figure that moves on the web says so. The first page becomes a
chapter without a number, so that chapters have the same numbers as on the web, and parts get their titles. References
to exercises get labels that LaTeX finds.
"""

import unicodedata
from pathlib import Path

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import texescape
from sphinx_exercise.nodes import exercise_latex_number_reference
from sphinx_exercise.utils import get_node_number
from sphinx_proof.nodes import proof_node

MOVES = " On the web this figure can be moved."
FIRST = "Introduction"
UNNUMBERED, NUMBERED = r"\setcounter{secnumdepth}{-1}", r"\setcounter{secnumdepth}{2}"
#: Shares of the width that the columns of a table take, in percent, by the table's class.
COLUMNS = {
    "sga-source": (7, 37, 30, 26),
    "sga-checks": (22, 10, 10, 8, 8, 8, 24, 10),
    "sga-checked": (16, 20, 64),
}
#: A table of more rows, which Sphinx lets run over pages, gets columns of one width.
LONG = 30


def latex(text):
    """Returns a node of raw LaTeX."""
    return nodes.raw("", text, format="latex")


def sortable(text):
    """Returns an entry of the index with the name of a Greek letter in front, which makeindex cannot sort."""
    name = unicodedata.name(text[0], "")
    return name.split()[-1].lower() + text[1:] if name.startswith("GREEK") else text


class Layout(SphinxPostTransform):
    """Arranges the whole book for paper."""

    builders = ("latex",)
    default_priority = 4

    def run(self):
        """Changes the tree of the book."""
        for proof in list(self.document.findall(proof_node)):
            self.frameless(proof)
        for figure in self.document.findall(nodes.figure):
            if "explorer" in figure["classes"]:
                next(figure.findall(nodes.caption)).append(nodes.Text(MOVES))
        for found in list(self.document.findall(nodes.table)):
            for name in set(COLUMNS) & set(found["classes"]):
                self.fit(found, COLUMNS[name])
            if len(list(found.findall(nodes.row))) > LONG and "sga-small" not in found.parent["classes"]:
                columns = next(iter(found.findall(nodes.tgroup)))["cols"]
                self.fit(found, [100 // columns] * columns)
        for claim in list(self.document.findall(nodes.container)):
            if "claim" in claim:
                claim.parent.insert(claim.parent.index(claim), nodes.target("", "", ids=claim["ids"]))
        for note in list(self.document.findall(nodes.sidebar)):
            if "margin" in note["classes"]:
                self.aside(note)
        for node in self.document.findall(addnodes.index):
            node["entries"] = [(kind, sortable(text), *rest) for kind, text, *rest in node["entries"]]
        self.arrange()

    def frameless(self, proof):
        """Puts the content of a proof in place of its frame, with its first word in italics."""
        content = proof.children[0].children
        start = next(iter(content[0].findall(nodes.Text)))
        word, rest = start.astext().split(" ", 1)
        start.parent.replace(start, [nodes.emphasis("", word), nodes.Text(f" {rest}")])
        proof.replace_self(nodes.container("", *content, classes=["sga-proof"]))

    def aside(self, note):
        """Puts a paragraph of its own in place of a note in the margin."""
        title, *content = note.children
        heading = [nodes.paragraph("", "", nodes.strong("", "", *title.children))] if title.children else []
        note.replace_self(nodes.container("", *heading, *content))

    def fit(self, found, widths):
        """Gives a table its columns and the font of small tables, and lets it run over pages."""
        spec = "".join(rf">{{\raggedright\arraybackslash}}\X{{{width}}}{{100}}" for width in widths)
        small = nodes.container("", addnodes.tabular_col_spec(spec=spec), classes=["sga-small"])
        found.replace_self(small)
        small += found
        found["classes"].append("longtable")

    def arrange(self):
        """Makes the first page a chapter without a number, and puts its title before each part."""
        book = next(iter(self.document.findall(nodes.section)))
        title, *page = (node for node in book if not isinstance(node, nodes.compound))
        parts = [node for node in book if isinstance(node, nodes.compound)]
        toc = yaml.safe_load((Path(self.app.srcdir) / "_toc.yml").read_text(encoding="utf-8"))
        first = nodes.section("", nodes.title("", FIRST), *page, ids=["introduction", *book["ids"]])
        book.children, book["ids"] = [], []
        book += [title, latex(UNNUMBERED), first]
        for part, chapters in zip(toc["parts"], parts, strict=True):
            numbers = latex(NUMBERED if part.get("numbered") else UNNUMBERED)
            book += [latex(rf"\part{{{texescape.escape(part['caption'])}}}"), numbers, chapters]


class Exercises(SphinxPostTransform):
    """Lets references to exercises point to the labels that sphinx-exercise gives them in LaTeX."""

    builders = ("latex",)
    default_priority = 30

    def run(self):
        """Replaces every resolved reference to an exercise."""
        exercises = getattr(self.env, "sphinx_exercise_registry", {})
        for found in list(self.document.findall(addnodes.number_reference)):
            label = found.get("refid") or found.get("refuri", "").rpartition("#")[2]
            if label in exercises:
                number = get_node_number(self.app, exercises[label]["node"], "exercise")
                words = nodes.Text(f"Exercise {number}")
                found.replace_self(exercise_latex_number_reference("", "", words, refid=label))


def setup(app):
    """Registers the transforms."""
    app.add_post_transform(Layout)
    app.add_post_transform(Exercises)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
