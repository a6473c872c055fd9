"""Self-checks: what is accepted, what is answered to a common slip, and that the book's own solutions confirm both."""

import itertools
import json
import re
from fractions import Fraction

import nbformat
import numpy as np
import pytest
import sympy as sp

import sga.exercises as library
from books import exercises, texts
from press.selfchecks import answers_in, read
from press.structure import code_cells, toc_notebooks
from sga.exercises import ANSWERS, SHARE, TIMES, UNKNOWN, check_answer, replies, seal

#: The answers of the book, those of the library and those that stand in the notebooks.
ALL = ANSWERS | answers_in()
LABELS = pytest.mark.parametrize("label", ALL)
MINE = {"value": 0.2, "within": 0.006, "wrong": {0.1: "Two tokens are informative."}}


@pytest.fixture(autouse=True)
def all_known(monkeypatch):
    """Lets the library know the answers of the notebooks, as the cells that ask tell it."""
    monkeypatch.setattr(library, "_OWN", {label: ALL[label] for label in ALL.keys() - ANSWERS.keys()})


def said(capsys, label, answer):
    """What `check_answer` prints."""
    check_answer(label, answer)
    return capsys.readouterr().out.strip()


@LABELS
def test_the_right_answer_is_accepted_within_its_tolerance_and_not_beyond(label, capsys):
    value, within = ALL[label]["value"], ALL[label]["within"]
    for error, accepted in ((0, True), (0.999, True), (-0.999, True), (1.001, False), (-1.001, False)):
        assert said(capsys, label, value + error * within).startswith("Right: ") is accepted


@LABELS
def test_every_common_slip_gets_its_own_hint(label, capsys):
    hints = [said(capsys, label, wrong["value"]) for wrong in ALL[label]["wrong"]]
    assert hints and len(set(hints)) == len(hints)
    for hint, wrong in zip(hints, ALL[label]["wrong"], strict=True):
        assert hint.startswith("Not yet: ") and hint.endswith(wrong["hint"])


@LABELS
def test_answers_that_mean_different_things_are_told_apart(label):
    within = ALL[label]["within"]
    values = sorted([ALL[label]["value"], *(wrong["value"] for wrong in ALL[label]["wrong"])])
    assert all(high - low > 2 * within for low, high in itertools.pairwise(values))


def test_no_answer_and_an_unknown_slip_are_answered(capsys):
    label = next(iter(ANSWERS))
    assert said(capsys, label, None).startswith("No answer yet")
    assert "No common slip" in said(capsys, label, 1e9)


def clear_slips(label):
    """Slips that are named whatever the exercise is: {words: number}, those that no other reply is near."""
    value, within = ALL[label]["value"], ALL[label]["within"]
    stored = [wrong["value"] for wrong in ALL[label]["wrong"]]
    far = {
        "check the sign": -value,
        "in percent": 100 * value,
        "a hundredth of the answer": value / 100,
        "one over the answer": 1 / value,
    }
    close = {"look for a small slip": value + 0.9 * max(SHARE * abs(value), TIMES * within)}
    return {
        words: number
        for slips, others in ((far, [value, *stored]), (close, stored))
        for words, number in slips.items()
        if min((abs(number - other) for other in others), default=9e9) > max(SHARE * abs(value), 25 * within)
    }


@LABELS
def test_close_answers_and_slips_of_sign_of_percent_and_of_inverse_are_named(label, capsys):
    slips = clear_slips(label)
    assert slips
    assert [words for words, number in slips.items() if words not in said(capsys, label, number)] == []


def test_every_such_slip_is_clear_in_some_exercise():
    assert len({words for label in ALL for words in clear_slips(label)}) == 5


@pytest.mark.parametrize(
    ("value", "within", "digits"),
    [(0.7123, 6e-4, "three"), (0.5, 0.06, "more"), (115, 0.4, "three"), (1e4, 600, "two"), (2.0, 0.06, "two")],
)
def test_a_close_answer_is_told_how_many_digits_are_asked_for(capsys, value, within, digits):
    check_answer("ex:mine", value + 2.9 * within, value=value, within=within)
    assert capsys.readouterr().out.endswith(f". Give {digits} digits, or look for a small slip on the way.\n")


@pytest.mark.parametrize("answer", ["7,389", True, [7.4], np.array([7.4]), 1j, float("nan"), float("inf")])
def test_an_answer_that_is_no_number_is_said_to_be_none_in_one_line(answer, capsys):
    check_answer(next(iter(ANSWERS)), answer)
    assert re.fullmatch(r"No number: answer must be .*\. Put one number, such as 0\.25, .*\n", capsys.readouterr().out)


@pytest.mark.parametrize("answer", [np.float32(0.25), np.array(0.25), Fraction(1, 4), sp.Rational(1, 4)])
def test_numbers_of_every_kind_are_taken(answer, capsys):
    check_answer("ex:mine", answer, value=0.25, within=0.001)
    assert capsys.readouterr().out == "Right: 0.25.\n"


