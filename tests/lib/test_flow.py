"""The rho-ODE: exact solutions, its clock, orders of convergence and refusals."""

import math
import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from sga import Constant, Limit, Model, Paths, PowerLaw, ascend, flow, shadow_distance, time_to

WEAK = Limit(Model(tokens=1050, informative=50, dim=50, theta=1.0))
STRONG = Limit(Model(tokens=100, informative=10, dim=2, theta=4.0, beta=0.8, sigma=1.1))
EVEN = Limit(Model(tokens=10, informative=10, dim=2, theta=1.5, beta=0.5))
FLAT = Limit(Model(tokens=10, informative=0, dim=2, theta=1.5))


@dataclass
class Double:
    """A landscape whose slope has a double zero between two steps of any coarse search, at -0.5 and 0.5."""

    def slope(self, rho):
        return 0.25 - rho**2


def test_under_a_constant_slope_artanh_of_rho_grows_linearly():
    start, t = np.array([-0.99, -0.3, 0.0, 0.8]), np.array([0.0, 0.1, 1.0, 4.0])
    exact = np.tanh(np.arctanh(start)[:, None] + 1.5 * t)
    np.testing.assert_allclose(flow(EVEN, start, t), exact, atol=1e-10)


@pytest.mark.parametrize("rho0", [0.2, np.array([0.1, 0.2, 0.3]), np.array([[0.1, 0.2]]), np.zeros(0)])
@pytest.mark.parametrize("t", [0.7, np.array([0.1, 0.7]), np.zeros(0)])
def test_the_flow_has_the_shape_of_the_start_then_of_the_times(rho0, t):
    out = flow(WEAK, rho0, t)
    assert out.shape == np.shape(rho0) + np.shape(t)
    for at in np.ndindex(np.shape(rho0)):
        np.testing.assert_allclose(out[at], flow(WEAK, np.asarray(rho0)[at], t), atol=1e-9)


def test_times_may_come_in_any_order_and_twice():
    ordered = flow(WEAK, 0.1, [0.0, 1.0, 2.0])
    np.testing.assert_allclose(flow(WEAK, 0.1, [2.0, 0.0, 2.0, 1.0]), ordered[[2, 0, 2, 1]], rtol=1e-10)


def test_at_time_zero_nothing_has_moved():
    start = np.array([-1.0, -0.4, 0.0, 0.9, 1.0])
    np.testing.assert_array_equal(flow(STRONG, start, 0.0), start)
    np.testing.assert_allclose(flow(STRONG, start, [0.0, 1.0])[:, 0], start, atol=1e-15)


@pytest.mark.parametrize("landscape", [WEAK, STRONG, FLAT])
def test_the_poles_do_not_move(landscape):
    np.testing.assert_array_equal(flow(landscape, [-1.0, 1.0], [3.0, 1e3]), [[-1.0, -1.0], [1.0, 1.0]])


def test_a_flat_landscape_moves_nothing():
    np.testing.assert_allclose(flow(FLAT, [-0.3, 0.6], 1e3), [-0.3, 0.6], rtol=1e-14)


def test_flowing_twice_is_flowing_for_the_sum():
    start = np.linspace(-0.95, 0.95, 9)
    np.testing.assert_allclose(flow(STRONG, flow(STRONG, start, 0.7), 0.9), flow(STRONG, start, 1.6), atol=1e-9)


def test_the_flow_has_the_drift_as_its_velocity():
    start, h = np.linspace(-0.9, 0.9, 7), 1e-4
    path = flow(STRONG, start, [0.0, h, 2 * h])
    velocity = (-3 * path[:, 0] + 4 * path[:, 1] - path[:, 2]) / (2 * h)
    np.testing.assert_allclose(velocity, STRONG.drift(start), rtol=1e-5, atol=1e-5)


