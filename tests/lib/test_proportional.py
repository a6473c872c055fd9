"""The proportional regime: from the moments of the weights, its trap, and where the wrong sign attracts."""

import math
import re

import numpy as np
import pytest
import sympy as sp

from sga import FiniteSize, Limit, Model, Proportional, critical_gamma, critical_theta
from sga import symbols as sym

RHO = np.linspace(-1.0, 1.0, 9)


def models(n=200, seed=1):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        R, d = int(rng.integers(1, 1000)), int(rng.integers(2, 3000))
        yield Model(1000, R, d, rng.uniform(0.1, 4.0), rng.uniform(0.2, 1.6), rng.uniform(0.5, 2.0))


def added(rho, model):
    """(d - 1) times the limit of E Q, from lognormal moments: E y^2/(L (E y)^2), y = exp(beta u)."""
    b, theta = model.beta * model.sigma, model.theta / model.sigma
    first = model.pi * np.exp(b * theta * rho + b**2 / 2) + (1 - model.pi) * np.exp(b**2 / 2)
    second = model.pi * np.exp(2 * b * theta * rho + 2 * b**2) + (1 - model.pi) * np.exp(2 * b**2)
    return model.sigma**2 * (model.dim - 1) / model.tokens * second / first**2


def test_the_noise_adds_the_second_moment_of_the_weights():
    for model in models():
        expected = Limit(model).objective(RHO) + added(RHO, model)
        np.testing.assert_allclose(Proportional(model).objective(RHO), expected, rtol=1e-10)


def test_the_slope_is_the_derivative():
    h = 1e-20j
    for model in models(50):
        landscape = Proportional(model)
        slope = Limit(model).slope(RHO) + added(RHO + h, model).imag / h.imag
        np.testing.assert_allclose(landscape.slope(RHO), slope, rtol=1e-9, atol=1e-9 * np.max(np.abs(slope)))
        np.testing.assert_array_equal(landscape.mass(RHO), Limit(model).mass(RHO))


def test_trap_and_monotonicity_agree_with_a_scan():
    traps = 0
    for model in models():
        landscape, rho = Proportional(model), np.linspace(-1.0, 1.0, 4001)
        falls = landscape.slope(rho) < 0.0
        trap = landscape.trap()
        assert landscape.is_monotone() == (trap is None)
        if trap is None:
            assert not falls[1:].any()
        else:
            traps += 1
            np.testing.assert_array_equal(falls[np.abs(rho - trap) > 1e-3], rho[np.abs(rho - trap) > 1e-3] < trap)
    assert 20 < traps < 200


@pytest.mark.parametrize(
    ("pi", "theta", "beta", "sigma"), [(0.2, 0.7, 1.0, 1.0), (0.4, 0.9, 0.8, 1.3), (0.05, 0.5, 1.2, 0.9)]
)
def test_above_the_critical_dimension_the_wrong_pole_attracts(pi, theta, beta, sigma):
    L = 10**6
    gamma = float(critical_gamma(pi, theta, beta, sigma))
    assert gamma > 0.0
    for factor, trapped in ((0.999, False), (1.001, True)):
        model = Model(L, round(pi * L), round(factor * gamma * L) + 1, theta, beta, sigma)
        assert (Proportional(model).trap() is not None) is trapped
        assert (FiniteSize(model, tolerance=1e-6).slope(-1.0) < 0.0) is np.bool_(trapped)


def test_the_critical_dimension_vanishes_at_the_critical_strength():
    pi = np.array([0.01, 0.2, 0.6])
    theta = critical_theta(pi, 0.9)
    for share, strength in zip(pi, theta, strict=True):
        assert critical_gamma(share, strength * 1.001, 0.9) == 0.0
        assert 0.0 < critical_gamma(share, strength * 0.999, 0.9) < 0.1


@pytest.mark.parametrize("shape", [(), (3,), (2, 2)])
def test_the_critical_dimension_broadcasts_over_the_share(shape):
    assert critical_gamma(np.full(shape, 0.3), 0.5).shape == shape


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Proportional(Model(10, 1, 3, 1.0, 27.0)), ValueError, "beta sigma must be <= 26 in the proportional"),
        (lambda: critical_gamma(0.0, 1.0), ValueError, "pi must be in (0, 1), got 0"),
        (lambda: critical_gamma(0.5, 0.0), ValueError, "theta must be > 0, got 0"),
        (lambda: critical_gamma(0.5, 1.0, -1.0), ValueError, "beta must be > 0, got -1"),
    ],
)
def test_bad_arguments_are_named(make, error, message):
    with pytest.raises(error, match=re.escape(message)):
        make()


def test_the_strongest_attention_that_has_a_number_is_allowed():
    for method in ("objective", "slope", "drift"):
        assert np.all(np.isfinite(getattr(Proportional(Model(10, 1, 3, 1.0, 13.0, 2.0)), method)(RHO)))


@pytest.mark.parametrize("informative", [0, 1000])
def test_without_two_kinds_of_token_the_noise_adds_a_constant(informative):
    model = Model(1000, informative, 401, 1.0, 0.8)
    np.testing.assert_allclose(
        Proportional(model).objective(RHO), Limit(model).objective(RHO) + 0.4 * math.exp(0.64), rtol=1e-13
    )
    np.testing.assert_array_equal(Proportional(model).slope(RHO), Limit(model).slope(RHO))
    assert Proportional(model).trap() is None


def test_the_correction_raises_the_order_of_the_proportional_regime():
    names = (sym.rho, sym.p, sym.pi, sym.theta, sym.beta, sym.gamma)
    correction = sp.lambdify(names, sym.correction(), "numpy", cse=True)
    counts, before, after = np.array([250, 500, 1000, 2000]), [], []
    for L in counts:
        model = Model(int(L), int(L) // 5, int(L) // 10 + 1, 1.2, 0.7)
        gap = FiniteSize(model).objective(RHO) - Proportional(model).objective(RHO)
        before.append(np.max(np.abs(gap)))
        gap = gap - correction(RHO, Limit(model).mass(RHO), model.pi, 1.2, 0.7, (model.dim - 1) / L) / L
        after.append(np.max(np.abs(gap)))
    assert abs(np.polyfit(np.log(counts), np.log(before), 1)[0] + 1.0) < 0.1
    assert abs(np.polyfit(np.log(counts), np.log(after), 1)[0] + 2.0) < 0.1


def test_the_correction_is_the_known_sum_over_the_two_kinds():
    r, th, b, p, pi, g = 0.4, 1.3, 0.8, 0.37, 0.25, 0.3
    e, f = math.exp(b * b), b + p * th * r
    known = 0.0
    for share, omega, m, a in ((pi, p / pi, th * r, 1.0), (1 - pi, (1 - p) / (1 - pi), 0.0, 0.0)):
        t, s = m + 2 * b, m + b
        inner = e * ((t - f) * (t - 3 * f) + 1) - (s - f) * (s - 3 * f)
        known += share * omega**2 * (inner + th**2 * (1 - r * r) * (e - 1) * (a - p) * (a - 3 * p))
    h, h3 = (p**k / pi ** (k - 1) + (1 - p) ** k / (1 - pi) ** (k - 1) for k in (2, 3))
    known += g * (3 * e * (e - 1) * h**2 - 2 * (e**3 - e) * h3)
    names = (sym.rho, sym.p, sym.pi, sym.theta, sym.beta, sym.gamma)
    values = dict(zip(names, (r, p, pi, th, b, g), strict=True))
    assert float(sym.correction().subs(values)) == pytest.approx(known, rel=1e-12)
