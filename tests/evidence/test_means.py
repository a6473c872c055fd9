"""A test of a mean keeps its level for skewed laws, refuses heavy tails, and tests what it says it tests."""

import math
import re

import numpy as np
import pytest
from scipy import special, stats

from evidence import levels
from evidence.means import judge
from facts import normal

# The level, measured at 1e-6. Each sample is a scale, whose law is known, times a shape that is independent of it.
# Given the shape the probability of an alarm is exact, so that some thousand shapes are enough.


class Power:
    """The law of S^power for a law of S."""

    def __init__(self, law, power):
        self.law, self.power = law, power

    def cdf(self, x):
        return self.law.cdf(x ** (1 / self.power))

    def sf(self, x):
        return self.law.sf(x ** (1 / self.power))


def gamma(shape, power=1):
    """Powers of gamma variables: shapes, the law of the scale of n of them, and the mean."""

    def draw(rng, size):
        x = rng.gamma(shape, size=size)
        return (x / x.sum(axis=1, keepdims=True)) ** power

    return draw, lambda n: Power(stats.gamma(n * shape), power), special.poch(shape, power)


def lognormal(deviation):
    """Exponentials of normal variables, likewise."""

    def draw(rng, size):
        z = rng.standard_normal(size)
        return np.exp(deviation * (z - z.mean(axis=1, keepdims=True)))

    return draw, lambda n: stats.lognorm(deviation / math.sqrt(n)), math.exp(deviation**2 / 2)


