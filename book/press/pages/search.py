"""Sphinx extension: the search finds sections, theorems, terms and names, and shows the sentence that it found.

Sphinx's own search finds pages and fetches each of them for an excerpt, which pages opened from a disk must not do.
Here the text of each part of a page, without code and printed output, goes into one script beside the pages, and
Sphinx's index knows titles alone.
"""

import json
from pathlib import Path

from docutils import nodes
from docutils.utils import new_document
from sphinx import addnodes
from sphinx_exercise.nodes import exercise_enumerable_node, exercise_node, solution_node
from sphinx_proof.nodes import NODE_TYPES

FILE = "search-parts.js"
BEFORE = "const SEARCH_PARTS = "
#: Words that readers use, and what the book says for them.
SYNONYMS = {
    "learning rate": "step size",
    "stepsize": "step size",
    "pseudotrajectory": "pseudo-trajectory",
    "sgd": "SGA",
    "gradient descent": "gradient ascent",
    "theta_c": "critical strength",
    "critical signal strength": "critical strength",
    "install": "run it",
    "download": "run it",
    "overlap": "alignment",
    "cosine similarity": "alignment",
    "sample complexity": "tokens needed",
}
#: What has an address of its own within a section; its words belong to it alone.
PARTS = (nodes.section, *NODE_TYPES.values(), exercise_node, exercise_enumerable_node, addnodes.desc)
LEFT_OUT = (nodes.literal_block, nodes.raw, nodes.image, nodes.comment, addnodes.desc_signature, solution_node)
BLOCKS = (nodes.paragraph, nodes.caption, nodes.term)


def said(node):
    """Returns the text of a node, with its formulas between `\\\\(` and `\\\\)`."""
    if isinstance(node, LEFT_OUT) or "sga-behind" in getattr(node, "attributes", {}).get("classes", ()):
        return ""
    if isinstance(node, nodes.math):
        return rf"\({node.astext()}\)"
    if isinstance(node, nodes.Text):
        return node.astext()
    return "".join(map(said, node.children))


def is_part(node):
    """Whether a node is a part; what a theorem says is a section in its tree, but has no title."""
    return isinstance(node, PARTS) and not (isinstance(node, nodes.section) and heading(node) is None)


def heading(node):
    """Returns the title of a node, or None."""
    return next((child for child in node.children if isinstance(child, nodes.title)), None)


def blocks(node):
    """Yields the paragraphs of a part, without those of the parts within it."""
    for child in node.children:
        if isinstance(child, BLOCKS):
            if text := " ".join(said(child).split()):
                yield text
        elif not (is_part(child) or isinstance(child, LEFT_OUT)):
            yield from blocks(child)


class Parts:
    """The parts of the pages of a book, by page: its title, and rows (kind, title, address, paragraphs)."""

    def __init__(self, app):
        self.app, self.pages = app, {}

    def add(self, pagename, doctree):
        """Notes the parts of a page."""
        rows = []
        for node in doctree.findall(lambda node: is_part(node) or isinstance(node, nodes.definition_list_item)):
            found = self.part(pagename, node)
            if found:
                kind, title, anchor = found
                inside = [child for child in node.children if isinstance(child, nodes.definition)]
                text = [" ".join(map(said, inside))] if kind == "term" else list(blocks(node))
                rows.append((kind, title, f"{pagename}.html#{anchor}" if anchor else f"{pagename}.html", text))
        title = self.app.env.titles[pagename].astext()
        self.pages[pagename] = (" ".join([*self.number(pagename, ""), title]), rows)

    def part(self, pagename, node):
        """Returns (kind, title, id) of a part that has an address, or None."""
        if isinstance(node, nodes.section):
            anchor = "" if isinstance(node.parent, nodes.document) else node["ids"][0]
            return "section", " ".join([*self.number(pagename, anchor), said(heading(node))]), anchor
        if isinstance(node, nodes.definition_list_item):
            terms = [term for term in node.findall(nodes.term) if term["ids"]]
            return ("term", ", ".join(map(said, terms)), terms[0]["ids"][0]) if terms else None
        if isinstance(node, addnodes.desc):
            signature = node.next_node(addnodes.desc_signature)
            return ("name", signature["ids"][0], signature["ids"][0]) if signature["ids"] else None
        return self.statement(pagename, node)

    def statement(self, pagename, node):
        """Returns the same of a theorem, a definition or an exercise."""
        anchor, kind = node["ids"][0], node.get("realtype") or node["type"]
        name = "exercise" if "exercise" in type(node).__name__ else node.get("countertype", kind)
        number = self.app.env.toc_fignumbers.get(pagename, {}).get(name, {}).get(anchor, ())
        words = [kind.capitalize(), ".".join(map(str, number)), said(heading(node) or nodes.Text(""))]
        return "statement", " ".join(" ".join(words).split()), anchor

    def number(self, pagename, anchor):
        """Returns the number of a section as a list of one text, or of none."""
        found = self.app.env.toc_secnumbers.get(pagename, {}).get(anchor and f"#{anchor}", ())
        return [f"{'.'.join(map(str, found))}."] if found else []

    def write(self):
        """Writes the script, with the parts of pages that this build had no reason to write as they were."""
        path = Path(self.app.outdir, "_static", FILE)
        before = json.loads(path.read_text(encoding="utf-8").removeprefix(BEFORE)) if path.is_file() else {"pages": {}}
        pages = {name: page for name, page in before["pages"].items() if name in self.app.env.found_docs}
        data = json.dumps({"pages": pages | self.pages, "synonyms": SYNONYMS}, ensure_ascii=False)
        path.write_text(f"{BEFORE}{data}\n", encoding="utf-8")


def collect(app):
    """Lets the builder of pages note the parts of each page that it writes, in place of Sphinx's index of words.

    The page of the search shows formulas, which Sphinx cannot know.
    """
    builder = app.builder
    if builder.format != "html" or not getattr(builder, "search", False):
        return
    parts, index_page = Parts(app), builder.index_page

    def noted(pagename, doctree, title):
        parts.add(pagename, doctree)
        index_page(pagename, new_document(pagename), title)

    builder.index_page = noted
    app.env.get_domain("math").data["has_equations"]["search"] = True
    app.connect("build-finished", lambda app, exception: exception or parts.write())


def on_the_page(app, pagename, templatename, context, doctree):
    """Gives the page of the search its scripts."""
    if pagename == "search":
        app.add_js_file(FILE, loading_method="defer", priority=900)
        app.add_js_file("search.js", loading_method="defer", priority=901)


def setup(app):
    """Registers the listeners."""
    app.connect("builder-inited", collect)
    app.connect("html-page-context", on_the_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
