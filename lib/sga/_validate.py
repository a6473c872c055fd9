"""Checks of arguments at the public boundary: each returns the clean value or names the bad one and what is allowed."""

import math
import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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


def integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return `value` as an int in low..high, or raise."""
    allowed = f"an integer >= {low}" if high is None else f"an integer in {low}..{high}"
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be {allowed}, got {value!r}") from None
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be {allowed}, got {value!r}")
    if number < low or (high is not None and number > high):
        raise ValueError(f"{name} must be {allowed}, got {number}")
    return number


def real(
    name: str, value: Any, low: float = -math.inf, high: float = math.inf, *, above: bool = False, below: bool = False
) -> float:
    """Return `value` as a finite float in [low, high] (open at an end where `above` or `below` says so), or raise."""
    left = "finite" if low == -math.inf else f"{'>' if above else '>='} {low:g}"
    right = "" if high == math.inf else f" and {'<' if below else '<='} {high:g}"
    try:
        if isinstance(value, bool | np.bool_ | str | bytes):
            raise TypeError
        number = float(value)
    except OverflowError:
        number = math.inf
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, {left}{right}, got {value!r}") from None
    inside = (number > low if above else number >= low) and (number < high if below else number <= high)
    if not (math.isfinite(number) and inside):
        raise ValueError(f"{name} must be {left}{right}, got {number:g}")
    return number


def array(
    name: str, values: ArrayLike, low: float = -math.inf, high: float = math.inf, *, size: int | None = None
) -> NDArray[np.float64]:
    """Return `values` as a finite float64 array with entries in [low, high] and last axis `size`, or raise."""
    try:
        raw = np.asarray(values)
    except ValueError:
        raise TypeError(f"{name} must be an array of real numbers, got a ragged {type(values).__name__}") from None
    if raw.dtype.kind not in "iuf" and raw.size:
        raise TypeError(f"{name} must be an array of real numbers, got {type(values).__name__} of type {raw.dtype}")
    out = raw.astype(np.float64)
    if size is not None and (out.ndim == 0 or out.shape[-1] != size):
        raise ValueError(f"{name} must have last axis of size {size}, got shape {out.shape}")
    bad = ~(np.isfinite(out) & (out >= low) & (out <= high))
    if bad.any():
        worst = out[bad].flat[0]
        allowed = "finite" if low == -math.inf and high == math.inf else f"in [{low:g}, {high:g}]"
        raise ValueError(f"{name} must be {allowed}, got {worst:g}")
    return out


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