def test_the_objective_never_falls_along_the_flow():
    path = flow(STRONG, np.linspace(-0.95, 0.95, 9), np.linspace(0.0, 3.0, 30))
    assert np.all(np.diff(STRONG.objective(path), axis=-1) > -1e-12)


def test_below_the_critical_strength_every_start_but_the_pole_reaches_the_signal():
    assert WEAK.is_monotone()
    assert np.all(flow(WEAK, [-0.999, -0.5, 0.5], 1e4) > 1.0 - 1e-9)


def test_above_the_critical_strength_the_trap_divides_the_starts():
    trap = STRONG.trap()
    end = flow(STRONG, trap + np.array([-1e-3, 1e-3]), 1e4)
    np.testing.assert_allclose(end, [-1.0, 1.0], atol=1e-9)


def test_a_very_long_time_is_no_problem():
    assert flow(WEAK, -0.9, 1e7) == 1.0


@pytest.mark.parametrize("landscape", [WEAK, STRONG, EVEN])
@pytest.mark.parametrize(("rho0", "rho1"), [(-0.1, 0.9), (0.3, 0.31), (0.0, 1.0 - 1e-10)])
def test_the_flow_arrives_when_the_clock_says(landscape, rho0, rho1):
    arrival = flow(landscape, rho0, time_to(landscape, rho0, rho1))
    assert math.atanh(arrival) == pytest.approx(math.atanh(rho1), abs=2e-6 if rho1 > 0.99 else 1e-8)


def test_the_clock_runs_towards_the_wrong_pole_below_the_trap():
    trap = STRONG.trap()
    start, end = trap - 0.1, trap - 0.2
    assert flow(STRONG, start, time_to(STRONG, start, end)) == pytest.approx(end, abs=1e-9)


def test_under_a_constant_slope_the_clock_is_a_difference_of_artanh():
    assert time_to(EVEN, -0.5, 0.7) == pytest.approx((math.atanh(0.7) + math.atanh(0.5)) / 1.5, rel=1e-11)


def test_times_add_up_along_the_way():
    whole = time_to(WEAK, -0.6, 0.99)
    assert type(whole) is float
    assert whole == pytest.approx(time_to(WEAK, -0.6, 0.2) + time_to(WEAK, 0.2, 0.99), rel=1e-10)


def test_standing_still_takes_no_time():
    for rho in (-1.0, 0.3, 1.0):
        assert time_to(WEAK, rho, rho) == 0.0


@pytest.mark.parametrize(
    ("landscape", "rho0", "rho1"),
    [
        pytest.param(WEAK, 0.5, 0.2, id="moves away"),
        pytest.param(STRONG, -0.99, 0.9, id="trap between"),
        pytest.param(STRONG, STRONG.trap() - 0.01, STRONG.trap() + 0.01, id="trap just between"),
        pytest.param(WEAK, 0.5, 1.0, id="to a pole"),
        pytest.param(WEAK, 1.0, 0.5, id="from a pole"),
        pytest.param(WEAK, -1.0, 1.0, id="from pole to pole"),
        pytest.param(FLAT, 0.1, 0.2, id="flat"),
        pytest.param(Double(), -0.9, 0.9, id="two equilibria between"),
    ],
)
def test_a_target_that_is_never_reached_takes_infinite_time(landscape, rho0, rho1):
    assert time_to(landscape, rho0, rho1) == math.inf


def test_the_time_to_align_grows_like_the_logarithm_of_the_gap():
    gaps = 10.0 ** -np.arange(4, 8)
    times = [time_to(WEAK, 0.0, 1.0 - gap) for gap in gaps]
    np.testing.assert_allclose(np.diff(times), math.log(10.0) / (2.0 * WEAK.slope(1.0)), rtol=1e-3)


def test_euler_steps_approach_the_flow_at_order_one():
    end = 0.3
    exact = flow(STRONG, 0.1, end)

    def euler(n):
        rho = 0.1
        for _ in range(n):
            rho += end / n * STRONG.drift(rho)
        return rho

    errors = np.abs([euler(n) - exact for n in (500, 1000, 2000, 4000)])
    assert np.log2(errors[:-1] / errors[1:])[-1] == pytest.approx(1.0, abs=0.02)


