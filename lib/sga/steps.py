"""Step-size schedules eta_0, eta_1, ... and the time they add up to."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sga import _validate as check


class StepSize(Protocol):
    """What `ascend` and the others ask of a schedule."""

    def __call__(self, k: ArrayLike, /) -> NDArray[np.float64]:
        """eta_k for step indices k >= 0, any shape."""

    def time(self, k: ArrayLike, /) -> NDArray[np.float64]:
        """Time eta_0 + ... + eta_{k-1} reached after k steps; k: integers >= 0, any shape."""


@dataclass(frozen=True)
class PowerLaw:
    """eta_k = scale / (offset + k)^power, k = 0, 1, ...

    Args:
        scale: finite and > 0.
        power: finite and >= 0; 1/2 < power <= 1 satisfies the Robbins-Monro conditions.
        offset: finite and > 0; the schedule is nearly constant until k is of its size.

    Raises:
        TypeError, ValueError: an argument is not a number in its range.

    Source: Robbins and Monro (1951), conditions sum eta = inf, sum eta^2 < inf.
    """

    scale: float
    power: float
    offset: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", check.real("scale", self.scale, 0.0, above=True))
        object.__setattr__(self, "power", check.real("power", self.power, 0.0))
        object.__setattr__(self, "offset", check.real("offset", self.offset, 0.0, above=True))

    def __call__(self, k: ArrayLike) -> NDArray[np.float64]:
        """eta_k for step indices k >= 0, any shape."""
        return self.scale / (self.offset + check.array("k", k, 0.0)) ** self.power

    def time(self, k: ArrayLike) -> NDArray[np.float64]:
        """Time eta_0 + ... + eta_{k-1} reached after k steps; k: integers >= 0, any shape."""
        return _time(self, k)

    def is_robbins_monro(self) -> bool:
        """Whether sum eta_k diverges and sum eta_k^2 converges."""
        return 0.5 < self.power <= 1.0


@dataclass(frozen=True)
class Constant:
    """eta_k = scale for every k.

    Args:
        scale: finite and > 0.

    Raises:
        TypeError, ValueError: `scale` is not a number in its range.
    """

    scale: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", check.real("scale", self.scale, 0.0, above=True))

    def __call__(self, k: ArrayLike) -> NDArray[np.float64]:
        """eta_k for step indices k >= 0, any shape."""
        return np.full_like(check.array("k", k, 0.0), self.scale)

    def time(self, k: ArrayLike) -> NDArray[np.float64]:
        """Time eta_0 + ... + eta_{k-1} reached after k steps; k: integers >= 0, any shape."""
        return _time(self, k)

    def is_robbins_monro(self) -> bool:
        """False: the squares of a constant do not sum."""
        return False


def _time(schedule, k):
    k = check.array("k", k, 0.0)
    if np.any(k != np.floor(k)):
        raise ValueError(f"k must be integers >= 0, got {k[k != np.floor(k)].flat[0]:g}")
    last = int(k.max()) if k.size else 0
    clock = np.concatenate(([0.0], np.cumsum(schedule(np.arange(last)))))
    return clock[k.astype(np.intp)]
