"""Projected SGA: reproducible to the bit whatever is asked for together, and the algorithm that the text states."""

import dataclasses
import math
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from threadpoolctl import threadpool_info

from independent import complex_gradient
from sga import Constant, Model, PowerLaw, _runs, ascend, weights

MODEL = Model(tokens=60, informative=9, dim=5, theta=1.3, beta=0.8, sigma=1.2)
STEPS = PowerLaw(0.4, 0.75)


def run(**changes):
    return ascend(**{"model": MODEL, "steps": 12, "step_size": STEPS, "runs": 30, "seed": 0, **changes})


def assert_same(paths, others):
    for field in dataclasses.fields(paths):
        np.testing.assert_array_equal(getattr(paths, field.name), getattr(others, field.name), err_msg=field.name)


def by_hand(replicate, steps, *, model=MODEL, step_size=STEPS, seed=0, rho0=None):
    """Queries q_0, ..., q_K of one run and the bags they met, by the definition."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(replicate,)))
    q = rng.standard_normal(model.dim)
    if rho0 is not None:
        q[1:] *= math.sqrt(1.0 - rho0**2) / np.linalg.norm(q[1:])
        q[0] = rho0
    queries, bags = [q / np.linalg.norm(q)], []
    for k in range(steps + 1):
        bags.append(model.sample(rng))
        moved = queries[k] + float(step_size(k)) * complex_gradient(queries[k], bags[k], model.beta)
        queries.append(moved / np.linalg.norm(moved))
    return queries[:-1], bags


@pytest.mark.parametrize(
    ("model", "rho0"),
    [
        (MODEL, None),
        (MODEL, -0.4),
        (dataclasses.replace(MODEL, dim=2), 0.9),
        (dataclasses.replace(MODEL, informative=0), 0.3),
        (dataclasses.replace(MODEL, informative=60), None),
        (dataclasses.replace(MODEL, tokens=1, informative=1), 0.3),
    ],
)
def test_a_loop_written_by_hand_gives_the_same_path(model, rho0):
    paths = run(model=model, runs=range(3, 5), seed=7, rho0=rho0)
    for row, replicate in enumerate((3, 4)):
        queries, bags = by_hand(replicate, 12, model=model, seed=7, rho0=rho0)
        np.testing.assert_allclose(paths.rho[row], [q[0] for q in queries], rtol=1e-11, atol=1e-12)
        mass = [weights(q, x, model.beta)[: model.informative].sum() for q, x in zip(queries, bags, strict=True)]
        np.testing.assert_allclose(paths.mass[row], mass, rtol=1e-11, atol=1e-12)


def test_mass_belongs_to_the_query_whose_alignment_is_recorded():
    paths = run(every=5, runs=1)
    queries, bags = by_hand(0, 12)
    np.testing.assert_array_equal(paths.step, [0, 5, 10, 12])
    for record, k in enumerate(paths.step):
        assert paths.rho[0, record] == pytest.approx(queries[k][0], rel=1e-12)
        own = weights(queries[k], bags[k], MODEL.beta)[:9].sum()
        assert paths.mass[0, record] == pytest.approx(own, rel=1e-12)
        assert paths.mass[0, record] != pytest.approx(weights(queries[k - 1], bags[k], MODEL.beta)[:9].sum(), rel=1e-6)


def test_the_paper_at_small_scale_is_the_same_twice_and_in_parts():
    model = Model(tokens=1050, informative=50, dim=50, theta=1.0)
    whole, again = (ascend(model, 6, PowerLaw(0.5, 0.8), runs=30, seed=0) for _ in range(2))
    assert_same(whole, again)
    halves = [ascend(model, 6, PowerLaw(0.5, 0.8), runs=range(a, a + 15), seed=0) for a in (0, 15)]
    singles = [ascend(model, 6, PowerLaw(0.5, 0.8), runs=range(i, i + 1), seed=0) for i in range(30)]
    for parts in (halves, singles):
        np.testing.assert_array_equal(whole.rho, np.concatenate([part.rho for part in parts]))
        np.testing.assert_array_equal(whole.mass, np.concatenate([part.mass for part in parts]))


def test_runs_in_any_order_are_the_same_runs():
    whole = run()
    np.testing.assert_array_equal(run(runs=range(20, 3, -4)).rho, whole.rho[20:3:-4])
    np.testing.assert_array_equal(run(runs=7).rho, whole.rho[:7])


@pytest.mark.parametrize("cores", [1, 2, 5, 64])
@pytest.mark.parametrize("block", [1, 1 << 14, 1 << 30])
def test_neither_threads_nor_blocks_change_a_bit(monkeypatch, cores, block):
    usual = run()
    monkeypatch.setattr(_runs, "cores", lambda: cores)
    monkeypatch.setattr(_runs, "BLOCK_BYTES", block)
    assert_same(run(), usual)


@pytest.mark.parametrize("sizes", [(1, 1, 2), (2, 1, 2), (33, 1, 3), (129, 128, 9), (500, 7, 2)])
def test_blocks_do_not_change_a_bit_at_odd_sizes(monkeypatch, sizes):
    model = Model(*sizes, theta=1.0)
    monkeypatch.setattr(_runs, "cores", lambda: 1)
    one_block = run(model=model)
    monkeypatch.setattr(_runs, "BLOCK_BYTES", 1)
    assert_same(run(model=model), one_block)


def test_linear_algebra_uses_one_thread_inside_and_is_given_back(monkeypatch):
    def blas():
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    seen, gradient = [], _runs.softmax.gradient
    monkeypatch.setattr(_runs.softmax, "gradient", lambda *arguments: (seen.extend(blas()), gradient(*arguments))[1])
    before = blas()
    run(runs=1, steps=1)
    assert set(seen) <= {1}
    assert blas() == before


@pytest.mark.parametrize("every", [1, 2, 5, 7, 12, 100])
def test_recording_less_often_keeps_start_end_and_what_is_recorded(every):
    full, sparse = run(), run(every=every)
    np.testing.assert_array_equal(sparse.step, sorted({*range(0, 13, every), 12}))
    np.testing.assert_array_equal(sparse.rho, full.rho[:, sparse.step])
    np.testing.assert_array_equal(sparse.mass, full.mass[:, sparse.step])
    np.testing.assert_array_equal(sparse.time, STEPS.time(sparse.step))


def test_fewer_steps_are_the_start_of_more():
    short, long = run(steps=5), run(steps=10)
    np.testing.assert_array_equal(short.rho, long.rho[:, :6])
    np.testing.assert_array_equal(short.mass, long.mass[:, :6])
    np.testing.assert_array_equal(short.time, long.time[:6])


def test_no_step_records_the_start_alone():
    paths = run(steps=0)
    assert paths.rho.shape == paths.mass.shape == (30, 1)
    np.testing.assert_array_equal(paths.step, [0])
    np.testing.assert_array_equal(paths.time, [0.0])
    np.testing.assert_array_equal(paths.rho, run().rho[:, :1])


def test_paths_have_one_row_a_run_and_one_column_a_record():
    paths = run(runs=4, steps=9, every=2)
    assert paths.step.shape == paths.time.shape == (6,)
    assert paths.rho.shape == paths.mass.shape == (4, 6)
    with pytest.raises(dataclasses.FrozenInstanceError):
        paths.rho = None


def test_seeds_and_replicates_give_different_runs():
    starts = np.concatenate([run(seed=seed, steps=0).rho[:, 0] for seed in (0, 1, 2**70)])
    assert len(set(starts)) == 90


def test_runs_are_thirty_from_seed_zero_unless_asked():
    assert_same(ascend(MODEL, 2, STEPS), run(steps=2, runs=range(30), seed=0, rho0=None, method="full", every=1))


def test_a_start_may_be_one_number_or_one_a_run():
    np.testing.assert_array_equal(run(rho0=0.25, steps=0).rho, np.full((30, 1), 0.25))
    each = np.linspace(-1.0, 1.0, 30)
    np.testing.assert_array_equal(run(rho0=each, steps=0).rho[:, 0], each)
    np.testing.assert_array_equal(run(rho0=each).rho[4], run(rho0=each[4]).rho[4])
    np.testing.assert_array_equal(run(rho0=each[5:8], runs=range(5, 8)).rho, run(rho0=each).rho[5:8])
    np.testing.assert_array_equal(run(rho0=0, steps=0).rho, np.zeros((30, 1)))


@pytest.mark.parametrize("pole", [-1, 1])
def test_a_run_may_start_at_a_pole_and_leaves_it_by_noise(pole):
    paths = run(rho0=pole)
    np.testing.assert_array_equal(paths.rho[:, 0], float(pole))
    assert np.all(np.abs(paths.rho[:, 1:]) < 1.0)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e8])
def test_iterates_stay_on_the_sphere_and_mass_is_a_share(scale):
    paths = run(step_size=Constant(scale), model=dataclasses.replace(MODEL, informative=60))
    assert np.all(np.abs(paths.rho) <= 1.0)
    np.testing.assert_allclose(paths.mass, 1.0, rtol=1e-13)
    assert np.all(run(model=dataclasses.replace(MODEL, informative=0)).mass == 0.0)


@pytest.mark.filterwarnings("error")
def test_a_huge_beta_runs_without_overflow():
    paths = run(model=dataclasses.replace(MODEL, beta=1e6), step_size=Constant(1e-9))
    assert np.all(np.isfinite(paths.rho))
    np.testing.assert_allclose(paths.mass * (1.0 - paths.mass), 0.0, atol=1e-12)


def test_scaling_the_noise_scales_signal_temperature_and_steps():
    plain = Model(tokens=60, informative=9, dim=5, theta=0.6, beta=1.4)
    noisy = Model(tokens=60, informative=9, dim=5, theta=1.2, beta=0.7, sigma=2.0)
    expected = run(model=plain, step_size=Constant(0.04))
    scaled = run(model=noisy, step_size=Constant(0.01))
    np.testing.assert_allclose(scaled.rho, expected.rho, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(scaled.mass, expected.mass, rtol=1e-9)


@pytest.mark.parametrize("dim", [2, 3, 20])
def test_a_free_start_is_uniform_on_the_sphere(dim):
    model = Model(tokens=1, informative=0, dim=dim, theta=0.0)
    rho = ascend(model, 0, STEPS, runs=4000).rho[:, 0]
    half = (dim - 1) / 2
    assert stats.kstest(rho**2, stats.beta(0.5, half).cdf).pvalue > 1e-6
    assert stats.kstest(rho, stats.beta(half, half, loc=-1, scale=2).cdf).pvalue > 1e-6
    assert stats.kstest(rho**2, stats.beta(0.5, 1.3 * half).cdf).pvalue < 1e-6


def test_the_alignment_of_a_learner_grows():
    model = Model(tokens=1000, informative=500, dim=10, theta=2.0)
    paths = ascend(model, 60, PowerLaw(0.3, 0.6), runs=10, rho0=0.0)
    assert np.all(paths.rho[:, -1] > 0.95)
    assert np.all(paths.mass[:, -1] > paths.mass[:, 0])


def test_any_schedule_with_a_time_is_accepted():
    class Alternating:
        def __call__(self, k):
            return 0.1 + 0.1 * (np.asarray(k) % 2)

        def time(self, k):
            return 0.15 * np.asarray(k)

    paths = run(step_size=Alternating(), runs=1)
    queries, _ = by_hand(0, 12, step_size=Alternating())
    np.testing.assert_allclose(paths.rho[0], [q[0] for q in queries], rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(paths.time, 0.15 * paths.step)


def test_progress_is_silent_unless_asked(capsys):
    run()
    assert capsys.readouterr() == ("", "")


def test_progress_counts_runs_on_stderr_and_changes_nothing(capsys):
    paths = run(progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "30/30" in err
    assert "100%" in err
    assert_same(paths, run())


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read from /proc")
def test_thirty_large_runs_hold_a_block_in_memory_and_no_more():
    script = """