@pytest.mark.slow
def test_stochastic_ascent_of_many_tokens_approaches_the_flow_at_order_one():
    model = Model(tokens=20_000, informative=10_000, dim=2, theta=1.0, beta=0.5)
    end, runs = 0.8, 60
    exact = flow(Limit(model), 0.2, end)
    ends = [ascend(model, round(end / eta), Constant(eta), runs=runs, rho0=0.2).rho[:, -1] for eta in (0.1, 0.05)]
    errors = np.mean(ends, axis=1) - exact
    spreads = np.std(ends, axis=1, ddof=1) / math.sqrt(runs)
    order = math.log2(errors[0] / errors[1])
    five_sigma = 5.0 * np.linalg.norm(spreads / errors) / math.log(2.0)
    higher_terms = 0.1
    assert five_sigma < 0.3
    assert abs(order - 1.0) < five_sigma + higher_terms


@pytest.mark.parametrize(
    ("rho0", "t", "error", "message"),
    [
        (1.5, 1.0, ValueError, "rho0 must be in [-1, 1], got 1.5"),
        ([0.0, -1.1], 1.0, ValueError, "rho0 must be in [-1, 1], got -1.1"),
        (math.nan, 1.0, ValueError, "rho0 must be in [-1, 1], got nan"),
        ("east", 1.0, TypeError, "rho0 must be an array of real numbers, got str"),
        (0.0, -1.0, ValueError, "t must be in [0, inf], got -1"),
        (0.0, math.nan, ValueError, "t must be in [0, inf], got nan"),
        (0.0, math.inf, ValueError, "t must be in [0, inf], got inf"),
        (0.0, "late", TypeError, "t must be an array of real numbers, got str"),
        (0.0, [[1.0]], ValueError, "t must be a number or have shape (n,), got shape (1, 1)"),
    ],
)
def test_a_bad_start_or_time_is_refused(rho0, t, error, message):
    with pytest.raises(error, match=re.escape(message)):
        flow(WEAK, rho0, t)


@pytest.mark.parametrize("name", ["rho0", "rho1"])
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (1.5, ValueError, "must be >= -1 and <= 1, got 1.5"),
        (-1.5, ValueError, "must be >= -1 and <= 1, got -1.5"),
        (math.nan, ValueError, "must be >= -1 and <= 1, got nan"),
        (math.inf, ValueError, "must be >= -1 and <= 1, got inf"),
        ("east", TypeError, "must be a number, >= -1 and <= 1, got 'east'"),
        ([0.1, 0.2], TypeError, "must be a number, >= -1 and <= 1, got [0.1, 0.2]"),
        (None, TypeError, "must be a number, >= -1 and <= 1, got None"),
    ],
)
def test_the_clock_refuses_a_bad_alignment(name, value, error, message):
    with pytest.raises(error, match=re.escape(f"{name} {message}")):
        time_to(WEAK, **{"rho0": 0.0, "rho1": 0.5, name: value})


def test_a_landscape_that_cannot_be_integrated_is_an_error():
    class Broken:
        def slope(self, rho):
            return np.where(rho > 0.5, np.nan, 1.0)

    with pytest.raises(RuntimeError, match="the rho-ODE could not be integrated to t = 2"):
        flow(Broken(), 0.1, 2.0)


def test_a_slope_that_is_not_finite_is_refused():
    class Broken:
        def slope(self, rho):
            return np.full_like(rho, np.nan)

    with pytest.raises(ValueError, match=r"landscape.slope\(rho0\) must be finite, got nan"):
        flow(Broken(), 0.1, 1.0)


