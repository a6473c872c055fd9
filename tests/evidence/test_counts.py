"""Counts are tested as counts: exactly, at every size, and a few lost runs are not excluded by a few runs."""

import re

import numpy as np
import pytest
from scipy import stats

import evidence
from evidence import levels
from evidence.counts import judge


def test_a_share_is_tested_by_the_exact_binomial_distribution(fact):
    check = fact.count(310, 1000, 0.3, rivals={"a half": 0.5, "a tenth": 0.1})
    p = 2 * stats.binom.sf(309, 1000, 0.3)
    assert (check.passed, check.n, check.hits, check.z, check.alpha) == (True, 1000, 310, None, 1e-6)
    assert check.p == float(f"{p:.1g}")
    assert check.scope == "Monte Carlo"
    assert fact.count(310, 1000, 0.4, rivals={"a half": 0.5}).passed is False
    assert fact.count(310, 1000, 0.3, rivals={"a third": 1 / 3}).passed is False


@pytest.mark.parametrize(("n", "share"), [(30, 0.5), (139, 0.01), (1000, 0.0), (1000, 1.0), (400, 0.97), (10**6, 0.2)])
def test_true_shares_are_rejected_no_more_often_than_stated(n, share):
    low, high = stats.binom.ppf(0.5e-6, n, share), stats.binom.isf(0.5e-6, n, share)
    near = share + 0.1 * (1 - 2 * (share > 0.5))
    for hits in {max(0, low - 1), low, high, min(n, high + 1)}:
        accepted = judge(int(hits), n, share, "", {"near": near}, 0.09)["p"] >= 1e-6
        few, many = stats.binom.cdf(hits, n, share), stats.binom.sf(hits - 1, n, share)
        assert accepted is bool(2 * min(few, many) >= 0.95e-6)


@pytest.mark.parametrize(("n", "share"), [(30, 0.5), (139, 0.01), (1000, 0.0), (400, 0.97), (5000, 0.2)])
@pytest.mark.parametrize("bound", ["", "at most", "at least"])
def test_a_share_at_the_resolution_is_told_with_the_stated_power(n, share, bound):
    near = {"at most": min(1.0, share + 0.03), "at least": max(0.0, share - 0.03)}.get(bound, abs(share - 0.03))
    if near == share:
        return
    sees = judge(round(n * share), n, share, bound, {"near": near}, None)["resolution"]
    side = 1e-6 if bound else 0.5e-6
    seen = []
    for true, wanted in ((share + 1.05 * sees, bound != "at least"), (share - 1.05 * sees, bound != "at most")):
        if wanted and 0 <= true <= 1:
            most, least = stats.binom.isf(side, n, share) + 1, stats.binom.ppf(side, n, share) - 1
            seen.append(stats.binom.sf(most - 1, n, true) if true > share else stats.binom.cdf(least, n, true))
    assert all(power >= evidence.POWER * 0.9999 for power in seen)


@pytest.mark.parametrize(("n", "passes"), [(139, False), (1000, False), (1374, False), (1450, True)])
def test_no_lost_run_excludes_one_in_a_hundred_only_if_there_are_enough(fact, n, passes):
    check = fact.count(0, n, 0.0, rivals={"one in a hundred": 0.01})
    assert check.passed is passes
    assert passes is bool(2 * 0.99**n < 1e-6)


def test_a_bound_is_not_broken_and_its_rivals_lie_beyond_it(fact, shown):
    check = fact.count(3, 5000, 0.002, bound="at most", rivals={"one in a hundred": 0.01})
    assert (check.passed, check.bound) == (True, "at most")
    assert check.p == float(f"{stats.binom.sf(2, 5000, 0.002):.1g}")
    assert "3 of 5,000 are no more than predicted" in shown[-1]["text/plain"]
    assert fact.count(40, 5000, 0.002, bound="at most", rivals={"one in fifty": 0.02}).passed is False
    assert fact.count(4990, 5000, 0.99, bound="at least", rivals={"0.97": 0.97}).passed is True
    assert fact.count(4900, 5000, 0.99, bound="at least", rivals={"0.96": 0.96}).passed is False


def test_several_shares_share_the_level(fact, monkeypatch):
    monkeypatch.setattr(levels, "ALPHA", 0.05)
    hits = np.array([50, 50, 50, 62])
    p = 2 * stats.binom.sf(61, 100, 0.5)
    check = fact.count(hits, 100, 0.5, rivals={"nine tenths": 0.9, "the last": [0.5, 0.5, 0.5, 0.9]})
    assert (check.passed, check.components, check.n, check.hits) == (True, 4, 400, 212)
    assert check.p == float(f"{4 * p:.1g}")
    assert check.rejecting == ((0, 1, 2, 3), (3,))
    assert fact.count(hits + 2, 100, 0.5, rivals={"nine tenths": 0.9}).passed is False
    untested = fact.count(hits, 100, 0.5, rivals={"the last": [0.5, 0.5, 0.5, 0.9]})
    assert (untested.passed, untested.untested) == (False, (0, 1, 2))


BAD = [
    ((11, 10, 0.5), {}, ValueError, "hits must be whole numbers in 0..n, got [11.0] of [10.0]"),
    ((-1, 10, 0.5), {}, ValueError, "hits must be whole numbers in 0..n"),
    ((0, 0, 0.5), {}, ValueError, "hits must be whole numbers in 0..n"),
    ((2.5, 10, 0.5), {}, ValueError, "hits must hold yes/no facts or whole numbers, got 2.5"),
    (([], [], 0.5), {}, ValueError, "hits must be whole numbers in 0..n"),
    ((5, 10, 1.5), {}, ValueError, "predicted must be in [0, 1], got 1.5"),
    ((5, 10, 0.5), {"bound": "below"}, ValueError, "bound must be one of '', 'at most', 'at least', got 'below'"),
    (
        (5, 10, 0.5),
        {"bound": "at most", "rivals": {"a": 0.4}},
        ValueError,
        "the rival 'a' is allowed by the prediction",
    ),
    ((5, 10, 0.5), {"bound": "at least", "rivals": {"a": 0.6}}, ValueError, "the rival 'a' is allowed"),
    ((5000, 10_000, 0.5), {}, ValueError, "the nearest rival, 'a', is 9 times as far off as what the test sees"),
]


@pytest.mark.parametrize(("arguments", "options", "error", "message"), BAD)
def test_a_count_that_makes_no_sense_is_refused(fact, arguments, options, error, message):
    with pytest.raises(error, match=re.escape(message)):
        fact.count(*arguments, **{"rivals": {"a": 0.9}, **options})
    assert fact.checks == []
