"""The test of a share: an exact binomial test of how often something happened."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from evidence import arguments, levels, rivals
from evidence.records import Scope

Array = NDArray[np.float64]
#: What a prediction can be: the share itself, or a bound of it.
BOUNDS = ("", "at most", "at least")


def judge(
    hits: ArrayLike,
    n: ArrayLike,
    predicted: ArrayLike,
    bound: str,
    wrong: Mapping[str, ArrayLike],
    tolerance: float | None,
) -> dict[str, Any]:
    """Test shares against a prediction, or a bound, and its rivals; returns the numbers of a `Check`."""
    hits, n = np.broadcast_arrays(*(np.atleast_1d(arguments.whole(*x)) for x in (("hits", hits), ("n", n))))
    if hits.ndim != 1 or hits.size == 0 or np.any(n < 1) or np.any(hits < 0) or np.any(hits > n):
        raise ValueError(f"hits must be whole numbers in 0..n, got {hits.tolist()} of {n.tolist()}")
    if bound not in BOUNDS:
        raise ValueError(f"bound must be one of {', '.join(map(repr, BOUNDS))}, got {bound!r}")
    right = _shares("predicted", predicted, hits)
    others = {name: _shares("a rival", value, hits) for name, value in rivals.need(wrong).items()}
    for name, value in others.items():
        if np.any((value < right) & (bound == "at most") | (value > right) & (bound == "at least")):
            raise ValueError(f"the rival {name!r} is allowed by the prediction: {bound} {right.tolist()}")
    level = levels.ALPHA / hits.size
    resolution = np.array([_resolution(size, share, level, bound) for size, share in zip(n, right, strict=True)])
    tolerance = rivals.need_near(right, others, resolution, tolerance)
    p = float(np.min(_p(hits, n, right, bound)))
    rejecting = {name: _p(hits, n, value, "") < level for name, value in others.items()}
    return {
        "scope": Scope.MONTE_CARLO,
        **rivals.outcome(rejecting, p >= level, resolution, tolerance),
        "n": int(np.sum(n)),
        "hits": int(np.sum(hits)),
        "bound": bound,
        "p": levels.digits(min(1.0, p * hits.size), 1),
        "alpha": levels.ALPHA,
        "resolution": levels.digits(float(np.max(resolution))),
    }


def _shares(name: str, value: ArrayLike, hits: Array) -> Array:
    return np.broadcast_to(arguments.array(name, value, 0.0, 1.0), hits.shape)


def _p(hits: Array, n: Array, share: Array, bound: str) -> Array:
    """Probability of counts as far off as `hits`: on the side that a bound excludes, or twice the rarer side."""
    few, many = stats.binom.cdf(hits, n, share), stats.binom.sf(hits - 1, n, share)
    return {"at most": many, "at least": few}.get(bound, np.minimum(1.0, 2 * np.minimum(few, many)))


def _resolution(n: float, share: float, level: float, bound: str) -> float:
    """Distance of the nearest share that the test tells from `share` with probability POWER, on the worse side."""
    side = level if bound else level / 2
    most, least = stats.binom.isf(side, n, share) + 1, stats.binom.ppf(side, n, share) - 1
    above = stats.beta.ppf(levels.POWER, most, n - most + 1) - share if most <= n else 1 - share
    below = share - stats.beta.isf(levels.POWER, least + 1, n - least) if least >= 0 else share
    return float({"at most": above, "at least": below}.get(bound, max(above, below)))
