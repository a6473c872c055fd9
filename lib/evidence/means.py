"""The test of a mean: Student's t, with critical values that the skewness of the samples moves outward."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from evidence import arguments, levels, rivals
from evidence.records import Scope

Array = NDArray[np.float64]
#: What is known of the samples' tails: bounds of all samples, or why no rare event carries the mean.
Tails = str | tuple[float, float]


def judge(
    samples: ArrayLike,
    predicted: ArrayLike,
    wrong: Mapping[str, ArrayLike],
    tails: Tails | None,
    tolerance: float | None,
) -> dict[str, Any]:
    """Test means against a prediction and its rivals; returns the numbers of a `Check`."""
    columns = _columns(samples)
    n, m = columns.shape
    bounds, assumes = _bounds(tails, columns)
    rivals.need(wrong)
    test = _Test(columns, bounds)
    right, others = _shaped(predicted, m), {name: _shaped(value, m) for name, value in wrong.items()}
    tolerance = rivals.need_near(right, others, test.resolution, tolerance)
    z, p = test.z(right), test.p(right)
    worst = int(np.argmin(p)) if np.min(p) < 1.0 else int(np.argmax(np.abs(z)))
    rejecting = {name: test.p(value) * m < levels.ALPHA for name, value in others.items()}
    return {
        "scope": Scope.MONTE_CARLO,
        **rivals.outcome(rejecting, bool(p[worst] * m >= levels.ALPHA), test.resolution, tolerance),
        "n": n,
        "z": round(float(z[worst]), 1),
        "critical": levels.digits(float(test.critical(right)[worst]), 3),
        "p": levels.digits(min(1.0, float(p[worst]) * m), 1),
        "alpha": levels.ALPHA,
        "resolution": levels.digits(float(np.max(test.resolution))),
        "assumes": assumes,
    }


class _Test:
    """The test of the means of columns; every array it gives has a number for each column."""

    def __init__(self, columns: Array, bounds: tuple[float, float] | None):
        n, m = columns.shape
        self.n, self.m = n, m
        self.mean = columns.mean(axis=0)
        centered = columns - self.mean
        variance = np.mean(centered**2, axis=0)
        skew = np.mean(centered**3, axis=0) / variance**1.5
        kurtosis = np.mean(centered**4, axis=0) / variance**2
        if np.any(kurtosis > math.sqrt(n)):
            raise ValueError(_carried(centered, int(np.argmax(kurtosis))))
        self.se = np.sqrt(variance / (n - 1))
        self.level = levels.ALPHA / (2 * m) if bounds is None else levels.ALPHA / (4 * m)
        noise = levels.skew_error(n)
        #: Skewness, in both directions, that the test reckons with: predictions above the mean, and below it.
        self.skew = np.maximum(0.0, np.stack([skew, -skew]) + noise)
        #: What events too rare to be in the sample may add to the mean, and take from it.
        unseen = -math.expm1(math.log(levels.ALPHA / 2) / n)
        self.hidden = np.zeros((2, m))
        if bounds is not None:
            self.hidden = unseen * np.stack([bounds[1] - self.mean, self.mean - bounds[0]])
        margin = levels.margin(n, self.level)
        reach = levels.outward(stats.t.isf(self.level, n - 1), self.skew, n) + margin
        self.resolution = np.max(reach * self.se + self.hidden, axis=0)

    def z(self, value: Array) -> Array:
        """Distances from the sample mean, in standard errors."""
        return (self.mean - value) / self.se

    def _side(self, value: Array) -> tuple[Array, Array]:
        above = self.mean < value
        return np.where(above, self.skew[0], self.skew[1]), np.where(above, self.hidden[0], self.hidden[1]) / self.se

    def p(self, value: Array) -> Array:
        """Probability, in each column, of samples as far off, if `value` is the mean."""
        skew, hidden = self._side(value)
        beyond = np.maximum(np.abs(self.z(value)) - hidden, 0.0)
        inward = levels.inward(beyond, skew, self.n)
        return 2 * stats.t.sf(inward, self.n - 1) * (levels.ALPHA / (2 * self.m) / self.level)

    def critical(self, value: Array) -> Array:
        """Largest distance, in standard errors, at which `value` is accepted."""
        skew, hidden = self._side(value)
        return levels.outward(stats.t.isf(self.level, self.n - 1), skew, self.n) + hidden


def _columns(samples: ArrayLike) -> Array:
    samples = arguments.array("samples", samples)
    if samples.ndim not in (1, 2) or len(samples) < 30 or samples.size == 0:
        raise ValueError(f"samples must have shape (n,) or (n, m) with n >= 30, got {samples.shape}")
    columns = samples.reshape(len(samples), -1)
    if not np.all(np.ptp(columns, axis=0) > 0.0):
        raise ValueError("samples must vary in every component")
    if np.all((columns == 0.0) | (columns == 1.0)):
        raise ValueError("samples are yes/no facts: their share is tested by `count`, without an approximation")
    return columns


def _shaped(value: ArrayLike, m: int) -> Array:
    return np.broadcast_to(arguments.array("predicted", value), (m,))


def _bounds(tails: Tails | None, columns: Array) -> tuple[tuple[float, float] | None, str]:
    n = len(columns)
    if tails is None or (isinstance(tails, str) and not tails.strip()):
        raise ValueError(
            "tails must be (low, high), which no sample can leave, or say why no rare event carries the mean: "
            f"{n} draws may well miss one of probability {levels.unseen(n):.1g}"
        )
    if isinstance(tails, str):
        return None, tails
    low, high = arguments.array("tails", tails, size=2)
    if np.min(columns) < low or np.max(columns) > high:
        raise ValueError(f"samples must lie in [{low:g}, {high:g}], got {np.min(columns):g} to {np.max(columns):g}")
    return (float(low), float(high)), f"samples in [{low:g}, {high:g}]"


def _carried(centered: Array, worst: int) -> str:
    """Says which samples carry the variance of a column."""
    n = len(centered)
    share = np.sort(centered[:, worst] ** 2)[::-1] / np.sum(centered[:, worst] ** 2)
    few = int(np.searchsorted(np.cumsum(share), 0.5)) + 1
    where = f" in component {worst}" if centered.shape[1] > 1 else ""
    return (
        f"{few} of {n} samples carry half of the variance{where}: the mean of so heavy a tail is not tested. Draw more "
        "samples, or test a bounded or transformed quantity"
    )
