"""What every notebook of the book must have, checked on the files: execution, outputs, figures, chapters' parts."""

import re
import statistics

import pytest

import evidence
from books import LEAKS, exercises, texts
from press.depths import shown_cells
from press.freshness import problems
from press.sources import Shelf
from press.structure import ROOT, code_cells, toc_files

HEADINGS = ("Objectives", "What to remember", "What we checked", "Exercises", "Notes")
#: Every module is read once for all notebooks.
SHELF = Shelf()
PICTURE = re.compile(r"!\[([^\]]*)\]\(")


def test_the_stored_outputs_are_fresh_and_every_code_cell_was_executed_in_order(chapter):
    assert problems(chapter, shelf=SHELF) == [], (
        f"refresh it: python book/press refresh {chapter.relative_to(ROOT).as_posix()}"
    )


def test_no_cell_holds_an_error_or_wrote_to_stderr(notebook):
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]


def test_no_output_holds_a_raw_representation_or_a_path(notebook):
    found = {number: LEAKS.findall(text) for number, cell in enumerate(code_cells(notebook), 1) for text in texts(cell)}
    assert {number: leaks for number, leaks in found.items() if leaks} == {}


def test_no_cell_ends_with_a_semicolon(notebook):
    assert [cell.source for cell in code_cells(notebook) if cell.source.rstrip().endswith(";")] == []


def test_no_cell_is_left_out_of_the_comparison_with_a_fresh_execution(notebook):
    left_out = re.compile("nbval|raises-exception|skip-execution", re.IGNORECASE)
    assert [
        c.source for c in code_cells(notebook) if left_out.search(c.source + " ".join(c.metadata.get("tags", [])))
    ] == []
    pictures = {
        mime for cell in code_cells(notebook) for o in cell.outputs for mime in o.get("data", {}) if "image/" in mime
    }
    assert pictures <= {"image/png"}


def test_every_check_passed_and_every_demonstration_failed(chapter):
    records = evidence.read([chapter])
    demonstrations = {record["id"] for record in records if record["kind"] == "claim" and record["demonstration"]}
    checks = [r for r in records if r["kind"] == "check" and r["test"] != "illustrated"]
    wrong = [check for check in checks if check["passed"] is (check["claim"] in demonstrations)]
    assert wrong == []


def test_no_record_of_evidence_is_hidden(notebook):
    hiding = {"remove-output", "remove_output", "hide-output", "hide_output", "remove-cell", "remove_cell"}
    assert [
        cell.source
        for cell in code_cells(notebook)
        if any(evidence.MIME in output.get("data", {}) for output in cell.outputs)
        and hiding & set(cell.metadata.get("tags", []))
    ] == []


def test_every_claim_has_a_check(chapter):
    records = evidence.read([chapter])
    claims = {record["id"] for record in records if record["kind"] == "claim"}
    assert claims, "a chapter makes at least one claim"
    assert claims == {record["claim"] for record in records if record["kind"] == "check"}


def test_every_figure_has_an_alternative_text_and_a_caption(notebook):
    for cell in code_cells(notebook):
        if any("image/png" in output.get("data", {}) for output in cell.outputs):
            settings = cell.metadata.get("mystnb", {})
            assert says_something(settings.get("image", {}).get("alt", "")), cell.source
            assert settings.get("figure", {}).get("caption", "").strip(), cell.source


@pytest.mark.parametrize("page", toc_files(), ids=lambda path: path.stem)
def test_every_picture_in_a_text_has_an_alternative_text(page):
    found = PICTURE.findall(page.read_text(encoding="utf-8"))
    assert [alt for alt in found if not says_something(alt)] == []


def says_something(alt):
    """Returns whether an alternative text, which is read aloud, is of some words and without TeX."""
    return len(alt.split()) >= 3 and "$" not in alt


def test_the_cells_that_are_shown_are_short(notebook):
    assert statistics.median(len(source.splitlines()) for _, source in shown_cells(notebook)) <= 8


def test_the_parts_of_a_chapter_are_there_in_order(notebook):
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    found = re.findall(rf"^## ({'|'.join(HEADINGS)})\b", text, re.MULTILINE)
    assert tuple(found) == HEADINGS


def test_there_are_three_to_five_exercises_each_with_an_executed_solution(notebook):
    found = exercises(notebook)
    assert 3 <= len(found) <= 5
    assert [label for label, cells in found.items() if not cells] == []
