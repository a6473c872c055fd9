"""Says whether a reader's answer to a numerical exercise of the book is right, and what a common wrong answer means."""

import hashlib
import json
import math
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from importlib.resources import files
from typing import Any, NamedTuple

from sga._validate import real

_FILE, _SEALED = files("sga").joinpath("exercises.toml"), files("sga").joinpath("exercises.json")

#: For the label of an exercise: `value`, the right number, `within`, the largest accepted error, and `wrong`, a list of
#: wrong values, each with its `hint`. Empty in the student edition.
ANSWERS: dict[str, dict[str, Any]] = tomllib.loads(_FILE.read_text(encoding="utf-8")) if _FILE.is_file() else {}

#: The answers that came with a call of `check_answer`.
_OWN: dict[str, dict[str, Any]] = {}

#: An error of this share of the answer, or of so many times the accepted one, is still close.
SHARE, TIMES = 0.02, 3.0
UNKNOWN = " No common slip gives this number; read the question again, its unit and its digits."
_DIGITS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def check_answer(
    exercise: str,
    answer: float | None,
    *,
    value: float | None = None,
    within: float | None = None,
    wrong: Mapping[float, str] | None = None,
) -> None:
    """Print whether `answer` is right for an exercise of the book, and for a common wrong answer a hint.

    An exercise of your own needs `value` and `within` where it asks; later calls with its label know them.

    Args:
        exercise: the label of an exercise with a self-check, such as `"ex:filtering-stand"`.
        answer: a number in the unit that the exercise names, or None as long as there is none. Errors up to the
            rounding that the exercise allows are accepted, and what is no finite number is said to be none.
        value: the right number, finite.
        within: the largest accepted error, > 0: half a unit of the last digit that is asked for, or a little more.
        wrong: for common wrong numbers what went wrong, each further from the others than 2 `within`.

    Raises:
        ValueError: if the exercise has no stored answer, or only one of `value` and `within` is given, or one of them
            is not in its range.
        TypeError: if `value` or `within` is not a number.

    Example:
        >>> check_answer("ex:landscape-half", 1.631)
        Right: 1.631.
        >>> check_answer("ex:landscape-half", 1.6)
        Close: 1.6. Give three digits, or look for a small slip on the way.
        >>> check_answer("ex:mine", 5.0, value=0.2, within=0.006, wrong={0.1: "Two tokens are informative."})
        Not yet: 5. This is one over the answer.
    """
    if value is not None or within is not None:
        _OWN[exercise] = _given(value, within, wrong or {})
    known = [*ANSWERS, *_OWN, *_sealed()["exercises"]]
    if exercise not in known:
        near = get_close_matches(str(exercise), known, n=3) or sorted(known)[:3]
        raise ValueError(f"exercise must be the label of a self-check, such as {', '.join(near)}; got {exercise!r}")
    if answer is None:
        print("No answer yet: put your number in place of None and run this cell again.")
        return
    try:
        number = real("answer", answer)
    except (TypeError, ValueError) as problem:
        print(f"No number: {problem}. Put one number, such as 0.25, in place of None.")
        return
    said = next((reply for reply in _candidates(exercise, number) if abs(number - reply.value) <= reply.within), None)
    print(f"{said.verdict}: {number:.4g}.{said.hint}" if said else f"Not yet: {number:.4g}.{UNKNOWN}")


def _given(value: float | None, within: float | None, wrong: Mapping[float, str]) -> dict[str, Any]:
    """An entry of `ANSWERS` from the arguments of a self-check."""
    if value is None or within is None:
        raise ValueError("value and within must be given together")
    slips = [{"value": real("a wrong value", number), "hint": hint} for number, hint in wrong.items()]
    return {"value": real("value", value), "within": real("within", within, 0.0, above=True), "wrong": slips}


class Reply(NamedTuple):
    """What is said to an answer.

    Args:
        value: the number that it is said to.
        within: how far an answer may be from it.
        verdict: the first word, which stands before the answer.
        hint: what stands behind the answer.
    """

    value: float
    within: float
    verdict: str
    hint: str


