"""A check passes only with the right prediction and data that could refute a wrong one."""

import numpy as np
import pytest
import sympy as sp
from scipy import stats

from facts import CHECKS, SCOPES, X, Y, normal

# The right formula passes, a wrong one does not.


@pytest.mark.parametrize("test", CHECKS)
def test_a_right_prediction_passes_and_says_its_scope(fact, test):
    check = CHECKS[test](fact, about="a number")
    assert check.passed is True
    assert (check.test, check.scope, check.claim, check.about) == (test, SCOPES[test], "B1", "a number")
    assert fact.checks == [check]


@pytest.mark.parametrize(
    "zero",
    [
        sp.sin(1) ** 2 + sp.cos(1) ** 2 - 1,
        X * (sp.cos(2) - 2 * sp.cos(1) ** 2 + 1),
        sp.sqrt(3 + 2 * sp.sqrt(2)) - 1 - sp.sqrt(2),
    ],
)
def test_an_identity_between_constants_is_simplified_too(fact, zero):
    assert fact.identity(zero, 0, rivals={"one": 1}).passed is True
    assert fact.identity(0, 0, rivals={"the same": zero}).passed is False


def test_a_wrong_identity_does_not_pass(fact):
    assert fact.identity((X + 1) ** 2, X**2 + 1, rivals={"zero": 0}).passed is False
    assert fact.identity([X, Y], [X, X], rivals={"zero": [0, 0]}).passed is False


def test_a_wrong_number_does_not_pass(fact):
    far = {"far": 9.0}
    assert fact.exact(1.0, 1.0 + 2e-8, error=1e-8, rivals=far).passed is False
    assert fact.exact([1.0, 2.0], [1.0, 3.0], error=1e-8, rivals=far).passed is False
    assert fact.exact([1.0, 2.0], [1.0, 1.0], error=0.5, because="a rough model", rivals=far).passed is False


def test_a_wrong_fact_does_not_pass(fact):
    assert fact.agrees([True, True], [1, 0], rivals={"never": 0}).passed is False
    assert fact.agrees([3, 4], [3, 5], rivals={"more": 9}).passed is False
    assert fact.agrees([1.0, -1.0], [1, -1], rivals={"always": 1}).passed is True


def test_facts_broadcast_and_are_counted_and_have_no_error(fact):
    check = fact.agrees([[1, 2], [1, 2]], [1, 2], rivals={"one": 1})
    assert (check.passed, check.n, check.error) == (True, 4, None)
    assert fact.agrees(True, [1, 1, 1], rivals={"no": 0}).n == 3


def test_a_wrong_mean_does_not_pass(fact):
    assert fact.mean(normal(1000), 0.5, rivals={"far": 3.0}, tails="normal", tolerance=2.4).passed is False
    assert (
        fact.mean(normal((1000, 3)), [0.0, 0.0, 0.5], rivals={"far": 3.0}, tails="normal", tolerance=2.4).passed
        is False
    )


def test_a_wrong_law_does_not_pass(fact):
    assert fact.law(normal(2000), stats.norm(0, 1.5).cdf, rivals={"far": stats.norm(0.5).cdf}).passed is False


def test_a_wrong_order_does_not_pass(fact):
    h = np.array([0.1, 0.2, 0.4])
    assert fact.order(h, h**2, 1, rivals={"third": 3}).passed is False
    assert fact.order(h, h**2, 1, rivals={"third": 3}, se=1e-3 * h**2, runs=100).passed is False


# Data that cannot refute a rival are not evidence.


def test_an_identity_that_a_rival_shares_does_not_pass(fact):
    kept = fact.identity(sp.sin(X) ** 2, 1 - sp.cos(X) ** 2, rivals={"double angle": (1 - sp.cos(2 * X)) / 2})
    assert kept.passed is False
    assert kept.rivals == (("double angle", False),)
    assert fact.identity(sp.sin(X) ** 2, 1 - sp.cos(X) ** 2, rivals={"sign": 1 + sp.cos(X) ** 2}).passed is True


def test_an_error_bound_too_wide_for_a_rival_does_not_pass(fact):
    rivals = {"near": [1.0, 2.01]}
    why = {"because": "three digits", "rivals": rivals}
    assert fact.exact([1.0, 2.0], [1.0, 2.0], error=0.1, **why).passed is False
    assert fact.exact([1.0, 2.0], [1.0, 2.006], error=0.006, **why).passed is False
    assert fact.exact([1.0, 2.0], [1.0, 2.0], error=0.001, rivals=rivals).passed is True


def test_facts_that_a_rival_shares_do_not_pass(fact):
    kept = fact.agrees([1, 0], [1, 0], rivals={"first": [1, 0], "always": 1})
    assert (kept.passed, kept.rivals) == (False, (("first", False), ("always", True)))


def test_too_few_samples_to_reject_a_rival_mean_do_not_pass(fact):
    few = fact.mean(normal(100), 0.0, rivals={"far": 2.0, "near": 0.1}, tails="normal")
    assert few.passed is False
    assert few.rivals == (("far", True), ("near", False))
    assert few.resolution > 0.1
    many = fact.mean(normal(10_000), 0.0, rivals={"far": 2.0, "near": 0.1}, tails="normal")
    assert many.passed is True
    assert many.resolution < 0.1


def test_too_few_samples_to_reject_a_rival_law_do_not_pass(fact):
    rivals = {"shifted": stats.norm(0.3).cdf}
    few, many = (fact.law(normal(n), stats.norm.cdf, rivals=rivals) for n in (100, 3000))
    assert (few.passed, many.passed) == (False, True)
    assert few.rivals == (("shifted", False),)


def test_too_much_noise_to_reject_a_rival_order_does_not_pass(fact):
    h = np.array([0.1, 0.2, 0.4])
    noisy, clean = (fact.order(h, h, 1, rivals={"half": 0.5}, se=share * h, runs=1000) for share in (0.2, 0.01))
    assert (noisy.passed, clean.passed) == (False, True)
    assert noisy.resolution > 0.5 > clean.resolution
    assert fact.order(h, h, 1, rivals={"close": 1.05}).passed is False


@pytest.mark.parametrize("rivals", [None, {}])
@pytest.mark.parametrize("test", ["identity", "exact", "agrees", "mean", "count", "law", "order"])
def test_a_check_without_rivals_is_refused(fact, shown, test, rivals):
    with pytest.raises(ValueError, match="rivals must name at least one wrong prediction"):
        CHECKS[test](fact, rivals=rivals)
    assert fact.checks == []
    assert len(shown) == 1


@pytest.mark.parametrize("test", ["identity", "exact", "agrees", "mean", "count", "law", "order"])
def test_rivals_of_a_check_cannot_be_left_out(fact, test):
    arguments = {
        "identity": (X, X),
        "exact": (1.0, 1.0),
        "agrees": (1, 1),
        "count": (3, 10, 0.3),
        "mean": (normal(50), 0.0),
        "law": (normal(50), stats.norm.cdf),
        "order": ([0.1, 0.2, 0.4], [0.1, 0.2, 0.4], 1),
    }
    with pytest.raises(TypeError, match="rivals"):
        getattr(fact, test)(*arguments[test])
