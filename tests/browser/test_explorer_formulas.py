"""The explorers' script computes what the library does."""

import numpy as np
from scipy.special import expit

from sga import Limit, Model, Proportional, critical_gamma, critical_theta, flow, time_to

TOKENS = 1000
NUMBERS = """ms => ms.map(m => ({
    mass: sga.mass(m, m.rho), objective: sga.objective(m, m.rho), slope: sga.slope(m, m.rho),
    drift: sga.drift(m, m.rho), trap: sga.trap(m), theta: sga.criticalTheta(m.pi, m.beta),
    gamma: sga.criticalGamma(m.pi, m.theta, m.beta)}))"""


def random_models(n, seed, dims):
    """Random models of TOKENS tokens with dimensions from `dims`, and what the script calls them."""
    rng = np.random.default_rng(seed)
    models, asked = [], []
    for informative, theta, beta, dim in zip(
        rng.integers(1, TOKENS, n),
        np.exp(rng.uniform(np.log(0.1), np.log(6), n)),
        np.exp(rng.uniform(np.log(0.2), np.log(2.5), n)),
        rng.choice(dims, n),
        strict=True,
    ):
        models.append(Model(TOKENS, int(informative), int(dim), float(theta), float(beta)))
        asked.append(
            {"pi": models[-1].pi, "theta": float(theta), "beta": float(beta), "rho": float(rng.uniform(-1, 1))}
        )
    return models, asked


def agree(found, landscapes, asked):
    """Checks the script's numbers at one alignment each, and its traps, against landscapes of the library."""
    for name in ("mass", "objective", "slope", "drift"):
        expected = [getattr(of, name)(m["rho"]) for of, m in zip(landscapes, asked, strict=True)]
        np.testing.assert_allclose([answer[name] for answer in found], np.array(expected, dtype=float), rtol=1e-9)
    traps = [of.trap() for of in landscapes]
    assert [answer["trap"] is None for answer in found] == [trap is None for trap in traps]
    assert {trap is None for trap in traps} == {True, False}
    shown = [(answer["trap"], trap) for answer, trap in zip(found, traps, strict=True) if trap is not None]
    np.testing.assert_allclose(*np.transpose(shown), rtol=1e-9)


def test_the_formulas_of_the_limit_agree_with_the_library(visit):
    models, asked = random_models(250, 1, [10])
    found = visit().evaluate(NUMBERS, [{**m, "gamma": 0} for m in asked])
    agree(found, [Limit(m) for m in models], asked)
    for name, formula in (
        ("theta", lambda m: critical_theta(m.pi, m.beta)),
        ("gamma", lambda m: critical_gamma(m.pi, m.theta, m.beta)),
    ):
        expected = [float(formula(m)) for m in models]
        np.testing.assert_allclose([answer[name] for answer in found], expected, rtol=1e-9)


def test_the_formulas_of_the_proportional_regime_agree_with_the_library(visit):
    models, asked = random_models(250, 2, [2, 11, 101, 1001, 5001])
    asked = [{**m, "gamma": (model.dim - 1) / TOKENS} for m, model in zip(asked, models, strict=True)]
    agree(visit().evaluate(NUMBERS, asked), [Proportional(m) for m in models], asked)


def test_the_critical_share_is_where_the_library_puts_the_border(visit):
    rng = np.random.default_rng(3)
    gammas, thetas, betas = (np.exp(rng.uniform(*np.log(ends), 250)) for ends in ((1e-3, 30), (0.05, 4), (0.2, 2)))
    gammas[:100] = 0.0
    asked = np.transpose([gammas, thetas, betas]).tolist()
    shares = visit().evaluate("ms => ms.map(m => sga.criticalShare(...m))", asked)
    none, inside = 0, 0
    for (gamma, theta, beta), share in zip(asked, shares, strict=True):
        if share == 0.0:
            none += 1
            assert critical_gamma(1e-9, theta, beta) >= gamma
        elif share < 1 - 1e-6:
            inside += 1
            below, above = (expit(np.log(share / (1 - share)) + x) for x in (-1e-6, 1e-6))
            if gamma > 0:
                assert critical_gamma(below, theta, beta) < gamma < critical_gamma(above, theta, beta)
            else:
                assert critical_theta(below, beta) < theta < critical_theta(above, beta)
    assert none > 20
    assert inside > 20


def test_the_flow_and_its_clock_agree_with_the_library(visit):
    models, asked = random_models(40, 4, [2, 101, 1001])
    asked = [{**m, "gamma": (model.dim - 1) / TOKENS} for m, model in zip(asked, models, strict=True)]
    times = [0.0, 0.1, 0.5, 2.0, 5.0]
    page = visit()
    found = page.evaluate("([ms, times]) => ms.map(m => sga.flow(m, m.rho, times))", [asked, times])
    expected = [flow(Proportional(m), a["rho"], times) for m, a in zip(models, asked, strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-9)
    clock = page.evaluate(
        "ms => ms.map(m => { const t = sga.timeTo(m, m.rho, 0.99); return isFinite(t) ? t : -1; })", asked
    )
    expected = [time_to(Proportional(m), a["rho"], 0.99) for m, a in zip(models, asked, strict=True)]
    assert np.any(np.isinf(expected))
    np.testing.assert_allclose(clock, np.where(np.isinf(expected), -1.0, expected), rtol=1e-6)
