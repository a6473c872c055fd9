"""What every landscape keeps: shapes, drift and slope that belong to the objective, its trap, and refusals."""

import math
import re
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from sga import (
    FiniteSize,
    Landscape,
    Limit,
    Model,
    Paths,
    Proportional,
    Tabulated,
    figures,
    flow,
    shadow_distance,
    time_to,
)

WEAK = Model(tokens=1050, informative=50, dim=50, theta=1.0)
TRAPPED = Model(tokens=100, informative=10, dim=3, theta=4.0, beta=0.8, sigma=1.1)
NOISY = Model(tokens=60, informative=12, dim=90, theta=2.0, beta=0.5, sigma=1.6)
ALIKE = Model(tokens=9, informative=9, dim=4, theta=1.5, beta=0.7)
NO_SIGNAL = Model(tokens=40, informative=8, dim=5, theta=0.0)
NO_TOKEN = Model(tokens=40, informative=0, dim=5, theta=2.0)
MODELS = {"weak": WEAK, "trapped": TRAPPED, "noisy": NOISY, "alike": ALIKE, "silent": NO_SIGNAL, "none": NO_TOKEN}
METHODS = ("objective", "slope", "drift", "mass")


class Cubic(Landscape):
    """A landscape of a reader's own, with a trap at 0.5: it says no more than it must."""

    def objective(self, rho):
        rho = np.asarray(rho, dtype=float)
        return rho**3 / 3.0 - 0.25 * rho

    def slope(self, rho):
        return np.asarray(rho, dtype=float) ** 2 - 0.25

    def mass(self, rho):
        return np.full(np.shape(rho), 0.5)

    def trap(self):
        return 0.5


#: With each, the largest difference, as a share of the largest objective, between slope and numerical derivative: the
#: differences over 1e-4 of objectives that are exact to rounding, to 1e-10, or to a table's 1e-9.
LANDSCAPES = {
    **{f"limit-{name}": (Limit(model), 1e-9) for name, model in MODELS.items()},
    **{f"proportional-{name}": (Proportional(model), 1e-9) for name, model in MODELS.items()},
    **{f"finite-{name}": (FiniteSize(model, 1e-9), 1e-9) for name, model in MODELS.items()},
    "table-limit": (Tabulated(Limit(TRAPPED)), 1e-6),
    "table-finite": (Tabulated(FiniteSize(NOISY)), 1e-6),
    "own": (Cubic(), 1e-9),
}
EACH = pytest.mark.parametrize("landscape", [x for x, _ in LANDSCAPES.values()], ids=list(LANDSCAPES))


@EACH
@pytest.mark.parametrize("method", METHODS)
def test_a_method_takes_any_shape_and_gives_it_back(landscape, method):
    values = getattr(landscape, method)
    for rho in (0.3, np.zeros(0), np.array([-1.0, 0.0, 1.0]), np.linspace(-0.9, 0.9, 6).reshape(2, 3)):
        out = values(rho)
        assert np.shape(out) == np.shape(rho)
        assert out.dtype == np.float64
        one_by_one = np.reshape([values(x) for x in np.ravel(rho)], np.shape(rho))
        np.testing.assert_allclose(out, one_by_one, rtol=1e-11, atol=1e-13)
    np.testing.assert_array_equal(values([0, 1]), values(np.array([0.0, 1.0])))


@EACH
def test_the_drift_is_the_slope_across_the_sphere(landscape):
    rho = np.linspace(-1.0, 1.0, 21)
    np.testing.assert_allclose(landscape.drift(rho), (1.0 - rho**2) * landscape.slope(rho), rtol=1e-14, atol=1e-15)
    np.testing.assert_array_equal(landscape.drift([-1.0, 1.0]), [0.0, 0.0])


@pytest.mark.parametrize(("landscape", "share"), LANDSCAPES.values(), ids=list(LANDSCAPES))
def test_the_slope_is_the_derivative_of_the_objective(landscape, share):
    rho, h = np.linspace(-0.95, 0.95, 13), 1e-4
    near = [landscape.objective(rho + k * h) for k in (-2, -1, 1, 2)]
    numerical = (near[0] - 8 * near[1] + 8 * near[2] - near[3]) / (12 * h)
    np.testing.assert_allclose(landscape.slope(rho), numerical, rtol=0.0, atol=share * np.max(np.abs(near)))


@EACH
def test_the_mass_is_a_share(landscape):
    mass = landscape.mass(np.linspace(-1.0, 1.0, 21))
    assert np.all((mass >= 0.0) & (mass <= 1.0 + 1e-12))


@EACH
def test_the_trap_is_the_last_change_of_the_slope_from_falling_to_rising(landscape):
    grid = np.linspace(-1.0, 1.0, 403)
    sign = np.sign(landscape.slope(grid))
    rises = (sign[:-1] < 0.0) & (sign[1:] > 0.0)
    trap = landscape.trap()
    if trap is None:
        assert not rises.any()
    else:
        assert isinstance(trap, float)
        assert grid[:-1][rises][-1] <= trap <= grid[1:][rises][-1]
        before, after = landscape.slope([trap - 1e-6, trap + 1e-6])
        assert before < 0.0 < after


