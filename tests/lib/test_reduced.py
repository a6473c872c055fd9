"""The chain of the alignment: the law of the d-dimensional algorithm, in any dimension, and reproducible to the bit."""

import dataclasses
import tracemalloc

import numpy as np
import pytest
from scipy import stats

from sga import Constant, Limit, Model, PowerLaw, ascend, rates

CASES = [
    (Model(30, 6, 8, 1.5), 0.3, None),
    (Model(30, 6, 8, 1.5), 0.3, -0.7),
    (Model(30, 6, 2, 1.5), 0.3, None),
    (Model(30, 6, 3, 1.5), 0.3, 0.2),
    (Model(20, 0, 4, 1.0), 0.3, 0.5),
    (Model(20, 20, 4, 1.0, 1.5), 0.2, 1.0),
    (Model(2, 1, 4, 2.0, 0.7, 1.5), 0.1, None),
    (Model(50, 5, 30, 3.0, 0.5), 0.5, 0.0),
    (Model(12, 3, 60, 1.0, 1.2, 0.8), 0.2, 0.9),
    (Model(40, 1, 5, 4.0), 0.2, -1.0),
    (Model(9, 8, 2, 0.5, 2.0), 0.4, -0.3),
    (Model(100, 30, 10, 1.0), 2.0, None),
]


def run(**changes):
    arguments = {"model": CASES[0][0], "steps": 10, "step_size": Constant(0.2), "runs": 30, "method": "reduced"}
    return ascend(**(arguments | changes))


def p_values():
    """p-values of two-sample tests, each of runs of its own: alignment and mass, at four steps, for every case."""
    seed = 0
    for model, eta, rho0 in CASES:
        for k in (0, 1, 2, 4, 6, 9):
            for name in ("rho", "mass"):
                constant = (name == "mass" and model.informative in (0, model.tokens)) or (
                    name == "rho" and k == 0 and rho0 is not None
                )
                if constant:
                    continue
                arguments = {"steps": k, "step_size": Constant(eta), "runs": 700, "rho0": rho0, "every": max(k, 1)}
                full = ascend(model, seed=seed, **arguments)
                reduced = ascend(model, seed=seed + 1, method="reduced", **arguments)
                seed += 2
                yield stats.ks_2samp(getattr(full, name)[:, -1], getattr(reduced, name)[:, -1]).pvalue


@pytest.mark.slow
def test_the_chain_has_the_law_of_the_full_algorithm():
    p = np.array(list(p_values()))
    assert p.size >= 100
    assert np.min(p) > 1e-6 / p.size
    assert stats.kstest(p, "uniform").pvalue > 1e-4


@pytest.mark.slow
def test_paths_in_time_have_the_law_of_the_full_algorithm():
    # The change over the last of five steps, given where it started, is what the chain must get right.
    model, eta = CASES[0][0], 0.3
    full = ascend(model, 5, Constant(eta), runs=4000, seed=1)
    reduced = ascend(model, 5, Constant(eta), runs=4000, seed=2, method="reduced")
    moves = [paths.rho[:, -1] - paths.rho[:, -2] for paths in (full, reduced)]
    starts = [move * paths.rho[:, -2] for move, paths in zip(moves, (full, reduced), strict=True)]
    masses = [move * paths.mass[:, -2] for move, paths in zip(moves, (full, reduced), strict=True)]
    for one, other in (moves, starts, masses):
        assert stats.ks_2samp(one, other).pvalue > 1e-6


@pytest.mark.parametrize("dim", [2, 3, 4, 10**6])
def test_a_free_start_has_the_law_of_a_uniform_query(dim):
    rho = run(model=Model(5, 1, dim, 1.0), steps=0, runs=4000).rho[:, 0]
    law = stats.beta((dim - 1) / 2.0, (dim - 1) / 2.0, loc=-1.0, scale=2.0)
    assert stats.kstest(rho, law.cdf).pvalue > 1e-6


@pytest.mark.slow
def test_a_long_run_ends_at_the_predicted_misalignment():
    model, steps, k = Model(1000, 200, 4, 1.0), PowerLaw(2.0, 0.75, 5.0), 1500
    paths = run(model=model, steps=k, step_size=steps, runs=150, rho0=0.3, every=k)
    assert Limit(model).is_monotone()
    law = rates.misalignment(model, steps, k)
    assert np.mean(1.0 - paths.rho[:, -1]) == pytest.approx(law.mean(), rel=0.25)


def test_a_run_depends_on_seed_and_index_alone(monkeypatch):
    whole = run(runs=12, seed=5)
    for runs in (range(3, 7), range(11, 2, -4), range(1)):
        part = run(runs=runs, seed=5)
        np.testing.assert_array_equal(part.rho, whole.rho[list(runs)])
        np.testing.assert_array_equal(part.mass, whole.mass[list(runs)])
    monkeypatch.setattr("sga._runs.cores", lambda: 7)
    np.testing.assert_array_equal(run(runs=12, seed=5).rho, whole.rho)
    assert not np.array_equal(run(runs=12, seed=6).rho, whole.rho)


def test_fewer_records_and_fewer_steps_are_parts_of_the_same_runs():
    whole, thin, short = run(steps=20), run(steps=20, every=6), run(steps=7)
    np.testing.assert_array_equal(thin.rho, whole.rho[:, [0, 6, 12, 18, 20]])
    np.testing.assert_array_equal(short.rho, whole.rho[:, :8])
    np.testing.assert_array_equal(short.mass, whole.mass[:, :8])


def test_scaling_the_noise_scales_signal_temperature_and_steps():
    model = Model(30, 6, 8, 3.0, 0.6, 2.0)
    unit = dataclasses.replace(model, theta=1.5, beta=1.2, sigma=1.0)
    here, there = run(model=model, step_size=Constant(0.05)), run(model=unit, step_size=Constant(0.2))
    np.testing.assert_allclose(here.rho, there.rho, rtol=1e-12, atol=1e-12)


def test_a_bag_of_one_token_moves_nothing():
    paths = run(model=Model(1, 1, 6, 2.0), rho0=0.3)
    np.testing.assert_allclose(paths.rho, 0.3, atol=1e-12)
    np.testing.assert_array_equal(paths.mass, 1.0)


@pytest.mark.parametrize("pole", [-1.0, 1.0])
def test_a_run_may_start_at_a_pole_and_leaves_it_by_noise(pole):
    paths = run(rho0=pole, steps=1)
    assert np.all(paths.rho[:, 0] == pole)
    assert np.all(np.abs(paths.rho[:, 1]) < 1.0)


def test_huge_scores_do_not_overflow():
    paths = run(model=Model(20, 5, 4, 300.0, 50.0), step_size=Constant(1e-3))
    assert np.all(np.isfinite(paths.rho))
    assert np.all((paths.mass >= 0.0) & (paths.mass <= 1.0 + 1e-12))


def test_memory_does_not_grow_with_the_dimension_and_is_small():
    run(steps=1)
    model = Model(100_000, 1000, 10**6, 1.0)
    tracemalloc.start()
    run(model=model, steps=2, runs=2, step_size=Constant(1e-6))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 * model.tokens * 2


def test_the_alignment_keeps_its_digits_near_the_pole():
    paths = run(model=Model(200, 100, 3, 2.0), steps=3, step_size=Constant(1e-9), rho0=1.0)
    assert np.all(1.0 - paths.rho[:, -1] < 1e-15)
