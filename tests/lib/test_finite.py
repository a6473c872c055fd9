"""The exact landscape of finite bags: against many digits, enumeration of scores, simulation and limits."""

import math
import re

import mpmath as mp
import numpy as np
import pytest

from sga import FiniteSize, Limit, Model, Proportional, Tabulated, flow, objective, weights

RHO = np.linspace(-1.0, 1.0, 9)
LARGE = Model(10**6, 10**5, 10**9, 10.0, 4.0)
MODELS = [
    Model(3, 1, 4, 1.5, 0.8),
    Model(40, 8, 5, 2.0, 1.3),
    Model(1000, 0, 20, 1.0, 2.0),
    Model(60, 60, 7, 1.0, 1.5),
    Model(1, 1, 3, 2.0),
    Model(1, 0, 3, 2.0),
    Model(10_500, 500, 50, 0.25),
]


def in_many_digits(model, rho):
    """Objective and mass by nested trapezoid sums in 30 digits, with steps and ends of their own (sigma = 1)."""
    with mp.workdps(30):
        b, theta, rho = mp.mpf(model.beta), mp.mpf(model.theta), mp.mpf(rho)
        R, N, d = model.informative, model.tokens - model.informative, model.dim
        k = min(mp.mpf("0.4"), 1 / (4 * b))
        z = [-10 + k * i for i in range(int((20 + 2 * b) / k) + 1)]
        bell = [k * mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi) for x in z]
        growth = [mp.exp(b * x) for x in z]

        def token(t, m):
            scale = t * mp.exp(b * m)
            v = [scale * y for y in growth]
            e = [w * mp.exp(-x) for w, x in zip(bell, v, strict=True)]
            psi = 1 - mp.fsum(w - y for w, y in zip(bell, e, strict=True))
            first, second = [x * y for x, y in zip(v, e, strict=True)], [x * x * y for x, y in zip(v, e, strict=True)]
            u = [m + x for x in z]
            return (
                psi,
                mp.fsum(first),
                mp.fsum(x * y for x, y in zip(u, first, strict=True)),
                mp.fsum(second),
                mp.fsum(x * x * y for x, y in zip(u, second, strict=True)),
            )

        def powers(psi_a, psi_c, i, j):
            return mp.mpf(0) if i > R or j > N else psi_a ** (R - i) * psi_c ** (N - j)

        def integrand(s):
            t = mp.exp(s)
            pa, a1, au, a2, auu = token(t, theta * rho)
            pc, _, cu, c2, cuu = token(t, mp.mpf(0))
            one, none = R * powers(pa, pc, 1, 0), N * powers(pa, pc, 0, 1)
            two, mixed, pair = (
                R * (R - 1) * powers(pa, pc, 2, 0),
                R * N * powers(pa, pc, 1, 1),
                N * (N - 1) * powers(pa, pc, 0, 2),
            )
            U2 = one * auu + none * cuu + two * au**2 + 2 * mixed * au * cu + pair * cu**2
            A2 = one * a2 + two * a1**2
            Q = one * a2 + none * c2
            return mp.matrix([U2 + theta**2 * (1 - rho**2) * A2 + (d - 1) * Q, one * a1])

        h = mp.mpf("0.27")
        low = -(b**2 + b * theta + mp.log(model.tokens) + 45)
        high = b * (theta + 10) if max(R, N) < 100 else b * theta - mp.log(min(n for n in (R, N) if n)) + 4 * b + 8
        total = mp.matrix([0, 0])
        for i in range(int((high - low) / h) + 1):
            total += h * integrand(low + h * i)
        return total


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_objective_and_mass_agree_with_many_digits(model):
    value, mass = in_many_digits(model, 0.3)
    assert float(FiniteSize(model).objective(0.3)) == pytest.approx(float(value), rel=1e-11)
    assert float(FiniteSize(model).mass(0.3)) == pytest.approx(float(mass), rel=1e-11, abs=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("model", [MODELS[1], MODELS[6], LARGE], ids=repr)
def test_the_slope_agrees_with_many_digits(model):
    step = mp.mpf("1e-7")
    with mp.workdps(30):
        up, down = (in_many_digits(model, mp.mpf("0.3") + e)[0] for e in (step, -step))
        slope, value = float((up - down) / (2 * step)), float((up + down) / 2)
    assert float(FiniteSize(model).objective(0.3)) == pytest.approx(value, rel=1e-11)
    assert float(FiniteSize(model).slope(0.3)) == pytest.approx(slope, rel=1e-9)


def enumerated(model, rho, nodes=40):
    """Objective and mass of two tokens by Gauss-Hermite quadrature over both scores, by the definition of a softmax."""
    x, c = np.polynomial.hermite_e.hermegauss(nodes)
    c = np.outer(c, c).ravel() / c.sum() ** 2
    mark = np.arange(2) < model.informative
    u = np.stack(np.meshgrid(x, x), -1).reshape(-1, 2) + model.theta * rho * mark
    a = np.exp(model.beta * (u - u.max(axis=1, keepdims=True)))
    a /= a.sum(axis=1, keepdims=True)
    U, A, Q = (a * u).sum(1), (a * mark).sum(1), (a * a).sum(1)
    return c @ (U**2 + model.theta**2 * (1 - rho**2) * A**2 + (model.dim - 1) * Q), c @ A


@pytest.mark.parametrize("informative", [0, 1, 2])
@pytest.mark.parametrize(("rho", "beta"), [(-0.7, 0.7), (0.0, 0.7), (0.9, 0.7), (0.9, 0.1), (-0.7, 0.01)])
def test_two_tokens_agree_with_the_definition(informative, rho, beta):
    model = Model(2, informative, 6, 1.2, beta)
    value, mass = enumerated(model, rho)
    landscape = FiniteSize(model)
    assert float(landscape.objective(rho)) == pytest.approx(value, rel=1e-9)
    assert float(landscape.mass(rho)) == pytest.approx(mass, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("model", [Model(30, 6, 8, 1.5), Model(100, 50, 3, 1.0, 1.2), Model(12, 1, 40, 3.0, 0.5, 1.3)])
@pytest.mark.parametrize("rho", [-0.6, 0.4])
def test_simulated_bags_have_the_mean(model, rho):
    rng, q = np.random.default_rng(3), np.zeros(model.dim)
    q[:2] = rho, math.sqrt(1.0 - rho**2)
    bags = np.concatenate([model.sample(rng, 500) for _ in range(20)])
    samples = objective(q, bags, model.beta)
    z = (samples.mean() - float(FiniteSize(model).objective(rho))) / (samples.std() / math.sqrt(samples.size))
    assert abs(z) < 5.0
    samples = weights(q, bags, model.beta)[:, : model.informative].sum(axis=-1)
    z = (samples.mean() - float(FiniteSize(model).mass(rho))) / (samples.std() / math.sqrt(samples.size))
    assert abs(z) < 5.0


def test_many_tokens_approach_the_limit_at_rate_one_over_their_number():
    counts = np.array([100, 400, 1600, 6400])
    gaps = []
    for L in counts:
        model = Model(int(L), int(L) // 4, 5, 1.2)
        gaps.append(np.max(np.abs(FiniteSize(model).slope(RHO) - Limit(model).slope(RHO))))
    assert abs(np.polyfit(np.log(counts), np.log(gaps), 1)[0] + 1.0) < 0.1


def test_many_tokens_in_many_dimensions_approach_the_proportional_regime():
    gaps = []
    for L in (100, 400, 1600, 6400):
        model = Model(L, L // 4, L // 2, 1.2)
        gaps.append(np.max(np.abs(FiniteSize(model).slope(RHO) - Proportional(model).slope(RHO))))
    assert abs(np.polyfit(np.log([100, 400, 1600, 6400]), np.log(gaps), 1)[0] + 1.0) < 0.1


def test_at_the_equator_the_slope_has_its_own_formula():
    # J'(0) = 2 beta theta (R/L) (1 - E Q) + 2 beta theta^3 E[A^2 (1 - A)], with R = L: 2 beta theta (1 - E Q).
    model = Model(20, 20, 5, 1.3, 0.9)
    both = (FiniteSize(Model(20, 20, d, 1.3, 0.9)).objective(0.0) for d in (2, 3))
    low, high = (float(value) for value in both)
    concentration = high - low
    np.testing.assert_allclose(FiniteSize(model).slope(RHO), 2 * 0.9 * 1.3 * (1.0 - concentration), rtol=1e-10)


def test_a_bag_of_one_token_has_no_slope():
    model = Model(1, 1, 5, 2.0)
    np.testing.assert_allclose(FiniteSize(model).objective(RHO), 4.0 + 5.0, rtol=1e-12)
    np.testing.assert_allclose(FiniteSize(model).slope(RHO), 0.0, atol=1e-10 * 9.0)
    np.testing.assert_allclose(FiniteSize(model).mass(RHO), 1.0, rtol=1e-13)


def test_noise_of_size_sigma_is_noise_of_size_one_in_other_units():
    there, here = FiniteSize(Model(50, 10, 6, 3.0, 0.6, 2.0)), FiniteSize(Model(50, 10, 6, 1.5, 1.2))
    np.testing.assert_allclose(there.objective(RHO), 4.0 * here.objective(RHO), rtol=1e-12)
    np.testing.assert_allclose(there.slope(RHO), 4.0 * here.slope(RHO), rtol=1e-11)
    np.testing.assert_allclose(there.mass(RHO), here.mass(RHO), rtol=1e-12)


def test_blocks_do_not_change_the_values(monkeypatch):
    landscape = FiniteSize(Model(40, 8, 5, 2.0, 1.3))
    whole = landscape.slope(RHO)
    monkeypatch.setattr("sga.finite.BLOCK", 1)
    np.testing.assert_allclose(landscape.slope(RHO), whole, rtol=1e-13)


def test_the_trap_of_a_finite_bag_is_where_its_slope_changes_sign():
    landscape = FiniteSize(Model(400, 120, 10, 4.0))
    trap = landscape.trap()
    assert not landscape.is_monotone()
    assert trap == pytest.approx(Limit(landscape.model).trap(), abs=0.05)


def test_a_weak_signal_has_no_trap_in_few_dimensions_and_one_in_many():
    few, many = FiniteSize(Model(400, 120, 4, 0.9)), FiniteSize(Model(400, 120, 400, 0.9))
    assert few.trap() is None
    assert few.is_monotone()
    assert -1.0 < many.trap() < 0.0


def test_a_finite_bag_can_have_two_zeros():
    landscape = FiniteSize(Model(2, 1, 10, 25.0, 0.5))
    assert landscape.slope(-1.0) > 0.0 > landscape.slope(-0.75)
    assert not landscape.is_monotone()
    assert landscape.trap() == pytest.approx(-0.424, abs=1e-3)


@pytest.mark.slow
def test_the_estimate_bounds_the_error():
    model = Model(40, 8, 5, 2.0, 1.3)
    estimate = FiniteSize(model).error(0.3)
    assert FiniteSize(model).error([[0.3]]).shape == (3, 1, 1)
    value, mass = in_many_digits(model, 0.3)
    assert abs(float(FiniteSize(model).objective(0.3)) / float(value) - 1.0) <= max(estimate[0], 1e-14)
    assert abs(float(FiniteSize(model).mass(0.3)) / float(mass) - 1.0) <= max(estimate[2], 1e-14)


def test_an_accuracy_out_of_reach_is_refused():
    landscape = FiniteSize(Model(1000, 100, 10, 5.0, 1.0), tolerance=1e-13)
    with pytest.raises(RuntimeError, match=re.escape("a relative error of 1e-13 can't be reached at beta sigma = 1")):
        landscape.slope(RHO)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: FiniteSize(MODELS[0], tolerance=0.0), ValueError, "tolerance must be >= 1e-13 and <= 0.001, got 0"),
        (lambda: Tabulated(Limit(MODELS[0]), 1.0), ValueError, "tolerance must be >= 1e-13 and <= 0.001, got 1"),
    ],
)
def test_bad_arguments_are_named(make, error, message):
    with pytest.raises(error, match=re.escape(message)):
        make()


@pytest.mark.slow
@pytest.mark.parametrize("model", [Model(40, 8, 5, 2.0, 1.3), Model(400, 120, 10, 4.0)])
def test_a_tabulated_landscape_is_the_landscape(model):
    landscape = FiniteSize(model)
    table, rho = Tabulated(landscape), np.random.default_rng(0).uniform(-1.0, 1.0, (5, 8))
    for name in ("objective", "slope", "drift", "mass"):
        values = getattr(landscape, name)(rho)
        np.testing.assert_allclose(getattr(table, name)(rho), values, atol=3e-9 * np.max(np.abs(values)))
    assert table.trap() == landscape.trap()
    assert table.is_monotone() == landscape.is_monotone()
    np.testing.assert_allclose(flow(table, 0.1, [0.5, 2.0]), flow(landscape, 0.1, [0.5, 2.0]), atol=1e-8)


def test_a_step_cannot_be_tabulated():
    class Step:
        def objective(self, rho):
            return np.sign(rho - 0.1234)

        slope = mass = objective

    with pytest.raises(RuntimeError, match=re.escape("within 4,097 terms")):
        Tabulated(Step()).slope(0.0)
