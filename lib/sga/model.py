"""The data model: informative tokens carry a hidden direction, the others are Gaussian noise."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sga import _validate as check


@dataclass(frozen=True)
class Model:
    r"""Bags of L tokens in R^d, R of which carry the hidden unit direction xi.

    An informative token is x_i = theta xi + z_i, any other is x_i = z_i, with independent
    z_i ~ N(0, sigma^2 I). The first R tokens of a bag are the informative ones.

    Args:
        tokens: L, number of tokens in a bag, integer >= 1.
        informative: R, number of informative tokens, integer in 0..L.
        dim: d, dimension of a token, integer >= 2.
        theta: signal strength, in 0..1e100, in the units of a token.
        beta: inverse temperature of the softmax, finite and > 0.
        sigma: standard deviation of the noise per coordinate, finite and > 0.

    Raises:
        TypeError: an argument is not a number of the kind asked for.
        ValueError: an argument is outside its range.

    Source: claim T1; the book's equation (tokens).
    """

    tokens: int
    informative: int
    dim: int
    theta: float
    beta: float = 1.0
    sigma: float = 1.0

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "tokens", check.integer("tokens", self.tokens, 1))
        informative = check.integer("informative", self.informative, 0)
        if informative > self.tokens:
            raise ValueError(f"informative must be in 0..tokens, got {informative} > tokens = {self.tokens}")
        set_(self, "informative", informative)
        set_(self, "dim", check.integer("dim", self.dim, 2))
        set_(self, "theta", check.real("theta", self.theta, 0.0, 1e100))
        set_(self, "beta", check.real("beta", self.beta, 0.0, above=True))
        set_(self, "sigma", check.real("sigma", self.sigma, 0.0, above=True))

    @property
    def pi(self) -> float:
        """Share of informative tokens, R/L, in [0, 1]."""
        return self.informative / self.tokens

    @property
    def logit(self) -> float:
        """log(pi/(1 - pi)) = log(R/(L - R)): -inf at R = 0, +inf at R = L."""
        noise = self.tokens - self.informative
        if self.informative == 0:
            return -math.inf
        return math.log(self.informative / noise) if noise else math.inf

    @property
    def gamma(self) -> float:
        """Dimension per token, d/L."""
        return self.dim / self.tokens

    @property
    def in_units_of_noise(self) -> tuple[float, float]:
        """(theta/sigma, beta sigma): signal and temperature in units in which the noise has size 1."""
        return self.theta / self.sigma, self.beta * self.sigma

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] = (), *, xi: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Draw bags of tokens.

        Args:
            rng: a `numpy.random.Generator`.
            size: shape of the batch of bags, an int or a tuple of ints.
            xi: hidden direction, a unit vector of shape (d,); the first basis vector if None.

        Returns:
            Array of shape (*size, L, d), the R informative tokens first.

        Raises:
            TypeError: `rng` is not a Generator.
            ValueError: `xi` is not a unit vector of shape (d,), or `size` is negative.
        """
        if not isinstance(rng, np.random.Generator):
            raise TypeError(f"rng must be a numpy.random.Generator, got {type(rng).__name__}")
        shape = tuple(check.integer("size", n, 0) for n in (size if isinstance(size, tuple | list) else (size,)))
        if xi is not None:
            xi = check.unit("xi", xi, self.dim)
            if xi.ndim != 1:
                raise ValueError(f"xi must have shape ({self.dim},), got {xi.shape}")
        x = rng.standard_normal((*shape, self.tokens, self.dim))
        return self.from_normals(x, xi)

    def from_normals(self, z: NDArray[np.float64], xi: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Turn standard normals into tokens, in place.

        Args:
            z: standard normals, shape (..., L, d); overwritten.
            xi: hidden direction, a unit vector of shape (d,); the first basis vector if None.

        Returns:
            The array `z`, which now holds bags of tokens, the R informative ones first.

        Raises:
            ValueError: `z` does not end in the shape (L, d).
        """
        if z.shape[-2:] != (self.tokens, self.dim):
            raise ValueError(f"z must have shape (..., {self.tokens}, {self.dim}), got {z.shape}")
        if self.sigma != 1.0:
            z *= self.sigma
        if xi is None:
            z[..., : self.informative, 0] += self.theta
        else:
            z[..., : self.informative, :] += self.theta * xi
        return z
