"""Self-checks: what is accepted, what is answered to a common slip, and that the book's own solutions confirm both."""

import itertools
import re

import nbformat
import pytest

from books import exercises, texts
from press.structure import code_cells, toc_notebooks
from sga.exercises import ANSWERS, check_answer

LABELS = pytest.mark.parametrize("label", ANSWERS)


def said(capsys, label, answer):
    """What `check_answer` prints."""
    check_answer(label, answer)
    return capsys.readouterr().out.strip()


@LABELS
def test_the_right_answer_is_accepted_within_its_tolerance_and_not_beyond(label, capsys):
    value, within = ANSWERS[label]["value"], ANSWERS[label]["within"]
    for error, accepted in ((0, True), (0.999, True), (-0.999, True), (1.001, False), (-1.001, False)):
        assert said(capsys, label, value + error * within).startswith("Right: ") is accepted


@LABELS
def test_every_common_slip_gets_its_own_hint(label, capsys):
    hints = [said(capsys, label, wrong["value"]) for wrong in ANSWERS[label]["wrong"]]
    assert hints and len(set(hints)) == len(hints)
    for hint, wrong in zip(hints, ANSWERS[label]["wrong"], strict=True):
        assert hint.startswith("Not yet: ") and hint.endswith(wrong["hint"])


@LABELS
def test_answers_that_mean_different_things_are_told_apart(label):
    within = ANSWERS[label]["within"]
    values = sorted([ANSWERS[label]["value"], *(wrong["value"] for wrong in ANSWERS[label]["wrong"])])
    assert all(high - low > 2 * within for low, high in itertools.pairwise(values))


def test_no_answer_and_an_unknown_slip_are_answered(capsys):
    label = next(iter(ANSWERS))
    assert said(capsys, label, None).startswith("No answer yet")
    assert "No common slip" in said(capsys, label, 1e9)


def clear_slips(label):
    """Slips that are named whatever the exercise is: {words: number}, those that no other reply is near."""
    value, within = ANSWERS[label]["value"], ANSWERS[label]["within"]
    stored = [wrong["value"] for wrong in ANSWERS[label]["wrong"]]
    far = {
        "check the sign": -value,
        "in percent": 100 * value,
        "a hundredth of the answer": value / 100,
        "one over the answer": 1 / value,
    }
    close = {"Give more digits": value + 5 * within}
    return {
        words: number
        for slips, others in ((far, [value, *stored]), (close, stored))
        for words, number in slips.items()
        if min(abs(number - other) for other in others) > 25 * within
    }


@LABELS
def test_close_answers_and_slips_of_sign_of_percent_and_of_inverse_are_named(label, capsys):
    slips = clear_slips(label)
    assert slips
    assert [words for words, number in slips.items() if words not in said(capsys, label, number)] == []


def test_every_such_slip_is_clear_in_some_exercise():
    assert len({words for label in ANSWERS for words in clear_slips(label)}) == 5


@pytest.mark.parametrize("answer", ["7.4", True, [7.4], 1j])
def test_an_answer_that_is_no_number_raises(answer):
    with pytest.raises(TypeError, match="answer must be a number"):
        check_answer(next(iter(ANSWERS)), answer)


def test_an_infinite_answer_and_an_unknown_exercise_raise():
    with pytest.raises(ValueError, match="answer must be finite, got nan"):
        check_answer(next(iter(ANSWERS)), float("nan"))
    with pytest.raises(ValueError, match=r"exercise must be one of .*, got 'ex:none'"):
        check_answer("ex:none", 1.0)


def test_every_stored_answer_belongs_to_an_exercise_of_the_book():
    labels = {label for path in toc_notebooks() for label in exercises(nbformat.read(path, as_version=4))}
    assert set(ANSWERS) <= labels


@pytest.mark.parametrize("path", toc_notebooks(), ids=lambda path: path.stem)
def test_a_chapter_has_a_self_check_before_its_solution_and_the_solution_confirms_the_answers(path):
    notebook = nbformat.read(path, as_version=4)
    found = exercises(notebook)
    solutions = [cell["id"] for cells in found.values() for cell in cells]
    checked = [label for label in found if label in ANSWERS]
    assert checked, "at least one exercise with a self-check"
    for label in checked:
        asked = [
            cell
            for cell in code_cells(notebook)
            if f'check_answer("{label}", answer)' in cell.source and cell["id"] not in solutions
        ]
        assert len(asked) == 1 and asked[0].source.startswith("answer = None")
        assert [text.split(":")[0] for text in texts(asked[0]) if text] == ["No answer yet"]
        printed = "".join(text for cell in found[label] for text in texts(cell))
        for name, expected in (
            ("Right: {}.", ANSWERS[label]),
            *(("Not yet: {}. " + w["hint"], w) for w in ANSWERS[label]["wrong"]),
        ):
            computed = re.search(re.escape(name).replace(r"\{\}", r"(\S+)"), printed)
            assert computed, f"{label}: the solution does not print {name}"
            assert float(computed[1]) == pytest.approx(expected["value"], rel=1e-3, abs=ANSWERS[label]["within"])
