"""Population landscapes: objective, slope, drift and attention mass as functions of the alignment rho = <q, xi>.

A landscape is any object with `objective(rho)`, `slope(rho)`, `drift(rho)`, `mass(rho)`, `trap()` and
`is_monotone()`; `flow` and the chapters use nothing else of it.
"""

import math
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.polynomial.chebyshev import chebval
from scipy.optimize import brentq
from scipy.special import expit

from sga import _series
from sga import _validate as check
from sga.model import Model


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


@dataclass(frozen=True)
class _OfModel:
    """A landscape made from a `Model`, with its parameters in units in which the noise has size 1."""

    model: Model

    def __post_init__(self):
        if not isinstance(self.model, Model):
            raise TypeError(f"model must be a Model, got {type(self.model).__name__}")

    @property
    def _theta(self):
        return self.model._unit[0]

    @property
    def _beta(self):
        return self.model._unit[1]


@dataclass(frozen=True)
class Limit(_OfModel):
    r"""The landscape of many tokens: L -> infinity at fixed share pi = R/L, temperature and dimension.

    Noise of size sigma is reduced to sigma = 1 by theta -> theta/sigma, beta -> beta sigma, J -> sigma^2 J.

    Args:
        model: the `Model`; only pi, theta, beta and sigma matter.

    Raises:
        TypeError: `model` is not a `Model`.

    Source: claims B1, B2, B4, B5; the book's equations (limit-objective), (limit-slope) and (trap).
    """

    def mass(self, rho):
        """Attention on the informative tokens, in [0, 1].

        Args:
            rho: alignment in [-1, 1], any shape.

        Returns:
            Array of the shape of `rho`.

        Raises:
            ValueError: an entry of `rho` is outside [-1, 1].
        """
        rho = check.alignment("rho", rho)
        with np.errstate(over="ignore"):
            return _compiled("mass")(rho, self.model.logit, self._theta, self._beta)

    def objective(self, rho):
        """J(rho) = E|f|^2, in squared units of a token. Args, Returns and Raises: as `mass`."""
        return self.model.sigma**2 * self._evaluate("objective", rho)

    def slope(self, rho):
        """dJ/d rho. Args, Returns and Raises: as `mass`."""
        return self.model.sigma**2 * self._evaluate("slope", rho)

    def drift(self, rho):
        """(1 - rho^2) dJ/d rho, the right-hand side of the rho-ODE. Args, Returns and Raises: as `mass`."""
        return self.model.sigma**2 * self._evaluate("drift", rho)

    def _evaluate(self, name, rho):
        rho = check.alignment("rho", rho)
        return _compiled(name)(rho, self.mass(rho), self._theta, self._beta)

    def trap(self):
        """The alignment in (-1, 0) at which the slope changes sign, or None if J increases on all of [-1, 1].

        The root is found in the score s = s_0 + beta theta rho, where the equation
        s + e^s + 1 + theta^2/(1 + e^-s) = s_0 has a strictly increasing left side.
        """
        if self._is_flat or self.model.informative == self.model.tokens:
            return None
        s0, theta = self.model.logit, self._theta
        lowest = s0 - self._beta * theta
        if _balance(lowest, theta, s0) >= 0.0:
            return None
        # The left side is negative at the second bound too, which keeps the bracket short at huge theta.
        low = max(lowest, min(s0, 0.0) - 3.0 - 2.0 * math.log1p(theta))
        s = brentq(_balance, low, s0, args=(theta, s0), xtol=1e-14, rtol=1e-14)
        return (s - s0) / (theta * self._beta)

    def is_monotone(self):
        """Whether J increases strictly on [-1, 1].

        A flat landscape (no informative token, or theta = 0) does not.
        """
        return not self._is_flat and self.trap() is None

    @property
    def _is_flat(self):
        return self.model.informative == 0 or self.model.theta == 0.0