def on_the_flow(landscape, starts, t):
    """Paths that lie on the flow at the times t."""
    rho = flow(landscape, starts, t)
    return Paths(np.arange(len(t)), np.asarray(t), rho, rho)


def euler(landscape, starts, eta, steps):
    """Noiseless steps of the rho-ODE."""
    rho = [np.asarray(starts, dtype=float)]
    for _ in range(steps):
        rho.append(rho[-1] + eta * landscape.drift(rho[-1]))
    rho = np.stack(rho, axis=-1)
    return Paths(np.arange(steps + 1), eta * np.arange(steps + 1), rho, rho)


def slow_distance(paths, landscape, window, run, j):
    """The distance from its definition, over a fine grid of times, for one run and one start."""
    time, rho = paths.time, paths.rho[run]
    inside = time[(time > time[j]) & (time < time[j] + window)]
    h = np.unique(np.concatenate((np.linspace(0.0, window, 2001), inside - time[j])))
    return np.max(np.abs(np.interp(time[j] + h, time, rho) - flow(landscape, rho[j], h)))


@pytest.mark.parametrize("landscape", [WEAK, STRONG, EVEN])
def test_a_path_on_the_flow_has_no_distance_from_it_at_any_spacing(landscape):
    t = np.sort(np.append(np.random.default_rng(0).uniform(0.0, 6.0, 60), [0.0, 6.0]))
    paths = on_the_flow(landscape, [-1.0, -0.9, -0.3, 0.0, 0.5, 1.0], t)
    distance = shadow_distance(paths, landscape, 2.0)
    assert distance.shape == (6, np.sum(t <= 4.0))
    assert np.max(distance) < 1e-8


@pytest.mark.parametrize(("landscape", "unit"), [(WEAK, 1.0), (STRONG, 0.05), (EVEN, 1.0)])
def test_the_distance_of_eulers_path_is_of_order_one_in_the_step(landscape, unit):
    steps = unit * np.array([0.04, 0.02, 0.01, 0.005])
    paths = [euler(landscape, [0.2], eta, round(4 * unit / eta)) for eta in steps]
    distance = [np.max(shadow_distance(path, landscape, unit)) for path in paths]
    slope = np.polyfit(np.log(steps), np.log(distance), 1)[0]
    assert abs(slope - 1.0) < 0.1


