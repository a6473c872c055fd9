"""The levels of statistical checks: what they may spend, what they must see, and the samples that this needs."""

import math
from bisect import bisect_left

from scipy import optimize, stats

from evidence import arguments

#: Probability that the whole book shows a false alarm; each Monte Carlo check may spend ALPHA of it.
BUDGET, ALPHA = 1e-3, 1e-6
#: Chance with which a check sees a discrepancy of the size it reports as its resolution.
POWER = 0.9999
#: Distance from the expected exponent that a measured order of convergence may have.
ORDER_TOLERANCE = 0.1


def reach(n: int, components: int = 1) -> float:
    """Gap between two means, in standard errors, that a t test of n normal samples sees with probability POWER.

    The standard error is estimated from the same samples, so the test statistic follows the noncentral t distribution.
    """
    critical = float(stats.t.isf(ALPHA / (2 * components), n - 1))
    margin = float(stats.norm.isf(1 - POWER))

    def missed(gap):
        return float(stats.nct.cdf(critical, n - 1, gap)) - (1 - POWER)

    return float(optimize.brentq(missed, critical, 2 * (critical + margin)))


def sample_size(deviation: float, gap: float, components: int = 1) -> int:
    """Smallest n at which `Claim.mean` sees a gap with probability POWER, if the samples are normal.

    It cannot see skewness: skewed samples need more (see `Claim.mean`).

    Args:
        deviation: standard deviation of one sample, > 0.
        gap: distance between the prediction and the nearest rival, > 0.
        components: m, number of components tested together, integer >= 1.

    Returns:
        n, at least 30.

    Raises:
        TypeError, ValueError: an argument is not a number in its range.
    """
    deviation = arguments.real("deviation", deviation, 0.0, above=True)
    gap = arguments.real("gap", gap, 0.0, above=True)
    components = arguments.integer("components", components, 1)

    def needed(n):
        return math.ceil((reach(n, components) * deviation / gap) ** 2)

    candidates = range(30, max(30, needed(30)) + 1)
    return candidates[bisect_left(candidates, True, key=lambda n: needed(n) <= n)]


def digits(value: float, count: int = 2) -> float:
    """A number rounded to significant digits, so that stored outputs do not depend on the processor."""
    return float(f"{value:.{count}g}")