import re, tracemalloc
from pathlib import Path
from sga import Model, PowerLaw, _runs, ascend
_runs.cores = lambda: 2
tracemalloc.start()
ascend(Model(tokens=10_500, informative=500, dim=50, theta=1.0), 2, PowerLaw(0.1, 0.8), runs=30)
print(tracemalloc.get_traced_memory()[1], re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    arrays, process = map(int, done.stdout.split())
    bag = 10_500 * 50 * 8
    assert 2 * bag <= arrays < 3 * bag
    assert process * 1024 < 1e9


BAD = [
    ({"model": None}, TypeError, "model must be a Model, got NoneType"),
    ({"model": (60, 9, 5, 1.3)}, TypeError, "model must be a Model, got tuple"),
    ({"steps": -1}, ValueError, "steps must be an integer >= 0, got -1"),
    ({"steps": 2.0}, TypeError, "steps must be an integer >= 0, got 2.0"),
    ({"steps": True}, TypeError, "steps must be an integer >= 0, got True"),
    ({"steps": "9"}, TypeError, "steps must be an integer >= 0, got '9'"),
    ({"step_size": 0.1}, TypeError, "step_size must be a schedule such as PowerLaw, got 0.1"),
    ({"step_size": None}, TypeError, "step_size must be a schedule such as PowerLaw, got None"),
    ({"step_size": np.sqrt}, TypeError, "step_size must be a schedule such as PowerLaw, got <ufunc 'sqrt'>"),
    ({"runs": 0}, ValueError, "runs must be an integer >= 1, got 0"),
    ({"runs": -3}, ValueError, "runs must be an integer >= 1, got -3"),
    ({"runs": 1.5}, TypeError, "runs must be an integer >= 1, got 1.5"),
    ({"runs": True}, TypeError, "runs must be an integer >= 1, got True"),
    ({"runs": [0, 1]}, TypeError, "runs must be an integer >= 1, got [0, 1]"),
    ({"runs": range(3, 3)}, ValueError, "non-empty range of indices >= 0, got range(3, 3)"),
    ({"runs": range(-1, 2)}, ValueError, "non-empty range of indices >= 0, got range(-1, 2)"),
    ({"runs": range(2, -2, -1)}, ValueError, "non-empty range of indices >= 0, got range(2, -2, -1)"),
    ({"seed": -1}, ValueError, "seed must be an integer >= 0, got -1"),
    ({"seed": None}, TypeError, "seed must be an integer >= 0, got None"),
    ({"seed": 0.0}, TypeError, "seed must be an integer >= 0, got 0.0"),
    ({"seed": "0"}, TypeError, "seed must be an integer >= 0, got '0'"),
    ({"rho0": 1.1}, ValueError, "rho0 must be in [-1, 1], got 1.1"),
    ({"rho0": math.nan}, ValueError, "rho0 must be in [-1, 1], got nan"),
    ({"rho0": math.inf}, ValueError, "rho0 must be in [-1, 1], got inf"),
    ({"rho0": "up"}, TypeError, "rho0 must be an array of real numbers, got str"),
    ({"rho0": [0.1, 0.2]}, ValueError, "rho0 must be a number or have shape (30,), got shape (2,)"),
    ({"rho0": np.zeros((30, 1))}, ValueError, "rho0 must be a number or have shape (30,), got shape (30, 1)"),
    ({"rho0": [0.1]}, ValueError, "rho0 must be a number or have shape (30,), got shape (1,)"),
    ({"method": "half"}, ValueError, 'method must be "full" or "reduced", got \'half\''),
    ({"method": None}, ValueError, 'method must be "full" or "reduced", got None'),
    ({"every": 0}, ValueError, "every must be an integer >= 1, got 0"),
    ({"every": -2}, ValueError, "every must be an integer >= 1, got -2"),
    ({"every": 1.0}, TypeError, "every must be an integer >= 1, got 1.0"),
]


@pytest.mark.parametrize(("change", "error", "message"), BAD)
def test_a_bad_argument_is_refused_before_anything_is_drawn(monkeypatch, change, error, message):
    monkeypatch.setattr(_runs, "_block", lambda *_: pytest.fail("a run began"))
    with pytest.raises(error, match=re.escape(message)):
        run(**change)


@pytest.mark.parametrize("bad", [0.0, -0.1, math.nan, math.inf])
def test_a_schedule_must_give_positive_finite_steps(bad):
    class Schedule:
        def __call__(self, k):
            return np.where(np.asarray(k) == 3, bad, 0.1)

        def time(self, k):
            return 0.1 * np.asarray(k)

    with pytest.raises(ValueError, match="step_size must give one finite step > 0 for every k"):
        run(step_size=Schedule())


def test_a_schedule_must_give_one_step_for_every_index():
    class Schedule:
        def __call__(self, k):
            return 0.1

        def time(self, k):
            return 0.1 * np.asarray(k)

    with pytest.raises(ValueError, match="step_size must give one finite step > 0 for every k"):
        run(step_size=Schedule())


def test_a_schedule_that_underflows_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with pytest.raises(ValueError, match="step_size must give one finite step > 0 for every k"):
            run(step_size=PowerLaw(1.0, 400.0))
