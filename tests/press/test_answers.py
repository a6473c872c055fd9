"""The places for number fields: one at each self-check that a reader meets, none elsewhere."""

import html
import json
import re

import nbformat
import pytest

from books import SOLUTION, SOLUTION_END
from press.pages.answers import place, said_by
from press.structure import toc_notebooks
from sga.exercises import ANSWERS, UNKNOWN, replies


def asked(notebook):
    """Yields the sources of the code cells outside solutions that compare an answer."""
    inside = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            inside = (inside or bool(SOLUTION.search(cell.source))) and not SOLUTION_END.search(cell.source)
        elif not inside and "check_answer(" in cell.source:
            yield cell.source


@pytest.mark.parametrize("path", toc_notebooks(), ids=lambda path: path.stem)
def test_every_self_check_of_a_chapter_gets_a_field(path):
    sources = list(asked(nbformat.read(path, as_version=4)))
    assert sources
    assert all(place(source) for source in sources)


def test_a_place_holds_what_is_asked_and_what_is_said_to_which_number():
    label = next(iter(ANSWERS))
    found = place(f'answer = None  # a < b & "c"\ncheck_answer("{label}", answer)')
    data = dict(re.findall(r'data-(\w+)="([^"]*)"', found))
    assert html.unescape(data["asked"]) == 'A < b & "c"'
    said = json.loads(html.unescape(data["said"]))
    assert said == {"replies": said_by(label), "unknown": UNKNOWN}
    assert [tuple(reply.values()) for reply in said["replies"]] == replies(label)


@pytest.mark.parametrize(
    "source", ["answer = None", 'check_answer("ex:a", 1)', 'answer = 1\ncheck_answer("ex:a", answer)']
)
def test_other_cells_get_none(source):
    assert place(source) is None


def test_an_exercise_without_a_stored_answer_is_an_error():
    with pytest.raises(ValueError, match="exercise must be one of"):
        place('answer = None  # x\ncheck_answer("ex:none", answer)')
