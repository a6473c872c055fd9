"""Sphinx extension: a number field at each self-check, which answers in the page, also offline.

A self-check (`press.selfchecks`) gets a place in front of it that holds what the library would say to which number;
`answers.js` makes the field. Without scripts, and on paper, there is the cell alone, without an answer that it holds.
"""

import json
from html import escape

from docutils import nodes

from press.selfchecks import bare, read
from sga.exercises import ANSWERS, UNKNOWN, replies


def said_by(exercise, answers=ANSWERS):
    """Returns what is said to which number, most special first, ready for JSON."""
    names = ("value", "within", "verdict", "hint")
    return [dict(zip(names, reply, strict=True)) for reply in replies(exercise, answers)]


def place(source):
    """Returns the place of a field as HTML, or None if `source` is no self-check."""
    found = read(source)
    if found is None:
        return None
    answers = {found.exercise: found.answer} if found.answer else ANSWERS
    said = json.dumps({"replies": said_by(found.exercise, answers), "unknown": UNKNOWN})
    asked = found.asked[0].upper() + found.asked[1:]
    return f'<div class="sga-answer" data-asked="{escape(asked)}" data-said="{escape(said)}"></div>'


def add_places(app, doctree):
    """Puts a place for a field in front of each self-check, and takes an answer out of its code."""
    for cell in [node for node in doctree.findall(nodes.container) if node.get("nb_element") == "cell_code"]:
        source = next(iter(cell.findall(nodes.literal_block)), None)
        if source is not None and (html := place(source.astext())):
            cell.parent.insert(cell.parent.index(cell), nodes.raw("", html, format="html"))
            code = bare(source.astext())
            source.rawsource, source.children = code, []
            source += nodes.Text(code)


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