def level(law, n, alpha, draws, careful=True):
    """Probability that n samples reject their true mean: as `Claim.mean` does, or as a plain t test."""
    draw, scale, mean = law
    rng, alarms = np.random.default_rng(n), 0.0
    block = max(1, 2_000_000 // n)
    for start in range(0, draws, block):
        shapes = draw(rng, (min(block, draws - start), n))
        middle = shapes.mean(axis=1)
        centered = shapes - middle[:, None]
        variance = np.mean(centered**2, axis=1)
        skew, kurtosis = np.mean(centered**3, axis=1) / variance**1.5, np.mean(centered**4, axis=1) / variance**2
        above, below = (np.maximum(0.0, side + levels.skew_error(n)) * careful for side in (skew, -skew))
        se, critical = np.sqrt(variance / (n - 1)), stats.t.isf(alpha / 2, n - 1)
        low = middle + levels.outward(critical, above, n) * se  # a smaller scale puts the mean below the prediction
        high = middle - levels.outward(critical, below, n) * se
        alarm = scale(n).cdf(mean / low) + np.where(high > 0, scale(n).sf(mean / np.where(high > 0, high, 1.0)), 0.0)
        alarms += np.sum(np.where(careful & (kurtosis > math.sqrt(n)), 0.0, alarm))
    return alarms / draws


#: Laws, and by how much the level may exceed ALPHA for one component and for sixty.
LAWS = {
    "gamma, skewness 0.4": (gamma(24.5), 1, 2),
    "gamma, skewness 0.9": (gamma(4.5), 2, 5),
    "gamma, skewness 1.4": (gamma(2.0), 3, 10),
    "exponential": (gamma(1.0), 3, 15),
    "chi-square, one degree of freedom": (gamma(0.5), 3, 8),
    "lognormal, skewness 0.8": (lognormal(0.25), 2, 3),
    "lognormal, skewness 1.8": (lognormal(0.5), 7, 25),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("n", [30, 60, 140, 1000])
def test_the_level_holds_for_skewed_laws(name, n):
    law, once, often = LAWS[name]
    draws = 40_000 if n < 1000 else 6_000
    assert level(law, n, 1e-6, draws) < once * 1e-6
    assert level(law, n, 1e-6 / 60, draws) < often * 1e-6 / 60


@pytest.mark.parametrize(("law", "worse"), [(gamma(4.5), 15), (gamma(1.0), 300), (lognormal(0.5), 50)])
def test_the_level_of_a_plain_t_test_does_not(law, worse):
    assert level(law, 30, 1e-6, 20_000, careful=False) > worse * 1e-6


@pytest.mark.parametrize("shape", [0.5, 2.0, 24.5])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_skewed_mean_is_told_from_one_at_its_resolution(shape, side):
    rng, missed = np.random.default_rng(5), 0
    for _ in range(400):
        samples = rng.gamma(shape, size=400)
        if stats.kurtosis(samples) + 3 > 20:
            continue
        sees = judge(samples, shape, {"near": shape + 4 * samples.std() / 20}, "gamma", None)["resolution"]
        missed += judge(samples, shape + side * 1.03 * sees, {"near": shape}, "gamma", None)["accepted"]
    assert stats.binom.sf(missed - 1, 400, 1e-4) > 1e-6


# Heavy tails and rare events.


@pytest.mark.parametrize(("beta", "n"), [(2, 100), (2, 1000), (3, 300), (4, 1000), (5, 10_000), (5, 100_000)])
def test_a_typical_sample_mean_of_a_heavy_tail_does_not_pass_for_the_mean(fact, beta, n):
    rng = np.random.default_rng(1)
    typical = np.median([np.exp(beta * rng.standard_normal(n)).mean() for _ in range(60)])
    true = math.exp(beta**2 / 2)
    for seed in range(100):
        samples = np.exp(beta * normal(n, seed=1000 + seed))
        try:
            check = fact.mean(samples, typical, rivals={"true": true}, tails="none", tolerance=0.99 * (true - typical))
        except ValueError as refused:
            assert re.search(r"\d of \d+ samples carry half of the variance", str(refused))
        else:
            assert check.passed is False


def rare(seed, n=400, size=2000.0, share=1e-3):
    """Normal samples, and a few that are moved far away."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal(n) + size * (rng.random(n) < share)


def test_a_rare_event_that_carries_the_mean_does_not_pass_unseen(fact):
    rivals = {"with the event": 2.0}
    for seed in range(100):
        samples = rare(seed)
        with pytest.raises(ValueError, match=r"400 draws may well miss one of probability 0\.03"):
            fact.mean(samples, 0.0, rivals=rivals)
        try:
            check = fact.mean(samples, 0.0, rivals=rivals, tails=(-10.0, 2010.0), tolerance=1.9)
        except ValueError as refused:
            assert re.search(r"\d of 400 samples carry half of the variance", str(refused))
        else:
            assert check.passed is False
    assert fact.mean(normal(400), 0.0, rivals=rivals, tails=(-10.0, 10.0), tolerance=1.9).passed is True


def test_what_bounded_tails_may_hide_is_added_to_every_distance(fact):
    samples = normal(1000, seed=3)
    plain = fact.mean(samples, 0.0, rivals={"near": 0.9}, tails="normal")
    wide = fact.mean(samples, 0.0, rivals={"near": 2.5}, tails=(-50.0, 50.0))
    unseen = 1 - 0.5e-6 ** (1 / 1000)
    assert wide.resolution == pytest.approx(plain.resolution + 50 * unseen, rel=0.08)
    assert wide.critical > plain.critical
    hidden = unseen * (50 - samples.mean())
    edge = levels.outward(stats.t.isf(0.25e-6, 999), max(0, levels.skew_error(1000) + stats.skew(samples)), 1000)
    for share, passes in [(0.999, True), (1.001, False)]:
        predicted = samples.mean() + share * (edge * stats.sem(samples) + hidden)
        assert fact.mean(samples, predicted, rivals={"near": 3.0}, tails=(-50.0, 50.0)).passed is passes


@pytest.mark.parametrize("share", [0.005, 0.01, 0.03])
def test_runs_that_are_lost_too_seldom_to_be_seen_are_not_excluded_by_a_mean(fact, share):
    """The misalignment of 139 runs of which some stay at 2: the true mean must not count as rejected."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        samples = np.where(rng.random(139) < share, 2.0, 0.003 * rng.gamma(1.0, size=139))
        try:
            check = fact.mean(
                samples, 0.003, rivals={"some are lost": 0.003 + 2 * share}, tails=(0.0, 2.0), tolerance=0.009
            )
        except ValueError as refused:
            assert re.search(r"\d of 139 samples carry half of the variance", str(refused))
        else:
            assert check.passed is False


def test_kurtosis_decides_what_is_refused(fact):
    samples = np.r_[normal(399, seed=1), 0.0]
    grid = np.linspace(2, 30, 57)
    allowed = [stats.kurtosis(np.r_[samples[:-1], far]) + 3 <= 20 for far in grid]
    for far, fine in zip(grid, allowed, strict=True):
        changed = np.r_[samples[:-1], far]
        if fine:
            assert fact.mean(changed, changed.mean(), rivals={"one": 1.0}, tails="none").n == 400
        else:
            with pytest.raises(ValueError, match=r"\d of 400 samples carry half of the variance"):
                fact.mean(changed, changed.mean(), rivals={"one": 1.0}, tails="none")
    assert 0 < sum(allowed) < 57


def test_the_component_whose_tail_is_heavy_is_named(fact):
    samples = normal((100, 3))
    samples[7, 1] = 60.0
    with pytest.raises(ValueError, match="1 of 100 samples carry half of the variance in component 1"):
        fact.mean(samples, 0.0, rivals={"one": 1.0}, tails="none")


# Rivals that are too far off, and components that no rival tests.


def test_a_rival_far_beyond_what_is_seen_is_refused_unless_the_tolerance_is_stated(fact):
    samples = normal(1000, mean=0.3)
    with pytest.raises(ValueError, match=r"the nearest rival, 'ten', is 3\d times as far off as what the test sees"):
        fact.mean(samples, 0.4, rivals={"ten": 10.0}, tails="normal")
    check = fact.mean(samples, 0.4, rivals={"ten": 10.0}, tails="normal", tolerance=0.1)
    assert (check.passed, check.rivals, check.error) == (False, (("ten", True),), 0.1)
    assert "it sees differences from 0.2" in check.shown()["text/plain"]
    many = normal(20_000, mean=0.3)
    assert fact.mean(many, 0.3, rivals={"ten": 10.0}, tails="normal", tolerance=0.1).passed is True
    assert fact.mean(many, 0.4, rivals={"ten": 10.0}, tails="normal", tolerance=0.1).passed is False


@pytest.mark.parametrize("tolerance", [2.0, 2.5, 100.0])
def test_a_tolerance_as_wide_as_a_rival_is_refused(fact, tolerance):
    with pytest.raises(ValueError, match="tolerance must be below the distance to the rival 'near', 2, got"):
        fact.mean(normal(100), 0.0, rivals={"far": 9.0, "near": 2.0}, tails="normal", tolerance=tolerance)


def test_the_components_that_reject_a_rival_are_recorded(fact, shown):
    rivals = {"first": [1.0, 0.0, 0.0], "last two": [0.0, 1.0, 1.0]}
    check = fact.mean(normal((1000, 3)), 0.0, rivals=rivals, tails="normal")
    assert (check.passed, check.components, check.rejecting, check.untested) == (True, 3, ((0,), (1, 2)), ())
    record = check.record()
    assert record["rivals"] == [
        {"name": "first", "rejected": True, "components": [0]},
        {"name": "last two", "rejected": True, "components": [1, 2]},
    ]
    assert "last two (in 2 of 3 components)" in shown[-1]["text/html"]
    assert "the mean of 1,000 samples agrees in 3 components" in shown[-1]["text/plain"]


def test_a_component_that_no_rival_tests_does_not_pass_unless_the_tolerance_covers_it(fact):
    samples = normal((1000, 2)) * [1.0, 300.0]
    check = fact.mean(samples, [0.0, 10.0], rivals={"first": [1.0, 10.0]}, tails="normal")
    assert (check.passed, check.untested, check.rivals) == (False, (1,), (("first", True),))
    assert "1 of 2 components reject no wrong formula" in check.shown()["text/plain"]
    wide = fact.mean(samples, [0.0, 10.0], rivals={"both": [1.0, 510.0]}, tails="normal", tolerance=100.0)
    assert wide.passed is True
    narrow = fact.mean(samples, [0.0, 10.0], rivals={"both": [1.0, 510.0]}, tails="normal", tolerance=0.5)
    assert narrow.passed is False


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "tails must be (low, high), which no sample can leave, or say why no rare event carries the mean"),
        ({"tails": " "}, "tails must be (low, high)"),
        ({"tails": (-1.0, 1.0)}, "samples must lie in [-1, 1], got -"),
        ({"tails": (-9.0,)}, "tails must have last axis of size 2"),
        ({"tails": "normal", "tolerance": 0.0}, "tolerance must be > 0, got 0"),
        ({"tails": "normal", "tolerance": math.nan}, "tolerance must be > 0, got nan"),
    ],
)
def test_tails_and_tolerance_make_sense(fact, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        fact.mean(normal(100), 0.0, rivals={"one": 1.0}, **options)
    assert fact.checks == []


@pytest.mark.parametrize("samples", [np.arange(100) < 40, np.arange(200).reshape(100, 2) % 3 == 0])
def test_yes_and_no_are_counted_and_not_averaged(fact, samples):
    with pytest.raises(ValueError, match="samples are yes/no facts: their share is tested by `count`"):
        fact.mean(1.0 * samples, 0.4, rivals={"half": 0.5}, tails=(0.0, 1.0))
