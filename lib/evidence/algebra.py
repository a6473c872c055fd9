"""Equality of SymPy expressions: kept apart, so that only what compares expressions waits for SymPy."""

from typing import Any

import sympy as sp


def listed(expressions: Any) -> list[Any]:
    """Expressions as a list: of a matrix the entries, of a sequence its members, of a single one itself."""
    if isinstance(expressions, sp.MatrixBase):
        return list(expressions)
    return [sp.sympify(e) for e in expressions] if isinstance(expressions, list | tuple) else [sp.sympify(expressions)]


def is_zero(expression: Any) -> bool:
    """Whether SymPy reduces an expression to 0; numbers are not tried, so a failure to reduce is a no."""
    expanded = sp.expand(expression)
    symbols = expanded.free_symbols
    if symbols and expanded.is_polynomial(*symbols) and sp.Poly(expanded, *symbols).domain in (sp.ZZ, sp.QQ):
        return False  # expanded, not 0, and with rational coefficients: nothing is left to cancel
    if expanded == 0:
        return True
    return sp.simplify(expression) == 0 or sp.simplify(expression.rewrite(sp.exp)) == 0
