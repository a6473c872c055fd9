"""Self-checks: the cells in which readers put a number, and the answers that stand in them.

A self-check is a cell of two statements, `answer = None  # what to enter` and `check_answer("ex:name", answer)`. Its
answer stands in `lib/sga/exercises.toml`, or in the call itself: `value=`, `within=` and, for common slips, `wrong=`.
"""

import ast
import re
from dataclasses import dataclass

import nbformat

from press.structure import ROOT, code_cells, toc_notebooks

FIRST = re.compile(r"answer = None *# *(?P<asked>.+)\n")


@dataclass(frozen=True)
class SelfCheck:
    """What a self-check asks for, its exercise, and its answer in the form of `sga.exercises.ANSWERS`, or None."""

    asked: str
    exercise: str
    answer: dict | None


def read(source):
    """Returns the SelfCheck that a cell is, or None if it is none."""
    first = FIRST.match(source.strip())
    if first is None:
        return None
    try:
        _, call = ast.parse(source).body
        name, *positional = [ast.unparse(part) for part in (call.value.func, *call.value.args)]
        given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.value.keywords}
    except (AttributeError, SyntaxError, ValueError):
        return None
    if name != "check_answer" or positional[1:] != ["answer"] or not given.keys() <= {"value", "within", "wrong"}:
        return None
    wrong = [{"value": number, "hint": hint} for number, hint in given.pop("wrong", {}).items()]
    return SelfCheck(first["asked"], ast.literal_eval(positional[0]), {**given, "wrong": wrong} if given else None)


def bare(source):
    """Returns a self-check without the answer that it holds; any other cell as it is."""
    found = read(source)
    if found is None or found.answer is None:
        return source
    return f'answer = None  # {found.asked}\ncheck_answer("{found.exercise}", answer)'


def answers_in(root=ROOT):
    """Returns the answers that stand in the notebooks of the book, {label of the exercise: answer}."""
    cells = (cell for path in toc_notebooks(root) for cell in code_cells(nbformat.read(path, as_version=4)))
    found = (read(cell.source) for cell in cells)
    return {check.exercise: check.answer for check in found if check and check.answer}
