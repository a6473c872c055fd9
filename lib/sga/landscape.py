"""Population landscapes: objective, slope, drift and attention mass as functions of the alignment rho = <q, xi>."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.polynomial.chebyshev import chebval
from numpy.typing import ArrayLike, NDArray

from sga import _series
from sga import _validate as check
from sga.model import Model

#: Alignments at which a landscape is looked at where nothing better is known of it.
SEARCH = np.linspace(-1.0, 1.0, 401)


class Sloped(Protocol):
    """All that `flow`, `time_to` and `shadow_distance` ask of a landscape."""

    def slope(self, rho: ArrayLike, /) -> NDArray[np.float64]:
        """dJ/d rho."""


class Landscape(ABC):
    """An objective J as a function of the alignment, with its slope, its drift and the attention mass.

    A subclass says what `objective`, `slope`, `mass` and `trap` are; `drift` and `is_monotone` follow.
    """

    @abstractmethod
    def objective(self, rho: ArrayLike) -> NDArray[np.float64]:
        """J(rho) = E|f|^2, in squared units of a token.

        Args:
            rho: alignment in [-1, 1], any shape.

        Returns:
            Array of the shape of `rho`.

        Raises:
            TypeError, ValueError: an entry of `rho` is not a number in [-1, 1].
        """

    @abstractmethod
    def slope(self, rho: ArrayLike) -> NDArray[np.float64]:
        """dJ/d rho. Args, Returns and Raises: as `objective`."""

    @abstractmethod
    def mass(self, rho: ArrayLike) -> NDArray[np.float64]:
        """Expected attention on the informative tokens, in [0, 1]. Args, Returns and Raises: as `objective`."""

    @abstractmethod
    def trap(self) -> float | None:
        """The largest alignment in (-1, 1) at which the slope changes from - to +, or None if there is none."""

    def drift(self, rho: ArrayLike) -> NDArray[np.float64]:
        """(1 - rho^2) dJ/d rho, the right-hand side of the rho-ODE. Args, Returns and Raises: as `objective`."""
        rho = check.alignment("rho", rho)
        return (1.0 - rho) * (1.0 + rho) * self.slope(rho)

    def is_monotone(self) -> bool:
        """Whether J increases strictly on [-1, 1], as far as a grid of 401 alignments shows."""
        return bool(np.all(self.slope(SEARCH) > 0.0))


@dataclass(frozen=True)
class OfModel(Landscape):
    """A landscape made from a `Model`.

    Args:
        model: the `Model`.

    Raises:
        TypeError: `model` is not a `Model`.
    """

    model: Model

    def __post_init__(self) -> None:
        check.instance("model", self.model, Model)


@dataclass(frozen=True)
class Tabulated(Landscape):
    """A landscape as Chebyshev series in rho, for integrators, which ask for many values.

    The series are made at the first use, from one call for 17, 33, 65, ... alignments at a time.

    Args:
        landscape: a `Landscape`, or an object with `objective(rho)`, `slope(rho)` and `mass(rho)` at least.
        tolerance: error asked for, relative to the largest value of each of the three on [-1, 1], in 1e-13..1e-3.

    Raises:
        TypeError: `landscape` is not a landscape, or `tolerance` is not a number.
        ValueError: `tolerance` is outside its range.

    Every method raises RuntimeError if 4,097 terms do not reach the tolerance.
    """

    landscape: Landscape
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        check.landscape("landscape", self.landscape, "objective", "slope", "mass")
        object.__setattr__(self, "tolerance", check.real("tolerance", self.tolerance, 1e-13, 1e-3))

    @cached_property
    def _all(self):
        of = self.landscape
        series = _series.fit(lambda x: np.stack([of.objective(x), of.slope(x), of.mass(x)]), self.tolerance)
        if series is None:
            raise RuntimeError(f"{of} has no Chebyshev series with an error of {self.tolerance:g} within 4,097 terms")
        return series

    def objective(self, rho: ArrayLike) -> NDArray[np.float64]:
        """J(rho). Args, Returns and Raises: as `Landscape.objective`."""
        return self._value(0, rho)

    def slope(self, rho: ArrayLike) -> NDArray[np.float64]:
        """dJ/d rho. Args, Returns and Raises: as `Landscape.objective`."""
        return self._value(1, rho)

    def mass(self, rho: ArrayLike) -> NDArray[np.float64]:
        """Expected attention on the informative tokens. Args, Returns and Raises: as `Landscape.objective`."""
        return self._value(2, rho)

    def trap(self) -> float | None:
        """The `trap()` of the landscape."""
        return self.landscape.trap()

    def is_monotone(self) -> bool:
        """The `is_monotone()` of the landscape."""
        return self.landscape.is_monotone()

    def _value(self, row, rho):
        return chebval(check.alignment("rho", rho), self._all[row])