def test_an_unknown_exercise_raises_and_names_those_that_are_near():
    with pytest.raises(ValueError, match=r"such as ex:rm-lucky.*; got 'ex:rm-luky'"):
        check_answer("ex:rm-luky", 1.0)
    with pytest.raises(ValueError, match=r"exercise must be one of .*, got 'ex:none'"):
        replies("ex:none")


def test_an_answer_in_the_call_is_known_from_then_on(capsys):
    check_answer("ex:mine", None, **MINE)
    for answer, words in (
        (0.2, "Right"),
        (0.1, "Not yet: 0.1. Two tokens are informative."),
        (0.204, "Right"),
        (-0.2, "sign"),
        (20, "percent"),
        (5.0, "one over"),
    ):
        capsys.readouterr()
        check_answer("ex:mine", answer)
        assert words in capsys.readouterr().out
    assert "ex:mine" not in ANSWERS


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"value": 1.0}, ValueError, "value and within must be given together"),
        ({"within": 1.0}, ValueError, "value and within must be given together"),
        ({"value": 1.0, "within": 0.0}, ValueError, "within must be > 0"),
        ({"value": "one", "within": 0.1}, TypeError, "value must be a number"),
        ({"value": 1.0, "within": 0.1, "wrong": {"two": "a hint"}}, TypeError, "a wrong value must be a number"),
    ],
)
def test_a_wrong_answer_in_the_call_raises(given, error, words):
    with pytest.raises(error, match=words):
        check_answer("ex:mine", None, **given)


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    """The file of the sealed answers."""
    path = tmp_path_factory.mktemp("sealed") / "exercises.json"
    path.write_text(json.dumps(seal(ALL)), encoding="utf-8")
    return path


@LABELS
def test_sealed_answers_say_the_same(label, sealed, capsys, monkeypatch):
    spread = [reply.value + part * reply.within for reply in replies(label, ALL) for part in (-1.2, -0.97, 0, 0.97)]
    numbers = [*spread, 1e9, -1e300, 0.0, 1e-300]
    expected = [said(capsys, label, number) for number in numbers]
    for name, value in (("ANSWERS", {}), ("_OWN", {}), ("_SEALED", sealed)):
        monkeypatch.setattr(library, name, value)
    assert [said(capsys, label, number) for number in numbers] == expected
    assert said(capsys, label, None).startswith("No answer yet")


def test_sealed_answers_cannot_be_read(sealed):
    text = sealed.read_text(encoding="utf-8")
    assert set(json.loads(text)["exercises"]) == set(ALL)
    hints = [wrong["hint"] for answer in ALL.values() for wrong in answer["wrong"]]
    assert [hint for hint in hints if hint in text] == []
    decimals = [f"{answer['value']:g}" for answer in ALL.values() if "." in f"{answer['value']:g}"]
    assert len(decimals) > 20 and [number for number in decimals if number in text] == []


def test_no_hint_sends_a_reader_to_the_solution():
    hints = [UNKNOWN, *(reply.hint for label in ALL for reply in replies(label, ALL))]
    assert [hint for hint in hints if re.search(r"\bsolutions?\b(?! of the equation)", hint)] == []


def test_every_stored_answer_belongs_to_an_exercise_of_the_book():
    labels = {label for path in toc_notebooks() for label in exercises(nbformat.read(path, as_version=4))}
    assert set(ALL) <= labels


@pytest.mark.parametrize("path", toc_notebooks(), ids=lambda path: path.stem)
def test_a_chapter_has_a_self_check_before_its_solution_and_the_solution_confirms_the_answers(path):
    notebook = nbformat.read(path, as_version=4)
    found = exercises(notebook)
    solutions = [cell["id"] for cells in found.values() for cell in cells]
    checked = [label for label in found if label in ALL]
    assert checked, "at least one exercise with a self-check"
    for label in checked:
        outside = [cell for cell in code_cells(notebook) if cell["id"] not in solutions]
        asked = [cell for cell in outside if (check := read(cell.source)) and check.exercise == label]
        assert len(asked) == 1
        assert [text.split(":")[0] for text in texts(asked[0]) if text] == ["No answer yet"]
        printed = "".join(text for cell in found[label] for text in texts(cell))
        for name, expected in (
            ("Right: {}.", ALL[label]),
            *(("Not yet: {}. " + w["hint"], w) for w in ALL[label]["wrong"]),
        ):
            computed = re.search(re.escape(name).replace(r"\{\}", r"(\S+)"), printed)
            assert computed, f"{label}: the solution does not print {name}"
            assert float(computed[1]) == pytest.approx(expected["value"], rel=1e-3, abs=ALL[label]["within"])
