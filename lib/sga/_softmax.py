"""Softmax attention without checks: what `attention` offers and what every step of a run computes."""

import numpy as np


def scores(q, x):
    """<q, x_i>, shape (..., L)."""
    return np.matmul(x, q[..., None])[..., 0]


def mix(a, x):
    """sum_i a_i x_i, shape (..., d)."""
    return np.matmul(a[..., None, :], x)[..., 0, :]


def weights(q, x, beta):
    """exp(beta <q, x_i>) over their sum, shape (..., L)."""
    a = scores(q, x)
    a -= np.max(a, axis=-1, keepdims=True)
    a *= beta
    np.exp(a, out=a)
    a /= np.sum(a, axis=-1, keepdims=True)
    return a


def gradient(q, x, beta):
    """Weights and gradient together, shapes (..., L) and (..., d)."""
    a = weights(q, x, beta)
    f = mix(a, x)
    c = scores(f, x)
    c -= np.sum(f * f, axis=-1, keepdims=True)
    c *= a
    return a, 2.0 * beta * mix(c, x)
