"""The data model: its parameters, its tokens and its refusals."""

import dataclasses
import math
import re

import numpy as np
import pytest
from scipy import stats

from sga import Model

GOOD = {"tokens": 10, "informative": 3, "dim": 4, "theta": 1.5, "beta": 0.5, "sigma": 2.0}


def draw(model, size=(), seed=0, **kwargs):
    return model.sample(np.random.default_rng(seed), size, **kwargs)


def test_ratios_follow_from_the_sizes():
    model = Model(**GOOD)
    assert model.pi == 0.3
    assert model.gamma == 0.4
    assert model.logit == pytest.approx(math.log(0.3 / 0.7), rel=1e-15)


def test_the_logit_is_infinite_without_noise_or_without_signal():
    assert Model(**{**GOOD, "informative": 0}).logit == -math.inf
    assert Model(**{**GOOD, "informative": 10}).logit == math.inf


def test_temperature_and_noise_are_one_unless_given():
    model = Model(tokens=2, informative=1, dim=2, theta=0)
    assert (model.beta, model.sigma) == (1.0, 1.0)


def test_a_model_is_frozen_and_equal_to_its_copy():
    model = Model(**GOOD)
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.theta = 2.0
    assert model == Model(**GOOD)
    assert hash(model) == hash(Model(**GOOD))
    assert model != Model(**{**GOOD, "theta": 1.0})


@pytest.mark.parametrize(("size", "shape"), [((), ()), (3, (3,)), ((2, 3), (2, 3)), ([2], (2,)), (0, (0,))])
def test_a_sample_has_the_batch_shape_before_tokens_and_coordinates(size, shape):
    assert draw(Model(**GOOD), size).shape == (*shape, 10, 4)


def test_the_same_generator_gives_the_same_tokens():
    np.testing.assert_array_equal(draw(Model(**GOOD), 2), draw(Model(**GOOD), 2))
    assert not np.array_equal(draw(Model(**GOOD), 2, seed=0), draw(Model(**GOOD), 2, seed=1))


@pytest.mark.parametrize("xi", [None, np.array([0.0, 0.6, 0.0, 0.8])])
def test_tokens_are_scaled_noise_and_only_the_first_ones_carry_the_signal(xi):
    model = Model(**GOOD)
    noise = 2.0 * np.random.default_rng(0).standard_normal((5, 10, 4))
    signal = draw(model, 5, xi=xi) - noise
    direction = np.eye(4)[0] if xi is None else xi
    np.testing.assert_allclose(signal[:, :3], np.broadcast_to(1.5 * direction, (5, 3, 4)), atol=1e-14)
    np.testing.assert_allclose(signal[:, 3:], 0.0, atol=1e-14)


@pytest.mark.parametrize("informative", [0, 10])
def test_no_token_or_every_token_may_be_informative(informative):
    model = Model(**{**GOOD, "informative": informative})
    noise = draw(Model(**{**GOOD, "informative": 0}))
    expected = 1.5 * np.eye(4)[0] if informative else np.zeros(4)
    np.testing.assert_allclose(draw(model) - noise, np.tile(expected, (10, 1)), atol=1e-14)


def test_one_token_in_two_dimensions_is_a_model():
    assert draw(Model(tokens=1, informative=1, dim=2, theta=1.0)).shape == (1, 2)


def test_signal_and_noise_scale_together():
    plain = draw(Model(tokens=10, informative=3, dim=4, theta=0.75))
    np.testing.assert_allclose(draw(Model(**GOOD)), 2.0 * plain, rtol=1e-15, atol=1e-15)


def test_noise_is_normal_and_of_size_sigma():
    noise = draw(Model(tokens=50_000, informative=0, dim=4, theta=1.0, sigma=2.0)).ravel()
    assert stats.kstest(noise, stats.norm(scale=2.0).cdf).pvalue > 1e-6
    assert stats.kstest(noise, stats.norm(scale=1.9).cdf).pvalue < 1e-6