@dataclass(frozen=True)
class Proportional(Limit):
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

    def __post_init__(self):
        super().__post_init__()
        if self._beta > 26.0:
            raise ValueError(f"beta sigma must be <= 26 in the proportional regime, got {self._beta:g}")

    @property
    def _gamma(self):
        return (self.model.dim - 1) / self.model.tokens

    def _evaluate(self, name, rho):
        base = super()._evaluate(name, rho)
        rho = check.alignment("rho", rho)
        share = self.model.pi
        if share in (0.0, 1.0):
            return base + (self._gamma * math.exp(self._beta**2) if name == "objective" else 0.0)
        added = _compiled("excess" if name == "objective" else "excess_slope")
        added = added(self.mass(rho), share, self._theta, self._beta, self._gamma)
        return base + (added * (1.0 - rho) * (1.0 + rho) if name == "drift" else added)

    def trap(self):
        """The alignment in (-1, 0) at which the slope changes sign, or None if J increases on all of [-1, 1].

        The slope is 2 beta theta p (1 - p) times a strictly increasing function of rho.
        """
        if self._is_flat or self.model.informative == self.model.tokens:
            return None
        arguments = (self.model.pi, self._theta, self._beta, self._gamma)
        if _force(-1.0, *arguments) >= 0.0:
            return None
        return brentq(_force, -1.0, 0.0, args=arguments, xtol=1e-14, rtol=1e-14)


def _force(rho, pi, theta, b, gamma):
    """The slope of the proportional regime over 2 beta theta p (1 - p), at rho <= 0: strictly increasing in rho."""
    r = math.exp(b * theta * rho)
    total = pi * r + 1.0 - pi
    odds = pi * r / (1.0 - pi)
    return 1.0 + odds + b * theta * rho + theta**2 * pi * r / total + gamma * math.exp(b * b) * (r - 1.0) / total


@dataclass(frozen=True)
class Tabulated:
    """A landscape as Chebyshev series in rho, for integrators, which ask for many values.

    The series are made at the first use, from one call for 17, 33, 65, ... alignments at a time.

    Args:
        landscape: an object with `objective(rho)`, `slope(rho)` and `mass(rho)`, such as `FiniteSize`.
        tolerance: error asked for, relative to the largest value of each of the three on [-1, 1], in 1e-13..1e-3.

    Raises:
        TypeError, ValueError: `tolerance` is not a number in its range.

    Every method raises RuntimeError if 4,097 terms do not reach the tolerance.
    """

    landscape: object
    tolerance: float = 1e-9

    def __post_init__(self):
        object.__setattr__(self, "tolerance", check.real("tolerance", self.tolerance, 1e-13, 1e-3))

    @cached_property
    def _all(self):
        of = self.landscape
        series = _series.fit(lambda x: np.stack([of.objective(x), of.slope(x), of.mass(x)]), self.tolerance)
        if series is None:
            raise RuntimeError(f"{of} has no Chebyshev series with an error of {self.tolerance:g} within 4,097 terms")
        return series

    def objective(self, rho):
        """J(rho). Args: rho: alignment in [-1, 1], any shape. Returns: array of that shape."""
        return self._value(0, rho)

    def slope(self, rho):
        """dJ/d rho. Args and Returns: as `objective`."""
        return self._value(1, rho)

    def drift(self, rho):
        """(1 - rho^2) dJ/d rho. Args and Returns: as `objective`."""
        rho = check.alignment("rho", rho)
        return (1.0 - rho) * (1.0 + rho) * self.slope(rho)

    def mass(self, rho):
        """Expected attention on the informative tokens. Args and Returns: as `objective`."""
        return self._value(2, rho)

    def trap(self):
        """The `trap()` of the landscape."""
        return self.landscape.trap()

    def is_monotone(self):
        """The `is_monotone()` of the landscape."""
        return self.landscape.is_monotone()

    def _value(self, row, rho):
        rho = check.alignment("rho", rho)
        return chebval(rho, self._all[row])


def critical_gamma(pi, theta, beta=1.0, sigma=1.0):
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


def critical_theta(pi, beta=1.0, sigma=1.0):
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
