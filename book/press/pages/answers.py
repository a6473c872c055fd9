"""Sphinx extension: a number field at each self-check, which answers in the page, also offline.

A cell `answer = None  # what to enter` followed by `check_answer("ex:name", answer)` gets a place in front of it that
holds what the library would say to which number; `answers.js` makes the field. Without scripts, and on paper, there is
the cell alone.
"""

import json
import re
from html import escape

from docutils import nodes

from sga.exercises import UNKNOWN, replies

CELL = re.compile(r"^answer = None *# *(?P<asked>.+)\ncheck_answer\(\s*\"(?P<exercise>[^\"]+)\", answer\s*\)$")


def said_by(exercise):
    """Returns what is said to which number, most special first, ready for JSON."""
    names = ("value", "within", "verdict", "hint")
    return [dict(zip(names, reply, strict=True)) for reply in replies(exercise)]


def place(source):
    """Returns the place of a field as HTML, or None if `source` is no self-check."""
    found = CELL.match(source.strip())
    if found is None:
        return None
    said = json.dumps({"replies": said_by(found["exercise"]), "unknown": UNKNOWN})
    asked = found["asked"][0].upper() + found["asked"][1:]
    return f'<div class="sga-answer" data-asked="{escape(asked)}" data-said="{escape(said)}"></div>'


def add_places(app, doctree):
    """Puts a place for a field in front of each self-check."""
    for cell in [node for node in doctree.findall(nodes.container) if node.get("nb_element") == "cell_code"]:
        source = next(iter(cell.findall(nodes.literal_block)), None)
        if source is not None and (html := place(source.astext())):
            cell.parent.insert(cell.parent.index(cell), nodes.raw("", html, format="html"))


def add_files(app, pagename, templatename, context, doctree):
    """Lets a page that has a place for a field load the script and the style sheet."""
    places = doctree.findall(nodes.raw) if doctree is not None else ()
    if any("sga-answer" in place.astext() for place in places):
        app.add_css_file("answers.css")
        app.add_js_file("answers.js", loading_method="defer")


def setup(app):
    """Registers the extension."""
    app.connect("doctree-read", add_places)
    app.connect("html-page-context", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
