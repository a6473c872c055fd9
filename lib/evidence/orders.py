"""The check of an order of convergence: every local slope, or a fit that must also describe the points."""

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from evidence import arguments, levels, rivals
from evidence.records import Scope

Array = NDArray[np.float64]


def judge(
    h: ArrayLike,
    errors: ArrayLike,
    expected: float,
    wrong: Mapping[str, float],
    se: ArrayLike | None,
    runs: int | None,
) -> dict[str, Any]:
    """Check an exponent against its rivals; returns the numbers of a `Check`."""
    x, y, by_size = _logarithms(h, errors)
    expected = arguments.real("expected", expected)
    wrong = {name: arguments.real("a rival", value) for name, value in rivals.need(wrong).items()}
    if se is None:
        if runs is not None:
            raise ValueError("runs must come with se, the standard errors that they give")
        return _exact(x, y, expected, wrong)
    if runs is None:
        raise ValueError("runs must say from how many runs each standard error was estimated")
    runs = arguments.integer("runs", runs, 30)
    se = arguments.array("se", se)
    if se.shape != x.shape or np.any(se <= 0.0):
        raise ValueError(f"se must have shape {x.shape} and be > 0, got shape {se.shape} and {se.tolist()}")
    relative = se[by_size] / np.exp(y)
    return _noisy(x, y, relative, runs, expected, wrong)


def _logarithms(h: ArrayLike, errors: ArrayLike) -> tuple[Array, Array, NDArray[np.intp]]:
    h, errors = arguments.array("h", h), arguments.array("errors", errors)
    if h.ndim != 1 or h.size < 3 or errors.shape != h.shape:
        raise ValueError(f"h and errors must have shape (m,), m >= 3, got {h.shape} and {errors.shape}")
    if np.any(h <= 0.0) or np.unique(h).size < h.size:
        raise ValueError(f"h must be distinct and > 0, got {h.tolist()}")
    signs = np.sign(errors)
    if signs[0] == 0.0 or np.any(signs != signs[0]):
        raise ValueError("errors must be nonzero and of one sign: their logarithm is taken")
    by_size = np.argsort(h)
    return np.log(h[by_size]), np.log(np.abs(errors[by_size])), by_size


def _exact(x: Array, y: Array, expected: float, wrong: Mapping[str, float]) -> dict[str, Any]:
    """Every local slope, from the smallest sizes to the largest."""
    slopes, middle = np.diff(y) / np.diff(x), (x[1:] + x[:-1]) / 2
    off = np.abs(slopes - expected)
    ratio = np.exp(levels.ORDER_RATE * np.diff(middle))
    closing = all(
        near <= max(levels.ORDER_FLOOR, far / faster)
        for (near, far), faster in zip(itertools.pairwise(off), ratio, strict=True)
    )
    judged = tuple(
        (name, bool(abs(slopes[0] - value) > levels.ORDER_TOLERANCE and np.all(np.abs(slopes - value) > off)))
        for name, value in wrong.items()
    )
    accepted = bool(off[0] <= levels.ORDER_TOLERANCE and closing)
    return {
        "scope": Scope.EXACT,
        "accepted": accepted,
        "judged": judged,
        "n": x.size,
        "error": levels.ORDER_TOLERANCE,
    }


def _noisy(
    x: Array, y: Array, relative: Array, runs: int, expected: float, wrong: Mapping[str, float]
) -> dict[str, Any]:
    """The weighted least-squares slope, and the distance of the points from its line."""
    weight = 1.0 / relative**2
    centered = x - np.average(x, weights=weight)
    spread = np.sum(weight * centered**2)
    slope, se = np.sum(weight * centered * y) / spread, 1.0 / math.sqrt(spread)
    line = np.average(y, weights=weight) + slope * centered
    degrees = x.size - 2
    fit = float(stats.f.sf(np.sum(weight * (y - line) ** 2) / degrees, degrees, runs - 1))
    level = levels.ALPHA / 4  # half of ALPHA for the slope, half for the fit
    critical = float(stats.t.isf(level, runs - 1))

    def z(value: float) -> float:
        return float((slope - value) / se)

    p = min(1.0, 2 * min(2 * float(stats.t.sf(abs(z(expected)), runs - 1)), fit))
    return {
        "scope": Scope.MONTE_CARLO,
        "accepted": p >= levels.ALPHA,
        "judged": tuple((name, abs(z(value)) > critical) for name, value in wrong.items()),
        "n": x.size,
        "runs": runs,
        "z": round(z(expected), 1),
        "critical": levels.digits(critical, 3),
        "p": levels.digits(p, 1),
        "fit": levels.digits(fit, 1),
        "alpha": levels.ALPHA,
        "resolution": levels.digits((critical + levels.margin(runs, level)) * se),
    }