@EACH
def test_a_landscape_is_monotone_where_its_slope_is_positive_throughout(landscape):
    assert landscape.is_monotone() is bool(np.all(landscape.slope(np.linspace(-1.0, 1.0, 401)) > 0.0))


def test_the_landscapes_here_are_of_every_kind():
    limits, finite = (
        [x for name, (x, _) in LANDSCAPES.items() if name.startswith(kind)] for kind in ("limit", "finite")
    )
    for some in (limits, finite):
        assert {x.trap() is None for x in some} == {x.is_monotone() for x in some} == {True, False}
        assert any(x.trap() is None and not x.is_monotone() for x in some), "a flat one is missing"


@pytest.mark.parametrize(
    ("rho", "error", "message"),
    [
        (1.0000001, ValueError, "rho must be in [-1, 1], got 1"),
        ([0.0, -2.0], ValueError, "rho must be in [-1, 1], got -2"),
        (math.nan, ValueError, "rho must be in [-1, 1], got nan"),
        (math.inf, ValueError, "rho must be in [-1, 1], got inf"),
        ("north", TypeError, "rho must be an array of real numbers, got str"),
        (np.array([0.1 + 1e-20j]), TypeError, "rho must be an array of real numbers, got ndarray of type complex128"),
        (["0.5"], TypeError, "rho must be an array of real numbers, got list of type <U3"),
        (True, TypeError, "rho must be an array of real numbers, got bool"),
        ([[0.0], [0.0, 0.1]], TypeError, "rho must be an array of real numbers, got a ragged list"),
    ],
)
def test_a_bad_alignment_is_refused_by_every_method(rho, error, message):
    for landscape in (Limit(WEAK), Proportional(WEAK), FiniteSize(NOISY, 1e-6), Tabulated(Limit(WEAK))):
        for method in METHODS:
            with pytest.raises(error, match=re.escape(message)):
                getattr(landscape, method)(rho)


@pytest.mark.parametrize("kind", [Limit, Proportional, FiniteSize])
def test_a_landscape_of_a_model_needs_a_model_and_equals_that_of_an_equal_model(kind):
    assert kind(WEAK) == kind(Model(1050, 50, 50, 1.0)) != kind(NOISY)
    assert kind(WEAK).model is WEAK
    for model in (None, 1.0, "model", {"tokens": 3}, Model):
        with pytest.raises(TypeError, match=f"model must be a Model, got {type(model).__name__}"):
            kind(model)


def test_every_landscape_is_a_landscape_and_no_limit_is_another():
    assert all(isinstance(landscape, Landscape) for landscape, _ in LANDSCAPES.values())
    assert not isinstance(Proportional(WEAK), Limit)
    assert not isinstance(Limit(WEAK), Proportional)
    assert Limit(WEAK) != Proportional(WEAK)


@pytest.mark.parametrize("missing", ["objective", "slope", "mass", "trap"])
def test_a_landscape_of_ones_own_must_say_all_of_it(missing):
    body = {name: getattr(Cubic, name) for name in ("objective", "slope", "mass", "trap") if name != missing}
    with pytest.raises(TypeError, match=f"abstract method '?{missing}'?"):
        type("Partial", (Landscape,), body)()


PATHS = Paths(np.arange(3), np.arange(3.0), np.zeros((1, 3)), np.zeros((1, 3)))


@pytest.mark.parametrize(
    "use",
    [
        lambda landscape: flow(landscape, 0.1, 1.0),
        lambda landscape: time_to(landscape, 0.1, 0.2),
        lambda landscape: shadow_distance(PATHS, landscape, 1.0),
        lambda landscape: figures.phase_line(None, landscape),
        lambda landscape: Tabulated(landscape),
    ],
    ids=["flow", "time_to", "shadow_distance", "phase_line", "Tabulated"],
)
@pytest.mark.parametrize("wrong", [WEAK, Limit, None, np.sin, SimpleNamespace(slope=3.0)], ids=str)
def test_what_is_no_landscape_is_refused_in_one_line(use, wrong):
    with pytest.raises(
        TypeError, match=r"^landscape must be a landscape such as Limit\(model\), with .*slope"
    ) as refused:
        use(wrong)
    assert "\n" not in str(refused.value)


def test_an_object_with_the_methods_that_are_used_is_enough():
    tilted = SimpleNamespace(slope=lambda rho: 1.0 + 0.0 * rho)
    assert flow(tilted, 0.0, 1.0) == pytest.approx(math.tanh(1.0), rel=1e-9)
    assert time_to(tilted, 0.0, math.tanh(1.0)) == pytest.approx(1.0, rel=1e-9)
    assert shadow_distance(PATHS, tilted, 1.0).shape == (1, 2)
    table = Tabulated(SimpleNamespace(slope=np.cos, objective=np.sin, mass=np.square))
    assert table.slope(0.3) == pytest.approx(math.cos(0.3), rel=1e-8)
    own = Cubic()
    _, ax = plt.subplots()
    figures.phase_line(ax, SimpleNamespace(slope=own.slope, drift=own.drift, trap=own.trap))
    plt.close("all")
