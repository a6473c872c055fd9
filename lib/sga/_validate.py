"""Checks of arguments at the public boundary: the general ones, and those of alignments and of unit vectors."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evidence.arguments import array, integer, real

__all__ = ["UNIT_TOLERANCE", "alignment", "array", "integer", "real", "unit"]

UNIT_TOLERANCE = 1e-8


def instance(name: str, value: Any, kind: type) -> Any:
    """Return `value`, an instance of the class `kind`, or raise."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, got {type(value).__name__}")
    return value


def landscape(name: str, value: Any, *methods: str) -> Any:
    """Return `value`, a landscape or another object with these methods, or raise."""
    missing = [method for method in methods if not callable(getattr(value, method, None))]
    if missing or isinstance(value, type):
        needed = ", ".join(f"{method}(...)" for method in methods)
        raise TypeError(f"{name} must be a landscape such as Limit(model), with {needed}; got {value!r}")
    return value


def alignment(name: str, rho: ArrayLike) -> NDArray[np.float64]:
    """Return `rho` as a float64 array in [-1, 1], or raise."""
    return array(name, rho, -1.0, 1.0)


def unit(name: str, q: ArrayLike, size: int | None = None) -> NDArray[np.float64]:
    """Return `q` as a float64 array of unit vectors along its last axis, or raise."""
    out = array(name, q, size=size)
    if out.ndim == 0:
        raise ValueError(f"{name} must be a vector, got the scalar {out:g}")
    norms = np.sqrt(np.sum(out * out, axis=-1))
    off = np.abs(norms - 1.0)
    if off.size and off.max() > UNIT_TOLERANCE:
        raise ValueError(
            f"{name} must have norm 1 (within {UNIT_TOLERANCE:g}), got norm {norms.flat[off.argmax()]:.10g}"
        )
    return out
