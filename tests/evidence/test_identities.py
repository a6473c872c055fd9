"""An identity is reduced to 0 by SymPy, and its rivals are refuted by numbers inside the domains of the symbols."""

import pytest
import sympy as sp

from evidence import algebra
from facts import X, Y

Z, (T, U, V) = sp.Symbol("z"), sp.symbols("t u v", real=True)
N = sp.Symbol("n", integer=True, positive=True)
F = sp.Function("f")

#: A left side and a rival that equals it, though SymPy may not see it.
EQUAL = {
    "erf": (sp.erf(X) + sp.erfc(X), 1),
    "atan": (sp.atan(X) + sp.atan(1 / X), sp.pi / 2),
    "asin": (sp.asin(1 / (1 + X)) + sp.acos(1 / (1 + X)), sp.pi / 2),
    "roots": (sp.sqrt(3 + 2 * sp.sqrt(2)), 1 + sp.sqrt(2)),
    "cube roots": (sp.cbrt(2 + sp.sqrt(5)) + sp.real_root(2 - sp.sqrt(5), 3), 1),
    "an integral": (sp.Integral(sp.exp(-X * T**2), (T, -sp.oo, sp.oo)), sp.sqrt(sp.pi / X)),
    "a sum": (sp.Sum(X**N / sp.factorial(N), (N, 1, sp.oo)), sp.exp(X) - 1),
    "gamma": (sp.gamma(X) * sp.gamma(1 - X) * sp.sin(sp.pi * X), sp.pi),
    "a logarithm": (sp.log(X + sp.sqrt(X**2 + 1)), sp.asinh(X)),
    "an even power": ((-1) ** N, sp.cos(sp.pi * N)),
    "a positive root": (sp.sqrt(X**2 + 2 * X * Y + Y**2), X + Y),
    "an unknown function": (F(X) + F(Y), F(Y) + F(X)),
    "nothing to compare": (F(X), F(X + 1)),
    "a difference of rounding": (sp.Float(0.1, 30) + sp.Float(0.2, 30), sp.Float(0.3, 30)),
}


@pytest.mark.parametrize("case", EQUAL)
def test_a_rival_that_is_equal_is_not_rejected_where_sympy_cannot_reduce_it(fact, case):
    lhs, same = EQUAL[case]
    kept = fact.identity([X, lhs], [X, lhs], rivals={"the same": [X, same]})
    assert (kept.passed, kept.rivals) == (False, (("the same", False),))


#: A left side and a wrong right side, right on a part of the domain only.
WRONG = {
    "a square root": (sp.sqrt(Z**2), Z),
    "a logarithm of a square": (sp.log(Z**2), 2 * sp.log(Z)),
    "a logarithm of a product": (sp.log(Z * (1 + Z)), sp.log(Z) + sp.log(1 + Z)),
    "a power of a power": ((Z**2) ** sp.Rational(1, 2), Z),
    "an absolute value": (sp.Abs(T), T),
    "a real root": (sp.sqrt(T**2), T),
    "a small term": (X, X + sp.Rational(1, 10**12)),
    "a small factor": (sp.exp(X), sp.exp(X) * (1 + sp.Rational(1, 10**12))),
    "a whole number": (sp.sin(sp.pi * X), 0),
    "a sign": ((-1) ** N, 1),
    "a case of the integers": (sp.floor(T), T),
    "an unknown function, shifted": (F(X) + 1, F(X)),
    "an arctangent": (sp.atan(T) + sp.atan(1 / T), sp.pi / 2),
    "a logarithm of two": (sp.log(T * U), sp.log(T) + sp.log(U)),
    "roots of two": (sp.sqrt(T * U), sp.sqrt(T) * sp.sqrt(U)),
    "a product of signs": (sp.sign(T) * sp.sign(U) * sp.sign(V), -sp.sign(T) * sp.sign(U) ** 2 * sp.sign(V)),
    "zero to the zero": (sp.Piecewise((1, X > 2), (0, True)), 0),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_formula_that_holds_on_a_part_of_the_domain_is_refuted_and_does_not_pass(fact, case):
    lhs, wrong = WRONG[case]
    assert fact.identity(lhs, lhs, rivals={"wrong": wrong}).passed is True
    assert fact.identity(lhs, wrong, rivals={"far": lhs + 7}).passed is False


def test_numbers_refute_a_right_side_that_sympy_would_reduce_wrongly(fact, monkeypatch):
    monkeypatch.setattr(algebra, "is_zero", lambda expression: True)
    assert fact.identity(X, 2 * X, rivals={"three": 3 * X}).passed is False


def test_the_domains_of_all_symbols_are_in_the_record(fact, shown):
    check = fact.identity([X + Y, Z, T**2, N], [Y + X, Z, T**2, N], about="four things", rivals={"none": [0, 0, 0, 0]})
    assert check.record()["assumes"] == (r"$n > 0$ integer, $t \in \mathbb R$, $x, y > 0$, $z \in \mathbb C$")
    assert "<tr><th>assumes</th>" in shown[-1]["text/html"]


KINDS = [
    {"positive": True},
    {"negative": True},
    {"nonnegative": True},
    {"nonpositive": True},
    {"real": True},
    {"real": True, "nonzero": True},
    {"integer": True},
    {"integer": True, "positive": True},
    {"even": True},
    {"odd": True, "negative": True},
    {"prime": True},
    {"zero": True},
    {"imaginary": True},
    {"rational": True, "positive": True},
    {"complex": True},
    {"real": False},
    {},
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_point_satisfies_the_assumptions_and_points_differ(kind):
    symbol = sp.Symbol("s", **kind)
    values = [algebra.value(symbol, 1, k) for k in range(8)]
    assert all(getattr(value, f"is_{name}") is truth for value in values for name, truth in kind.items())
    if kind != {"zero": True}:
        assert len(set(values)) >= 4


def test_a_symbol_that_no_number_can_be_is_refused(fact):
    never = sp.Symbol("s", infinite=True)
    with pytest.raises(ValueError, match="no number was found that satisfies the assumptions on s"):
        fact.identity(never, never, rivals={"zero": 0})
    assert fact.checks == []
