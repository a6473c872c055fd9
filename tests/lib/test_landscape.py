"""The landscape of many tokens against independent routes: values, traps, critical strength, extremes and refusals."""

import math
import re

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit, lambertw

from independent import complex_slope, excess, quadrature, quadrature_objective
from sga import Limit, Model, critical_theta

PAPER = {"tokens": 1050, "informative": 50, "dim": 50, "theta": 1.0}
SHARE = 50 / 1050
ALIGNMENTS = [
    pytest.param(0.3, id="scalar"),
    pytest.param(np.array([-1.0, 0.0, 1.0]), id="(3,)"),
    pytest.param(np.array([[-0.9, -0.5, -0.1], [0.2, 0.6, 0.95]]), id="(2,3)"),
    pytest.param(np.zeros(0), id="(0,)"),
]
METHODS = ["objective", "slope", "drift", "mass"]


def random_parameters(n, seed=20):
    """n shares (of a million tokens), signals, temperatures and noises; half of the landscapes have a trap."""
    rng = np.random.default_rng(seed)
    informative = np.rint(10 ** rng.uniform(0.0, 5.99, n)).astype(int)
    theta, beta, sigma = np.exp(rng.uniform(np.log([[0.1], [0.2], [0.3]]), np.log([[10.0], [4.0], [3.0]]), (3, n)))
    return informative, theta, beta, sigma


def limits(informative, theta, beta, sigma):
    return [
        Limit(Model(tokens=10**6, informative=int(r), dim=2, theta=t, beta=b, sigma=s))
        for r, t, b, s in zip(informative, theta, beta, sigma, strict=True)
    ]


