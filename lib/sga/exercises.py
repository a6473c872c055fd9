"""Says whether a reader's answer to a numerical exercise of the book is right, and what a common wrong answer means."""

import tomllib
from importlib.resources import files

from sga._validate import real

#: For the label of an exercise: `value`, the right number, `within`, the largest accepted error, and `wrong`, a list of
#: wrong values, each with its `hint`.
ANSWERS = tomllib.loads(files("sga").joinpath("exercises.toml").read_text(encoding="utf-8"))


def check_answer(exercise: str, answer: float | None) -> None:
    """Print whether `answer` is right for an exercise of the book, and for a common wrong answer a hint.

    Args:
        exercise: the label of an exercise with a self-check, such as `"ex:filtering-stand"`.
        answer: a finite number in the unit that the exercise names, or None as long as there is none. Errors up to the
            rounding that the exercise allows are accepted.

    Raises:
        ValueError: if the exercise has no stored answer, or `answer` is not finite.
        TypeError: if `answer` is neither a number nor None.
    """
    if exercise not in ANSWERS:
        raise ValueError(f"exercise must be one of {', '.join(ANSWERS)}, got {exercise!r}")
    if answer is None:
        print("No answer yet: put your number in place of None and run this cell again.")
    else:
        print(_verdict(ANSWERS[exercise], real("answer", answer)))


def _verdict(expected, number):
    if abs(number - expected["value"]) <= expected["within"]:
        return f"Right: {number:.4g}."
    for wrong in expected["wrong"]:
        if abs(number - wrong["value"]) <= expected["within"]:
            return f"Not yet: {number:.4g}. {wrong['hint']}"
    return f"Not yet: {number:.4g}. No common slip gives this number; read the question again, then the solution."
