"""Checks of arguments at the public boundary: the general ones, and those of alignments and of unit vectors."""

import numpy as np

from evidence.arguments import array, integer, real

__all__ = ["UNIT_TOLERANCE", "alignment", "array", "integer", "real", "unit"]

UNIT_TOLERANCE = 1e-8


def alignment(name, rho):
    """Return `rho` as a float64 array in [-1, 1], or raise."""
    return array(name, rho, -1.0, 1.0)


def unit(name, q, size=None):
    """Return `q` as a float64 array of unit vectors along its last axis, or raise."""
    out = array(name, q, size=size)
    if out.ndim == 0:
        raise ValueError(f"{name} must be a vector, got the scalar {out:g}")
    norms = np.sqrt(np.sum(out * out, axis=-1))
    off = np.abs(norms - 1.0)
    if off.size and off.max() > UNIT_TOLERANCE:
        raise ValueError(
            f"{name} must have norm 1 (within {UNIT_TOLERANCE:g}), got norm {norms.flat[off.argmax()]:.10g}"
        )
    return out
