"""Step-size schedules: values, time, the Robbins-Monro conditions and refusals."""

import math
import re

import numpy as np
import pytest

from sga import Constant, PowerLaw

SCHEDULES = [PowerLaw(0.7, 0.8), PowerLaw(3.0, 1.0, offset=10.0), PowerLaw(0.5, 0.0), Constant(0.2)]


def test_a_power_law_starts_at_scale_over_offset_to_the_power():
    schedule = PowerLaw(6.0, 2.0, offset=2.0)
    np.testing.assert_allclose(schedule([0, 1, 4]), [6 / 4, 6 / 9, 6 / 36], rtol=1e-15)


def test_the_offset_is_one_unless_given():
    assert PowerLaw(0.3, 0.7)(0) == 0.3
    assert PowerLaw(0.3, 0.7) == PowerLaw(0.3, 0.7, 1.0)


def test_a_constant_is_constant():
    np.testing.assert_array_equal(Constant(0.2)([0, 1, 10**9]), [0.2, 0.2, 0.2])


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,)])
def test_steps_and_times_have_the_shape_of_their_index(schedule, shape):
    k = np.arange(int(np.prod(shape))).reshape(shape)
    assert np.shape(schedule(k)) == shape
    assert np.shape(schedule.time(k)) == shape


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_time_adds_up_the_steps_before(schedule):
    assert schedule.time(0) == 0.0
    k = np.array([7, 0, 1, 7, 40])
    expected = [math.fsum(float(schedule(i)) for i in range(n)) for n in k]
    np.testing.assert_allclose(schedule.time(k), expected, rtol=1e-13)
    np.testing.assert_allclose(np.diff(schedule.time(np.arange(50))), schedule(np.arange(49)), rtol=1e-12)


def test_harmonic_time_grows_like_a_logarithm():
    euler = PowerLaw(1.0, 1.0).time(10**5) - math.log(10**5)
    assert euler == pytest.approx(0.5772156649 + 0.5e-5, abs=1e-9)


@pytest.mark.parametrize(("power", "holds"), [(0.0, False), (0.5, False), (0.51, True), (1.0, True), (1.01, False)])
def test_robbins_monro_holds_for_powers_above_a_half_and_up_to_one(power, holds):
    assert PowerLaw(1.0, power).is_robbins_monro() is holds


def test_a_constant_step_is_not_robbins_monro():
    assert Constant(1e-9).is_robbins_monro() is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, 1.0), "scale must be > 0, got 0"),
        ((-1.0, 1.0), "scale must be > 0, got -1"),
        ((math.nan, 1.0), "scale must be > 0, got nan"),
        ((math.inf, 1.0), "scale must be > 0, got inf"),
        ((1.0, -0.5), "power must be >= 0, got -0.5"),
        ((1.0, math.nan), "power must be >= 0, got nan"),
        ((1.0, math.inf), "power must be >= 0, got inf"),
        ((1.0, 1.0, 0.0), "offset must be > 0, got 0"),
        ((1.0, 1.0, -1.0), "offset must be > 0, got -1"),
        ((1.0, 1.0, math.nan), "offset must be > 0, got nan"),
        ((1.0, 1.0, math.inf), "offset must be > 0, got inf"),
    ],
)
def test_a_power_law_refuses_parameters_outside_their_range(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message) + "$"):
        PowerLaw(*arguments)


@pytest.mark.parametrize("name", ["scale", "power", "offset"])
@pytest.mark.parametrize("value", ["fast", "1", True, None, 1j, [1.0, 2.0]])
def test_a_power_law_refuses_what_is_no_number(name, value):
    with pytest.raises(TypeError, match=f"{name} must be a number, >=? 0, got {re.escape(repr(value))}"):
        PowerLaw(**{"scale": 1.0, "power": 1.0, name: value})


@pytest.mark.parametrize(("scale", "shown"), [(0.0, "0"), (-1.0, "-1"), (math.nan, "nan"), (math.inf, "inf")])
def test_a_constant_refuses_a_step_that_is_not_positive(scale, shown):
    with pytest.raises(ValueError, match=f"scale must be > 0, got {shown}$"):
        Constant(scale)


def test_a_constant_refuses_what_is_no_number():
    with pytest.raises(TypeError, match="scale must be a number, > 0, got 'fast'"):
        Constant("fast")


@pytest.mark.parametrize("schedule", [PowerLaw(1.0, 1.0), Constant(1.0)])
def test_a_bad_step_index_is_refused(schedule):
    for ask in (schedule, schedule.time):
        with pytest.raises(ValueError, match=re.escape("k must be in [0, inf], got -1")):
            ask([3, -1])
        with pytest.raises(ValueError, match=re.escape("k must be in [0, inf], got nan")):
            ask(math.nan)
        with pytest.raises(ValueError, match=re.escape("k must be in [0, inf], got inf")):
            ask(math.inf)
        with pytest.raises(TypeError, match="k must be an array of real numbers, got str"):
            ask("first")


@pytest.mark.parametrize("schedule", [PowerLaw(1.0, 1.0), Constant(1.0)])
def test_time_is_defined_after_whole_steps_only(schedule):
    with pytest.raises(ValueError, match=re.escape("k must be integers >= 0, got 2.5")):
        schedule.time([1, 2.5])
