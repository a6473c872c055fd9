"""A law is tested as it was predicted: not fitted to the samples, and in the tails too."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from evidence import levels
from facts import normal

NEAR = {"wider": stats.norm(0, 1.6).cdf, "shifted": stats.norm(0.6).cdf}


def test_a_law_known_beforehand_passes(fact):
    for seed in range(50):
        assert fact.law(normal(2000, seed=seed), stats.norm.cdf, rivals=NEAR).passed is True


def exponential(n, seed):
    return np.random.default_rng(seed).exponential(size=n)


FITTED = {
    "a normal law": lambda x: stats.norm(x.mean(), x.std()).cdf,
    "a normal law, the other way": lambda x: stats.norm(x.mean(), x.std(ddof=1)).cdf,
    "its parameters to five digits": lambda x: stats.norm(round(x.mean(), 5), round(x.std(), 5)).cdf,
    "the spread alone": lambda x: stats.norm(0, math.sqrt(np.mean((x - x.mean()) ** 2))).cdf,
    "the mean alone": lambda x: stats.norm(x.mean(), 1).cdf,
    "an empirical law": lambda x: lambda y: np.searchsorted(np.sort(x), y, side="right") / (x.size + 1),
    "a smoothed empirical law": lambda x: lambda y: np.interp(y, np.sort(x), (np.arange(x.size) + 0.5) / x.size),
    "an empirical law that ends at 1": lambda x: lambda y: np.searchsorted(np.sort(x), y, side="right") / x.size,
}


@pytest.mark.parametrize("case", FITTED)
@pytest.mark.parametrize("draw", [normal, lambda n, seed: stats.t(8).rvs(n, random_state=seed)], ids=["normal", "t"])
def test_a_law_whose_parameters_come_from_the_same_samples_is_refused(fact, case, draw):
    refused = 0
    for seed in range(10):
        samples = draw(1000, seed=seed)
        law = FITTED[case](samples)
        try:
            assert fact.law(samples, law, rivals={"far": lambda x, law=law: law(x - 0.5)}).passed is False
        except ValueError as error:
            refused += "closely" in str(error)
    assert refused >= (6 if draw is normal else 0)


def test_a_fitted_exponential_or_uniform_law_does_not_pass(fact):
    for seed in range(10):
        samples = exponential(500, seed)
        with pytest.raises(ValueError, match="its parameters must not come from the same samples"):
            fact.law(samples, stats.expon(scale=samples.mean()).cdf, rivals={"far": stats.expon(scale=2).cdf})
        even = stats.expon.cdf(samples)
        fitted = stats.uniform(even.min(), np.ptp(even)).cdf
        assert fact.law(even, fitted, rivals={"far": stats.uniform(0, 1.4).cdf}).passed is False


def test_tails_are_seen(fact):
    rivals = {"wider": stats.norm(0, 2).cdf}
    seen = 0
    for seed in range(50):
        samples = stats.t(4).rvs(1000, random_state=seed)
        assert fact.law(samples, stats.norm.cdf, rivals=rivals).passed is False
        standard = samples / math.sqrt(2)
        seen += not fact.law(standard, stats.norm.cdf, rivals=rivals).passed
    assert seen >= 25
    assert fact.law(np.r_[normal(1000), [9.0, -9.0, 10.0]], stats.norm.cdf, rivals=rivals).passed is False


def test_a_tail_that_is_cut_off_is_seen(fact):
    samples = normal(200_000, seed=2)
    cut = samples[np.abs(samples) < 3.7][:150_000]
    assert fact.law(cut[:1000], stats.norm.cdf, rivals=NEAR).passed is True
    clipped = samples[np.abs(samples) < 2.5][:4000]
    assert fact.law(clipped, stats.norm.cdf, rivals=NEAR).passed is False


@pytest.mark.parametrize("digits", [0, 1, 2])
def test_rounded_samples_are_refused(fact, digits):
    with pytest.raises(ValueError, match="samples of a continuous law do not repeat"):
        fact.law(np.round(normal(1000), digits), stats.norm.cdf, rivals=NEAR)


def test_false_alarms_of_both_halves_are_as_rare_as_stated(fact, monkeypatch):
    monkeypatch.setattr(levels, "ALPHA", 0.1)
    alarms = sum(not fact.law(normal(200, seed=s), stats.norm.cdf, rivals=NEAR).passed for s in range(500))
    assert 1e-6 < stats.binom.sf(alarms - 1, 500, 0.1)
    assert alarms > 5


def test_the_p_value_is_that_of_the_worse_half(fact):
    samples = normal(1000, seed=4)
    check = fact.law(samples, stats.norm.cdf, rivals=NEAR)
    known = 2 * stats.kstest(samples, stats.norm.cdf).pvalue
    assert check.p <= float(f"{min(1, known):.2g}") + 1e-9
    moved = fact.law(samples + 0.15, stats.norm.cdf, rivals=NEAR)
    assert moved.p == pytest.approx(2 * stats.kstest(samples + 0.15, stats.norm.cdf).pvalue, rel=0.02)


@pytest.mark.parametrize(
    ("law", "message"),
    [
        (lambda x: stats.norm.sf(x), "cdf must give numbers in [0, 1] that do not fall"),
        (lambda x: 2 * stats.norm.cdf(x), "cdf must give numbers in [0, 1]"),
        (lambda x: 0.5, "cdf must give numbers in [0, 1] that do not fall, one for each sample"),
        (stats.norm.pdf, "cdf must give numbers in [0, 1] that do not fall"),
    ],
)
def test_what_is_no_distribution_function_is_refused(fact, law, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        fact.law(normal(100), law, rivals=NEAR)


def test_a_law_far_beyond_what_is_seen_is_no_rival(fact):
    with pytest.raises(ValueError, match="the nearest rival, 'three', is 8 times as far off as what the test sees"):
        fact.law(normal(2000), stats.norm.cdf, rivals={"three": stats.norm(3).cdf})
