"""The solutions in a notebook: what stands between a solution-start and its solution-end."""

import re
from dataclasses import dataclass

import nbformat

from press.commands.editions import EditionError

GATE = re.compile(r"^([:`]{3,}) *\{solution-(start|end)\} *(\S*) *\n(?::[\w-]+:.*\n)*\1 *$", re.MULTILINE)


@dataclass
class Solution:
    """A solution: the label of its exercise and its cells."""

    exercise: str
    cells: list


def parted(notebook):
    """Returns the cells of a notebook with a Solution in place of the cells of each.

    A cell that holds a gate and text is parted there. Raises EditionError if a solution is not opened and closed.
    """
    parts, opened = [], None
    for kind, place, piece in _pieces(notebook):
        if kind == "start":
            if opened:
                raise EditionError(f"{opened}: solution-start without a solution-end")
            opened = place
            parts.append(Solution(piece, []))
        elif kind == "end":
            if not opened:
                raise EditionError(f"{place}: solution-end without a solution-start")
            opened = None
        else:
            (parts[-1].cells if opened else parts).append(piece)
    if opened:
        raise EditionError(f"{opened}: solution-start without a solution-end")
    return parts


def _pieces(notebook):
    """Yields (None, place, cell) for the cells, and between them ("start" or "end", place, exercise)."""
    for number, cell in enumerate(notebook.cells, 1):
        markdown = cell.cell_type == "markdown"
        texts = GATE.split(cell.source) if markdown else [cell.source]
        if markdown and cell.source.count("{solution") != len(texts) // 4:
            raise EditionError(f"cell {number} has a directive for solutions that is neither solution-start nor -end")
        for place in range(0, len(texts), 4):
            if text := texts[place].strip("\n"):
                yield None, f"cell {number}", nbformat.from_dict({**cell, "source": text})
            if place + 3 < len(texts):
                kind, exercise = texts[place + 2], texts[place + 3]
                yield kind, f"cell {number} {exercise}".rstrip(), exercise
