"""Says whether a reader's answer to a numerical exercise of the book is right, and what a common wrong answer means."""

import tomllib
from importlib.resources import files
from typing import NamedTuple

from sga._validate import real

#: For the label of an exercise: `value`, the right number, `within`, the largest accepted error, and `wrong`, a list of
#: wrong values, each with its `hint`.
ANSWERS = tomllib.loads(files("sga").joinpath("exercises.toml").read_text(encoding="utf-8"))

#: So many times the accepted error is still close.
CLOSE = 20.0
UNKNOWN = " No common slip gives this number; read the question again, then the solution."


def check_answer(exercise: str, answer: float | None) -> None:
    """Print whether `answer` is right for an exercise of the book, and for a common wrong answer a hint.

    Args:
        exercise: the label of an exercise with a self-check, such as `"ex:filtering-stand"`.
        answer: a finite number in the unit that the exercise names, or None as long as there is none. Errors up to the
            rounding that the exercise allows are accepted.

    Raises:
        ValueError: if the exercise has no stored answer, or `answer` is not finite.
        TypeError: if `answer` is neither a number nor None.

    Example:
        >>> check_answer("ex:landscape-half", 1.631)
        Right: 1.631.
        >>> check_answer("ex:landscape-half", 1.6)
        Close: 1.6. Give more digits, or look for a rounding on the way.
    """
    known = replies(exercise)
    if answer is None:
        print("No answer yet: put your number in place of None and run this cell again.")
        return
    number = real("answer", answer)
    said = next((reply for reply in known if abs(number - reply.value) <= reply.within), None)
    print(f"{said.verdict}: {number:.4g}.{said.hint}" if said else f"Not yet: {number:.4g}.{UNKNOWN}")


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


def replies(exercise: str) -> list[Reply]:
    """Return what is said to an answer to an exercise, most special first: the first reply that fits holds.

    Args:
        exercise: the label of an exercise with a self-check.

    Raises:
        ValueError: if the exercise has no stored answer.
    """
    if exercise not in ANSWERS:
        raise ValueError(f"exercise must be one of {', '.join(ANSWERS)}, got {exercise!r}")
    value, within = float(ANSWERS[exercise]["value"]), float(ANSWERS[exercise]["within"])
    slips = [(value, CLOSE * within, "Close", " Give more digits, or look for a rounding on the way.")]
    if value != 0.0:
        slips += [
            (-value, within, "Not yet", " The size is right; check the sign."),
            (100.0 * value, 100.0 * within, "Not yet", " This is the answer in percent."),
            (value / 100.0, within / 100.0, "Not yet", " This is a hundredth of the answer; was it in percent?"),
            (1.0 / value, within / value**2, "Not yet", " This is one over the answer."),
        ]
    stored = [(wrong["value"], within, "Not yet", f" {wrong['hint']}") for wrong in ANSWERS[exercise]["wrong"]]
    return [Reply(*reply) for reply in [(value, within, "Right", ""), *stored, *slips]]
