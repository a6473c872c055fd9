"""Sphinx extension: says in the head of a page, for search engines and for those who share it, what it is about."""

import re
import unicodedata
from html import escape

from docutils import nodes

LONGEST = 200
GREEK = re.compile(r"\\(alpha|beta|eta|theta|xi|rho|pi|sigma)(?![a-z])")


def description(doctree):
    """Returns the first paragraph that needs no typesetting, by whole words; of a chapter, that is its question."""
    for node in doctree.findall(nodes.paragraph):
        text = GREEK.sub(lambda name: unicodedata.lookup(f"GREEK SMALL LETTER {name[1]}"), node.astext())
        words = " ".join(text.split())
        apart = isinstance(node.parent, (nodes.list_item, nodes.entry))
        if len(words) > 60 and not apart and not re.search(r"[\\^_{}]", words):
            return words if len(words) <= LONGEST else f"{words[:LONGEST].rpartition(' ')[0]} …"
    return ""


def described(app, pagename, templatename, context, doctree):
    """Adds the description to the head of a page."""
    if doctree is not None and (words := description(doctree)):
        context["metatags"] += f'\n<meta name="description" content="{escape(words)}" />'


def setup(app):
    """Registers the listener."""
    app.connect("html-page-context", described)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
