"""Chebyshev series: as many terms as a function needs, for many functions at once."""

import numpy as np
import pytest

from sga import _series

X = np.linspace(-1.0, 1.0, 101)


def geometric(r, x):
    """The sum of r^n T_n(x) over n = 0, 1, ..., at most 1/(1 - r)."""
    return (1.0 - r * x) / (1.0 - 2.0 * r * x + r * r)


def needing(terms, tolerance):
    """The r whose term number `terms` is as large as what may be left out."""
    low, high = 0.0, 1.0
    for _ in range(60):
        r = (low + high) / 2
        low, high = (low, r) if r**terms > tolerance / (1.0 - r) else (r, high)
    return low


@pytest.mark.parametrize("r", [0.0, 0.3, 0.7, 0.9, 0.99])
def test_a_series_has_the_coefficients_of_the_function(r):
    series = _series.fit(lambda x: geometric(r, x), 1e-12)
    np.testing.assert_allclose(series, r ** np.arange(series.size), atol=1e-11 / (1.0 - r))
    np.testing.assert_allclose(_series.value(series, X), geometric(r, X), rtol=0.0, atol=1e-10 / (1.0 - r))


@pytest.mark.parametrize(("needed", "size"), [(10, 17), (20, 33), (40, 65), (1500, 2049), (2500, 4097), (3900, 4097)])
def test_the_terms_are_the_first_that_are_enough(needed, size):
    r = needing(needed, 1e-9)
    assert _series.fit(lambda x: geometric(r, x), 1e-9).size == size


def test_there_are_no_more_terms_than_the_most():
    assert _series.fit(lambda x: geometric(needing(4200, 1e-9), x), 1e-9) is None
    assert _series.fit(np.abs, 1e-9) is None


def test_rows_keep_their_place_and_each_has_its_own_scale():
    r, scale = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.8]])[..., None], np.array([1e-9, 1.0, 1e9])[:, None]
    series = _series.fit(lambda x: scale * geometric(r, x), 1e-12)
    values = _series.value(series, X)
    assert values.shape == (2, 3, X.size)
    np.testing.assert_allclose(values / scale, geometric(r, X), rtol=0.0, atol=1e-10)


def test_a_given_size_replaces_the_largest_value():
    def small(x):
        return 1e-6 * geometric(0.9, x)

    series = _series.fit(small, 1e-10, 1.0)
    assert series.size < _series.fit(small, 1e-10).size
    np.testing.assert_allclose(_series.value(series, X), small(X), rtol=0.0, atol=3e-9)
