"""A tolerance is small, or has a reason that is not the distance to a rival."""

import pytest

WIDE = {
    "wider than what is compared": ([1e-14, 2e-14], [3e-14, 6e-14], 1e-12, {"nine": 9.0}),
    "wider than the difference": (1.0, 1.5, 1.0, {"nine": 9.0}),
    "half the distance to a rival": (2.0, 2.04, 0.06, {"near": 2.12}),
    "hidden by a large number": ([0.5, 1e6], [0.1, 1e6], 1.0, {"far": [100.0, 1e6]}),
    "hidden by a zero": ([0.0, 0.5], [0.0, 0.1], 1.0, {"far": [0.0, 100.0]}),
    "as wide as a rival of zero": (0.5, 0.0, 0.6, {"one": 1.0}),
}


@pytest.mark.parametrize("case", WIDE)
def test_a_wide_tolerance_without_a_reason_is_refused(fact, case):
    value, reference, error, rivals = WIDE[case]
    with pytest.raises(ValueError, match="because= must say what error is expected, and why"):
        fact.exact(value, reference, error=error, rivals=rivals)
    with pytest.raises(ValueError, match="because= must say"):
        fact.exact(value, reference, error=error, because=" ", rivals=rivals)
    assert fact.checks == []


def test_a_reason_is_recorded_and_shown(fact, shown):
    check = fact.exact(1.0, 1.02, error=0.05, because="the next term, 0.03", rivals={"far": 1.5})
    assert (check.passed, check.because) == (True, "the next term, 0.03")
    assert "0.05: the next term, 0.03" in shown[-1]["text/html"]


@pytest.mark.parametrize(
    ("value", "reference", "error", "rival"),
    [(1.0, 1.5, 1.0, 3.0), (1.0, 1.05, 0.06, 1.16), (2.0, 2.0, 0.5, 2.9), ([1.0, 2.0], [1.0, 2.0], 0.1, [1.19, 2.0])],
)
def test_a_number_near_to_both_does_not_reject_the_rival(fact, value, reference, error, rival):
    check = fact.exact(value, reference, error=error, because="a rough model", rivals={"near": rival})
    assert (check.passed, check.rivals) == (False, (("near", False),))


def test_a_small_tolerance_needs_no_reason(fact):
    assert fact.exact([1.0, 1e-3, 0.0], [1.0, 1e-3, 0.0], error=1e-6, rivals={"far": [1.0, 0.0, 0.0]}).passed is True
    assert fact.exact(0.0, 0.0, error=1e-4, rivals={"one": 1.0}).passed is True
    assert fact.exact(0.2, 0.0, error=1e-4, rivals={"one": 1.0}).passed is False
