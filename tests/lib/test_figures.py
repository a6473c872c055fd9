"""Figures: one style, and pictures that hold the data they are given."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import same_color, to_rgb

from sga import Limit, Model, figures

WEAK = Limit(Model(tokens=1050, informative=50, dim=50, theta=1.0))
STRONG = Limit(Model(tokens=100, informative=10, dim=2, theta=4.0))
PALETTE = [figures.BLUE, figures.ORANGE, figures.GREEN, figures.RED, figures.PURPLE, figures.SKY]


@pytest.fixture(autouse=True)
def clean():
    """The style and the figures of one test do not reach the next."""
    with mpl.rc_context({"backend": "Agg"}):
        yield
        plt.close("all")


def phase_line(landscape, **kwargs):
    _, ax = figures.panels()
    figures.phase_line(ax, landscape, **kwargs)
    return ax


def luminance(color):
    channels = np.array(to_rgb(color))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize(("columns", "rows", "shape"), [(1, 1, ()), (3, 1, (3,)), (2, 2, (2, 2))])
def test_panels_come_in_rows_and_columns_of_the_size_asked_for(columns, rows, shape):
    figure, axes = figures.panels(columns, rows=rows, height=2.5, width=5.0)
    assert np.shape(axes) == shape
    np.testing.assert_allclose(figure.get_size_inches(), [5.0, 2.5])


def test_panels_are_wide_enough_for_the_page_unless_asked():
    np.testing.assert_allclose(figures.panels()[0].get_size_inches(), [6.4, 3.0])


def test_panels_pass_what_they_do_not_know_to_matplotlib():
    _, axes = figures.panels(2, sharey=True)
    axes[0].set_ylim(0.0, 7.0)
    assert axes[1].get_ylim() == (0.0, 7.0)


def test_panels_are_drawn_in_the_style_of_the_book():
    figure, ax = figures.panels()
    assert same_color(figure.get_facecolor(), "white")
    assert mpl.rcParams["savefig.facecolor"] == "white"
    assert not ax.spines["top"].get_visible()
    assert not ax.spines["right"].get_visible()
    assert [same_color(ax.plot([0, 1])[0].get_color(), color) for color in PALETTE] == [True] * 6
    for name, value in figures.STYLE.items():
        assert mpl.rcParams[name] == value, name


def test_the_colors_of_the_style_differ_from_each_other_and_from_the_page():
    assert len({to_rgb(color) for color in [*PALETTE, figures.GRAY]}) == 7
    assert all(luminance(color) < 0.5 for color in [*PALETTE, figures.GRAY])


def test_a_bundle_shows_every_run_and_their_median():
    _, ax = figures.panels()
    x, runs = np.arange(4.0), np.array([[0.0, 1.0, 2.0, 3.0], [1.0, 1.0, 5.0, 9.0], [7.0, 0.0, 3.0, 4.0]])
    figures.bundle(ax, x, runs, color=figures.RED, label="three runs")
    *thin, thick = ax.get_lines()
    assert len(thin) == 3
    for line, run in zip(thin, runs, strict=True):
        np.testing.assert_array_equal(line.get_ydata(), run)
        np.testing.assert_array_equal(line.get_xdata(), x)
        assert line.get_alpha() < 1.0
        assert line.get_linewidth() < thick.get_linewidth()
    np.testing.assert_array_equal(thick.get_ydata(), [1.0, 1.0, 3.0, 4.0])
    assert all(same_color(line.get_color(), figures.RED) for line in ax.get_lines())
    assert [handle.get_label() for handle in ax.get_legend_handles_labels()[0]] == ["three runs"]


def test_a_phase_line_draws_the_drift_over_every_alignment():
    ax = phase_line(WEAK, color=figures.GREEN, label="drift")
    (curve,) = (line for line in ax.get_lines() if line.get_label() == "drift")
    x, y = curve.get_data()
    assert (x[0], x[-1]) == (-1.0, 1.0)
    np.testing.assert_array_equal(y, WEAK.drift(x))
    assert same_color(curve.get_color(), figures.GREEN)
    assert r"\rho" in ax.get_xlabel()
    assert "drift" in ax.get_ylabel()


@pytest.mark.parametrize(
    ("landscape", "zeros", "settles", "directions"),
    [
        pytest.param(WEAK, [-1.0, 1.0], [False, True], [1.0], id="weak"),
        pytest.param(STRONG, [-1.0, STRONG.trap(), 1.0], [True, False, True], [-1.0, 1.0], id="strong"),
    ],
)
def test_a_phase_line_marks_where_the_flow_settles_and_where_it_goes(landscape, zeros, settles, directions):
    ax = phase_line(landscape)
    dots = [line for line in ax.get_lines() if line.get_marker() == "o"]
    np.testing.assert_allclose([dot.get_xdata()[0] for dot in dots], zeros)
    assert [not same_color(dot.get_markerfacecolor(), "white") for dot in dots] == settles
    heads, tails = ([getattr(text, name)[0] for text in ax.texts] for name in ("xy", "xyann"))
    np.testing.assert_array_equal(np.sign(np.subtract(heads, tails)), directions)
    assert len(heads) == len(zeros) - 1
    for head, tail, low, high in zip(heads, tails, zeros[:-1], zeros[1:], strict=True):
        assert low < head < high
        assert low < tail < high


def test_figures_can_be_saved(tmp_path):
    ax = phase_line(STRONG, label="drift")
    ax.legend()
    ax.figure.savefig(tmp_path / "phase.png")
    assert plt.imread(tmp_path / "phase.png").std() > 0.0


def test_a_hill_holds_the_objective_its_trap_and_its_balls():
    _, ax = figures.panels()
    figures.hill(ax, STRONG, [-0.9, 0.3])
    curve, *balls = ax.lines
    np.testing.assert_array_equal(curve.get_ydata(), STRONG.objective(curve.get_xdata()))
    assert [(float(ball.get_xdata()[0]), float(ball.get_ydata()[0])) for ball in balls] == [
        (rho, float(STRONG.objective(rho))) for rho in (-0.9, 0.3)
    ]
    trap = ax.patches[0]
    assert (trap.get_x(), trap.get_x() + trap.get_width()) == pytest.approx((-1.0, STRONG.trap()))
    ways = [arrow.xy[0] - arrow.xyann[0] for arrow in ax.texts]
    assert ways[0] < 0.0 < ways[1], "in the trap a ball climbs to the wrong pole"


def test_a_hill_without_a_trap_is_not_shaded_and_refuses_a_ball_beside_it():
    _, ax = figures.panels()
    figures.hill(ax, WEAK)
    assert not ax.patches
    with pytest.raises(ValueError, match="balls must be in"):
        figures.hill(ax, WEAK, [1.5])
