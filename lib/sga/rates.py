r"""How fast and how closely: the noise of the gradient, and what a schedule makes of it.

The noise is that of many tokens: to first order in 1/L, at d/L -> 0. One token moves the gradient of a large bag by
its influence phi(x)/L, so the covariance of the gradient is that of phi over L. Noise of size sigma is reduced to
sigma = 1 by theta -> theta/sigma, beta -> beta sigma, g -> sigma^2 g.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import ArrayLike, NDArray

from sga import _runs
from sga import _validate as check
from sga.finite import FiniteSize
from sga.landscape import Tabulated
from sga.limits import Limit
from sga.model import Model
from sga.steps import StepSize

if TYPE_CHECKING:
    from scipy.stats._distn_infrastructure import rv_frozen

#: Three-point Gauss-Hermite rule in two dimensions: exact for polynomials of degree 5 in each standard normal.
NODES = np.stack(np.meshgrid(*[[-math.sqrt(3.0), 0.0, math.sqrt(3.0)]] * 2), axis=-1).reshape(9, 2)
WEIGHTS = np.outer([1.0, 4.0, 1.0], [1.0, 4.0, 1.0]).ravel() / 36.0


def noise(model: Model, rho: ArrayLike = 1.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    r"""Variance of the gradient g per coordinate of the tangent space, for a bag of many tokens.

    Args:
        model: the `Model`.
        rho: alignment in [-1, 1], any shape.

    Returns:
        Two arrays of the shape of `rho`, to first order in 1/L: the variance of <tau, g>, along the way to xi, and
        that of each of the d - 2 coordinates orthogonal to q and xi. At a pole the two agree.

    Raises:
        TypeError: `model` is not a `Model`.
        ValueError: an entry of `rho` is outside [-1, 1], or beta sigma is above 26.

    Source: the book's equations (ascent-along) and (ascent-across).
    """
    landscape = Limit(model)
    theta, b = model.in_units_of_noise
    if b > 26.0:
        raise ValueError(f"beta sigma must be <= 26, where e^(beta^2) has a number, got {b:g}")
    p = landscape.mass(rho)[..., None]
    rho = check.alignment("rho", rho)[..., None]
    w = np.sqrt((1.0 - rho) * (1.0 + rho))
    # In the plane of q and tau: the pooled token f, and tau's row of the tokens' covariance under the weights.
    f_q, f_t = b + p * theta * rho, p * theta * w
    d_q, d_t = p * (1.0 - p) * theta**2 * rho * w, 1.0 + p * (1.0 - p) * (theta * w) ** 2
    along = across = np.zeros(())
    for mass, share, signal in ((p, model.pi, theta), (1.0 - p, 1.0 - model.pi, 0.0)):
        if share == 0.0:
            continue

        def influence(k, signal=signal):
            """<x - f, f>, and phi along tau, where the k-th power of the weights puts a token: at k b q + signal xi."""
            y_q, y_t = k * b + signal * rho + NODES[:, 0] - f_q, signal * w + NODES[:, 1] - f_t
            c = y_q * f_q + y_t * f_t
            return c, y_t * c + d_q * (y_q - f_q) + d_t * (y_t - f_t)

        c, phi = influence(2)
        # The number of tokens of each kind is fixed, so the mean of phi within a kind adds no variance.
        mean = influence(1)[1] @ WEIGHTS
        scale = mass[..., 0] ** 2 / share
        along = along + scale * (phi**2 @ WEIGHTS - math.exp(-(b**2)) * mean**2)
        across = across + scale * ((c + 1.0) ** 2 @ WEIGHTS)
    factor = model.sigma**4 * 4.0 * b**2 * math.exp(b**2) / model.tokens
    return factor * along, factor * across


def stationary_variance(step_size: StepSize, k: ArrayLike, contraction: float, noise: float) -> NDArray[np.float64]:
    r"""Variance of (x_k - x*)/sqrt(eta_k), to leading order, for x_{k+1} = x_k + eta_k (h(x_k) + M_{k+1}).

    It is noise / (2 contraction - delta_k), where delta_k = 1/eta_{k+1} - 1/eta_k is 0 for constant steps,
    (alpha/c) k^{alpha-1} + ... for steps c k^{-alpha}, and 1/c at alpha = 1.

    Args:
        step_size: a schedule such as `PowerLaw`.
        k: step indices >= 0, any shape.
        contraction: -h'(x*), > 0.
        noise: variance of M, > 0.

    Returns:
        Array of the shape of `k`.

    Raises:
        ValueError: an argument is outside its range, or 2 contraction <= delta_k: the steps fall too fast for the
            equation to forget its start (at alpha = 1, 2 c contraction <= 1).

    Source: the book's equation (rates-variance).
    """
    k = check.array("k", k, 0.0)
    contraction = check.real("contraction", contraction, 0.0, above=True)
    noise = check.real("noise", noise, 0.0, above=True)
    delta = 1.0 / step_size(k + 1.0) - 1.0 / step_size(k)
    if np.any(delta >= 2.0 * contraction):
        raise ValueError(
            f"contraction must be > (1/eta_{{k+1}} - 1/eta_k)/2 = {np.max(delta) / 2.0:g}, got {contraction:g}"
        )
    return noise / (2.0 * contraction - delta)


def misalignment(model: Model, step_size: StepSize, k: int) -> "rv_frozen":
    r"""Law of 1 - rho_k near xi: (eta_k V_k / 2) chi-square with d - 1 degrees of freedom.

    V_k is `stationary_variance` with the contraction J'(1) and the noise of a tangent coordinate at xi.

    Args:
        model: the `Model`; it must have an informative token and theta > 0.
        step_size: a schedule such as `PowerLaw`.
        k: a step index >= 0, late enough that the start is forgotten.

    Returns:
        A frozen distribution of `scipy.stats`; `.mean()` is eta_k (d - 1) V_k / 2.

    Raises:
        ValueError: as `stationary_variance`.

    Source: claim A8.law; the book's equation (convergence-law).
    """
    from scipy import stats  # half of the time and memory that this module would take to import

    variance = stationary_variance(step_size, k, float(Limit(model).slope(1.0)), float(noise(model)[1]))
    return stats.chi2(model.dim - 1, scale=step_size(k) * variance / 2.0)


def sampled_noise(
    model: Model, rho: ArrayLike, *, bags: int, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    r"""|g_T|^2 and <q, g> of the gradients g of fresh bags: the squared size of g's tangent part, and its radial part.

    Their means are what the second order in the step needs, at any size and dimension. Bags are drawn by the exact
    reduction, in O(L) each whatever d is. Each alignment sees the same random numbers, so means are smooth in `rho`.

    Args:
        model: the `Model`.
        rho: alignment in [-1, 1], any shape S.
        bags: number of bags at each alignment, integer >= 1.
        seed: integer >= 0.

    Returns:
        Two arrays of shape S + (bags,), in units of the tokens (to the fourth power, and squared).

    Raises:
        TypeError, ValueError: an argument is not of its kind or outside its range.

    Source: claim C5; the book's equation (reduced-chain).
    """
    check.instance("model", model, Model)
    rho = check.alignment("rho", rho)
    bags = check.integer("bags", bags, 1)
    seed = check.integer("seed", seed, 0)
    power, radial = np.empty((2, rho.size, bags))

    def draw(j):
        from sga import _chain  # compiled at the first use; importing the library does not wait for it

        sizes = model.tokens, model.informative, model.dim, *model.in_units_of_noise
        _chain.gradients(_runs.stream(seed, 0), *sizes, rho.flat[j], power[j], radial[j])

    with ThreadPoolExecutor(_runs.cores()) as pool:
        list(pool.map(draw, range(rho.size)))
    shape = (*rho.shape, bags)
    return model.sigma**4 * power.reshape(shape), model.sigma**2 * radial.reshape(shape)


def predicted_path(
    model: Model,
    step_size: StepSize,
    steps: int,
    rho0: ArrayLike,
    *,
    every: int = 1,
    bags: int | None = None,
    seed: int = 0,
) -> NDArray[np.float64]:
    r"""Mean alignment of projected SGA with the effect of its noise to second order in the step.

    One step is rho -> (rho + e (1 - rho^2) J') / sqrt(1 + e^2 E|g_T|^2): the noise lengthens the tangent step g_T, and
    the normalization then pulls to the equator. The Euclidean step of the algorithm is the tangent step with
    e = eta / (1 + eta E<q, g>). The means are those of many tokens (`Limit`, `noise`), or of the model's own size:
    J' exact (`FiniteSize`), the other two from fresh bags (`sampled_noise`) at 13 alignments, poles included.

    Args:
        model: the `Model`.
        step_size: a schedule such as `PowerLaw`.
        steps: K, number of steps, integer >= 0.
        rho0: initial alignment in [-1, 1], any shape S.
        every: keep each `every`-th step, integer >= 1; start and end are always kept.
        bags: None for many tokens; for the model's own size, the number of fresh bags at each of the 13 alignments.
        seed: of the fresh bags, integer >= 0.

    Returns:
        Array of shape S + (records,), at the records of `ascend` with the same `steps` and `every`.

    Raises:
        TypeError, ValueError: an argument is not of its kind or outside its range.

    Source: the book's equations (ascent-normalization) and (ascent-euclidean).
    """
    steps = check.integer("steps", steps, 0)
    kept = _runs.records(steps, check.integer("every", every, 1))
    eta = _runs.step_sizes(step_size, steps)
    rho = check.alignment("rho0", rho0)
    slope, power, radial = _many_tokens(model) if bags is None else _own_size(model, bags, seed)
    out = np.empty((*rho.shape, kept.size))
    row = 0
    for k in range(steps + 1):
        if k == kept[row]:
            out[..., row] = rho
            row += 1
        if k < steps:
            step = eta[k] / (1.0 + eta[k] * radial(rho))
            toward = rho + step * (1.0 - rho) * (1.0 + rho) * slope(rho)
            rho = np.clip(toward / np.sqrt(1.0 + step**2 * power(rho)), -1.0, 1.0)
    return out


def _many_tokens(model):
    """J', E|g_T|^2 and E<q, g> = beta dJ/d beta as functions of rho, for many tokens."""
    landscape, (theta, b) = Limit(model), model.in_units_of_noise

    def power(rho):
        along, across = noise(model, rho)
        return (1.0 - rho**2) * landscape.slope(rho) ** 2 + along + (model.dim - 2) * across

    def radial(rho):
        p = landscape.mass(rho)
        growth = 1.0 + (1.0 - p) * (b * theta * rho + theta**2 * p)
        return model.sigma**2 * 2.0 * b * (b + theta * rho * p * growth)

    return landscape.slope, power, radial


def _own_size(model, bags, seed):
    """The same at the model's own size; the last two interpolate means over fresh bags."""
    nodes = chebyshev.chebpts2(13)
    means = [x.mean(axis=-1) for x in sampled_noise(model, nodes, bags=bags, seed=seed)]
    series = chebyshev.chebfit(nodes, np.stack(means, axis=-1), nodes.size - 1)
    return Tabulated(FiniteSize(model)).slope, *(partial(chebyshev.chebval, c=c) for c in series.T)
