r"""The landscape of bags of any size, without sampling: one integral over t for every expectation.

Given the scores u_i, which are independent normals, the d - 1 coordinates of the tokens across q are Gaussian, and
J = E U^2 + theta^2 (1 - rho^2) E A^2 + (d - 1) E Q. The weights are a_i = y_i/S with y_i = exp(beta u_i), and
1/S^2 = int_0^inf t exp(-t S) dt makes each expectation one integral of products of one-token expectations. In log t
and in the scores the trapezoid rule converges exponentially.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import ndtri, xlog1py

from sga import _validate as check
from sga.landscape import SEARCH, OfModel

#: The ends of the integrals leave out exp(-CUT) of the whole; the steps in log t and in a score err by about
#: exp(-FINE[0]) and exp(-FINE[1]). The mean over two shifted grids doubles the first exponent.
CUT, FINE = 40.0, (34.0, 40.0)
#: Most numbers held at once, in one array.
BLOCK = 1 << 20


@dataclass(frozen=True)
class FiniteSize(OfModel):
    r"""The exact landscape of bags of L tokens, R of them informative, in dimension d.

    Noise of size sigma is reduced to sigma = 1 by theta -> theta/sigma, beta -> beta sigma, J -> sigma^2 J.

    Args:
        model: the `Model`; beta sigma and theta/sigma times beta sigma decide the cost.
        tolerance: relative error asked for, in 1e-13..1e-3; of the slope, relative to beta theta J.

    Raises:
        TypeError: `model` is not a `Model`, or `tolerance` is not a number.
        ValueError: `tolerance` is outside its range.

    Source: the book's equations (finite-objective) and (finite-integral).
    """

    tolerance: float = 1e-10

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "tolerance", check.real("tolerance", self.tolerance, 1e-13, 1e-3))

    def objective(self, rho: ArrayLike) -> NDArray[np.float64]:
        """J(rho) = E|f|^2, in squared units of a token.

        Args:
            rho: alignment in [-1, 1], any shape.

        Returns:
            Array of the shape of `rho`.

        Raises:
            ValueError: an entry of `rho` is outside [-1, 1].
            RuntimeError: the error estimate is above the tolerance.
        """
        return self.model.sigma**2 * self._evaluate(rho)[0]

    def slope(self, rho: ArrayLike) -> NDArray[np.float64]:
        """dJ/d rho. Args, Returns and Raises: as `objective`."""
        return self.model.sigma**2 * self._evaluate(rho)[1]

    def mass(self, rho: ArrayLike) -> NDArray[np.float64]:
        """Expected attention on the informative tokens, in [0, 1]. Args, Returns and Raises: as `objective`."""
        return self._evaluate(rho)[2]

    def error(self, rho: ArrayLike) -> NDArray[np.float64]:
        """Estimate of the relative error of the objective, the slope and the mass, shape (3, *rho.shape).

        It compares two grids that are shifted by half a step; the values returned are means over both, which are
        more exact. Args and Raises: as `objective`, but no estimate is too large.
        """
        return self._both(rho)[1]

    def trap(self) -> float | None:
        """The largest alignment in (-1, 1) at which the slope changes from - to +, or None if there is none.

        It is the edge of the basin of +xi. Changes of sign are looked for on a grid of 401 alignments; a finite bag
        can have more than one (the book's theorem finite-strong).

        Raises:
            RuntimeError: as `objective`.
        """
        sign = np.sign(self.slope(SEARCH))
        up = np.flatnonzero((sign[:-1] < 0.0) & (sign[1:] > 0.0))
        if up.size == 0:
            return None
        return brentq(lambda rho: float(self.slope(rho)), *SEARCH[up[-1] : up[-1] + 2], xtol=1e-13, rtol=1e-13)

    def _evaluate(self, rho):
        values, error = self._both(rho)
        worst = np.max(error, initial=0.0)
        if worst > self.tolerance:
            theta, b = self.model.in_units_of_noise
            raise RuntimeError(
                f"a relative error of {self.tolerance:g} can't be reached at beta sigma = {b:g}, "
                f"theta/sigma = {theta:g}: the estimate is {worst:.1g}; ask for a larger tolerance"
            )
        return values

    def _both(self, rho):
        rho = check.alignment("rho", rho)
        flat = rho.ravel()
        grids = [self._grid(offset) for offset in (0.0, 0.5)]
        size = max(1, BLOCK // (grids[0][0].size * grids[0][2].size))
        values, error = np.empty((2, 3, flat.size))
        for first in range(0, flat.size, size):
            part = slice(first, first + size)
            (one, scale), (other, _) = (self._integrals(flat[part], *grid) for grid in grids)
            values[:, part] = (one + other) / 2.0
            error[:, part] = np.abs(one - other) / np.where(scale > 0.0, scale, 1.0)
        return values.reshape(3, *rho.shape), error.reshape(3, *rho.shape)

    def _grid(self, offset):
        """log t and its step; z, the part of a score that is noise, and the normal weights of z."""
        theta, b = self.model.in_units_of_noise
        kinds = [(n, -theta, theta) for n in [self.model.informative] if n]
        kinds += [(n, 0.0, 0.0) for n in [self.model.tokens - self.model.informative] if n]
        low = -(b**2 + b * max(top for _, _, top in kinds) + math.log(self.model.tokens) + CUT)
        # Beyond `high` one kind alone makes E exp(-t S) < exp(-CUT), or no token has a score so low.
        high = min(
            b * (-bottom - (-ndtri(1.6 * CUT / n) if n > 3.2 * CUT else -9.0))
            + (0.0 if n > 3.2 * CUT else max(0.0, math.log(CUT / n)))
            for n, bottom, _ in kinds
        )
        h = math.pi**2 / FINE[0]
        s = low + h * (np.arange(math.ceil((high - low) / h) + 1) + offset)
        k = min(0.45, math.pi**2 / (FINE[1] * b))
        z = -9.0 + k * (np.arange(math.ceil((18.0 + 2.0 * b) / k) + 1) + 0.6 * offset)
        return s, h, z, k * np.exp(-(z**2) / 2.0) / math.sqrt(2.0 * math.pi)

    def _integrals(self, rho, s, h, z, weight):
        """J, its slope and the mass by one trapezoid rule, and the sizes to which their errors relate, at sigma = 1."""
        theta, b = self.model.in_units_of_noise
        R, N, d = self.model.informative, self.model.tokens - self.model.informative, self.model.dim
        m, w2 = theta * rho[:, None], (1.0 - rho[:, None]) * (1.0 + rho[:, None])
        a = _moments(s[:, None] + b * (m[..., None] + z), z, weight)
        c = _moments(s[:, None] + b * z, z, weight)

        def psi(i, j):
            """psi_a^(R - i) psi_c^(N - j), or 0 where there are not so many tokens."""
            if i > R or j > N:
                return 0.0
            return np.exp(xlog1py(R - i, -a[0, 0]) + xlog1py(N - j, -c[0, 0]))

        # For an informative token: E v^j u^k e^-v, and their derivatives in m by the score, d E g(u) = E g(u) z.
        y1, y2, u1, u2 = a[1, 0], a[2, 0], m * a[1, 0] + a[1, 1], m**2 * a[2, 0] + 2.0 * m * a[2, 1] + a[2, 2]
        dy1, dy2, du1 = a[1, 1], a[2, 1], m * a[1, 1] + a[1, 2]
        du2 = m**2 * a[2, 1] + 2.0 * m * a[2, 2] + a[2, 3]
        d_psi = -a[0, 1]
        n2, r1, r2 = c[2, 0], c[1, 1], c[2, 2]
        with np.errstate(divide="ignore"):
            one, none = R * psi(1, 0), N * psi(0, 1)
            two, mixed, pair = R * (R - 1.0) * psi(2, 0), R * N * psi(1, 1), N * (N - 1.0) * psi(0, 2)
            three, more, rest = (
                R * (R - 1.0) * (R - 2.0) * psi(3, 0),
                R * (R - 1.0) * N * psi(2, 1),
                R * N * (N - 1.0) * psi(1, 2),
            )
        U2 = one * u2 + none * r2 + two * u1**2 + 2.0 * mixed * u1 * r1 + pair * r1**2
        A2 = one * y2 + two * y1**2
        Q = one * y2 + none * n2
        dQ = one * dy2 + (two * y2 + mixed * n2) * d_psi
        dA2 = one * dy2 + two * (y2 * d_psi + 2.0 * y1 * dy1) + three * y1**2 * d_psi
        dU2 = one * du2 + (two * u2 + mixed * r2 + rest * r1**2 + three * u1**2 + 2.0 * more * u1 * r1) * d_psi
        dU2 = dU2 + 2.0 * (two * u1 + mixed * r1) * du1
        square = theta**2
        objective = U2 + square * w2 * A2 + (d - 1.0) * Q
        slope = theta * (dU2 + square * w2 * dA2 + (d - 1.0) * dQ) - 2.0 * square * rho[:, None] * A2
        values = h * np.stack([np.sum(x, axis=-1) for x in (objective, slope, one * y1)])
        # The slope may vanish: its error relates to the size of what cancels in it.
        return values, np.stack([values[0], b * theta * values[0], np.ones_like(rho)])


def _moments(x, z, weight):
    """E v^j z^k e^-v of one token for v = exp(x), shape (3, 4, ...); at j = 0, E z^k (1 - e^-v) instead."""
    with np.errstate(over="ignore"):
        v = np.exp(x)
    powers = weight[:, None] * z[:, None] ** np.arange(4)
    gap = -np.expm1(-v)
    out = [gap @ powers]
    np.subtract(1.0, gap, out=gap)
    v[gap == 0.0] = 0.0
    for _ in range(2):
        gap *= v
        out.append(gap @ powers)
    out[0][..., 0] = np.minimum(out[0][..., 0], 1.0)
    return np.moveaxis(np.stack(out), -1, 1)
