"""The places for number fields: one at each self-check that a reader meets, none elsewhere."""

import html
import json
import re

import nbformat
import pytest

from books import SOLUTION, SOLUTION_END
from press.pages.answers import place, said_by
from press.selfchecks import SelfCheck, answers_in, bare, read
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


OWN = """answer = None  # a share
check_answer(
    "ex:mine", answer, value=0.25, within=0.001, wrong={0.1: "A hint.", 1 / 2: "Another."}
)"""


def test_a_cell_may_hold_its_answer_and_is_shown_without_it():
    own = OWN.replace("1 / 2", "0.5")
    answer = {
        "value": 0.25,
        "within": 0.001,
        "wrong": [{"value": 0.1, "hint": "A hint."}, {"value": 0.5, "hint": "Another."}],
    }
    assert read(own) == SelfCheck("a share", "ex:mine", answer)
    said = json.loads(html.unescape(re.search(r'data-said="([^"]*)"', place(own))[1]))["replies"]
    assert [reply["hint"] for reply in said[:3]] == ["", " A hint.", " Another."] and said[0]["value"] == 0.25
    assert bare(own) == 'answer = None  # a share\ncheck_answer("ex:mine", answer)' and bare("1 + 1") == "1 + 1"
    assert read(OWN) is None, "a number that is not written out"


def test_a_page_and_a_notebook_show_no_answer(small_book):
    path = small_book.notebook("book/part/chapter", (OWN.replace("1 / 2", "0.5"), []))
    assert answers_in(small_book.root).keys() == {"ex:mine"}
    assert small_book.build().returncode == 0
    page = small_book.page("book/part/chapter").find("article")
    assert page.select_one(".sga-answer") and page.select_one("pre").get_text().endswith(
        'check_answer("ex:mine", answer)\n'
    )
    assert "A hint" not in page.get_text() and path.is_file()


@pytest.mark.parametrize(
    "source", ["answer = None", 'check_answer("ex:a", 1)', 'answer = 1\ncheck_answer("ex:a", answer)']
)
def test_other_cells_get_none(source):
    assert place(source) is None


def test_an_exercise_without_a_stored_answer_is_an_error():
    with pytest.raises(ValueError, match="exercise must be one of"):
        place('answer = None  # x\ncheck_answer("ex:none", answer)')
