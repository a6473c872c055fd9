"""Sphinx extension: lets docstrings be plain text, in which |f| is a norm and a * is a star.

It runs before napoleon, and keeps reStructuredText from taking these signs, or a name that ends in _, for markup. What
stands between backquotes is left alone. The equations and claims in a paragraph that begins with "Source:" become
references, so that one that does not exist is a warning.
"""

import re

import numpy as np
from docutils import nodes
from numpy.typing import ArrayLike, NDArray
from sphinx.util.typing import stringify_annotation

MARKUP = re.compile(r"[|*]|_(?!\w)")
LABEL, ID = r"\([\w-]+\)", r"[A-Z][A-Za-z0-9]*(?:\.[A-Za-z0-9-]+)*"
#: "equation (one)", "equations (one), (two) and (three)", and the same with claims.
EQUATIONS, CLAIMS = (
    re.compile(rf"\b{word}s? {item}(?:(?:, | and ){item})*") for word, item in (("equation", LABEL), ("claim", ID))
)
#: A claim of the source: the book's own are made in chapters, where a reference leads.
OF_THE_SOURCE = re.compile(r"T\d+")
#: Kinds whose docstring napoleon would split at the first colon of its first line into a type and a description.
SPLIT = ("attribute", "data", "property")
#: What Sphinx makes of an array's type, and what readers of NumPy call it.
ARRAYS = {ArrayLike: "array_like"} | {NDArray[kind]: "ndarray" for kind in (np.float64, np.int64, np.bool_)}
TYPES = {stringify_annotation(kind, "smart"): word for kind, word in ARRAYS.items()}


def escape(line):
    """Returns the line with the signs of markup escaped outside backquotes."""
    parts = line.split("`")
    return "`".join(part if i % 2 else MARKUP.sub(r"\\\g<0>", part) for i, part in enumerate(parts))


def sources(text):
    """Returns the labels of the equations, without their `eq:`, and the ids of the claims that a text names."""
    labels = [label[1:-1] for some in EQUATIONS.findall(text) for label in re.findall(LABEL, some)]
    return labels, [name for some in CLAIMS.findall(text) for name in re.findall(ID, some)]


def linked(text):
    """Returns the text with references to the equations and to the book's claims that it names."""
    text = EQUATIONS.sub(lambda some: re.sub(LABEL, lambda label: f":eq:`eq:{label[0][1:-1]}`", some[0]), text)
    return CLAIMS.sub(lambda some: re.sub(ID, _claim, some[0]), text)


def _claim(name):
    return name[0] if OF_THE_SOURCE.fullmatch(name[0]) else f":claim:`{name[0]}`"


def with_links(lines):
    """Returns the lines with each paragraph that begins with "Source:" in one line and linked."""
    paragraphs = re.split(r"\n(?=\s*\n|\s*Source:)", "\n".join(lines))
    for i, text in enumerate(paragraphs):
        if text.lstrip().startswith("Source:"):
            paragraphs[i] = linked(re.sub(r"\n\s*", " ", text))
    return "\n".join(paragraphs).split("\n")


def plain(app, what, name, item, options, lines):
    """Makes the docstring in `lines` plain, with links to its sources, in place."""
    lines[:] = [escape(line) for line in with_links(lines)]
    if what in SPLIT:
        lines[:0] = ["..", ""]  # a comment: a first line without a colon


def short(app, what, name, item, options, args, returned):
    """Gives the types of a signature the words of NumPy's documentation; what "Returns:" says needs no type as well."""
    annotation = app.env.temp_data.get("annotations", {}).get(name, {})
    for argument, words in annotation.items():
        for long, word in TYPES.items():
            words = words.replace(long, word)
        annotation[argument] = words
    if "Returns:" in (item.__doc__ or ""):
        annotation.pop("return", None)


def short_fields(app, domain, kind, content):
    """Does the same for the type of an attribute, which is a field of its description."""
    for field in content.findall(nodes.field):
        name, body = field.children
        if name.astext().split(" ")[0] == "type" and "ndarray[" in body.astext():
            body.children = [nodes.paragraph("", "ndarray")]


def setup(app):
    """Registers the extension."""
    app.connect("object-description-transform", short_fields)
    app.connect("autodoc-process-docstring", plain, priority=100)
    app.connect("autodoc-process-signature", short, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
