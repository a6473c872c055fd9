"""The statistics of the checks are those that they state."""

import math

import numpy as np
import pytest
import sympy as sp
from scipy import integrate, stats

import evidence
from evidence import levels, sample_size
from facts import X, Y, normal


def test_z_p_and_resolution_of_a_mean_are_those_of_a_t_test(fact):
    samples = normal(400, seed=1, mean=0.1)
    check = fact.mean(samples, 0.0, rivals={"near": 1.0}, tails="normal")
    known = stats.ttest_1samp(samples, 0.0)
    assert check.z == round(known.statistic, 1)
    assert check.p == pytest.approx(known.pvalue, rel=0.5)
    assert float(f"{known.pvalue:.1g}") == check.p
    skew = stats.skew(samples)
    assert check.resolution == pytest.approx(levels.reach(400, skewness=skew) * stats.sem(samples), rel=0.06)
    assert (check.n, check.alpha, check.error, check.assumes) == (400, 1e-6, None, "normal")
    toward = levels.skew_error(400) + (skew if check.z < 0 else -skew)
    assert check.critical == pytest.approx(levels.outward(stats.t.isf(0.5e-6, 399), max(0, toward), 400), rel=0.01)


def test_the_worst_component_decides_and_the_level_is_shared(fact, monkeypatch):
    monkeypatch.setattr(levels, "ALPHA", 0.02)
    samples = normal((500, 4), seed=2)
    offset = np.array([0.0, 0.0, -0.2, 0.0])
    check = fact.mean(samples + offset, 0.0, rivals={"far": 5.0}, tails="normal", tolerance=2.4)
    z = (samples + offset).mean(axis=0) / stats.sem(samples)
    assert check.z == round(float(z[2]), 1)
    inward = levels.inward(abs(z[2]), levels.skew_error(500) + stats.skew(samples[:, 2]), 500)
    assert check.p == pytest.approx(4 * 2 * stats.t.sf(inward, 499), rel=0.5)
    assert check.components == 4
    skew = levels.skew_error(500) + stats.skew(samples[:, 1])
    at_edge = levels.outward(stats.t.isf(0.02 / 2 / 4, 499), skew, 500) * stats.sem(samples)
    for share, passes in [(0.999, True), (1.001, False)]:
        exactly = samples.mean(axis=0) + share * at_edge * np.eye(4)[1]
        assert fact.mean(samples, exactly, rivals={"far": 5.0}, tails="normal", tolerance=2.4).passed is passes


def test_the_resolution_is_that_of_the_component_that_sees_least(fact):
    samples = normal((400, 3), seed=8) * [1.0, 5.0, 0.1]
    check = fact.mean(samples, 0.0, rivals={"far": 50.0}, tails="normal", tolerance=2.4)
    assert check.resolution == pytest.approx(levels.reach(400, 3) * stats.sem(samples).max(), rel=0.06)


def test_one_rival_component_far_off_is_enough_to_reject_the_rival(fact):
    assert fact.mean(normal((1000, 2)), 0.0, rivals={"second": [0.0, 1.0]}, tails="normal").rivals == (
        ("second", True),
    )


def test_false_alarms_of_a_mean_are_no_more_often_than_stated(fact, monkeypatch):
    monkeypatch.setattr(levels, "ALPHA", 0.05)
    options = {"rivals": {"far": 9.0}, "tails": "normal", "tolerance": 2.4}
    alarms = sum(not fact.mean(row, 0.0, **options).passed for row in normal((1000, 100), seed=30))
    assert 1e-6 < stats.binom.sf(alarms - 1, 1000, 0.05)
    assert alarms > 5


def test_false_alarms_of_a_law_are_as_rare_as_stated(fact, monkeypatch):
    monkeypatch.setattr(levels, "ALPHA", 0.05)
    rivals = {"far": lambda x: 0.0 * x}
    alarms = sum(not fact.law(row, stats.norm.cdf, rivals=rivals).passed for row in normal((500, 40), seed=3))
    assert 1e-6 < stats.binom.sf(alarms - 1, 500, 0.05)
    assert 1e-6 < stats.binom.cdf(alarms, 500, 0.05)


@pytest.mark.parametrize("alpha", [0.01, 1e-6])
def test_a_mean_sees_a_gap_of_its_resolution_with_the_stated_power(fact, monkeypatch, alpha):
    monkeypatch.setattr(levels, "ALPHA", alpha)
    gap = 0.3
    n = sample_size(1.0, gap)
    draws = normal((500, n), seed=5, mean=gap)
    seen = sum(not fact.mean(row, 0.0, rivals={"far": 9.0}, tails="normal", tolerance=2.4).passed for row in draws)
    assert 1e-6 < stats.binom.cdf(seen, 500, evidence.POWER)
    assert 1e-6 < stats.binom.sf(seen - 1, 500, evidence.POWER)


