"""Samples, and one check of each kind that passes."""

import numpy as np
import sympy as sp
from scipy import stats

X, Y = sp.symbols("x y", positive=True)


def normal(n, seed=0, mean=0.0, scale=1.0):
    """Returns normal samples."""
    return mean + scale * np.random.default_rng(seed).standard_normal(n)


CHECKS = {
    "identity": lambda c, **k: c.identity(
        (X + 1) ** 2, X**2 + 2 * X + 1, **{"rivals": {"no cross term": X**2 + 1}, **k}
    ),
    "exact": lambda c, **k: c.exact([1.0, 2.0], [1.0, 2.0 + 1e-9], error=1e-8, **{"rivals": {"one": 1.0}, **k}),
    "agrees": lambda c, **k: c.agrees([True, False], [1, 0], **{"rivals": {"never": False}, **k}),
    "mean": lambda c, **k: c.mean(normal(1000), 0.0, **{"rivals": {"one": 1.0}, "tails": "normal", **k}),
    "count": lambda c, **k: c.count(310, 1000, 0.3, **{"rivals": {"a half": 0.5}, **k}),
    "law": lambda c, **k: c.law(normal(1000), stats.norm.cdf, **{"rivals": {"one": stats.norm(0.5).cdf}, **k}),
    "order": lambda c, **k: c.order([0.1, 0.2, 0.4], [0.01, 0.04, 0.16], 2, **{"rivals": {"first": 1}, **k}),
}
SCOPES = {
    "identity": "symbolic",
    "exact": "exact",
    "agrees": "exact",
    "mean": "Monte Carlo",
    "count": "Monte Carlo",
    "law": "Monte Carlo",
    "order": "exact",
}