def independent(rho, parameters):
    """Objective, slope, drift and mass by quadrature and complex steps."""
    slope = complex_slope(lambda r: quadrature_objective(r, *parameters), rho)
    return {
        "objective": quadrature_objective(rho, *parameters).real,
        "slope": slope,
        "drift": (1.0 - np.square(rho)) * slope,
        "mass": quadrature(rho, *parameters)[0].real,
    }


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rho", ALIGNMENTS)
def test_the_landscape_of_the_paper_broadcasts_and_agrees_with_quadrature(method, rho):
    value = getattr(Limit(Model(**PAPER)), method)(rho)
    assert np.shape(value) == np.shape(rho)
    np.testing.assert_allclose(value, independent(rho, (SHARE, 1.0))[method], rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_the_landscape_agrees_with_quadrature_at_every_alignment_temperature_and_noise(method):
    rho = np.linspace(-1.0, 1.0, 41)
    for informative, theta, beta, sigma in [(50, 0.25, 1.0, 1.0), (500, 2.0, 0.5, 1.5), (1000, 1.0, 2.0, 0.7)]:
        limit = Limit(Model(tokens=1050, informative=informative, dim=3, theta=theta, beta=beta, sigma=sigma))
        expected = independent(rho, (informative / 1050, theta, beta, sigma))[method]
        np.testing.assert_allclose(getattr(limit, method)(rho), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("method", ["objective", "slope", "drift"])
def test_noise_scales_signal_temperature_and_objective(method):
    rho = np.linspace(-1.0, 1.0, 11)
    noisy = Limit(Model(**{**PAPER, "theta": 3.0}, beta=0.4, sigma=2.0))
    plain = Limit(Model(**{**PAPER, "theta": 1.5}, beta=0.8))
    np.testing.assert_allclose(getattr(noisy, method)(rho), 4.0 * getattr(plain, method)(rho), rtol=1e-13)
    np.testing.assert_allclose(noisy.mass(rho), plain.mass(rho), rtol=1e-13)
    assert noisy.trap() == pytest.approx(plain.trap(), rel=1e-12)


def test_only_the_share_of_tokens_matters():
    rho = np.linspace(-1.0, 1.0, 11)
    twice = Limit(Model(**{**PAPER, "tokens": 2100, "informative": 100, "dim": 3}))
    np.testing.assert_allclose(twice.slope(rho), Limit(Model(**PAPER)).slope(rho), rtol=1e-14)


@pytest.mark.parametrize("theta", [0.0, 1.0])
def test_without_signal_the_landscape_is_flat(theta):
    limit = Limit(Model(**{**PAPER, "informative": 0 if theta else 50, "theta": theta}, beta=2.0, sigma=3.0))
    rho = np.linspace(-1.0, 1.0, 5)
    np.testing.assert_allclose(limit.objective(rho), 4.0 * 81.0, rtol=1e-14)
    np.testing.assert_array_equal(limit.slope(rho), 0.0)
    np.testing.assert_array_equal(limit.drift(rho), 0.0)
    np.testing.assert_allclose(limit.mass(rho), 0.0 if theta else SHARE, rtol=1e-14)
    assert limit.trap() is None
    assert not limit.is_monotone()


def test_without_noise_tokens_the_slope_is_constant():
    limit = Limit(Model(tokens=9, informative=9, dim=2, theta=5.0, beta=2.0))
    rho = np.linspace(-1.0, 1.0, 5)
    np.testing.assert_allclose(limit.slope(rho), 2 * 2.0 * 5.0, rtol=1e-14)
    np.testing.assert_allclose(limit.objective(rho), 4.0 + 20.0 * rho + 25.0, rtol=1e-14)
    np.testing.assert_array_equal(limit.mass(rho), 1.0)
    assert limit.trap() is None
    assert limit.is_monotone()


def test_one_token_may_be_a_landscape():
    assert Limit(Model(tokens=1, informative=1, dim=2, theta=1.0)).slope(0.5) == 2.0


def test_the_attention_is_uniform_as_beta_vanishes():
    limit = Limit(Model(**PAPER, beta=1e-12))
    np.testing.assert_allclose(limit.mass([-1.0, 0.5, 1.0]), SHARE, rtol=1e-11)
    np.testing.assert_allclose(limit.objective([-1.0, 1.0]), SHARE**2, rtol=1e-10)


def test_the_completed_square_agrees_with_quadrature():
    rng = np.random.default_rng(21)
    pi, theta, beta, sigma = (rng.uniform(*ends, 200) for ends in ((0.01, 0.99), (0.1, 2.0), (0.1, 2.0), (0.3, 1.5)))
    for rho in (-1.0, -0.4, 0.8, 1.0):
        quick = excess(np.full(200, rho), pi, theta, beta, sigma)
        slow = quadrature_objective(np.full(200, rho), pi, theta, beta, sigma).real
        np.testing.assert_allclose((beta * sigma**2) ** 2 + quick, slow, rtol=1e-12, atol=1e-12)


def test_trap_and_monotonicity_agree_with_a_scan_of_a_thousand_landscapes():
    informative, theta, beta, sigma = random_parameters(1000)
    parameters = informative / 1e6, theta, beta, sigma

    def slope(rho):
        return complex_slope(lambda r: excess(r, *parameters), rho)

    grid = np.linspace(-1.0, 1.0, 801)
    rising = np.array([slope(np.full(1000, rho)) > 0.0 for rho in grid])
    np.testing.assert_array_equal(np.abs(np.diff(rising.astype(int), axis=0)).sum(axis=0), ~rising[0])
    monotone = rising.all(axis=0)
    assert 300 < monotone.sum() < 700
    assert (beta * theta).max() > 30.0

    at = np.argmax(rising, axis=0)
    low, high = grid[np.maximum(at - 1, 0)], grid[at]
    for _ in range(60):
        middle = (low + high) / 2
        up = slope(middle) > 0.0
        low, high = np.where(up, low, middle), np.where(up, middle, high)

    library = limits(informative, theta, beta, sigma)
    np.testing.assert_array_equal([limit.is_monotone() for limit in library], monotone)
    traps = np.array([np.nan if (trap := limit.trap()) is None else trap for limit in library])
    np.testing.assert_array_equal(np.isnan(traps), monotone)
    np.testing.assert_allclose(traps[~monotone], high[~monotone], rtol=0.0, atol=1e-12)
    assert np.all((traps[~monotone] > -1.0) & (traps[~monotone] < 0.0))


@pytest.mark.parametrize("sigma", [1.0, 2.5])
@pytest.mark.parametrize("beta", [0.1, 1.0, 5.0])
def test_the_critical_strength_agrees_with_bisection_on_monotonicity(beta, sigma):
    for informative in (1, 30, 500, 970, 999):
        low, high = 0.0, 1000.0 / beta
        for _ in range(60):
            theta = (low + high) / 2
            model = Model(tokens=1000, informative=informative, dim=2, theta=theta, beta=beta, sigma=sigma)
            low, high = (theta, high) if Limit(model).is_monotone() else (low, theta)
        assert critical_theta(informative / 1000, beta, sigma) == pytest.approx(high, rel=1e-12)


def test_a_trap_appears_just_above_the_critical_strength_and_at_the_bottom():
    critical = float(critical_theta(0.3, 0.8))
    below, above = (
        Limit(Model(tokens=10, informative=3, dim=2, theta=critical * (1 + e), beta=0.8)) for e in (-1e-9, 1e-9)
    )
    assert below.is_monotone()
    assert not above.is_monotone()
    assert above.trap() == pytest.approx(-1.0, abs=1e-7)


def test_the_critical_strength_is_above_the_lambert_bound():
    pi = np.array([1e-6, 1e-3, 0.05, 0.3, 0.5, 0.9, 1 - 1e-6])
    bound = 1.0 + lambertw(pi / ((1.0 - pi) * math.e)).real
    for beta in (0.2, 1.0, 3.0, 1e3):
        assert np.all(beta * critical_theta(pi, beta) >= bound * (1.0 - 1e-12))
    np.testing.assert_allclose(1e6 * critical_theta(pi, 1e6), bound, rtol=1e-6)


def test_the_critical_strength_has_the_small_share_expansion():
    pi = np.array([1e-3, 1e-4])
    for beta in (0.7, 1.0, 2.0):
        rest = beta * critical_theta(pi, beta) - 1.0 - pi / math.e * (1.0 + beta**-2)
        assert rest[0] / rest[1] == pytest.approx(100.0, rel=0.02)


@pytest.mark.parametrize("above", [1e-9, 1e-3, 9e-3])
def test_a_critical_strength_just_above_the_first_guess_is_found(above):
    # At beta theta = 2, the first guess, the equation's left side less its right side is e^s + 4 p - 1, with p the
    # logistic function of s.
    s = brentq(lambda s: math.exp(s) + 4.0 * expit(s) - 1.0 - above, -10.0, 1.0, xtol=1e-14)
    critical = float(critical_theta(expit(s + 2.0)))
    assert 2.0 < critical < 2.0 + above
    s = s + 2.0 - critical
    assert critical == pytest.approx(1.0 + math.exp(s) + critical**2 * expit(s), rel=1e-12)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,)])
