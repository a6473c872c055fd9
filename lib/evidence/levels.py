"""The levels of statistical checks: what they may spend, what they must see, and the samples that this needs."""

import math
from bisect import bisect_left

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, stats

from evidence import arguments

#: Probability that the whole book shows a false alarm; each Monte Carlo check may spend ALPHA of it.
BUDGET, ALPHA = 1e-3, 1e-6
#: Chance with which a check sees a discrepancy of the size it reports as its resolution.
POWER = 0.9999
#: Distance from the expected exponent that a measured order of convergence may have.
ORDER_TOLERANCE = 0.1
#: Local slopes tend to the exponent at least like h^ORDER_RATE, until they are within ORDER_FLOOR of it.
ORDER_RATE, ORDER_FLOOR = 0.2, 0.01


def skew_error(n: int) -> float:
    """Standard error of the skewness of n normal samples, which a test of a mean adds to the one it finds."""
    return math.sqrt(6 / n)


def outward(t: ArrayLike, skew: ArrayLike, n: int) -> NDArray[np.float64]:
    """Distance of the mean of skewed samples that is as rare as the distance t of normal ones, and no less.

    The distances, in standard errors, are those of predictions on the side of the long tail: skew >= 0. This is the
    inverse of the cubic transformation of Hall (1992), which removes the skewness of a t statistic, up to the largest
    factor that it gives, 4.
    """
    skew = np.maximum(skew, 1e-9) / math.sqrt(n)
    moved = np.asarray(t, float) + skew / 6
    return np.maximum(t, np.where(skew * moved < 1.125, 3 * (1 - np.cbrt(1 - skew * moved)) / skew, 4 * moved))


def inward(z: ArrayLike, skew: ArrayLike, n: int) -> NDArray[np.float64]:
    """Distance of the mean of normal samples that is as rare as the distance z of skewed ones: undoes `outward`."""
    z, skew = np.asarray(z, float), np.maximum(skew, 1e-9) / math.sqrt(n)
    moved = np.where(skew * z < 4.5, (1 - (1 - skew * z / 3) ** 3) / skew, z / 4)
    return np.clip(moved - skew / 6, 0.0, z)


def margin(n: int, level: float) -> float:
    """Standard errors beyond its critical value at which a t test of n normal samples sees a gap, with chance POWER.

    The standard error is estimated from the same samples, so the statistic follows the noncentral t distribution.

    Args:
        n: number of samples.
        level: level of the test on one side.
    """
    critical = float(stats.t.isf(level, n - 1))
    known = float(stats.norm.isf(1 - POWER))

    def missed(gap):
        return float(stats.nct.cdf(critical, n - 1, gap)) - (1 - POWER)

    return float(optimize.brentq(missed, critical, 2 * (critical + known))) - critical


def reach(n: int, components: int = 1, skewness: float = 0.0) -> float:
    """Gap between two means, in standard errors, that `Claim.mean` sees in n samples with probability POWER.

    Args:
        n: number of samples, at least 30.
        components: m, number of components tested together.
        skewness: skewness of the samples.
    """
    level = ALPHA / (2 * components)
    skew = abs(skewness) + skew_error(n)
    return float(outward(stats.t.isf(level, n - 1), skew, n)) + margin(n, level)


def unseen(n: int) -> float:
    """Probability of an event that n draws miss with probability ALPHA."""
    return -math.expm1(math.log(ALPHA) / n)


def sample_size(deviation: float, gap: float, components: int = 1, skewness: float = 0.0) -> int:
    """Smallest n at which `Claim.mean` sees a gap with probability POWER.

    It cannot see a tail heavier than the skewness says: then `Claim.mean` refuses the samples, and more are needed.

    Args:
        deviation: standard deviation of one sample, > 0.
        gap: distance between the prediction and the nearest rival, > 0.
        components: m, number of components tested together, integer >= 1.
        skewness: skewness of one sample: 0 if it is symmetric, 2 for an exponential one, 2.8 for a squared normal one.

    Returns:
        n, at least 30.

    Raises:
        TypeError, ValueError: an argument is not a number in its range.
    """
    deviation = arguments.real("deviation", deviation, 0.0, above=True)
    gap = arguments.real("gap", gap, 0.0, above=True)
    components = arguments.integer("components", components, 1)
    skewness = arguments.real("skewness", skewness)

    def needed(n):
        return math.ceil((reach(n, components, skewness) * deviation / gap) ** 2)

    candidates = range(30, max(30, needed(30)) + 1)
    return candidates[bisect_left(candidates, True, key=lambda n: needed(n) <= n)]


def digits(value: float, count: int = 2) -> float:
    """A number rounded to significant digits, so that stored outputs do not depend on the processor."""
    return float(f"{value:.{count}g}")
