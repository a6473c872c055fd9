"""Sphinx extension: `{book-index}`, the index of the book as one of its pages, with section numbers for page numbers.

The entries are those of `{index}` and of glossaries. The pages named in the option `:without:` are left out. In LaTeX
the directive leaves no trace, for there the index is printed at the end.
"""

from typing import ClassVar

from docutils import nodes
from sphinx.environment.adapters.indexentries import IndexEntries
from sphinx.util.docutils import SphinxDirective

#: How Sphinx begins the entries that lead to another entry.
SEE = ("see ", "see also ")


class index_of_book(nodes.General, nodes.Element):
    """Stands for the index until all pages have been read."""


class BookIndex(SphinxDirective):
    """Puts the index here."""

    option_spec: ClassVar = {"without": str.split}

    def run(self):
        """Returns the placeholder; the page is read again in every build, since any page may add an entry."""
        self.env.note_reread()
        return [index_of_book(without=self.options.get("without", []))]


class Places:
    """Where the targets of index entries stand: looks up section numbers, reading each page once."""

    def __init__(self, env):
        self.env, self.sections = env, {}

    def label(self, page, target):
        """Returns the number of the section of `page` that holds `target`, or the title of an unnumbered page."""
        if page not in self.sections:
            self.sections[page] = dict(_sections(self.env.get_doctree(page)))
        numbers = self.env.toc_secnumbers.get(page, {})
        for anchor in (f"#{self.sections[page].get(target)}", ""):
            if number := numbers.get(anchor):
                return ".".join(map(str, number))
        return self.env.titles[page].astext()


def _sections(document):
    """Yields (id, id of the innermost section that holds it) for all ids of a page."""
    for node in document.findall(nodes.Element):
        section = node
        while section is not None and not isinstance(section, nodes.section):
            section = section.parent
        if section is not None:
            yield from ((id, section["ids"][0]) for id in node["ids"])


def resolve(app, doctree, docname):
    """Puts the index in place of its placeholder."""
    for place in list(doctree.findall(index_of_book)):
        place.replace_self(_index(app, docname, place["without"]) if app.builder.format == "html" else [])


def _index(app, docname, without):
    """Returns the sections of the index, one a letter."""
    places = Places(app.env)
    pages = {app.builder.get_relative_uri("genindex", page): page for page in app.env.all_docs if page not in without}

    def entry(word, targets, below):
        """Returns the item of a word with its links and the entries below it, or None if nothing is left of it."""
        links = []
        for main, address in targets:
            page, _, target = (address or "").partition("#")
            if page in pages:
                uri = f"{app.builder.get_relative_uri(docname, pages[page])}#{target}"
                number = (nodes.strong if main else nodes.inline)("", places.label(pages[page], target))
                links += [
                    nodes.Text(", "),
                    nodes.reference("", "", number, internal=True, refuri=uri),
                ]
        items = list(filter(None, [entry(name, ends, ()) for name, ends in below]))
        seen = word.startswith(SEE) and not any(address for _, address in targets)
        if not (links or items or seen):
            return None
        line = nodes.paragraph("", "", nodes.Text(word), *links)
        return nodes.list_item("", line, *([_list(items)] if items else []))

    sections = []
    for letter, group in IndexEntries(app.env).create_index(app.builder):
        items = list(filter(None, [entry(word, targets, below) for word, (targets, below, _) in group]))
        if items:
            id = f"letter-{nodes.make_id(letter) or 'signs'}"
            sections.append(nodes.section("", nodes.rubric("", letter), _list(items), ids=[id]))
    return sections


def _list(items):
    return nodes.bullet_list("", *items, classes=["sga-index"])


def setup(app):
    """Registers the directive; no writer ever sees its node."""
    app.add_node(index_of_book)
    app.add_directive("book-index", BookIndex)
    app.connect("doctree-resolved", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
