"""The landscapes of many tokens: at fixed dimension, and in a dimension that grows with the number of tokens."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import expit

from sga import _validate as check
from sga.landscape import OfModel


@cache
def _compiled(name):
    """NumPy function of an expression of `symbols`; derived and compiled at its first use."""
    import sympy as sp

    from sga import symbols as sym

    if name == "mass":
        return sp.lambdify((sym.rho, sym.s0, sym.theta, sym.beta), sym.mass_logistic, "numpy")
    if name.startswith("excess"):
        return sp.lambdify((sym.p, sym.pi, sym.theta, sym.beta, sym.gamma), getattr(sym, name), "numpy")
    return sp.lambdify((sym.rho, sym.p, sym.theta, sym.beta), getattr(sym, name), "numpy")


class _ManyTokens(OfModel):
    """What the two limits share: the mass, the units, and when there is a trap."""

    def objective(self, rho: ArrayLike) -> NDArray[np.float64]:
        """J(rho) = E|f|^2, in squared units of a token. Args, Returns and Raises: as `Landscape.objective`."""
        return self._in_units("objective", rho)

    def slope(self, rho: ArrayLike) -> NDArray[np.float64]:
        """dJ/d rho. Args, Returns and Raises: as `Landscape.objective`."""
        return self._in_units("slope", rho)

    def mass(self, rho: ArrayLike) -> NDArray[np.float64]:
        """Attention on the informative tokens, in [0, 1]. Args, Returns and Raises: as `Landscape.objective`."""
        return self._mass(check.alignment("rho", rho))

    def trap(self) -> float | None:
        """The alignment in (-1, 0) at which the slope changes sign, or None if J increases on all of [-1, 1]."""
        return None if self._is_flat or self.model.informative == self.model.tokens else self._zero()

    def is_monotone(self) -> bool:
        """Whether J increases strictly on [-1, 1].

        A flat landscape (no informative token, or theta = 0) does not.
        """
        return not self._is_flat and self.trap() is None

    @property
    def _is_flat(self):
        return self.model.informative == 0 or self.model.theta == 0.0

    def _mass(self, rho):
        with np.errstate(over="ignore"):
            return _compiled("mass")(rho, self.model.logit, *self.model.in_units_of_noise)

    def _in_units(self, name, rho):
        rho = check.alignment("rho", rho)
        return self.model.sigma**2 * self._value(name, rho, self._mass(rho))

    def _value(self, name, rho, p):
        """The objective or the slope at sigma = 1, at alignment rho and mass p."""
        return _compiled(name)(rho, p, *self.model.in_units_of_noise)

    @abstractmethod
    def _zero(self):
        """The zero of the slope in (-1, 0), or None, where there are tokens of both kinds and theta > 0."""


@dataclass(frozen=True)
class Limit(_ManyTokens):
    r"""The landscape of many tokens: L -> infinity at fixed share pi = R/L, temperature and dimension.

    Noise of size sigma is reduced to sigma = 1 by theta -> theta/sigma, beta -> beta sigma, J -> sigma^2 J.

    Args:
        model: the `Model`; only pi, theta, beta and sigma matter.

    Raises:
        TypeError: `model` is not a `Model`.

    Source: claims B1, B2, B4, B5; the book's equations (limit-objective), (limit-slope) and (trap).
    """

    def _zero(self):
        """The root, found in the score s = s_0 + beta theta rho, where the equation
        s + e^s + 1 + theta^2/(1 + e^-s) = s_0 has a strictly increasing left side.
        """
        s0, (theta, b) = self.model.logit, self.model.in_units_of_noise
        lowest = s0 - b * theta
        if _balance(lowest, theta, s0) >= 0.0:
            return None
        # The left side is negative at the second bound too, which keeps the bracket short at huge theta.
        low = max(lowest, min(s0, 0.0) - 3.0 - 2.0 * math.log1p(theta))
        s = brentq(_balance, low, s0, args=(theta, s0), xtol=1e-14, rtol=1e-14)
        return (s - s0) / (theta * b)


@dataclass(frozen=True)
class Proportional(_ManyTokens):
    r"""The landscape of many tokens in many dimensions: L -> infinity with (d - 1)/L -> gamma.

    The noise adds gamma e^{beta^2} times the concentration of the weights, which is least at the equator: it pulls
    to both poles.

    Args:
        model: the `Model`; gamma is its (d - 1)/L.

    Raises:
        TypeError: `model` is not a `Model`.
        ValueError: beta sigma is above 26, where e^{beta^2} has no floating-point number.

    Source: the book's equations (proportional-objective) and (proportional-slope).
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        _, b = self.model.in_units_of_noise
        if b > 26.0:
            raise ValueError(f"beta sigma must be <= 26 in the proportional regime, got {b:g}")

    @property
    def _gamma(self):
        return (self.model.dim - 1) / self.model.tokens

    def _value(self, name, rho, p):
        return super()._value(name, rho, p) + self._noise(name, p)

    def _noise(self, name, p):
        """What the noise across q adds."""
        theta, b = self.model.in_units_of_noise
        if self.model.pi in (0.0, 1.0):
            return self._gamma * math.exp(b**2) if name == "objective" else 0.0
        excess = _compiled("excess" if name == "objective" else "excess_slope")
        return excess(p, self.model.pi, theta, b, self._gamma)

    def _zero(self):
        """The root: the slope is 2 beta theta p (1 - p) times a strictly increasing function of rho."""
        arguments = (self.model.pi, *self.model.in_units_of_noise, self._gamma)
        if _force(-1.0, *arguments) >= 0.0:
            return None
        return brentq(_force, -1.0, 0.0, args=arguments, xtol=1e-14, rtol=1e-14)