@pytest.mark.parametrize("window", [0.31, 1.0, 2.0])
def test_the_distance_is_its_definition_up_to_the_curvature_of_the_flow(window):
    paths = ascend(Model(100, 20, 4, 2.0), 120, PowerLaw(0.3, 0.6), runs=3, rho0=[0.1, -0.5, 0.7])
    landscape = Limit(Model(100, 20, 4, 2.0))
    distance = shadow_distance(paths, landscape, window)
    assert distance.shape == (3, np.sum(paths.time + window <= paths.time[-1]))
    steps = np.diff(paths.time)
    path = flow(landscape, paths.rho[:, 0], np.linspace(0.0, 3.0, 3001))
    curvature = np.max(np.abs(np.diff(path, 2))) / 1e-6
    for run, j in [(0, 0), (1, 5), (2, distance.shape[1] - 1), (0, distance.shape[1] // 2)]:
        slow = slow_distance(paths, landscape, window, run, j)
        assert distance[run, j] <= slow + steps[j] ** 2 / 8 * curvature
        assert distance[run, j] >= slow - steps[j] ** 2 / 8 * curvature
        assert distance[run, j] > 1e-3


def test_the_flow_is_restarted_at_each_start():
    t = np.linspace(0.0, 4.0, 41)
    before, after = flow(WEAK, 0.0, t[:21]), flow(WEAK, 0.5, t[21:] - t[21])
    rho = np.concatenate((before, after))[None]
    distance = shadow_distance(Paths(np.arange(41), t, rho, rho), WEAK, 1.0)[0]
    assert np.max(distance[:10]) < 1e-8
    assert np.max(distance[21:]) < 1e-8
    assert np.min(distance[11:20]) > 0.2


def test_a_jump_counts_where_the_window_ends_inside_it():
    t = np.array([0.0, 1.0, 2.0])
    rho = np.array([[0.0, 0.0, 0.8]])
    distance = shadow_distance(Paths(np.arange(3), t, rho, rho), FLAT, 1.25)
    np.testing.assert_allclose(distance, [[0.2]], atol=1e-12)


def test_the_last_start_is_the_one_whose_window_just_fits():
    paths = on_the_flow(EVEN, [0.1], 0.1 * np.arange(31))
    assert shadow_distance(paths, EVEN, 1.0).shape == (1, 21)
    assert shadow_distance(paths, EVEN, 0.1 * 30).shape == (1, 1)


def test_many_starts_are_treated_as_few():
    paths = ascend(Model(50, 10, 3, 1.5), 400, Constant(0.02), runs=12)
    landscape = Limit(Model(50, 10, 3, 1.5))
    whole = shadow_distance(paths, landscape, 0.5)
    one = Paths(paths.step, paths.time, paths.rho[7:8], paths.mass[7:8])
    np.testing.assert_allclose(whole[7:8], shadow_distance(one, landscape, 0.5), atol=1e-9)


@pytest.mark.parametrize(
    ("window", "message"),
    [
        (0.0, "window must be > 0, got 0"),
        (3.1, "window must be <= the time the paths cover, 3, got 3.1"),
        (float("nan"), "window must be > 0, got nan"),
    ],
)
def test_a_window_that_does_not_fit_is_refused(window, message):
    paths = on_the_flow(EVEN, [0.1], 0.1 * np.arange(31))
    with pytest.raises(ValueError, match=re.escape(message)):
        shadow_distance(paths, EVEN, window)


def test_what_happens_early_in_a_long_window_is_not_missed():
    t = np.array([0.0, 50.0, 200.0])
    rho = np.array([[0.0, 1.0, 1.0]])
    assert np.max(shadow_distance(Paths(np.arange(3), t, rho, rho), EVEN, 200.0)) < 1e-8


def test_a_start_near_the_equator_needs_no_more_digits_than_another():
    paths = on_the_flow(WEAK, [1e-9, -1e-12], 1e-7 * np.arange(5))
    assert np.max(shadow_distance(paths, WEAK, 2e-7)) < 1e-8


def test_only_paths_have_a_distance():
    with pytest.raises(TypeError, match="paths must be a Paths, got ndarray"):
        shadow_distance(np.zeros((2, 3)), EVEN, 1.0)


def test_a_window_too_long_to_resolve_is_refused():
    t = np.array([0.0, 1e7])
    paths = Paths(np.arange(2), t, np.array([[0.0, 1.0]]), np.ones((1, 2)))
    with pytest.raises(RuntimeError, match="shorten the window"):
        shadow_distance(paths, STRONG, 1e7)


@pytest.mark.parametrize("away", [1e-3, 1e-5, 1e-7])
def test_the_clock_is_right_next_to_the_edge_of_a_trap(away):
    stops = STRONG.trap() + np.append(away * 2.0 ** np.arange(0.0, 40.0, 0.5), 9.0)
    stops = np.append(stops[stops < 0.8], 0.9)
    pieces = sum(time_to(STRONG, a, b) for a, b in pairwise(stops))
    assert time_to(STRONG, stops[0], 0.9) == pytest.approx(pieces, rel=1e-8)


def test_alignments_that_rounding_pushed_beyond_a_pole_are_at_the_pole():
    beyond = np.array([[1.0 + 1e-15, 1.0, 1.0 + 4e-16], [-1.0 - 1e-15, -1.0, -1.0]])
    paths = Paths(np.arange(3), np.arange(3.0), beyond, np.ones((2, 3)))
    np.testing.assert_array_equal(shadow_distance(paths, STRONG, 1.0), 0.0)
