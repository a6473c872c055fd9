"""The test of a continuous law: Kolmogorov and Smirnov's, and exact counts of the samples in the tails."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from evidence import arguments, levels, rivals
from evidence.records import Scope

Array = NDArray[np.float64]
#: A distribution function.
Law = Callable[[Any], Any]
#: Mean numbers of samples in either tail beyond whose quantiles the samples are counted.
TAILS = (0.1, 1.0, 10.0)
#: Probability with which a law that is true and known beforehand looks fitted.
CHANCE = 1e-6


def judge(samples: ArrayLike, cdf: Law, wrong: Mapping[str, Law]) -> dict[str, Any]:
    """Test a law against its rivals; returns the numbers of a `Check`."""
    samples = arguments.array("samples", samples)
    if samples.ndim != 1 or samples.size < 30:
        raise ValueError(f"samples must have shape (n,) with n >= 30, got {samples.shape}")
    samples, n = np.sort(samples), samples.size
    ties = n - np.unique(samples).size
    if ties > n / 20:
        raise ValueError(f"samples of a continuous law do not repeat, {ties} of {n} do")
    u, others = _values(samples, cdf), {name: _values(samples, law) for name, law in rivals.need(wrong).items()}
    if _fitted(u):
        raise ValueError(
            "cdf fits these samples more closely than chance does: its parameters must not come from the same samples"
        )
    sees = (math.sqrt(math.log(4 / levels.ALPHA)) + math.sqrt(math.log(2 / (1 - levels.POWER)))) / math.sqrt(2 * n)
    gaps = {name: np.array([np.max(np.abs(value - u))]) for name, value in others.items()}
    rivals.need_near(np.zeros(1), gaps, np.array([sees]), None)
    p = _p(u)
    return {
        "scope": Scope.MONTE_CARLO,
        "accepted": p >= levels.ALPHA,
        "judged": tuple((name, _p(value) < levels.ALPHA) for name, value in others.items()),
        "n": n,
        "p": levels.digits(p),
        "alpha": levels.ALPHA,
        "resolution": levels.digits(sees),
    }


def _values(samples: Array, law: Law) -> Array:
    u = arguments.array("cdf", law(samples))
    if u.shape != samples.shape or np.any(u < 0.0) or np.any(u > 1.0) or np.any(np.diff(u) < -1e-12):
        raise ValueError("cdf must give numbers in [0, 1] that do not fall, one for each sample")
    return u


def _distance(u: Array) -> float:
    steps = np.arange(u.size + 1) / u.size
    return float(max(np.max(steps[1:] - u), np.max(u - steps[:-1])))


def _p(u: Array) -> float:
    """Probability of samples as far off; half of the level is for the whole law, half for its tails."""
    n = u.size
    end = min(u[0], 1 - u[-1])
    tails = [-math.expm1(n * math.log1p(-2 * min(end, 0.25)))]
    for mean in TAILS:
        share = min(mean / n, 0.25)
        hits = np.count_nonzero(u < share) + np.count_nonzero(u > 1 - share)
        few, many = stats.binom.cdf(hits, n, 2 * share), stats.binom.sf(hits - 1, n, 2 * share)
        tails.append(2 * min(few, many))
    whole = float(stats.kstwo.sf(_distance(u), n))
    return float(min(1.0, 2 * whole, 2 * len(tails) * min(tails)))


def _fitted(u: Array) -> bool:
    """Whether a law fits its samples as only a law does whose parameters were taken from them.

    A mean or a standard deviation of the samples that is hit exactly gives it away, or two that are hit nearly, or a
    distance of distribution functions that is too small. A true law does this with a probability near CHANCE.
    """
    n = u.size
    if stats.kstwo.cdf(_distance(u), n) < CHANCE:
        return True
    with np.errstate(divide="ignore", invalid="ignore"):
        normal, early, late = stats.norm.ppf(u), -np.log1p(-u), -np.log(u)
        mean, spread = abs(np.mean(normal)) * math.sqrt(n), abs(np.std(normal) - 1) * math.sqrt(2 * n)
    exact = min(mean, spread, *(abs(np.mean(value) - 1) * math.sqrt(n) for value in (early, late)))
    return bool(exact < CHANCE / 4 or max(mean, spread) < math.sqrt(CHANCE))
