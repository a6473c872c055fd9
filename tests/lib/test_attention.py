"""Attention with one query: definitions, invariances, gradient, limits and refusals."""

import math
import re

import numpy as np
import pytest
from scipy.stats import ortho_group

from independent import complex_gradient, pooled, squared_pool
from sga import Model, gradient, objective, pool, weights

FUNCTIONS = [weights, pool, objective, gradient]
SHAPES = [(1, 2), (1, 5), (2, 2), (7, 3), (200, 2), (50, 40)]


def case(tokens, dim, seed=0, batch=()):
    """A query and tokens of which a third carry a signal along a random direction."""
    rng = np.random.default_rng((seed, tokens, dim))
    model = Model(tokens=tokens, informative=-(-tokens // 3), dim=dim, theta=1.5)
    q, xi = rng.normal(size=(*batch, dim)), rng.normal(size=dim)
    x = model.sample(rng, batch, xi=xi / np.linalg.norm(xi))
    return q / np.linalg.norm(q, axis=-1, keepdims=True), x


def test_weights_are_a_softmax_of_scaled_scores():
    q, x = case(7, 3)
    a = np.exp(1.3 * x @ q)
    np.testing.assert_allclose(weights(q, x, 1.3), a / a.sum(), rtol=1e-13)


def test_two_tokens_are_weighed_by_hand():
    a = weights([1.0, 0.0], [[math.log(3.0), 5.0], [0.0, -7.0]])
    np.testing.assert_allclose(a, [0.75, 0.25], rtol=1e-15)
    np.testing.assert_allclose(pool([1.0, 0.0], [[math.log(3.0), 4.0], [0.0, -8.0]]), [0.75 * math.log(3.0), 1.0])


@pytest.mark.parametrize(("tokens", "dim"), SHAPES)
@pytest.mark.parametrize("beta", [1e-300, 1e-3, 1.0, 30.0, 1e6])
def test_weights_sum_to_one_and_are_not_negative(tokens, dim, beta):
    a = weights(*case(tokens, dim), beta)
    assert a.shape == (tokens,)
    assert np.all(a >= 0.0)
    assert a.sum() == pytest.approx(1.0, abs=1e-14)


def test_the_inverse_temperature_is_one_unless_given():
    q, x = case(7, 3)
    for function in FUNCTIONS:
        np.testing.assert_array_equal(function(q, x), function(q, x, 1.0))


@pytest.mark.parametrize(("tokens", "dim"), SHAPES)
@pytest.mark.parametrize("beta", [0.3, 1.0, 4.0])
def test_pool_objective_and_gradient_agree_with_complex_steps(tokens, dim, beta):
    q, x = case(tokens, dim)
    scale = 1.0 + beta * np.abs(x).max() ** 3
    np.testing.assert_allclose(pool(q, x, beta), pooled(q, x, beta), rtol=1e-13, atol=1e-14 * scale)
    np.testing.assert_allclose(objective(q, x, beta), squared_pool(q, x, beta), rtol=1e-13)
    np.testing.assert_allclose(gradient(q, x, beta), complex_gradient(q, x, beta), rtol=1e-12, atol=1e-14 * scale)


def test_the_objective_is_the_squared_norm_of_the_pooled_token():
    q, x = case(50, 40, batch=(4,))
    np.testing.assert_allclose(objective(q, x), np.linalg.norm(pool(q, x), axis=-1) ** 2, rtol=1e-13)


@pytest.mark.parametrize("beta", [0.5, 2.0])
def test_the_radial_part_of_the_gradient_is_beta_times_the_derivative_in_beta(beta):
    q, x = case(30, 5)
    h = 1e-3
    stencil = {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12}
    in_beta = sum(c * objective(q, x, beta + k * h) for k, c in stencil.items()) / h
    radial = q @ gradient(q, x, beta)
    assert abs(radial) > 0.1
    assert radial == pytest.approx(beta * in_beta, rel=1e-8)


@pytest.mark.parametrize(("tokens", "dim"), [(2, 2), (30, 5), (50, 40)])
def test_finite_differences_along_geodesics_approach_the_gradient_at_order_two(tokens, dim):
    q, x = case(tokens, dim)
    v = np.random.default_rng(1).normal(size=dim)
    v -= (v @ q) * q
    v /= np.linalg.norm(v)
    h = 0.1 / 2.0 ** np.arange(5)
    ahead, behind = (objective(np.cos(h)[:, None] * q + s * np.sin(h)[:, None] * v, x) for s in (1, -1))
    errors = np.abs((ahead - behind) / (2 * h) - v @ gradient(q, x))
    orders = np.log2(errors[:-1] / errors[1:])
    assert orders[-1] == pytest.approx(2.0, abs=0.02)


@pytest.mark.parametrize("beta", [0.7, 1e6])
def test_the_order_of_the_tokens_does_not_matter(beta):
    q, x = case(40, 5)
    order = np.random.default_rng(3).permutation(40)
    np.testing.assert_allclose(weights(q, x[order], beta), weights(q, x, beta)[order], rtol=1e-12)
    for function in (pool, objective, gradient):
        np.testing.assert_allclose(function(q, x[order], beta), function(q, x, beta), rtol=1e-11, atol=1e-11)


def test_rotating_query_and_tokens_rotates_the_gradient_and_nothing_else():
    q, x = case(40, 5)
    turn = ortho_group.rvs(5, random_state=4)
    np.testing.assert_allclose(weights(turn @ q, x @ turn.T), weights(q, x), rtol=1e-12)
    np.testing.assert_allclose(objective(turn @ q, x @ turn.T), objective(q, x), rtol=1e-12)
    for function in (pool, gradient):
        np.testing.assert_allclose(function(turn @ q, x @ turn.T), turn @ function(q, x), rtol=1e-11, atol=1e-12)


def test_reflecting_signal_and_alignment_together_changes_nothing():
    noise = np.random.default_rng(5).normal(size=(40, 3))
    signal = np.outer(np.arange(40) < 10, [1.7, 0.0, 0.0])
    mirror = np.array([-1.0, 1.0, 1.0])
    q = np.array([0.6, 0.0, 0.8])
    np.testing.assert_allclose(weights(mirror * q, mirror * noise - signal), weights(q, noise + signal), rtol=1e-13)
    reflected = gradient(mirror * q, mirror * noise - signal)
    np.testing.assert_allclose(reflected, mirror * gradient(q, noise + signal), rtol=1e-12)


@pytest.mark.parametrize("sigma", [0.2, 3.0])
def test_scaled_tokens_act_like_a_scaled_temperature(sigma):
    q, x = case(40, 5)
    np.testing.assert_allclose(weights(q, sigma * x, 0.8), weights(q, x, 0.8 * sigma), rtol=1e-12)
    np.testing.assert_allclose(pool(q, sigma * x, 0.8), sigma * pool(q, x, 0.8 * sigma), rtol=1e-12)
    for function in (objective, gradient):
        scaled = sigma**2 * function(q, x, 0.8 * sigma)
        np.testing.assert_allclose(function(q, sigma * x, 0.8), scaled, rtol=1e-12)


def test_a_model_of_other_noise_has_the_objective_of_the_reduced_model():
    q, _ = case(20, 4)
    sizes = {"tokens": 20, "informative": 6, "dim": 4}
    noisy = Model(**sizes, theta=1.2, beta=0.7, sigma=2.0).sample(np.random.default_rng(6))
    plain = Model(**sizes, theta=0.6, beta=1.4).sample(np.random.default_rng(6))
    assert objective(q, noisy, 0.7) == pytest.approx(4.0 * objective(q, plain, 1.4), rel=1e-13)


def test_adding_a_constant_to_every_score_leaves_the_weights():
    q, x = case(20, 4)
    np.testing.assert_allclose(weights(q, x + 1e3 * q), weights(q, x), rtol=1e-9)


def test_one_token_takes_all_the_attention_and_teaches_nothing():
    q, x = case(1, 5)
    np.testing.assert_array_equal(weights(q, x), [1.0])
    np.testing.assert_array_equal(pool(q, x), x[0])
    np.testing.assert_allclose(gradient(q, x), 0.0, atol=1e-14)


def test_equal_tokens_share_the_attention_evenly():
    q, x = case(1, 5)
    np.testing.assert_allclose(weights(q, np.tile(x, (8, 1)), 1e6), 1 / 8, rtol=1e-15)


def test_weights_become_uniform_as_beta_vanishes():
    q, x = case(50, 4)
    np.testing.assert_allclose(weights(q, x, 1e-300), 1 / 50, rtol=1e-15)
    distance = [np.abs(weights(q, x, beta) - 1 / 50).max() for beta in (1e-3, 1e-4)]
    assert distance[0] / distance[1] == pytest.approx(10.0, rel=0.02)
    np.testing.assert_allclose(pool(q, x, 1e-300), x.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(gradient(q, x, 1e-300), 0.0, atol=1e-290)


@pytest.mark.filterwarnings("error")
def test_a_huge_beta_picks_the_best_token_without_overflow():
    q, x = case(200, 5, batch=(3,))
    best = np.argmax(np.einsum("bld,bd->bl", x, q), axis=-1)
    np.testing.assert_array_equal(weights(q, x, 1e6), np.eye(200)[best])
    np.testing.assert_array_equal(pool(q, x, 1e6), x[np.arange(3), best])
    assert np.all(np.isfinite(gradient(q, x, 1e6)))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("shift", [1e4, -1e4])
def test_huge_scores_of_either_sign_do_not_overflow(shift):
    q, x = case(20, 4)
    for function in FUNCTIONS:
        assert np.all(np.isfinite(function(q, x + shift * q)))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("queries", "bags", "together"),
    [((), (3,), (3,)), ((3,), (), (3,)), ((2, 1), (3,), (2, 3)), ((2, 3), (2, 3), (2, 3)), ((0,), (), (0,))],
)
def test_leading_axes_broadcast(function, queries, bags, together):
    q, x = case(6, 4, batch=queries)[0], case(6, 4, seed=1, batch=bags)[1]
    out = function(q, x, 0.9)
    inner = {weights: (6,), pool: (4,), objective: (), gradient: (4,)}[function]
    assert out.shape == together + inner
    qs, xs = np.broadcast_to(q, (*together, 4)), np.broadcast_to(x, (*together, 6, 4))
    for index in np.ndindex(together):
        np.testing.assert_allclose(out[index], function(qs[index], xs[index], 0.9), rtol=1e-12)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arguments_are_left_as_they_were(function):
    q, x = case(6, 4)
    before = q.copy(), x.copy()
    function(q, x, 2.0)
    np.testing.assert_array_equal(q, before[0])
    np.testing.assert_array_equal(x, before[1])


UNIT = [1.0, 0.0]
TOKENS = [[1.0, 2.0], [3.0, 4.0]]
BAD_VALUES = [
    ((UNIT, [1.0, 2.0]), "x must have shape (..., L, d) with L >= 1, got (2,)"),
    ((UNIT, 1.0), "x must have shape (..., L, d) with L >= 1, got ()"),
    ((UNIT, np.ones((0, 2))), "x must have shape (..., L, d) with L >= 1, got (0, 2)"),
    (([1.0, 0.0, 0.0], TOKENS), "q must have last axis of size 2, got shape (3,)"),
    ((1.0, TOKENS), "q must have last axis of size 2, got shape ()"),
    (([1.0, 1e-3], TOKENS), "q must have norm 1 (within 1e-08), got norm 1"),
    (([2.0, 0.0], TOKENS), "q must have norm 1 (within 1e-08), got norm 2"),
    (([0.0, 0.0], TOKENS), "q must have norm 1 (within 1e-08), got norm 0"),
    (([[1.0, 0.0], [0.0, 0.5]], TOKENS), "q must have norm 1 (within 1e-08), got norm 0.5"),
    (([math.nan, 0.0], TOKENS), "q must be finite, got nan"),
    ((UNIT, [[1.0, math.nan]]), "x must be finite, got nan"),
    ((UNIT, [[1.0, -math.inf]]), "x must be finite, got -inf"),
    ((np.tile(UNIT, (3, 1)), np.ones((2, 4, 2))), "leading axes that broadcast, got (3,) and (2,)"),
    ((UNIT, TOKENS, 0.0), "beta must be > 0, got 0"),
    ((UNIT, TOKENS, -1.0), "beta must be > 0, got -1"),
    ((UNIT, TOKENS, math.nan), "beta must be > 0, got nan"),
    ((UNIT, TOKENS, math.inf), "beta must be > 0, got inf"),
]
BAD_TYPES = [
    (("q", TOKENS), "q must be an array of real numbers, got str"),
    ((UNIT, "x"), "x must be an array of real numbers, got str"),
    ((UNIT, [[1.0, 2.0], [3.0]]), "x must be an array of real numbers, got a ragged list"),
    (([True, False], TOKENS), "q must be an array of real numbers, got list of type bool"),
    ((np.array([1j, 0.0]), TOKENS), "q must be an array of real numbers, got ndarray of type complex128"),
    ((UNIT, TOKENS, True), "beta must be a number, > 0, got True"),
    ((UNIT, TOKENS, "hot"), "beta must be a number, > 0, got 'hot'"),
    ((UNIT, TOKENS, None), "beta must be a number, > 0, got None"),
    ((UNIT, TOKENS, [1.0, 2.0]), "beta must be a number, > 0, got [1.0, 2.0]"),
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(("arguments", "message"), BAD_VALUES)
def test_bad_values_are_refused(function, arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        function(*arguments)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(("arguments", "message"), BAD_TYPES)
def test_bad_types_are_refused(function, arguments, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        function(*arguments)
