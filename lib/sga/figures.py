"""One matplotlib style for the book and the figures that chapters share. Figures are opaque and drawn on white, so
they read the same on a light and on a dark page."""

import sys
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler
from numpy.typing import ArrayLike

from sga import _validate as check
from sga.landscape import Landscape

#: Colors that stay apart for color-blind readers (Okabe and Ito).
BLUE, ORANGE, GREEN, RED, PURPLE, SKY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"
GRAY = "#666666"
#: What a color means in every figure: the signal and its tokens, a query and its runs, noise, theory, what goes wrong.
SIGNAL, QUERY, NOISE, THEORY, WRONG = BLUE, ORANGE, GRAY, "#222222", RED

STYLE: dict[Any, Any] = {
    "figure.dpi": 210,  # twice the pixels of the widest column that shows them
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(color=[BLUE, ORANGE, GREEN, RED, PURPLE, SKY]),
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "mathtext.fontset": "cm",
}


def panels(
    columns: int = 1, *, height: float = 3.0, width: float = 6.4, rows: int = 1, **kwargs: Any
) -> tuple[Figure, Any]:
    """Figure and axes in the book's style.

    Args:
        columns, rows: number of panels.
        height: height of the figure in inches.
        width: its width in inches.
        kwargs: passed to `matplotlib.pyplot.subplots`, such as `sharey=True`.

    Returns:
        (figure, axes) as `subplots` does.
    """
    mpl.rcParams.update(STYLE)
    made = plt.subplots(rows, columns, figsize=(width, height), **kwargs)
    if inline := sys.modules.get("matplotlib_inline.backend_inline"):  # matplotlib loads it with the first figure
        inline.set_matplotlib_formats("png", bbox_inches=None)  # uncropped: letters are of one size in all figures
    return made


def bundle(ax: Axes, x: ArrayLike, runs: ArrayLike, *, color: str = BLUE, label: str | None = None) -> None:
    """Draw every run as a thin line and their median as a thick one.

    Args:
        ax: matplotlib axes.
        x: shape (records,).
        runs: shape (runs, records).
        color: color of the lines.
        label: legend entry of the median.
    """
    ax.plot(x, np.transpose(runs), color=color, alpha=0.25, linewidth=0.7)
    ax.plot(x, np.median(np.asarray(runs), axis=0), color=color, linewidth=2.0, label=label)


def hill(
    ax: Axes, landscape: Landscape, balls: ArrayLike = (), *, color: str = THEORY, label: str | None = None
) -> None:
    """Draw the objective over rho as a hillside, its trap shaded, and balls on it with the way that each will climb.

    Args:
        ax: matplotlib axes.
        landscape: an object such as `Limit`, with `objective(rho)`, `slope(rho)` and `trap()`.
        balls: alignments in [-1, 1] at which a ball stands.
        color: color of the curve.
        label: legend entry of the curve.

    Raises:
        TypeError: `landscape` is not a landscape.
        ValueError: a ball lies outside [-1, 1].
    """
    check.landscape("landscape", landscape, "objective", "slope", "trap")
    balls = check.alignment("balls", balls)
    rho = np.linspace(-1.0, 1.0, 401)
    ax.plot(rho, landscape.objective(rho), color=color, label=label)
    trap = landscape.trap()
    if trap is not None:
        ax.axvspan(-1.0, trap, color=WRONG, alpha=0.12, linewidth=0)
    for ball in np.ravel(balls):
        way = 0.16 * np.sign(landscape.slope(ball))
        end = np.clip(ball + way, -1.0, 1.0)
        arrow = {"arrowstyle": "-|>", "color": QUERY, "linewidth": 1.5}
        ax.annotate("", (end, landscape.objective(end)), (ball, landscape.objective(ball)), arrowprops=arrow)
        ax.plot(ball, landscape.objective(ball), "o", color=QUERY, markersize=9, markeredgecolor=THEORY, zorder=3)
    ax.set(xlabel=r"alignment $\rho$", ylabel=r"objective $J$")


def phase_line(ax: Axes, landscape: Landscape, *, color: str = BLUE, label: str | None = None) -> None:
    """Draw the drift over rho, arrows for its direction, and dots: filled where the flow settles, open where it leaves.

    Args:
        ax: matplotlib axes.
        landscape: an object such as `Limit`, or with `slope(rho)`, `drift(rho)` and `trap()`.
        color: color of the curve.
        label: legend entry.

    Raises:
        TypeError: `landscape` is not a landscape.
    """
    check.landscape("landscape", landscape, "slope", "drift", "trap")
    rho = np.linspace(-1.0, 1.0, 401)
    ax.axhline(0.0, color=GRAY, linewidth=0.8)
    ax.plot(rho, landscape.drift(rho), color=color, label=label)
    trap = landscape.trap()
    zeros = np.array([-1.0, 1.0] if trap is None else [-1.0, trap, 1.0])
    middles = (zeros[:-1] + zeros[1:]) / 2
    for at, sign in zip(middles, np.sign(landscape.drift(middles)), strict=True):
        arrow = {"arrowstyle": "-|>", "color": color, "linewidth": 1.5}
        ax.annotate("", xy=(at + 0.06 * sign, 0.0), xytext=(at - 0.06 * sign, 0.0), arrowprops=arrow)
    stable = [landscape.slope(-1.0) < 0.0] + [False] * (trap is not None) + [True]
    for zero, settles in zip(zeros, stable, strict=True):
        ax.plot(zero, 0.0, "o", color=color, markerfacecolor=color if settles else "white", clip_on=False, zorder=3)
    ax.set(xlabel=r"alignment $\rho$", ylabel=r"drift $\dot\rho$")
