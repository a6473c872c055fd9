"""Rivals: the wrong predictions that a check must reject, and when they are too far off to prove anything."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence import arguments, levels

Array = NDArray[np.float64]
#: Distance of the nearest rival, in resolutions, beyond which it says nothing of what a test can see.
FAR = 5.0


def need(rivals: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the rivals, or raise if there are none."""
    if not rivals:
        raise ValueError("rivals must name at least one wrong prediction: a check that cannot fail proves nothing")
    return rivals


def need_near(predicted: Array, wrong: Mapping[str, Array], resolution: Array, tolerance: float | None) -> float | None:
    """Return the tolerance of a statistical check, or raise if it says nothing of what the test sees.

    Args:
        predicted: predictions, shape (m,).
        wrong: {name: wrong predictions}, each of shape (m,).
        resolution: smallest differences that are seen, shape (m,).
        tolerance: the difference that matters, > 0 and less than the distance of every rival; or None, and then the
            nearest rival must be within FAR resolutions.
    """
    gaps = {name: np.abs(value - predicted) for name, value in wrong.items()}
    if tolerance is None:
        far = {name: float(np.max(gap / resolution)) for name, gap in gaps.items()}
        nearest = min(far, key=far.__getitem__)
        if far[nearest] > FAR:
            raise ValueError(
                f"the nearest rival, {nearest!r}, is {far[nearest]:.0f} times as far off as what the test sees: name a "
                "nearer one, or state tolerance=, the difference that matters"
            )
        return None
    tolerance = arguments.real("tolerance", tolerance, 0.0, above=True)
    widest = {name: float(np.max(gap)) for name, gap in gaps.items()}
    nearest = min(widest, key=widest.__getitem__)
    if tolerance >= widest[nearest]:
        raise ValueError(
            f"tolerance must be below the distance to the rival {nearest!r}, {widest[nearest]:.3g}, got {tolerance:g}"
        )
    return tolerance


def outcome(
    rejecting: Mapping[str, NDArray[np.bool_]], accepted: bool, resolution: Array, tolerance: float | None
) -> dict[str, Any]:
    """What a test of several components says: which of them reject which rival, and whether all of it passes.

    Args:
        rejecting: {name of a rival: the components that reject it, shape (m,)}.
        accepted: whether the prediction is accepted in every component.
        resolution: smallest differences that are seen, shape (m,).
        tolerance: the difference that matters, or None; then every component must reject a rival.
    """
    tested = np.any(list(rejecting.values()), axis=0)
    untested = [] if tolerance is not None else np.flatnonzero(~tested).tolist()
    sees = float(np.max(resolution))
    several = resolution.size > 1
    return {
        "accepted": accepted and not (several and untested) and (tolerance is None or sees <= tolerance),
        "judged": tuple((name, bool(np.any(found))) for name, found in rejecting.items()),
        "rejecting": tuple(tuple(np.flatnonzero(found).tolist()) for found in rejecting.values()) if several else (),
        "untested": tuple(untested) if several else (),
        "components": resolution.size if several else None,
        "error": None if tolerance is None else levels.digits(tolerance, 3),
    }
