"""The symbolic theory: what it is derived from, and that its parts fit each other."""

import math

import numpy as np
import pytest
import sympy as sp

from independent import complex_slope, quadrature, quadrature_objective
from sga import symbols as sym

POINTS = [(0.05, 1.0, 1.0), (0.5, 2.0, 0.7), (0.9, 0.3, 1.8), (1e-3, 3.0, 1.2)]
RHO = np.linspace(-1.0, 1.0, 9)
INTERIOR = RHO[1:-1]


def number(expression, rho, pi, theta, beta):
    """Value of an expression, p written out."""
    function = sp.lambdify((sym.rho, sym.pi, sym.theta, sym.beta), sym.explicit(expression), "numpy")
    return function(rho, pi, theta, beta)


def test_the_generating_function_is_the_gaussian_integral_over_the_bag():
    z, h = sp.symbols("z h", real=True)
    noise = sp.integrate(sp.exp(h * z - z**2 / 2) / sp.sqrt(2 * sp.pi), (z, -sp.oo, sp.oo))
    both = noise.subs(h, sym.h1) * noise.subs(h, sym.h2)
    bag = sym.pi * sp.exp(sym.theta * sym.h1) * both + (1 - sym.pi) * both
    assert sp.simplify(bag - sym.mgf) == 0


def test_moments_of_a_token_follow_from_the_generating_function():
    at_zero = {sym.h1: 0, sym.h2: 0}
    assert sym.mgf.subs(at_zero) == 1
    assert sp.diff(sym.mgf, sym.h1).subs(at_zero) == sym.pi * sym.theta
    assert sp.diff(sym.mgf, sym.h2).subs(at_zero) == 0
    assert sp.expand(sp.diff(sym.mgf, sym.h1, 2).subs(at_zero)) == 1 + sym.pi * sym.theta**2
    assert sp.expand(sp.diff(sym.mgf, sym.h2, 2).subs(at_zero)) == 1


def test_the_query_has_length_beta():
    assert sp.simplify(sym.query[0] ** 2 + sym.query[1] ** 2 - sym.beta**2) == 0


@pytest.mark.parametrize(("pi", "theta", "beta"), POINTS)
def test_the_pooled_token_agrees_with_quadrature(pi, theta, beta):
    mass, first, second = quadrature(RHO, pi, theta, beta)
    np.testing.assert_allclose(number(sym.mass, RHO, pi, theta, beta), mass.real, rtol=1e-12)
    np.testing.assert_allclose(number(sym.pooled[0], RHO, pi, theta, beta), first.real, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(number(sym.pooled[1], RHO, pi, theta, beta), second.real, rtol=1e-12, atol=1e-13)


def test_the_objective_is_the_squared_norm_of_the_pooled_token():
    difference = sym.explicit(sym.objective) - (sym.pooled[0] ** 2 + sym.pooled[1] ** 2)
    assert sp.simplify(difference) == 0


def test_the_objective_in_the_mass_is_the_known_quadratic():
    known = sym.beta**2 + 2 * sym.beta * sym.theta * sym.p * sym.rho + (sym.theta * sym.p) ** 2
    assert sp.expand(sym.objective - known) == 0


def test_the_slope_is_the_derivative_of_the_objective():
    derivative = sp.diff(sym.explicit(sym.objective), sym.rho)
    assert sp.simplify(derivative - sym.explicit(sym.slope)) == 0


@pytest.mark.parametrize(("pi", "theta", "beta"), POINTS)
def test_the_slope_agrees_with_a_complex_step_of_the_quadrature(pi, theta, beta):
    slope = complex_slope(lambda rho: quadrature_objective(rho, pi, theta, beta), RHO)
    np.testing.assert_allclose(number(sym.slope, RHO, pi, theta, beta), slope, rtol=1e-11, atol=1e-12)


def test_the_mass_grows_like_a_logistic_curve():
    derivative = sp.diff(sym.mass, sym.rho)
    assert sp.simplify(derivative - sym.explicit(sym.mass_slope)) == 0
    assert sp.simplify(sym.mass_slope - sym.beta * sym.theta * sym.p * (1 - sym.p)) == 0


def test_the_compiled_form_of_the_mass_is_the_mass():
    odds = {sym.s0: sp.log(sym.pi / (1 - sym.pi))}
    assert sp.simplify(sym.mass_logistic.subs(odds) - sym.mass) == 0


def test_the_drift_is_the_slope_projected_to_the_circle():
    assert sp.simplify(sym.drift / sym.slope - (1 - sym.rho**2)) == 0


@pytest.mark.parametrize("power", [1, 2, -1])
def test_rewriting_in_the_mass_can_be_undone(power):
    expression = sym.pi * sp.exp(power * sym.beta * sym.theta * sym.rho) + sym.rho
    rewritten = sym.in_mass(expression)
    assert not rewritten.has(sp.exp)
    assert rewritten.has(sym.p)
    assert sp.simplify(sym.explicit(rewritten) - expression) == 0


def test_writing_out_the_mass_leaves_no_mass():
    for expression in (sym.objective, sym.slope, sym.drift, sym.mass_slope):
        assert expression.has(sym.p)
        assert not sym.explicit(expression).has(sym.p)


@pytest.mark.parametrize(("pi", "theta", "beta"), POINTS)
def test_flipping_signal_and_alignment_keeps_mass_and_objective_and_flips_the_slope(pi, theta, beta):
    for expression, sign in [(sym.mass, 1), (sym.objective, 1), (sym.slope, -1), (sym.drift, -1)]:
        flipped = number(expression, -INTERIOR, pi, -theta, beta)
        np.testing.assert_allclose(flipped, sign * number(expression, INTERIOR, pi, theta, beta), rtol=1e-12)


def test_a_bag_of_informative_tokens_alone_has_a_constant_slope():
    everything = {sym.p: 1}
    assert sp.simplify(sym.slope.subs(everything) - 2 * sym.beta * sym.theta) == 0


def test_a_vanishing_temperature_leaves_the_squared_mean_token():
    limit = sp.limit(sym.explicit(sym.objective).subs(sym.rho, sp.Rational(1, 3)), sym.beta, 0)
    assert sp.simplify(limit - (sym.pi * sym.theta) ** 2) == 0


def test_at_the_equator_the_mass_is_the_share_and_the_slope_positive():
    assert sp.simplify(sym.mass.subs(sym.rho, 0) - sym.pi) == 0
    equator = sp.factor(sym.explicit(sym.slope).subs(sym.rho, 0))
    known = 2 * sym.beta * sym.theta * sym.pi * (1 + (1 - sym.pi) * sym.theta**2 * sym.pi)
    assert sp.simplify(equator - known) == 0
    assert math.isclose(number(sym.slope, 0.0, 0.5, 2.0, 1.0), 4.0)
