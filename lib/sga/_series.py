"""Chebyshev series of smooth functions on [-1, 1], with as many terms as the function needs."""

import numpy as np
from numpy.polynomial.chebyshev import chebvander
from scipy.fft import dct

FEWEST, MOST = 17, 4097


def fit(function, tolerance, size=None):
    """Coefficients, on the last axis, of `function(nodes) -> (..., nodes)`; None if more than MOST are needed.

    The last coefficients are below `tolerance` times `size`: by default, the largest value of their row.
    """
    terms = FEWEST
    while terms <= MOST:
        # Both ends are among the nodes, so what happens before the first inner node is not missed.
        values = function(np.cos(np.pi * np.arange(terms) / (terms - 1)))
        series = dct(values, type=1) / (terms - 1)
        series[..., [0, -1]] /= 2.0
        scale = np.max(np.abs(values), axis=-1, keepdims=True) if size is None else size
        if np.all(np.abs(series[..., -3:]) <= tolerance * scale):
            return series
        terms = 2 * terms - 1
    return None


def value(series, x):
    """Values of series of shape (..., terms) at x of shape (n,): shape (..., n)."""
    return series @ chebvander(x, series.shape[-1] - 1).T
