"""Checks of arguments at the public boundary: each returns the clean value or names the bad one and what is allowed."""

import math
import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


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


def whole(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return `values`, yes/no facts or whole numbers, as a float64 array, or raise."""
    raw = np.asarray(values)
    out = array(name, raw.astype(np.int8) if raw.dtype.kind == "b" else values)
    off = out[out != np.round(out)]
    if off.size:
        raise ValueError(f"{name} must hold yes/no facts or whole numbers, got {off.flat[0]:g}")
    return out
