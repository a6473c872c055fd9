"""Equality of SymPy expressions: kept apart, so that only what compares expressions waits for SymPy."""

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from evidence import rivals
from evidence.records import Scope

#: Assumptions that are said of a symbol, with their words, the strongest first.
_WORDS = {
    "zero": "= 0",
    "positive": "> 0",
    "negative": "< 0",
    "nonnegative": r"\ge 0",
    "nonpositive": r"\le 0",
    "nonzero": r"\ne 0",
    "real": r"\in \mathbb R",
    "imaginary": r"\in i\mathbb R",
}
_KINDS = ("prime", "odd", "even", "integer", "rational")
#: Positive numbers from which the values of symbols are made, none of them special.
_SEEDS = [sp.Rational(n, 997) for n in (1283, 446, 2137, 811, 1759, 163, 3049, 632, 1091, 277, 2476, 919)]
#: Points at which expressions are compared, digits of the comparison, and the relative difference that counts.
_POINTS, _DIGITS, _RELATIVE = 8, 30, 1e-15


def judge(lhs: Any, rhs: Any, wrong: Mapping[str, Any]) -> dict[str, Any]:
    """Compare expressions, and refute rivals by numbers; returns the numbers of a `Check`."""
    left = listed(lhs)
    if not left:
        raise ValueError("lhs must hold at least one expression, got none")
    rivals.need(wrong)
    right, others = _matching(left, rhs), {name: _matching(left, value) for name, value in wrong.items()}
    equal = all(is_zero(a - b) for a, b in zip(left, right, strict=True))
    symbols = sorted(set().union(*(e.free_symbols for e in [*left, *right])), key=str)
    return {
        "scope": Scope.SYMBOLIC,
        "accepted": equal and not refuted(left, right),
        "judged": tuple((name, refuted(left, value)) for name, value in others.items()),
        "n": len(left),
        "assumes": domains(symbols),
    }


def listed(expressions: Any) -> list[Any]:
    """Expressions as a list: of a matrix the entries, of a sequence its members, of a single one itself."""
    if isinstance(expressions, sp.MatrixBase):
        return list(expressions)
    return [sp.sympify(e) for e in expressions] if isinstance(expressions, list | tuple) else [sp.sympify(expressions)]


def _matching(left: Sequence[Any], expressions: Any) -> list[Any]:
    right = listed(expressions)
    if len(left) != len(right):
        raise ValueError(f"lhs and rhs must have as many expressions, got {len(left)} and {len(right)}")
    return right


def is_zero(expression: Any) -> bool:
    """Whether SymPy reduces an expression to 0; numbers are not tried, so a failure to reduce is a no."""
    expanded = sp.expand(expression)
    symbols = expanded.free_symbols
    if symbols and expanded.is_polynomial(*symbols) and sp.Poly(expanded, *symbols).domain in (sp.ZZ, sp.QQ):
        return False  # expanded, not 0, and with rational coefficients: nothing is left to cancel
    if expanded == 0:
        return True
    return sp.simplify(expression) == 0 or sp.simplify(expression.rewrite(sp.exp)) == 0


def refuted(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether two lists of expressions differ in value where their symbols' assumptions hold.

    An expression without a value at a point, as where a function is unknown, is not compared there.
    """
    symbols = sorted(set().union(*(e.free_symbols for e in [*left, *right])), key=str)
    for k in range(_POINTS if symbols else 1):
        point = {symbol: value(symbol, i, k) for i, symbol in enumerate(symbols)}
        if any(_differ(a, b, point) for a, b in zip(left, right, strict=True)):
            return True
    return False


def value(symbol: Any, i: int, k: int) -> Any:
    """A number that satisfies the assumptions on the i-th symbol at the k-th point, 0 <= k < _POINTS.

    Over the points the signs of three symbols take all combinations, and so do parities, and quadrants of two.
    """
    size, across = (_SEEDS[(i + j * k) % len(_SEEDS)] + i // len(_SEEDS) for j in (5, 7))
    first, second = k >> i % 3 & 1, k >> (i + 1) % 3 & 1
    signs, turned = (1 - 2 * first, 2 * first - 1), (1 - 2 * second, 2 * second - 1)
    whole = 2 * sp.ceiling(3 * size)
    candidates = [
        *([] if symbol.is_real else [signs[0] * size + sp.I * turned[0] * across]),
        *(sign * size for sign in signs),
        *(sp.I * sign * size for sign in signs),
        *(sign * (whole + odd) for odd in (first, 1 - first) for sign in turned),
        sp.Integer(sp.prime(i + k + 1)),
        sp.Integer(0),
    ]
    for candidate in candidates:
        if all(getattr(candidate, f"is_{name}", None) in (None, truth) for name, truth in symbol.assumptions0.items()):
            return candidate
    raise ValueError(f"no number was found that satisfies the assumptions on {symbol}")


def _differ(a: Any, b: Any, point: Mapping[Any, Any]) -> bool:
    difference = _number(a - b, point)
    if difference is None:
        return False
    values = [_number(e, point) for e in (a, b)]
    scale = 1 if None in values else abs(values[0]) + abs(values[1])
    noise = 1e-12 if a.has(sp.Float) or b.has(sp.Float) else 10.0**-_DIGITS
    return bool(abs(difference) > max(_RELATIVE * scale, noise))


def _number(expression: Any, point: Mapping[Any, Any]) -> Any:
    try:
        value = expression.evalf(_DIGITS, subs=point, maxn=400)
    except (ArithmeticError, NotImplementedError, TypeError, ValueError):
        return None
    return value if value.is_number and value.is_finite else None


def domains(symbols: Sequence[Any]) -> str:
    """What is assumed of symbols, those of one kind together."""
    kinds: dict[str, list[str]] = {}
    for symbol in symbols:
        said = symbol.assumptions0
        whole = [name for name in _KINDS if said.get(name)][:1]
        sets = [_WORDS[name] for name in _WORDS if said.get(name) and not (whole and name == "real")][:1]
        sets = sets or ([] if whole else [r"\in \mathbb C"])
        kinds.setdefault(" ".join(["".join(f" {part}" for part in sets) + "$", *whole]), []).append(sp.latex(symbol))
    return ", ".join(f"${', '.join(names)}{kind}" for kind, names in kinds.items())
