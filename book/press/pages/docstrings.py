"""Sphinx extension: lets docstrings be plain text, in which |f| is a norm and a * is a star.

It runs before napoleon, and keeps reStructuredText from taking these signs, or a name that ends in _, for markup. What
stands between backquotes is left alone.
"""

import re

MARKUP = re.compile(r"[|*]|_(?!\w)")
#: Kinds whose docstring napoleon would split at the first colon of its first line into a type and a description.
SPLIT = ("attribute", "data", "property")


def escape(line):
    """Returns the line with the signs of markup escaped outside backquotes."""
    parts = line.split("`")
    return "`".join(part if i % 2 else MARKUP.sub(r"\\\g<0>", part) for i, part in enumerate(parts))


def plain(app, what, name, item, options, lines):
    """Makes the docstring in `lines` plain, in place."""
    lines[:] = [escape(line) for line in lines]
    if what in SPLIT:
        lines[:0] = ["..", ""]  # a comment: a first line without a colon


def setup(app):
    """Registers the extension."""
    app.connect("autodoc-process-docstring", plain, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
