"""A small book to make editions of."""

import json

from nbformat.v4 import new_markdown_cell, new_output

from books import edit
from press.commands.notebooks import edition

CHAPTER = "book/part/chapter"
START = ":::{solution-start} ex:one\n:label: sol:one\n:class: dropdown\n:::"
END = ":::{solution-end}\n:::"
ONE = ":::{exercise} A first one\n:label: ex:one\nHow many?\n:::"
MACROS = {"E": r"\mathbb{E}", "norm": [r"\lVert #1 \rVert", 1]}


def small(small_book, *texts):
    """Returns the root of a small book whose one chapter ends with markdown cells of these texts."""
    path = small_book.notebook(CHAPTER, ("2 + 2", [new_output("stream", name="stdout", text="4\n")]))
    edit(path, lambda notebook: notebook.cells.extend(map(new_markdown_cell, texts)))
    return small_book.root


def sources(root, student=False):
    """Returns the sources of the cells of the chapter of a small book in an edition."""
    return [cell["source"] for cell in json.loads(edition(root, student)[f"{CHAPTER}.ipynb"])["cells"]]