INTEGERS = [
    ("tokens", 0, "tokens must be an integer >= 1, got 0"),
    ("tokens", -1, "tokens must be an integer >= 1, got -1"),
    ("informative", -1, "informative must be an integer >= 0, got -1"),
    ("informative", 11, "informative must be in 0..tokens, got 11 > tokens = 10"),
    ("dim", 1, "dim must be an integer >= 2, got 1"),
    ("dim", 0, "dim must be an integer >= 2, got 0"),
]
REALS = [
    ("theta", -0.1, "theta must be >= 0 and <= 1e+100, got -0.1"),
    ("theta", math.nan, "theta must be >= 0 and <= 1e+100, got nan"),
    ("theta", math.inf, "theta must be >= 0 and <= 1e+100, got inf"),
    ("theta", 1e101, "theta must be >= 0 and <= 1e+100, got 1e+101"),
    ("beta", 0.0, "beta must be > 0, got 0"),
    ("beta", -1.0, "beta must be > 0, got -1"),
    ("beta", math.nan, "beta must be > 0, got nan"),
    ("beta", math.inf, "beta must be > 0, got inf"),
    ("sigma", 0.0, "sigma must be > 0, got 0"),
    ("sigma", -2.0, "sigma must be > 0, got -2"),
    ("sigma", math.nan, "sigma must be > 0, got nan"),
    ("sigma", math.inf, "sigma must be > 0, got inf"),
]


@pytest.mark.parametrize(("name", "value", "message"), INTEGERS + REALS)
def test_a_parameter_outside_its_range_is_refused(name, value, message):
    with pytest.raises(ValueError, match=re.escape(message) + "$"):
        Model(**{**GOOD, name: value})


@pytest.mark.parametrize("name", ["tokens", "informative", "dim"])
@pytest.mark.parametrize("value", [True, 3.0, "3", None, math.nan])
def test_a_size_must_be_an_integer(name, value):
    with pytest.raises(TypeError, match=f"{name} must be an integer >= [0-2], got {re.escape(repr(value))}"):
        Model(**{**GOOD, name: value})


@pytest.mark.parametrize("name", ["theta", "beta", "sigma"])
@pytest.mark.parametrize("value", ["one", "1.0", None, True, 1j, [1.0]])
def test_a_strength_must_be_a_number(name, value):
    with pytest.raises(TypeError, match=f"{name} must be a number, >=? 0.*, got {re.escape(repr(value))}"):
        Model(**{**GOOD, name: value})


@pytest.mark.parametrize("rng", [0, None, np.random.RandomState(0), np.random, np.random.SeedSequence(0)])
def test_sampling_needs_a_generator(rng):
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator, got " + type(rng).__name__):
        Model(**GOOD).sample(rng)


@pytest.mark.parametrize(
    ("xi", "message"),
    [
        ([2.0, 0.0, 0.0, 0.0], "xi must have norm 1 (within 1e-08), got norm 2"),
        ([0.0] * 4, "xi must have norm 1 (within 1e-08), got norm 0"),
        ([1.0, 0.0, 0.0], "xi must have last axis of size 4, got shape (3,)"),
        (1.0, "xi must have last axis of size 4, got shape ()"),
        ([[1.0, 0.0, 0.0, 0.0]], "xi must have shape (4,), got (1, 4)"),
        ([math.nan, 0.0, 0.0, 0.0], "xi must be finite, got nan"),
    ],
)
def test_the_hidden_direction_must_be_one_unit_vector(xi, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        draw(Model(**GOOD), xi=xi)


@pytest.mark.parametrize("size", [-1, (2, -1)])
def test_a_batch_shape_must_not_be_negative(size):
    with pytest.raises(ValueError, match="size must be an integer >= 0, got -1"):
        draw(Model(**GOOD), size)


@pytest.mark.parametrize("size", [2.0, "2", (1, None), True])
def test_a_batch_shape_must_be_made_of_integers(size):
    with pytest.raises(TypeError, match="size must be an integer >= 0, got "):
        draw(Model(**GOOD), size)
