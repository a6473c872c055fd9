"""An order is that of all sizes: no choice of a few, no bend, no logarithm passes for a power."""

import math

import numpy as np
import pytest
from scipy import stats

import evidence
from evidence import levels
from facts import normal

H = 0.5 ** np.arange(2, 9)
WIDE = np.geomspace(0.3, 3, 8)


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        (H, 1),
        (H * (1 + H), 1),
        (H**2 * (1 - 0.9 * H), 2),
        (H**0.5 * (1 + 0.3 * H**0.3), 0.5),
        (H**-1 * (1 + 0.5 * H), -1),
        (1 + 0.1 * H, 0),
        (H * (1 + H) ** 3, 1),
    ],
)
def test_a_power_with_a_smaller_one_passes_for_the_first(fact, errors, expected):
    rivals = {"more": expected + 1, "less": expected - 1}
    assert fact.order(H, errors, expected, rivals=rivals).passed is True
    assert fact.order(H[::-1], -errors[::-1], expected, rivals=rivals).passed is True


HOSTILE = {
    "two points of the order, the others of another": (H, np.where(H < 0.01, H**2 / 0.008**1.5, H**0.5), 2),
    "two of three points": ([0.1, 0.2, 0.4], [0.01, 0.04, 0.04 * 2**0.5], 2),
    "a logarithm": (H, H * np.log(1 / H), 1),
    "a logarithm at very small sizes": (H**20, H**20 * np.log(1 / H**20), 1),
    "its square": (H**20, H**20 * np.log(1 / H**20) ** 2, 1),
    "one over a logarithm": (H**20, H**20 / np.log(1 / H**20), 1),
    "an order nearby": (H, H**1.09, 1),
    "an order just below": (H, H**0.92, 1),
    "a half between two powers": (WIDE, WIDE + WIDE**2, 1.5),
    "a kink": (H, np.minimum(H**0.2, (H / 0.03) * 0.03**0.2), 0.5),
    "a floor": (H, H**2 + 1e-4, 2),
    "oscillating slopes": (H, H * np.exp(0.06 * (-1.0) ** np.arange(H.size)), 1),
    "a level that falls at the end": (H, np.r_[np.full(5, 0.1), 0.05, 0.025], 1),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_is_no_power_of_the_order_does_not_pass_for_it(fact, case):
    h, errors, expected = HOSTILE[case]
    rivals = {"more": expected + 0.5, "less": expected - 0.5}
    assert fact.order(h, errors, expected, rivals=rivals).passed is False


def noisy(clean, share, seed):
    """Errors with a relative noise, and their standard errors."""
    errors = clean * (1 + share * normal(clean.size, seed=seed))
    return errors, share * clean


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("clean", "expected"),
    [
        (WIDE + WIDE**2, 1.5),
        (np.maximum(WIDE**0.2, WIDE**0.8), 0.5),
        (np.minimum(WIDE**0.2, WIDE**0.8), 0.5),
        (1 + 0 * WIDE + 9 * (WIDE > 1), 1.0),
    ],
    ids=["a half between two powers", "a kink upward", "a kink downward", "a jump"],
)
def test_a_bend_does_not_pass_for_a_line_with_noise(fact, clean, expected, seed):
    errors, se = noisy(clean, 0.01, seed)
    rivals = {"more": expected + 0.5, "less": expected - 0.5}
    check = fact.order(WIDE, errors, expected, rivals=rivals, se=se, runs=1000)
    assert check.passed is False
    assert check.p < check.alpha


@pytest.mark.parametrize("seed", range(20))
def test_a_line_with_noise_passes(fact, seed):
    errors, se = noisy(WIDE**1.5, 0.02, seed)
    check = fact.order(WIDE, errors, 1.5, rivals={"one": 1, "two": 2}, se=se, runs=100)
    assert (check.passed, check.scope, check.n, check.runs) == (True, "Monte Carlo", 8, 100)


def test_the_slope_and_its_fit_are_those_of_weighted_least_squares(fact):
    h = np.array([0.2, 0.1, 0.4, 0.8])
    errors = h**1.5 * np.array([1.02, 0.99, 1.0, 1.01])
    se = errors * np.array([0.02, 0.01, 0.03, 0.01])
    design = np.stack([np.log(h), np.ones(4)], axis=1) / (se / errors)[:, None]
    covariance = np.linalg.inv(design.T @ design)
    line = covariance @ design.T @ (np.log(errors) * errors / se)
    left = np.log(errors) * errors / se - design @ line
    check = fact.order(h, errors, 1.4, rivals={"zero": 0.0}, se=se, runs=100)
    z = (line[0] - 1.4) / math.sqrt(covariance[0, 0])
    fit = stats.f.sf(left @ left / 2, 2, 99)
    assert check.z == round(z, 1)
    assert check.fit == float(f"{fit:.1g}")
    assert check.p == float(f"{2 * min(2 * stats.t.sf(abs(z), 99), fit):.1g}")
    assert check.critical == pytest.approx(stats.t.isf(evidence.ALPHA / 4, 99), rel=0.01)
    reach = stats.t.isf(evidence.ALPHA / 4, 99) + levels.margin(100, evidence.ALPHA / 4)
    assert check.resolution == pytest.approx(reach * math.sqrt(covariance[0, 0]), rel=0.06)


def test_false_alarms_of_a_noisy_order_are_as_rare_as_stated(fact, monkeypatch):
    monkeypatch.setattr(levels, "ALPHA", 0.05)
    h = np.array([0.1, 0.2, 0.4, 0.8])
    samples = normal((500, 4, 30), seed=4) * 0.05 * h[:, None] + h[:, None]
    means, se = samples.mean(axis=2), samples.std(axis=2, ddof=1) / math.sqrt(30)
    given = zip(means, se, strict=True)
    alarms = sum(not fact.order(h, m, 1, rivals={"far": 4}, se=s, runs=30).passed for m, s in given)
    assert 1e-6 < stats.binom.cdf(alarms, 500, 0.05)
    assert 1e-6 < stats.binom.sf(alarms - 1, 500, 0.05)


def test_lack_of_fit_with_estimated_errors_is_no_more_often_seen_than_stated():
    t = np.random.default_rng(1).standard_t(29, size=(400_000, 3))
    for level in (1e-2, 1e-3, 1e-4):
        seen = int(np.sum(stats.f.sf(np.mean(t**2, axis=1), 3, 29) < level))
        assert stats.binom.sf(seen - 1, len(t), level) > 1e-3


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"se": [0.1, 0.1, 0.1]}, ValueError, "runs must say from how many runs"),
        ({"runs": 50}, ValueError, "runs must come with se"),
        ({"se": [0.1, 0.1, 0.1], "runs": 12}, ValueError, "runs must be an integer >= 30, got 12"),
        ({"se": [0.1, 0.1, 0.1], "runs": 50.5}, TypeError, "runs must be an integer >= 30, got 50.5"),
    ],
)
def test_standard_errors_come_with_the_number_of_runs_behind_them(fact, options, error, message):
    with pytest.raises(error, match=message):
        fact.order([0.1, 0.2, 0.4], [0.1, 0.2, 0.4], 1, rivals={"two": 2}, **options)
    assert fact.checks == []