def test_a_law_sees_a_gap_of_its_resolution(fact, monkeypatch):
    monkeypatch.setattr(levels, "ALPHA", 0.01)
    rivals = {"far": lambda x: 0.0 * x}
    sees = fact.law(normal(200), stats.norm.cdf, rivals=rivals).resolution
    shift = 2.0 * stats.norm.ppf(0.5 + sees / 2)
    draws = normal((200, 200), seed=6, mean=shift)
    seen = sum(not fact.law(row, stats.norm.cdf, rivals=rivals).passed for row in draws)
    assert 1e-6 < stats.binom.cdf(seen, 200, evidence.POWER)


@pytest.mark.parametrize(("deviation", "gap", "components"), [(1.0, 0.1, 1), (2.0, 0.05, 1), (0.3, 0.02, 50)])
def test_the_sample_size_is_the_least_whose_resolution_is_the_gap(deviation, gap, components):
    n = sample_size(deviation, gap, components)

    def resolution(size):
        return levels.reach(size, components) * deviation / math.sqrt(size)

    assert resolution(n) <= gap < resolution(n - 1)


def missed(gap, n, components):
    """Chance that a t test misses a gap, by an integral over the estimated standard deviation."""
    critical = stats.t.isf(evidence.ALPHA / 2 / components, n - 1)
    spread = stats.chi(n - 1)

    def density(ratio):
        at = ratio * math.sqrt(n - 1)
        return stats.norm.cdf(critical * ratio - gap) * spread.pdf(at) * math.sqrt(n - 1)

    width = 12 / math.sqrt(2 * (n - 1))
    return integrate.quad(density, max(0.0, 1 - width), 1 + width, epsabs=0, epsrel=1e-8, limit=500)[0]


@pytest.mark.parametrize("components", [1, 11, 60])
@pytest.mark.parametrize("n", [30, 31, 100, 1000, 10**5, 10**7])
def test_a_gap_is_missed_with_the_stated_probability_at_every_size(n, components):
    level = evidence.ALPHA / 2 / components
    critical, known = stats.t.isf(level, n - 1), stats.norm.isf(1 - evidence.POWER)
    assert missed(critical + levels.margin(n, level), n, components) == pytest.approx(1 - evidence.POWER, rel=1e-6)
    if n < 100:
        assert missed(critical + known, n, components) > 4 * (1 - evidence.POWER)


def test_a_distance_is_moved_outward_by_skewness_and_back():
    t = np.linspace(0, 12, 49)
    for n in (30, 100, 10_000):
        assert np.allclose(levels.outward(t, 0.0, n), t)
        reached = np.array([levels.outward(t, skew, n) for skew in (0.0, 0.3, 1.0, 3.0, 30.0)])
        assert np.all(np.diff(reached, axis=1) >= 0)
        assert np.all(reached >= t)
        assert np.all(reached <= 4 * (t + 1))
        moved = reached > t
        for skew, found, where in zip((0.3, 1.0, 3.0, 30.0), reached[1:], moved[1:], strict=True):
            assert np.allclose(levels.inward(found[where], skew, n), t[where])
            assert np.all(levels.inward(t, skew, n) <= t)


def test_skewed_samples_need_more(fact):
    sizes = [sample_size(1.0, 0.1, skewness=skew) for skew in (0, 1, -1, 2, 5)]
    assert sizes == sorted(sizes)
    assert sizes[1] == sizes[2] < sizes[4]


def test_a_mean_of_the_planned_size_resolves_the_gap(fact):
    n = sample_size(1.0, 0.1)
    samples = normal(n)
    samples = (samples - samples.mean()) / samples.std(ddof=1)
    assert fact.mean(samples, 0.0, rivals={"gap": 0.1}, tails="normal").resolution == pytest.approx(0.1, rel=0.06)


def test_the_sample_size_is_never_below_thirty():
    assert sample_size(1.0, 100.0) == 30


def test_more_components_need_more_samples():
    assert sample_size(1.0, 0.1, 100) > sample_size(1.0, 0.1)


def test_the_budget_pays_for_a_thousand_checks():
    assert evidence.BUDGET == pytest.approx(1000 * evidence.ALPHA)


def test_identities_may_need_simplification(fact):
    assert fact.identity(sp.tanh(X), 1 - 2 / (1 + sp.exp(2 * X)), rivals={"one": 1}).passed is True
    rivals = {"zero": [0, 0]}
    assert fact.identity(sp.Matrix([X * (Y + 1), 0]), sp.Matrix([X * Y + X, 0]), rivals=rivals).n == 2
    assert fact.identity([X, 2], (X, 2), rivals=rivals).n == 2
    assert fact.identity(1, 1, rivals={"two": 2}).n == 1


def test_exact_numbers_broadcast_and_are_counted(fact):
    assert fact.exact(np.ones((2, 3)), 1.0, error=1e-12, rivals={"nine": 9.0}).n == 6
    assert fact.exact(1.0, np.ones(4), error=1e-12, rivals={"nine": 9.0}).n == 4
    assert fact.exact(np.ones((2, 3)), [1.0, 1.0, 2.0], error=1e-12, rivals={"nine": 9.0}).passed is False
    assert fact.exact(2.0, 2.5, error=0.5, because="a rough model", rivals={"nine": 9.0}).passed is True
