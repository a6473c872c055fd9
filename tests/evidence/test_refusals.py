"""A claim or a check that makes no sense is refused, and leaves nothing behind."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from evidence import claim, sample_size
from facts import X, Y, normal


@pytest.mark.parametrize("id", ["", "b1", "1", "B 1", "B1.", ".B1", "B1..x", "B_1", "B1\n", 'B1"', "é", 5, None])
def test_an_id_of_another_form_is_refused(shown, id):
    with pytest.raises(ValueError, match=re.escape(f'id must look like "B1" or "B1.noise", got {id!r}')):
        claim(id, "a statement")
    assert shown == []


@pytest.mark.parametrize("id", ["A", "B1", "B1.noise", "B1.noise-2.a", "Trap"])
def test_an_id_may_be_dotted(shown, id):
    assert claim(id, "a statement").id == id


@pytest.mark.parametrize("statement", ["", "  \n", None, 3])
def test_an_empty_statement_is_refused(shown, statement):
    with pytest.raises(
        ValueError, match="statement must be a text that is not empty, got " + re.escape(repr(statement))
    ):
        claim("B1", statement)


#: What a test of a mean needs.
ONE = {"rivals": {"a": 2.0}, "tails": "normal"}
BAD_CALLS = [
    (lambda c: c.identity([], [], rivals={"a": []}), ValueError, "lhs must hold at least one expression, got none"),
    (lambda c: c.identity([X, Y], X, rivals={"a": X}), ValueError, "as many expressions, got 2 and 1"),
    (lambda c: c.identity(X, X, rivals={"a": [X, Y]}), ValueError, "as many expressions, got 1 and 2"),
    (
        lambda c: c.exact([], [], error=1.0, rivals={"a": 9.0}),
        ValueError,
        "value must hold at least one number, got none",
    ),
    (lambda c: c.exact(1.0, 1.0, error=0.0, rivals={"a": 9.0}), ValueError, "error must be > 0, got 0"),
    (lambda c: c.exact(1.0, 1.0, error=-1.0, rivals={"a": 9.0}), ValueError, "error must be > 0, got -1"),
    (lambda c: c.exact(1.0, 1.0, error=math.nan, rivals={"a": 9.0}), ValueError, "error must be > 0, got nan"),
    (lambda c: c.exact(1.0, 1.0, error=math.inf, rivals={"a": 9.0}), ValueError, "error must be > 0, got inf"),
    (lambda c: c.exact(math.nan, 1.0, error=1.0, rivals={"a": 9.0}), ValueError, "value must be finite, got nan"),
    (lambda c: c.exact(1.0, math.inf, error=1.0, rivals={"a": 9.0}), ValueError, "reference must be finite, got inf"),
    (
        lambda c: c.exact("one", 1.0, error=1.0, rivals={"a": 9.0}),
        TypeError,
        "value must be an array of real numbers, got str",
    ),
    (lambda c: c.exact([1.0, 2.0], [1.0, 2.0, 3.0], error=1.0, rivals={"a": 9.0}), ValueError, "shape mismatch"),
    (lambda c: c.agrees([], [], rivals={"a": 1}), ValueError, "found must hold at least one fact, got none"),
    (lambda c: c.agrees(0.5, 1, rivals={"a": 0}), ValueError, "found must hold yes/no facts or whole numbers, got 0.5"),
    (lambda c: c.agrees(1, 0.5, rivals={"a": 0}), ValueError, "expected must hold yes/no facts or whole numbers"),
    (lambda c: c.agrees(math.nan, 1, rivals={"a": 0}), ValueError, "found must be finite, got nan"),
    (lambda c: c.agrees("yes", 1, rivals={"a": 0}), TypeError, "found must be an array of real numbers, got str"),
    (lambda c: c.agrees([1, 2], [1, 2, 3], rivals={"a": 0}), ValueError, "shape mismatch"),
    (lambda c: c.mean(np.ones(29), 1.0, **ONE), ValueError, "with n >= 30, got (29,)"),
    (
        lambda c: c.mean(np.ones((2, 50)), 1.0, **ONE),
        ValueError,
        "with n >= 30, got (2, 50)",
    ),
    (
        lambda c: c.mean(np.ones((50, 0)), 1.0, **ONE),
        ValueError,
        "with n >= 30, got (50, 0)",
    ),
    (lambda c: c.mean(np.ones((50, 2, 2)), 1.0, **ONE), ValueError, "got (50, 2, 2)"),
    (lambda c: c.mean(1.0, 1.0, **ONE), ValueError, "with n >= 30, got ()"),
    (
        lambda c: c.mean(np.ones(50), 1.0, **ONE),
        ValueError,
        "samples must vary in every component",
    ),
    (
        lambda c: c.mean([math.nan] * 50, 1.0, **ONE),
        ValueError,
        "samples must be finite, got nan",
    ),
    (
        lambda c: c.mean(normal(50), math.nan, **ONE),
        ValueError,
        "predicted must be finite, got nan",
    ),
    (
        lambda c: c.mean(normal(50), "a", **ONE),
        TypeError,
        "predicted must be an array of real numbers",
    ),
    (lambda c: c.mean(normal((50, 2)), np.zeros(3), **ONE), ValueError, "broadcast"),
    (lambda c: c.law(normal(29), stats.norm.cdf, rivals={"a": stats.norm(9).cdf}), ValueError, "n >= 30, got (29,)"),
    (lambda c: c.law(normal((50, 1)), stats.norm.cdf, rivals={"a": stats.norm(9).cdf}), ValueError, "got (50, 1)"),
    (lambda c: c.law([math.inf] * 50, stats.norm.cdf, rivals={"a": stats.norm(9).cdf}), ValueError, "got inf"),
    (lambda c: c.law(normal(50), lambda x: x * math.nan, rivals={"a": stats.norm.cdf}), ValueError, "got nan"),
    (lambda c: c.order([0.1, 0.2], [1, 2], 1, rivals={"a": 2}), ValueError, "m >= 3, got (2,) and (2,)"),
    (lambda c: c.order([0.1, 0.2, 0.4], [1, 2], 1, rivals={"a": 2}), ValueError, "m >= 3, got (3,) and (2,)"),
    (lambda c: c.order(np.ones((3, 1)), np.ones((3, 1)), 1, rivals={"a": 2}), ValueError, "got (3, 1) and (3, 1)"),
    (lambda c: c.order([0.0, 0.2, 0.4], [1, 2, 3], 1, rivals={"a": 2}), ValueError, "h must be distinct and > 0"),
    (lambda c: c.order([0.2, 0.2, 0.4], [1, 2, 3], 1, rivals={"a": 2}), ValueError, "h must be distinct and > 0"),
    (lambda c: c.order([0.1, 0.2, 0.4], [1, -2, 3], 1, rivals={"a": 2}), ValueError, "nonzero and of one sign"),
    (lambda c: c.order([0.1, 0.2, 0.4], [0, 2, 3], 1, rivals={"a": 2}), ValueError, "nonzero and of one sign"),
    (
        lambda c: c.order([0.1, 0.2, 0.4], [1, 2, 3], 1, rivals={"a": 2}, se=[1, 1], runs=50),
        ValueError,
        "se must have shape (3,)",
    ),
    (
        lambda c: c.order([0.1, 0.2, 0.4], [1, 2, 3], 1, rivals={"a": 2}, se=[0, 1, 1], runs=50),
        ValueError,
        "and be > 0",
    ),
    (lambda c: c.order([0.1, 0.2, math.nan], [1, 2, 3], 1, rivals={"a": 2}), ValueError, "h must be finite, got nan"),
    (lambda _: sample_size(0.0, 1.0), ValueError, "deviation must be > 0, got 0"),
    (lambda _: sample_size(math.nan, 1.0), ValueError, "deviation must be > 0, got nan"),
    (lambda _: sample_size("one", 1.0), TypeError, "deviation must be a number, > 0, got 'one'"),
    (lambda _: sample_size(1.0, -1.0), ValueError, "gap must be > 0, got -1"),
    (lambda _: sample_size(1.0, math.inf), ValueError, "gap must be > 0, got inf"),
    (lambda _: sample_size(1.0, 1.0, 0), ValueError, "components must be an integer >= 1, got 0"),
    (lambda _: sample_size(1.0, 1.0, 1.5), TypeError, "components must be an integer >= 1, got 1.5"),
]


@pytest.mark.parametrize(("call", "error", "message"), BAD_CALLS)
def test_a_check_that_makes_no_sense_is_refused_and_leaves_no_record(fact, shown, call, error, message):
    with pytest.raises(error, match=re.escape(message)):
        call(fact)
    assert fact.checks == []
    assert len(shown) == 1


def test_a_claim_compares_by_what_it_says(shown):
    assert claim("B1", "a") == claim("B1", "a")
    assert claim("B1", "a") != claim("B1", "b")