def _force(rho, pi, theta, b, gamma):
    """The slope of the proportional regime over 2 beta theta p (1 - p), at rho <= 0: strictly increasing in rho."""
    r = math.exp(b * theta * rho)
    total = pi * r + 1.0 - pi
    odds = pi * r / (1.0 - pi)
    return 1.0 + odds + b * theta * rho + theta**2 * pi * r / total + gamma * math.exp(b * b) * (r - 1.0) / total


def critical_gamma(pi: ArrayLike, theta: float, beta: float = 1.0, sigma: float = 1.0) -> NDArray[np.float64]:
    r"""The dimension per token above which -xi attracts in the proportional regime.

    Args:
        pi: share of informative tokens, in (0, 1), any shape.
        theta: signal strength, finite and > 0.
        beta: inverse temperature, finite and > 0.
        sigma: standard deviation of the noise, finite and > 0.

    Returns:
        Array of the shape of `pi`; 0 where -xi attracts whatever the dimension.

    Raises:
        ValueError: an argument is outside its range.

    Source: the book's equation (critical-gamma).
    """
    pi = _share(pi)
    sigma = check.real("sigma", sigma, 0.0, above=True)
    b = check.real("beta", beta, 0.0, above=True) * sigma
    theta = check.real("theta", theta, 0.0, above=True) / sigma
    at_pole = np.vectorize(lambda share: _force(-1.0, share, theta, b, 0.0), otypes=[float])(pi)
    r = math.exp(-b * theta)
    return np.maximum(0.0, math.exp(-b * b) * (pi * r + 1.0 - pi) * at_pole / -math.expm1(-b * theta))


def _share(pi):
    """`pi` as an array with entries in (0, 1), or raise."""
    pi = check.array("pi", pi, 0.0, 1.0)
    edge = (pi == 0.0) | (pi == 1.0)
    if np.any(edge):
        raise ValueError(f"pi must be in (0, 1), got {pi[edge].flat[0]:g}")
    return pi


def _balance(s, theta, s0):
    """Left side less right side of the equation for the zero of the slope."""
    return s + math.exp(s) + 1.0 + theta**2 * expit(s) - s0


def critical_theta(pi: ArrayLike, beta: float = 1.0, sigma: float = 1.0) -> NDArray[np.float64]:
    r"""The signal strength above which J has a trap.

    With sigma = 1 it is the one theta with beta theta = 1 + e^s + theta^2/(1 + e^-s), s = logit(pi) - beta theta.

    Args:
        pi: share of informative tokens, in (0, 1), any shape.
        beta: inverse temperature, finite and > 0.
        sigma: standard deviation of the noise, finite and > 0.

    Returns:
        Array of the shape of `pi`, in the units of a token.

    Raises:
        ValueError: an entry of `pi` is outside (0, 1), or beta or sigma is not > 0.

    Source: claim B4; the book's equation (critical).
    """
    pi = _share(pi)
    b = check.real("beta", beta, 0.0, above=True) * check.real("sigma", sigma, 0.0, above=True)

    def excess(theta, s0):
        return _balance(s0 - b * theta, theta, s0)

    def solve(share):
        s0 = math.log(share) - math.log1p(-share)
        high = 2.0 / b
        while excess(high, s0) > 0.0:
            high *= 2.0
        return brentq(excess, 0.0, high, args=(s0,), xtol=1e-14, rtol=1e-14)

    return float(sigma) * np.vectorize(solve, otypes=[float])(pi)
