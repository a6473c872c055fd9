"""Softmax attention with one query: weights, pooled token, objective and its gradient."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sga import _softmax as softmax
from sga import _validate as check


def weights(q: ArrayLike, x: ArrayLike, beta: float = 1.0) -> NDArray[np.float64]:
    """Softmax weights a_i = exp(beta <q, x_i>) / sum_j exp(beta <q, x_j>).

    Args:
        q: query of unit norm, shape (..., d).
        x: tokens, shape (..., L, d); the leading axes broadcast against those of `q`.
        beta: inverse temperature, finite and > 0.

    Returns:
        Array of shape (..., L); non-negative, summing to 1 along the last axis.

    Raises:
        ValueError: shapes that do not agree, a query without unit norm, non-finite entries, beta <= 0.

    Source: the book's equation (weights); scores are shifted by their maximum, so no exponential overflows.
    """
    return softmax.weights(*_clean(q, x, beta))


def pool(q: ArrayLike, x: ArrayLike, beta: float = 1.0) -> NDArray[np.float64]:
    """Pooled token f = sum_i a_i x_i.

    Args and Raises: as `weights`.

    Returns:
        Array of shape (..., d).

    Source: the book's equation (pool).
    """
    q, x, beta = _clean(q, x, beta)
    return softmax.mix(softmax.weights(q, x, beta), x)


def objective(q: ArrayLike, x: ArrayLike, beta: float = 1.0) -> NDArray[np.float64]:
    """Squared norm of the pooled token, |f|^2, whose mean over bags is J(q).

    Args and Raises: as `weights`.

    Returns:
        Array of shape (...), non-negative.

    Source: the book's equation (objective).
    """
    f = pool(q, x, beta)
    return np.sum(f * f, axis=-1)


def gradient(q: ArrayLike, x: ArrayLike, beta: float = 1.0) -> NDArray[np.float64]:
    """Euclidean gradient of |f|^2 in q: g = 2 beta sum_i a_i c_i x_i with c_i = <x_i, f> - |f|^2.

    Args and Raises: as `weights`.

    Returns:
        Array of shape (..., d). Its part along q is not zero; `ascend` renormalizes after the step.

    Source: the book's equation (gradient).
    """
    return softmax.gradient(*_clean(q, x, beta))[1]


def _clean(q, x, beta):
    x = check.array("x", x)
    if x.ndim < 2 or x.shape[-2] == 0:
        raise ValueError(f"x must have shape (..., L, d) with L >= 1, got {x.shape}")
    q = check.unit("q", q, x.shape[-1])
    try:
        np.broadcast_shapes(q.shape[:-1], x.shape[:-2])
    except ValueError:
        raise ValueError(
            f"q and x must have leading axes that broadcast, got {q.shape[:-1]} and {x.shape[:-2]}"
        ) from None
    return q, x, check.real("beta", beta, 0.0, above=True)
