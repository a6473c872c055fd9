"""The rho-ODE, rho' = (1 - rho^2) dJ/d rho: its flow, its clock, and how closely runs shadow it.

All use y = artanh(rho), in which the equation reads y' = dJ/d rho at tanh y: the poles are at infinity and
nothing is stiff.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import quad, solve_ivp

from sga import _series
from sga import _validate as check
from sga.ascent import Paths
from sga.landscape import Sloped

RELATIVE, ABSOLUTE = 1e-11, 1e-13
#: `shadow_distance` integrates about this many starts at once, and the flow's series in time errs by about SERIES.
TOGETHER, SERIES = 2000, 1e-10


def flow(landscape: Sloped, rho0: ArrayLike, t: ArrayLike) -> NDArray[np.float64]:
    """Solution of the rho-ODE from rho0, at the times t.

    Args:
        landscape: an object with `slope(rho)`, such as `Limit`.
        rho0: initial alignment in [-1, 1], any shape S.
        t: times >= 0 in any order, a number or shape (n,), in units of step size times steps.

    Returns:
        Array of shape S + t.shape.

    Raises:
        TypeError: `landscape` has no slope.
        ValueError: rho0 outside [-1, 1], t negative, not finite or of more than one axis; a slope that is not finite.
        RuntimeError: the integrator failed.

    Source: claim B3; the book's equation (rho-ode).
    """
    check.landscape("landscape", landscape, "slope")
    rho0 = check.alignment("rho0", rho0)
    t = check.array("t", t, 0.0)
    if t.ndim > 1:
        raise ValueError(f"t must be a number or have shape (n,), got shape {t.shape}")
    times, where = np.unique(t, return_inverse=True)
    start = rho0.ravel()
    out = np.repeat(start[:, None], times.size, axis=1)
    inside = np.abs(start) < 1.0
    check.array("landscape.slope(rho0)", landscape.slope(start))
    if times.size and times[-1] > 0.0 and inside.any():
        solution = solve_ivp(
            lambda _, y: landscape.slope(np.tanh(y)),
            (0.0, times[-1]),
            np.arctanh(start[inside]),
            method="DOP853",
            t_eval=times,
            rtol=RELATIVE,
            atol=ABSOLUTE,
        )
        if not solution.success:
            raise RuntimeError(f"the rho-ODE could not be integrated to t = {times[-1]:g}: {solution.message}")
        out[inside] = np.tanh(solution.y)
    return out[:, where.ravel()].reshape(rho0.shape + t.shape)


def time_to(landscape: Sloped, rho0: float, rho1: float) -> float:
    """Time the rho-ODE takes from rho0 to rho1.

    Args:
        landscape: an object with `slope(rho)`, such as `Limit`.
        rho0: initial alignment, a number in [-1, 1].
        rho1: target alignment, a number in [-1, 1].

    Returns:
        The time as a float, in units of step size times steps; `inf` if the flow from rho0 never reaches rho1
        (it moves away, an equilibrium lies between, or rho1 is a pole).

    Raises:
        TypeError: `landscape` has no slope, or rho0 or rho1 is not a number.
        ValueError: rho0 or rho1 is outside [-1, 1].

    Source: claim B7; the book's equation (clock).
    """
    check.landscape("landscape", landscape, "slope")
    rho0 = check.real("rho0", rho0, -1.0, 1.0)
    rho1 = check.real("rho1", rho1, -1.0, 1.0)
    if rho0 == rho1:
        return 0.0
    if abs(rho0) == 1.0 or abs(rho1) == 1.0:
        return np.inf
    y0, y1 = np.arctanh([rho0, rho1])
    along = landscape.slope(np.tanh(np.linspace(y0, y1, 2001))) * np.sign(y1 - y0)
    if np.any(along <= 0.0):
        return np.inf
    return quad(lambda y: 1.0 / landscape.slope(np.tanh(y)), y0, y1, epsabs=0.0, epsrel=1e-11, limit=500)[0]


def shadow_distance(paths: Paths, landscape: Sloped, window: float) -> NDArray[np.float64]:
    r"""Distance of each run from the flow restarted at each of its records, over a window of time.

    For a start t = t_j it is sup over 0 <= h <= window of |X(t + h) - Phi_h(X(t))|, where X interpolates the recorded
    alignments linearly and Phi is the flow. The flow is interpolated at the same times, so the supremum is attained
    at a record or at the end of the window, and a path that lies on the flow has distance 0 however coarse its
    records are; what this leaves out is at most (spacing of the records)^2 / 8 times sup |rho''| of the flow.

    Args:
        paths: `Paths` of `ascend`; with `every=1` each iterate is a record.
        landscape: an object with `slope(rho)`, such as `Limit`.
        window: T > 0, in units of step size times steps; at most the time the paths cover.

    Returns:
        Array of shape (runs, starts), starts being the records t_j with t_j + T not beyond the last record.

    Raises:
        TypeError: `paths` is not a `Paths`, `landscape` has no slope, or `window` is not a number.
        ValueError: `window` is not in the range above.
        RuntimeError: the flow over the window could not be resolved.

    Source: claim A7; the book's equation (ode-apt).
    """
    check.instance("paths", paths, Paths)
    check.landscape("landscape", landscape, "slope")
    time, rho = paths.time, np.clip(paths.rho, -1.0, 1.0)
    covered = time[-1] - time[0]
    window = check.real("window", window, 0.0, above=True)
    if window > covered * (1.0 + 1e-12):
        raise ValueError(f"window must be <= the time the paths cover, {covered:g}, got {window:g}")
    ends = np.minimum(time[time <= time[-1] - window + 1e-12 * covered] + window, time[-1])
    # The record that closes each window: the first one not before its end.
    close = np.searchsorted(time, ends)
    reach = np.max(time[close] - time[: ends.size])
    out = np.empty((len(rho), ends.size))
    chunk = max(1, TOGETHER // len(rho))
    for first in range(0, ends.size, chunk):
        part = range(first, min(first + chunk, ends.size))
        start = rho[:, part.start : part.stop]
        series = _series.fit(lambda x, start=start: flow(landscape, start, reach * (x + 1.0) / 2.0), SERIES, 1.0)
        if series is None:
            raise RuntimeError(f"the flow over a window of {window:g} can't be resolved: shorten the window")
        for j in part:
            lags = time[j : close[j] + 1] - time[j]
            gap = rho[:, j : close[j] + 1] - _series.value(series[:, j - first], 2.0 * lags / reach - 1.0)
            share = (ends[j] - time[close[j] - 1]) / (time[close[j]] - time[close[j] - 1])
            gap[:, -1] = (1.0 - share) * gap[:, -2] + share * gap[:, -1]
            out[:, j] = np.max(np.abs(gap), axis=-1)
    return out
