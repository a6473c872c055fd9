"""Noise of the gradient and what a schedule makes of it, against simulation and independent formulas."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from sga import Constant, Limit, Model, PowerLaw, ascend, flow, gradient, rates

MODELS = [Model(4000, 800, 6, 1.0), Model(4000, 800, 6, 2.0, 0.7, 1.3), Model(4000, 3000, 6, 1.5, 0.8)]
STEPS = [PowerLaw(2.0, 0.75, 5.0), PowerLaw(1.5, 1.0, 10.0), PowerLaw(0.8, 0.6, 5.0)]


def frame(rho, dim):
    """Query, tangent toward the signal, and one direction across both."""
    w = math.sqrt(1.0 - rho**2)
    q, tau, across = np.zeros((3, dim))
    q[:2], tau[:2], across[2] = (rho, w), (w, -rho), 1.0
    return q, tau, across


def influence_variance(model, rho):
    """Variance of <tau, g> and <across, g> by a numerical derivative of the gradient functional in the law of a token.

    A token at x, of kind g, with the share epsilon moves every moment of the bag; the moments of the rest are exact.
    The kinds have fixed numbers of tokens: the variance is that within the kinds.
    """
    q, tau, across = frame(rho, 3)
    b, xi = model.beta, np.array([1.0, 0.0, 0.0])
    nodes, chances = np.polynomial.hermite_e.hermegauss(7)
    z = np.stack(np.meshgrid(nodes, nodes, nodes, indexing="ij"), -1).reshape(-1, 3)
    chance = np.einsum("i,j,k->ijk", chances, chances, chances).ravel() / chances.sum() ** 3
    kinds = [(model.pi, model.theta * xi), (1.0 - model.pi, np.zeros(3))]

    def value(s0, s1, s2):
        f, c = s1 / s0, s2 / s0
        return 2.0 * b * (c @ f - f * (f @ f))

    s0, s1, s2 = 0.0, np.zeros(3), np.zeros((3, 3))
    for share, mean in kinds:
        weight = share * math.exp(b * q @ mean + b**2 / 2.0)
        center = mean + b * q
        s0 += weight
        s1 = s1 + weight * center
        s2 = s2 + weight * (np.eye(3) + np.outer(center, center))
    base, step, total = value(s0, s1, s2), 1e-6, np.zeros((2,))
    for share, mean in kinds:
        # E e^{2 b u} phi(x)^2 is a normal mean with the token moved by 2 b q.
        scale = math.exp(2.0 * b * q @ mean + 2.0 * b**2)
        squares, means = np.zeros(2), np.zeros(2)
        for noise, p in zip(z, chance, strict=True):
            x = mean + 2.0 * b * q + noise
            phi = (value(s0 + step, s1 + step * x, s2 + step * np.outer(x, x)) - base) / step
            squares += p * scale * np.array([phi @ tau, phi @ across]) ** 2
            # The mean is taken without the factor e^{b u}: undo it.
            ratio = math.exp(-b * (q @ x))
            means += p * scale * ratio * np.array([phi @ tau, phi @ across])
        total += share * (squares - means**2)
    return total / model.tokens


@pytest.mark.parametrize("model", [Model(100, 20, 6, 1.0), Model(100, 60, 6, 2.0, 0.7), Model(100, 5, 6, 0.5, 1.4)])
@pytest.mark.parametrize("rho", [-1.0, -0.4, 0.0, 0.3, 0.9, 1.0])
def test_the_noise_is_the_variance_of_the_influence_of_a_token(model, rho):
    np.testing.assert_allclose(rates.noise(model, rho), influence_variance(model, rho), rtol=1e-4)


@pytest.mark.parametrize(("model", "rho"), [(MODELS[0], 0.3), (MODELS[1], -0.5), (MODELS[2], 0.8)])
def test_the_noise_is_that_of_large_bags(model, rho):
    q, tau, _ = frame(rho, model.dim)
    rng = np.random.default_rng(1)
    g = np.concatenate([gradient(q, model.sample(rng, 40), model.beta) for _ in range(60)])
    along, over = rates.noise(model, rho)
    # 2,400 bags: a variance is known to sqrt(2/2400) = 3 %; the bias is of order 11 d/L = 2 %.
    assert np.var(g @ tau) == pytest.approx(along, rel=0.17)
    assert np.mean(g[:, 2:] ** 2) == pytest.approx(over, rel=0.10)


def test_at_the_poles_no_tangent_direction_is_special():
    for model in MODELS:
        along, across = rates.noise(model, np.array([-1.0, 1.0]))
        np.testing.assert_allclose(along, across, rtol=1e-12)


def test_at_the_pole_the_noise_is_the_formula_for_the_pole():
    theta, b = 1.4, 0.8
    model = Model(1000, 150, 5, theta, b)
    p, pi = float(Limit(model).mass(1.0)), model.pi
    f, r = b + p * theta, math.exp(b * theta)
    d = pi * r + 1.0 - pi
    inner = pi * r**2 * ((f * (theta + 2 * b - f) + 1) ** 2 + f**2) + (1 - pi) * ((f * (2 * b - f) + 1) ** 2 + f**2)
    assert rates.noise(model)[1] == pytest.approx(4 * b**2 * math.exp(b**2) * inner / (d**2 * 1000), rel=1e-12)


def test_noise_of_size_sigma_is_noise_of_size_one_in_other_units():
    rho = np.linspace(-1.0, 1.0, 7)
    there = rates.noise(Model(50, 10, 4, 3.0, 0.6, 2.0), rho)
    here = rates.noise(Model(50, 10, 4, 1.5, 1.2), rho)
    np.testing.assert_allclose(there, 16.0 * np.array(here), rtol=1e-12)


def test_the_number_of_informative_tokens_is_fixed():
    # Here an informative token's own share would add 40 % to the variance along the way to the signal.
    model, rho = Model(1600, 800, 4, 2.0, 0.5), -0.6
    q, tau, _ = frame(rho, model.dim)
    rng = np.random.default_rng(2)
    g = np.concatenate([gradient(q, model.sample(rng, 100), model.beta) for _ in range(60)])
    # 6,000 bags: a variance is known to 1.8 %.
    assert np.var(g @ tau) == pytest.approx(float(rates.noise(model, rho)[0]), rel=0.1)


@pytest.mark.parametrize("informative", [0, 50])
def test_noise_at_the_corners_of_the_share(informative):
    along, across = rates.noise(Model(50, informative, 4, 1.0), np.array([0.0, 0.5]))
    assert np.all((along > 0.0) & (across > 0.0))
    assert along.shape == across.shape == (2,)
    if informative == 0:
        np.testing.assert_allclose(along, across, rtol=1e-12)


def test_alignments_outside_the_range_have_no_noise():
    with pytest.raises(ValueError, match=re.escape("rho must be in [-1, 1], got 1.5")):
        rates.noise(MODELS[0], 1.5)
    with pytest.raises(TypeError, match="model must be a Model, got int"):
        rates.noise(3)
    with pytest.raises(ValueError, match=re.escape("beta sigma must be <= 26, where e^(beta^2) has a number, got 40")):
        rates.noise(Model(10, 2, 3, 1.0, 20.0, 2.0))


def linear_variance(step_size, steps, contraction, noise):
    """Second moment of x_k of the linear recursion from 0, step by step."""
    v = 0.0
    for eta in step_size(np.arange(steps)):
        v = (1.0 - eta * contraction) ** 2 * v + eta**2 * noise
    return v


@pytest.mark.parametrize("step_size", [PowerLaw(0.9, 0.6), PowerLaw(1.2, 0.9), PowerLaw(2.0, 1.0), Constant(1e-3)])
def test_the_stationary_variance_is_the_limit_of_the_linear_recursion(step_size):
    k = 200_000
    exact = linear_variance(step_size, k, 1.3, 0.7) / step_size(k)
    assert rates.stationary_variance(step_size, k, 1.3, 0.7) == pytest.approx(exact, rel=2e-3)


def test_the_error_of_the_stationary_variance_falls_with_the_step():
    step_size, k = PowerLaw(1.0, 0.7), np.array([1_000, 4_000, 16_000, 64_000])
    exact = np.array([linear_variance(step_size, n, 1.0, 1.0) / step_size(n) for n in k])
    error = np.abs(rates.stationary_variance(step_size, k, 1.0, 1.0) - exact)
    slope = np.polyfit(np.log(step_size(k)), np.log(error), 1)[0]
    assert abs(slope - 1.0) < 0.1


def test_at_power_one_delta_is_the_inverse_of_the_scale():
    assert rates.stationary_variance(PowerLaw(2.0, 1.0, 7.0), 40, 1.0, 3.0) == pytest.approx(3.0 / 1.5, rel=1e-12)
    assert rates.stationary_variance(Constant(0.1), [0, 5], 2.0, 3.0).tolist() == [0.75, 0.75]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((PowerLaw(0.5, 1.0), 9, 1.0, 1.0), "contraction must be > (1/eta_{k+1} - 1/eta_k)/2 = 1, got 1"),
        ((PowerLaw(2.0, 1.0), 9, 0.0, 1.0), "contraction must be > 0, got 0"),
        ((PowerLaw(2.0, 1.0), 9, 1.0, -1.0), "noise must be > 0, got -1"),
        ((PowerLaw(2.0, 1.0), -9, 1.0, 1.0), "k must be in [0, inf], got -9"),
    ],
)
def test_steps_that_never_forget_are_refused(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        rates.stationary_variance(*arguments)


def test_the_law_of_the_misalignment_has_its_mean_and_its_degrees_of_freedom():
    model, steps, k = Model(1000, 200, 5, 1.0), PowerLaw(2.0, 0.75, 5.0), 3000
    law = rates.misalignment(model, steps, k)
    delta = 1.0 / steps(k + 1) - 1.0 / steps(k)
    variance = rates.noise(model)[1] / (2.0 * Limit(model).slope(1.0) - delta)
    assert law.mean() == pytest.approx(steps(k) * 4 * variance / 2.0, rel=1e-12)
    assert law.var() / law.mean() ** 2 == pytest.approx(2.0 / 4, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("step_size", STEPS)
def test_the_mean_misalignment_of_runs_is_predicted(step_size):
    # d/L = 0.004. The noise formula is off by about 11 d/L = 4 %, the mean of 120 runs by sqrt(2/(4 * 120)) = 6.5 %.
    model, k = Model(1000, 200, 4, 1.0), 1500
    # All start at 0.3: from a start near -1 the steps of power 1 do not forget within 1,500.
    paths = ascend(model, k, step_size, runs=120, rho0=0.3, every=k)
    measured = np.mean(1.0 - paths.rho[:, -1])
    assert measured == pytest.approx(rates.misalignment(model, step_size, k).mean(), rel=0.3)
    path = rates.predicted_path(model, step_size, k, paths.rho[:, 0], every=k)
    assert measured == pytest.approx(np.mean(1.0 - path[:, -1]), rel=0.3)


def test_the_predicted_path_without_noise_is_the_flow():
    model = Model(10**9, 2 * 10**8, 5, 1.0)
    start = np.array([-0.3, 0.1])
    errors = []
    for eta in (0.02, 0.01, 0.005):
        path = rates.predicted_path(model, Constant(eta), round(2.0 / eta), start)
        errors.append(np.max(np.abs(path[:, -1] - flow(Limit(model), start, 2.0))))
    slope = np.polyfit(np.log([0.02, 0.01, 0.005]), np.log(errors), 1)[0]
    assert abs(slope - 1.0) < 0.1


def test_the_stationary_point_of_the_predicted_path_balances_drift_and_normalization():
    model, eta = Model(1000, 200, 10, 1.0), 0.01
    rho = rates.predicted_path(model, Constant(eta), 3000, 0.5)[-1]
    along, across = rates.noise(model, rho)
    power = float(Limit(model).slope(rho)) ** 2 * (1.0 - rho**2) + along + 8 * across
    assert Limit(model).drift(rho) == pytest.approx(eta / 2.0 * rho * power, rel=0.1)
    assert 1.0 - rho == pytest.approx(rates.misalignment(model, Constant(eta), 0).mean(), rel=0.1)


def test_the_euclidean_step_is_slowed_by_the_radial_part():
    model, eta, h = Model(10**9, 2 * 10**8, 5, 1.3, 0.9), 0.05, 1e-6
    hotter, colder = (Limit(Model(10**9, 2 * 10**8, 5, 1.3, b)) for b in (0.9 + h, 0.9 - h))
    radial = 0.9 * float(hotter.objective(0.2) - colder.objective(0.2)) / (2.0 * h)
    step = eta / (1.0 + eta * radial)
    drift, slope = float(Limit(model).drift(0.2)), float(Limit(model).slope(0.2))
    expected = (0.2 + step * drift) / math.sqrt(1.0 + step**2 * (1.0 - 0.2**2) * slope**2)
    path = rates.predicted_path(model, Constant(eta), 1, 0.2)
    assert path[1] == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("every", [1, 7, 50, 100])
def test_the_predicted_path_has_the_records_of_the_runs(every):
    model, start = Model(100, 20, 5, 1.0), np.full((2, 3), 0.1)
    whole = rates.predicted_path(model, STEPS[0], 50, start)
    kept = rates.predicted_path(model, STEPS[0], 50, start, every=every)
    records = ascend(model, 50, STEPS[0], runs=1, every=every).step
    assert whole.shape == (2, 3, 51)
    np.testing.assert_array_equal(kept, whole[..., records])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": -1}, "steps must be an integer >= 0, got -1"),
        ({"rho0": 2.0}, "rho0 must be in [-1, 1], got 2"),
        ({"every": 0}, "every must be an integer >= 1, got 0"),
    ],
)
def test_bad_arguments_of_a_predicted_path_are_named(change, message):
    arguments = {"steps": 5, "rho0": 0.1, "every": 1} | change
    with pytest.raises(ValueError, match=re.escape(message)):
        rates.predicted_path(MODELS[0], STEPS[0], arguments["steps"], arguments["rho0"], every=arguments["every"])


@pytest.mark.parametrize("model", [Model(30, 6, 25, 1.2, 0.8, 1.3), Model(12, 12, 2, 1.0), Model(9, 0, 3, 0.0, 1.5)])
@pytest.mark.parametrize("rho", [-0.4, 0.7, 1.0])
def test_sampled_noise_has_the_law_of_gradients_in_full_dimension(model, rho):
    q, _, _ = frame(rho, max(model.dim, 3))
    q = q[: model.dim]
    g = gradient(q, model.sample(np.random.default_rng(1), 4000), model.beta)
    power, radial = rates.sampled_noise(model, rho, bags=4000, seed=2)
    along = g @ q
    for ours, full in ((power, np.sum((g - along[:, None] * q) ** 2, axis=1)), (radial, along)):
        assert stats.ks_2samp(ours, full).pvalue > 1e-6
        assert stats.ks_2samp(2.0 * ours, full).pvalue < 1e-6  # a forgotten factor 2 of the gradient


@pytest.mark.slow
def test_sampled_noise_tends_to_the_noise_of_many_tokens():
    model, rho = Model(40_000, 8_000, 20, 1.0), np.array([-0.5, 0.3, 1.0])
    power, radial = rates.sampled_noise(model, rho, bags=4000)
    along, across = rates.noise(model, rho)
    expected = (1 - rho**2) * Limit(model).slope(rho) ** 2 + along + 18 * across
    error = power.std(axis=1) / math.sqrt(4000)
    assert np.all(np.abs(power.mean(axis=1) - expected) < 5 * error)
    assert np.all(error < 0.01 * expected)
    beta = 1e-4
    up, down = (Limit(Model(40_000, 8_000, 20, 1.0, 1.0 + b)).objective(rho) for b in (beta, -beta))
    np.testing.assert_allclose(radial.mean(axis=1), (up - down) / (2 * beta), rtol=0.01)


def test_sampled_noise_depends_on_seed_and_alignment_alone():
    model = MODELS[1]
    whole = rates.sampled_noise(model, [[0.1, 0.5], [-1.0, 1.0]], bags=7, seed=4)
    alone = rates.sampled_noise(model, 0.5, bags=7, seed=4)
    assert whole[0].shape == (2, 2, 7) and alone[1].shape == (7,)
    assert all(np.array_equal(w[0, 1], a) for w, a in zip(whole, alone, strict=True))
    assert not np.array_equal(rates.sampled_noise(model, 0.5, bags=7, seed=5)[0], alone[0])


@pytest.mark.slow
def test_at_its_own_size_the_predicted_path_is_that_of_the_runs():
    model, step, steps = Model(200, 20, 60, 1.5), PowerLaw(0.3, 1.0, 30.0), 600
    runs = ascend(model, steps, step, runs=400, rho0=0.3, seed=6, method="reduced", every=100)
    own = rates.predicted_path(model, step, steps, 0.3, every=100, bags=4000)
    many = rates.predicted_path(model, step, steps, 0.3, every=100)
    error = runs.rho.std(axis=0)[1:] / 20.0
    power, _ = rates.sampled_noise(model, 1.0, bags=4000)
    relative = power.std() / math.sqrt(4000) / power.mean()  # of the noise, hence of the misalignment that it leaves
    assert np.all(np.abs(runs.rho.mean(axis=0) - own)[1:] < 4 * np.hypot(error, relative * (1 - own[1:])))
    assert np.all(np.abs(runs.rho.mean(axis=0) - many)[1:] > 10 * error)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"model": 3}, TypeError, "model must be a Model, got int"),
        ({"rho": 1.5}, ValueError, "rho must be in [-1, 1], got 1.5"),
        ({"bags": 0}, ValueError, "bags must be an integer >= 1, got 0"),
        ({"seed": -2}, ValueError, "seed must be an integer >= 0, got -2"),
    ],
)
def test_bad_arguments_of_sampled_noise_are_named(change, error, message):
    arguments = {"model": MODELS[0], "rho": 0.0, "bags": 3, "seed": 0} | change
    with pytest.raises(error, match=re.escape(message)):
        rates.sampled_noise(arguments.pop("model"), arguments.pop("rho"), **arguments)


def test_the_predicted_path_of_many_tokens_has_the_units_of_the_noise():
    noisy, plain = Model(300, 30, 6, 2.0, 0.5, 2.0), Model(300, 30, 6, 1.0, 1.0)
    path = rates.predicted_path(noisy, Constant(0.01), 60, [-0.2, 0.3], every=20)
    np.testing.assert_allclose(path, rates.predicted_path(plain, Constant(0.04), 60, [-0.2, 0.3], every=20), rtol=1e-13)
    assert np.all(np.diff(path) > 0.0)