def replies(exercise: str, answers: Mapping[str, Mapping[str, Any]] = ANSWERS) -> list[Reply]:
    """Return what is said to an answer to an exercise, most special first: the first reply that fits holds.

    Args:
        exercise: the label of an exercise with a self-check.
        answers: answers in the form of `ANSWERS`.

    Raises:
        ValueError: if the exercise has no stored answer.
    """
    if exercise not in answers:
        raise ValueError(f"exercise must be one of {', '.join(answers)}, got {exercise!r}")
    value, within = float(answers[exercise]["value"]), float(answers[exercise]["within"])
    slips = [(value, max(SHARE * abs(value), TIMES * within), "Close", _closer(value, within))]
    if value != 0.0:
        slips += [
            (-value, within, "Not yet", " The size is right; check the sign."),
            (100.0 * value, 100.0 * within, "Not yet", " This is the answer in percent."),
            (value / 100.0, within / 100.0, "Not yet", " This is a hundredth of the answer; was it in percent?"),
            (1.0 / value, within / value**2, "Not yet", " This is one over the answer."),
        ]
    stored = [(wrong["value"], within, "Not yet", f" {wrong['hint']}") for wrong in answers[exercise]["wrong"]]
    return [Reply(*reply) for reply in [(value, within, "Right", ""), *stored, *slips]]


def _closer(value: float, within: float) -> str:
    """What is said to an answer that is close; `within` tells how many digits an exercise asks for."""
    last = math.floor(math.log10(2.5 * within))
    count = math.floor(math.log10(abs(value))) - last + 1 if value else 0
    return f" Give {_DIGITS.get(count, 'more')} digits, or look for a small slip on the way."


def seal(answers: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return answers in a form that tells no more than `check_answer` does, for a library in the hands of students.

    What is said to a number is locked with this number, rounded, as the key: to read an answer one has to try numbers.

    Args:
        answers: answers in the form of `ANSWERS`.

    Returns:
        JSON-ready dict with the labels, the roundings as powers of two, and the locked replies.
    """
    locked: dict[tuple[str, int, int], list[tuple[int, Reply]]] = {}
    for exercise in answers:
        for rank, reply in enumerate(replies(exercise, answers)):
            power = math.ceil(math.log2(2.5 * reply.within))
            for cell in {_cell(reply.value + side * reply.within, power) for side in (-1.01, 1.01)}:
                locked.setdefault((exercise, power, cell), []).append((rank, reply))
    boxes = {_hash("name", key): _locked(key, json.dumps(found).encode()).hex() for key, found in locked.items()}
    powers = sorted({power for _, power, _ in locked})
    return {"exercises": sorted(answers), "powers": powers, "boxes": dict(sorted(boxes.items()))}


def _sealed() -> dict[str, Any]:
    """The sealed answers of the student edition; none elsewhere."""
    if not _SEALED.is_file():
        return {"exercises": [], "powers": [], "boxes": {}}
    return dict(json.loads(_SEALED.read_text(encoding="utf-8")))


def _candidates(exercise: str, number: float) -> list[Reply]:
    """The replies among which the one to `number` is the first that fits."""
    for answers in (_OWN, ANSWERS):
        if exercise in answers:
            return replies(exercise, answers)
    return [reply for _, reply in sorted(_opened(exercise, number))]


def _opened(exercise: str, number: float) -> Iterator[tuple[int, Reply]]:
    """The sealed replies that open with `number`, each with its rank."""
    sealed = _sealed()
    for power in sealed["powers"]:
        key = exercise, power, _cell(number, power)
        if box := sealed["boxes"].get(_hash("name", key)):
            yield from ((rank, Reply(*reply)) for rank, reply in json.loads(_locked(key, bytes.fromhex(box))))


def _cell(number: float, power: int) -> int:
    """The number of the cell of width 2**power that holds `number`."""
    return math.floor(Fraction(number) / Fraction(2) ** power)


def _hash(use: str, key: tuple[str, int, int]) -> str:
    return hashlib.sha256(f"{use} {key}".encode()).hexdigest()[:24]


def _locked(key: tuple[str, int, int], content: bytes) -> bytes:
    """Content locked or, if it is locked, opened by a key."""
    pad = hashlib.shake_256(f"lock {key}".encode()).digest(len(content))
    return bytes(a ^ b for a, b in zip(content, pad, strict=True))