def test_the_critical_strength_broadcasts_over_the_share(shape):
    pi = np.linspace(0.1, 0.9, int(np.prod(shape))).reshape(shape)
    value = critical_theta(pi, 1.5, 0.5)
    assert np.shape(value) == shape
    for index in np.ndindex(shape):
        assert value[index] == critical_theta(pi[index], 1.5, 0.5)


def test_the_critical_strength_scales_with_the_noise():
    assert critical_theta(0.2, 0.5, 3.0) == pytest.approx(3.0 * critical_theta(0.2, 1.5), rel=1e-13)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("theta", "beta"), [(700.0, 1.0), (1.0, 700.0), (26.0, 27.0), (1e-8, 1e8), (1e4, 1.0)])
@pytest.mark.parametrize("informative", [0, 1, 500_000, 10**6 - 1, 10**6])
def test_extreme_strengths_and_shares_give_finite_numbers(theta, beta, informative):
    limit = Limit(Model(tokens=10**6, informative=informative, dim=2, theta=theta, beta=beta))
    rho = np.array([-1.0, -0.5, -1e-9, 0.0, 0.5, 1.0])
    for method in METHODS:
        assert np.all(np.isfinite(getattr(limit, method)(rho)))
    assert np.all((limit.mass(rho) >= 0.0) & (limit.mass(rho) <= 1.0))
    trap = limit.trap()
    assert trap is None or -1.0 < trap < 0.0


@pytest.mark.parametrize("informative", [1, 10**6 - 1])
@pytest.mark.parametrize("theta", [5.0, 700.0])
def test_extreme_landscapes_agree_with_fifty_digits(informative, theta):
    limit = Limit(Model(tokens=10**6, informative=informative, dim=2, theta=theta))
    with mpmath.workdps(50):
        odds = mpmath.mpf(informative) / (10**6 - informative)

        def objective(rho):
            weight = odds * mpmath.exp(theta * rho)
            p = weight / (1 + weight)
            return 1 + 2 * theta * p * rho + (theta * p) ** 2

        for rho in (-0.9, -0.02, 0.0, 0.01, 0.7):
            assert limit.objective(rho) == pytest.approx(float(objective(rho)), rel=1e-12)
            assert limit.slope(rho) == pytest.approx(float(mpmath.diff(objective, rho)), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0.0,), ValueError, "pi must be in (0, 1), got 0"),
        ((1.0,), ValueError, "pi must be in (0, 1), got 1"),
        (([0.5, 1.0],), ValueError, "pi must be in (0, 1), got 1"),
        ((-0.5,), ValueError, "pi must be in [0, 1], got -0.5"),
        ((1.5,), ValueError, "pi must be in [0, 1], got 1.5"),
        ((math.nan,), ValueError, "pi must be in [0, 1], got nan"),
        (("half",), TypeError, "pi must be an array of real numbers, got str"),
        ((0.5, 0.0), ValueError, "beta must be > 0, got 0"),
        ((0.5, -1.0), ValueError, "beta must be > 0, got -1"),
        ((0.5, math.nan), ValueError, "beta must be > 0, got nan"),
        ((0.5, math.inf), ValueError, "beta must be > 0, got inf"),
        ((0.5, "b"), TypeError, "beta must be a number, > 0, got 'b'"),
        ((0.5, 1.0, 0.0), ValueError, "sigma must be > 0, got 0"),
        ((0.5, 1.0, -1.0), ValueError, "sigma must be > 0, got -1"),
        ((0.5, 1.0, math.nan), ValueError, "sigma must be > 0, got nan"),
        ((0.5, 1.0, None), TypeError, "sigma must be a number, > 0, got None"),
    ],
)
def test_a_bad_argument_of_the_critical_strength_is_refused(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        critical_theta(*arguments)
