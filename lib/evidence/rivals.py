"""Rivals: the wrong predictions that a check must reject, and when they are too far off to prove anything."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence import arguments

#: Distance of the nearest rival, in resolutions, beyond which it says nothing of what a test can see.
FAR = 5.0


def need(rivals: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the rivals, or raise if there are none."""
    if not rivals:
        raise ValueError("rivals must name at least one wrong prediction: a check that cannot fail proves nothing")
    return rivals


def need_near(
    predicted: NDArray[np.float64],
    wrong: Mapping[str, NDArray[np.float64]],
    resolution: NDArray[np.float64],
    tolerance: float | None,
) -> float | None:
    """Return the tolerance of a statistical check, or raise if neither it nor the nearest rival can be missed.

    Args:
        predicted: predictions, shape (m,).
        wrong: {name: wrong predictions}, each of shape (m,).
        resolution: smallest differences that are seen, shape (m,).
        tolerance: stated difference that matters, > 0, or None; then the nearest rival must be within FAR resolutions.
    """
    gaps = {name: np.abs(value - predicted) for name, value in wrong.items()}
    if tolerance is None:
        nearest = min(gaps, key=lambda name: float(np.max(gaps[name] / resolution)))
        far = float(np.max(gaps[nearest] / resolution))
        if far > FAR:
            raise ValueError(
                f"the nearest rival, {nearest!r}, is {far:.0f} times as far off as what the test sees: name a nearer "
                "one, or state the tolerance, the difference that matters"
            )
        return None
    tolerance = arguments.real("tolerance", tolerance, 0.0, above=True)
    nearest = min(gaps, key=lambda name: float(np.max(gaps[name])))
    if tolerance >= np.max(gaps[nearest]):
        gap = float(np.max(gaps[nearest]))
        raise ValueError(f"tolerance must be below the distance to the rival {nearest!r}, {gap:.3g}, got {tolerance:g}")
    return tolerance
