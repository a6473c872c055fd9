"""What a reader sees of a chapter at each depth: *Read*, *Prove* (proofs open) and *Check* (checks open as well).

What a cell is for follows from its records, its source and one tag. Everything can be opened at every depth; what
differs is what stands open at first.
"""

import ast
from enum import StrEnum

from evidence.records import MIME
from press.freshness import text_of

#: The tag of code cells that serve a check: their source folds, with that of the check if it comes next.
TAG = "check"


class Role(StrEnum):
    """What a cell is for."""

    SHOWN = "shown"  # code that a reader would write himself, and its output
    IMPORTS = "imports"
    FIGURE = "figure"  # its code is folded under the picture
    CLAIM = "claim"
    CHECK = "check"  # its verdict is shown
    LIST = "list"  # the claims of the chapter with their verdicts
    ANSWER = "answer"  # a reader's number, compared with the right one
    SERVES = "serves a check"
    LEFT_OUT = "left out"  # of the page


def role_of(cell):
    """Returns the Role of a code cell with its outputs."""
    tags, kinds = cell["metadata"].get("tags", []), kinds_of(cell)
    source = text_of(cell["source"])
    if "remove-cell" in tags:
        return Role.LEFT_OUT
    if "check" in kinds:
        return Role.CHECK
    if "claim" in kinds:
        return Role.CLAIM
    if "checked" in kinds:
        return Role.LIST
    if TAG in tags:
        return Role.SERVES
    if "figure" in cell["metadata"].get("mystnb", {}):
        return Role.FIGURE
    if "check_answer(" in source:
        return Role.ANSWER
    return Role.IMPORTS if _imports(source) else Role.SHOWN


def kinds_of(cell):
    """Returns the kinds of the records in the outputs of a code cell."""
    bundles = (output.get("data", {}) for output in cell["outputs"])
    return {bundle[MIME]["kind"] for bundle in bundles if MIME in bundle}


def _imports(source):
    """Says whether a source is nothing but imports."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a command of IPython
        return False
    return bool(body) and all(isinstance(node, ast.Import | ast.ImportFrom) for node in body)


def shown_cells(notebook):
    """Yields the code cells that stand open at the depth *Read*, with their sources; solutions are folded."""
    inside = False
    for cell in notebook["cells"]:
        source = text_of(cell["source"])
        if cell["cell_type"] == "markdown":
            inside = ("{solution-start}" in source or inside) and "{solution-end}" not in source
        elif not inside and role_of(cell) == Role.SHOWN:
            yield cell, source


def shown_lines(notebook):
    """Returns how many lines of code, without blank ones, stand open at the depth *Read*."""
    return sum(bool(line.strip()) for _, source in shown_cells(notebook) for line in source.splitlines())
