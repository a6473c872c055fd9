"""Checks of arguments return clean values and name what they refuse."""

import math
import re

import numpy as np
import pytest

from sga import _validate as check


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_integers_of_any_type_become_int(value):
    assert check.integer("n", value, 0) == 3
    assert type(check.integer("n", value, 0)) is int


@pytest.mark.parametrize("value", [True, np.True_, 3.0, "3", None, [3], np.array([3, 4]), math.nan])
def test_what_is_no_integer_is_refused_by_name(value):
    with pytest.raises(TypeError, match=re.escape(f"n must be an integer >= 2, got {value!r}")):
        check.integer("n", value, 2)


def test_an_integer_outside_its_range_is_refused_with_the_range():
    assert check.integer("n", 2, 2, 5) == 2
    assert check.integer("n", 5, 2, 5) == 5
    with pytest.raises(ValueError, match=re.escape("n must be an integer in 2..5, got 6")):
        check.integer("n", 6, 2, 5)
    with pytest.raises(ValueError, match=re.escape("n must be an integer in 2..5, got 1")):
        check.integer("n", 1, 2, 5)


def test_closed_ends_belong_to_a_range_and_open_ends_do_not():
    assert check.real("x", 0, 0.0, 1.0) == 0.0
    assert check.real("x", 1, 0.0, 1.0) == 1.0
    with pytest.raises(ValueError, match=re.escape("x must be > 0 and <= 1, got 0")):
        check.real("x", 0, 0.0, 1.0, above=True)
    with pytest.raises(ValueError, match=re.escape("x must be >= 0 and < 1, got 1")):
        check.real("x", 1, 0.0, 1.0, below=True)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_without_range_must_be_finite(value):
    with pytest.raises(ValueError, match=re.escape(f"x must be finite, got {value:g}")):
        check.real("x", value)


@pytest.mark.parametrize("value", [None, "one", "1.0", b"1", True, np.True_, 1j, [1.0], np.ones(2), object])
def test_what_is_no_number_is_refused_by_name(value):
    with pytest.raises(TypeError, match=re.escape("x must be a number, finite, got ")):
        check.real("x", value)


def test_a_number_becomes_a_python_float():
    assert type(check.real("x", np.float32(0.5))) is float


def test_an_array_becomes_float64():
    out = check.array("x", [[1, 2]])
    assert out.dtype == np.float64
    np.testing.assert_array_equal(out, [[1.0, 2.0]])


def test_the_message_about_an_array_names_its_first_bad_entry():
    with pytest.raises(ValueError, match=re.escape("x must be in [0, 1], got 7")):
        check.array("x", [0.0, 7.0, 8.0], 0.0, 1.0)
    with pytest.raises(ValueError, match=re.escape("x must be finite, got nan")):
        check.array("x", [0.0, math.nan])
    with pytest.raises(ValueError, match=re.escape("x must be finite, got -inf")):
        check.array("x", -math.inf)


@pytest.mark.parametrize("value", ["one", ["1", "2"], {"a": 1}, 1j, np.array([1 + 2j]), True, [True, False], None])
def test_what_is_no_array_of_numbers_is_refused_by_type(value):
    with pytest.raises(TypeError, match=f"x must be an array of real numbers, got {type(value).__name__} of type "):
        check.array("x", value)


def test_a_ragged_array_is_refused_as_such():
    with pytest.raises(TypeError, match="x must be an array of real numbers, got a ragged list"):
        check.array("x", [[1], [1, 2]])


def test_an_empty_array_of_any_type_is_an_array():
    assert check.array("x", []).shape == (0,)
    assert check.array("x", np.zeros((2, 0), dtype=object)).shape == (2, 0)


def test_an_integer_too_large_for_a_float_is_infinite():
    with pytest.raises(ValueError, match="x must be finite, got inf"):
        check.real("x", 10**400)


def test_the_last_axis_must_have_the_size_asked_for():
    assert check.array("x", np.ones((5, 3)), size=3).shape == (5, 3)
    with pytest.raises(ValueError, match=re.escape("x must have last axis of size 3, got shape (3, 5)")):
        check.array("x", np.ones((3, 5)), size=3)
    with pytest.raises(ValueError, match=re.escape("x must have last axis of size 3, got shape ()")):
        check.array("x", 3.0, size=3)


def test_a_unit_vector_may_be_off_by_rounding_only():
    check.unit("q", [1.0 + 1e-9, 0.0])
    with pytest.raises(ValueError, match=re.escape("q must have norm 1 (within 1e-08), got norm 1")):
        check.unit("q", [1.0 + 1e-7, 0.0])


def test_the_message_about_unit_vectors_names_the_worst_norm():
    with pytest.raises(ValueError, match="got norm 3"):
        check.unit("q", [[1.0, 0.0], [0.0, 3.0], [1.5, 0.0]])
    with pytest.raises(ValueError, match="q must be a vector, got the scalar 1"):
        check.unit("q", 1.0)
