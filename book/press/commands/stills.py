"""Makes what the explorers need: python book/press stills

A picture of each, for readers without scripts, and the stored runs of projected SGA that `ode` shows. Both come from
`sga`; the defaults below are those of the scripts.
"""

import io
import json

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from scipy.special import softmax

from press import sums
from press.commands import parser
from press.structure import ROOT
from sga import (
    Limit,
    Model,
    PowerLaw,
    Proportional,
    ascend,
    critical_gamma,
    critical_theta,
    flow,
    gradient,
)
from sga import figures as fig
from sga.rates import noise

FOLDER = ROOT / "book" / "_static" / "explorers"
TOKENS = 10_000

#: Where each explorer begins.
DEFAULTS = {
    "landscape": {"theta": 4.0, "pi": 0.3, "beta": 1.0, "gamma": 0.0, "rho": -0.6},
    "ode": {"scale": 0.3, "power": 0.5},
    "mass": {"theta": 2.5, "ratio": 21.0, "beta": 1.0, "rho": 0.5},
    "sign": {"theta": 1.0, "pi": 0.2, "gamma": 0.3, "beta": 1.0},
    "walk": {"theta": 4.0, "pi": 0.3, "scale": 0.03, "power": 0.0, "rho": -0.5, "seed": 1},
    "steps": {"scale": 0.3, "power": 1.0, "seed": 1},
    "freeze": {"ratio": 1.0, "tokens": 1000, "seed": 1},
}

#: The stored runs: artanh of the alignment in units of 1/UNIT, at RECORDS, from the equator.
SCALES, POWERS = (0.03, 0.1, 0.3, 1.0, 3.0), (0.0, 0.25, 0.5, 0.75, 1.0)
BAG = {"tokens": 200, "informative": 50, "dim": 20, "theta": 1.0, "beta": 1.0}
STEPS, RUNS, UNIT = 2000, 12, 400
RECORDS = np.unique(np.round(np.geomspace(1, STEPS, 48)).astype(int))


def stored(scale, power):
    """Returns the runs with steps scale/(1 + k)^power as integers, shape (RUNS, len(RECORDS))."""
    schedule = PowerLaw(scale, power)
    paths = ascend(Model(**BAG), STEPS, schedule, runs=RUNS, seed=0, rho0=0.0, method="reduced")
    return np.round(UNIT * np.arctanh(paths.rho[:, RECORDS])).astype(int)


def facts():
    """Returns what `runs.js` says of the runs."""
    return {
        "bag": BAG,
        "noise": float(noise(Model(**BAG))[1]),
        "unit": UNIT,
        "scales": SCALES,
        "powers": POWERS,
        "records": RECORDS.tolist(),
    }


def runs():
    """Returns the stored runs of every schedule, indexed by constant, power, run and record."""
    return [[stored(scale, power).tolist() for power in POWERS] for scale in SCALES]


def script(data):
    """Returns the text of `runs.js`: pages opened from a folder can load a script, but no JSON."""
    return f"window.sgaRuns = {json.dumps(data, separators=(',', ':'))};\n"


def read_script(text):
    """Returns the data in a text of `runs.js`."""
    return json.loads(text.removeprefix("window.sgaRuns = ").rstrip().removesuffix(";"))


def model(theta, pi, beta=1.0, gamma=0.0):
    """Returns a large model with this share of informative tokens and dimension per token."""
    return Model(TOKENS, round(pi * TOKENS), max(2, 1 + round(gamma * TOKENS)), theta, beta)


def two_basins(ax, values, landscape):
    """Draws a function of rho, in orange where the flow goes to -1 and in blue where it goes to 1."""
    trap = landscape.trap()
    edge = -1.0 if trap is None else trap
    for low, high, color in ((-1.0, edge, fig.RED), (edge, 1.0, fig.BLUE)):
        rho = np.linspace(low, high, 400)
        ax.plot(rho, values(rho), color=color)
    if trap is not None:
        ax.axvspan(-1, edge, color=fig.RED, alpha=0.08, linewidth=0)


def zeros(ax, landscape):
    """Draws the rest points: filled where the flow settles, open where it leaves."""
    trap = landscape.trap()
    points = [(-1.0, trap is not None, fig.RED), (1.0, True, fig.BLUE)]
    if trap is not None:
        points.append((trap, False, "black"))
    ax.axhline(0, color=fig.GRAY, linewidth=0.8)
    for at, settles, color in points:
        ax.plot(at, 0, "o", mec=color, mfc=color if settles else "white", clip_on=False, zorder=3)


def phases(ax, shares, strengths, gamma, beta=1.0):
    """Shades the shares and strengths at which -xi attracts; the share is on the vertical axis."""
    excess = gamma - np.stack([critical_gamma(shares, x, beta) for x in strengths], axis=1)
    ax.contourf(strengths, shares, excess, levels=[0, gamma], colors=[fig.RED], alpha=0.16)
    ax.contour(strengths, shares, excess, levels=[0], colors=[fig.RED], linewidths=1.8)
    ax.grid(False)


def landscape():
    """The objective, the drift and the phase diagram."""
    at = DEFAULTS["landscape"]
    here = Limit(model(at["theta"], at["pi"], at["beta"]))
    figure = plt.figure(figsize=(7.0, 4.4))
    grid = figure.add_gridspec(2, 2)
    top, low = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[1, 0])
    side = figure.add_subplot(grid[:, 1])
    two_basins(top, here.objective, here)
    top.plot(at["rho"], here.objective(at["rho"]), "o", color="black", markersize=8)
    top.set_yscale("log")
    top.set_yticks([1, 2, 5, 10, 20], [1, 2, 5, 10, 20], minor=False)
    top.minorticks_off()
    top.set_title("objective $J$, log scale", loc="left", fontsize=10)
    two_basins(low, here.drift, here)
    zeros(low, here)
    low.set_yscale("symlog", linthresh=0.1, linscale=0.7)
    low.set_title(r"drift $(1 - \rho^2)\,J^{\prime}$", loc="left", fontsize=10)
    low.set_xlabel(r"alignment $\rho$")
    edge = here.trap()
    low.annotate(rf"$\rho^* = {edge:.2f}$", (edge, 0), (4, 8), textcoords="offset points")
    shares = np.linspace(1e-3, 0.999, 400)
    side.plot(shares, critical_theta(shares, at["beta"]), color=fig.RED)
    side.fill_between(shares, critical_theta(shares, at["beta"]), 6, color=fig.RED, alpha=0.16, lw=0)
    side.plot(at["pi"], at["theta"], "o", color="black", markersize=8)
    side.text(0.5, 4.6, r"$-\xi$ attracts", ha="center")
    side.text(0.6, 0.7, r"$-\xi$ repels", ha="center")
    side.set(xlim=(0, 1), ylim=(0, 6), xlabel=r"share $\pi$")
    side.set_title(r"strength $\theta$", loc="left", fontsize=10)
    side.grid(False)
    return figure


def ode():
    """The stored runs beside the ODE, and their misalignment step by step."""
    at, data = DEFAULTS["ode"], read_script((FOLDER / "runs.js").read_text(encoding="utf-8"))
    steps, schedule = np.array(data["records"]), PowerLaw(at["scale"], at["power"])
    here = data["runs"][SCALES.index(at["scale"])][POWERS.index(at["power"])]
    rho, time = np.tanh(np.array(here) / UNIT), schedule.time(steps)
    clock = np.geomspace(0.02, 6000, 300)
    figure, (left, right) = fig.panels(2, height=3.3, width=7.0)
    fig.bundle(left, time, rho, label="12 runs, median")
    left.plot(clock, solution(clock), "--", color="black", label="ODE")
    left.set(xscale="log", xlabel=r"time $t = \eta_0 + \dots + \eta_{k-1}$", ylim=(-0.6, 1.05))
    left.set_title(r"alignment $\rho$", loc="left", fontsize=10)
    left.legend(loc="lower right")
    fig.bundle(right, steps, 1 - rho)
    right.plot(steps, np.maximum(1 - solution(time), 1e-9), "--", color="black")
    right.set(xscale="log", yscale="log", ylim=(5e-4, 2), xlabel="step $k$")
    right.set_title(r"misalignment $1 - \rho$", loc="left", fontsize=10)
    return figure


def solution(times):
    """Returns the solution of the rho-ODE of the stored runs' bag from the equator."""
    return flow(Proportional(Model(**BAG)), 0.0, times)


def mass():
    """The attention mass against the alignment, and what perfect alignment leaves to the noise."""
    at = DEFAULTS["mass"]
    here, share = Limit(model(at["theta"], 1 / at["ratio"], at["beta"])), 1 / at["ratio"]
    figure, (left, right) = fig.panels(2, height=3.1, width=7.0)
    rho = np.linspace(-1, 1, 300)
    left.plot(rho, here.mass(rho), color=fig.BLUE)
    left.axhline(share, color=fig.GRAY, linestyle=":")
    left.text(-0.98, share + 0.02, r"even attention, $R/L$", color=fig.GRAY, fontsize=9)
    left.plot(at["rho"], here.mass(at["rho"]), "o", color="black", markersize=8)
    left.set(xlabel=r"alignment $\rho$", ylim=(0, 1))
    left.set_title("attention mass $p$ on informative tokens", loc="left", fontsize=10)
    ratios = np.geomspace(1.05, 1000, 300)
    growth = np.exp(at["beta"] * at["theta"])
    right.plot(ratios, growth / (growth + ratios - 1), color=fig.BLUE)
    right.plot(at["ratio"], growth / (growth + at["ratio"] - 1), "o", color="black", markersize=8)
    right.set(xscale="log", ylim=(0, 1), xlabel="tokens per informative token, $L/R$")
    right.set_title(r"mass at $\rho = 1$", loc="left", fontsize=10)
    return figure


def sign():
    """The phase diagram of the sign, and the landscape at its point."""
    at = DEFAULTS["sign"]
    here = Proportional(model(**at))
    figure = plt.figure(figsize=(7.0, 4.4))
    grid = figure.add_gridspec(2, 2)
    side = figure.add_subplot(grid[:, 0])
    top, low = figure.add_subplot(grid[0, 1]), figure.add_subplot(grid[1, 1])
    phases(side, np.linspace(1e-3, 0.999, 300), np.linspace(0.02, 4, 300), at["gamma"])
    side.plot(at["theta"], at["pi"], "o", color="black", markersize=8)
    side.text(2.4, 0.4, r"$-\xi$ attracts", ha="center")
    side.text(0.5, 0.8, r"$-\xi$ repels", ha="center")
    side.set(xlim=(0, 4), ylim=(0, 1), xlabel=r"strength $\theta$")
    side.set_title(r"share $\pi$", loc="left", fontsize=10)
    two_basins(top, here.objective, here)
    top.set_title(r"objective $J_\gamma$", loc="left", fontsize=10)
    two_basins(low, here.slope, here)
    zeros(low, here)
    edge = here.trap()
    low.annotate(rf"$\rho^* = {edge:.2f}$", (edge, 0), (4, -14), textcoords="offset points")
    low.set_yscale("symlog", linthresh=0.1, linscale=0.7)
    low.set_title(r"slope $J_\gamma^{\prime}$", loc="left", fontsize=10)
    low.set_xlabel(r"alignment $\rho$")
    return figure


def walk():
    """A run of SGA on the sphere, seen from the side, and runs against the ODE."""
    at, steps, schedule = DEFAULTS["walk"], 300, PowerLaw(DEFAULTS["walk"]["scale"], DEFAULTS["walk"]["power"])
    here = Model(200, 60, 3, at["theta"])
    q, rng = np.array([at["rho"], np.sqrt(1 - at["rho"] ** 2), 0.0]), np.random.default_rng(at["seed"])
    path = [q]
    for k in range(steps):
        q = q + schedule(k) * gradient(q, here.sample(rng))
        q /= np.linalg.norm(q)
        path.append(q)
    runs = ascend(here, steps, schedule, runs=5, seed=at["seed"], rho0=at["rho"])
    figure, (left, right) = fig.panels(2, height=3.3, width=7.0)
    angle, trap = np.linspace(0, 2 * np.pi, 200), Limit(here).trap()
    left.plot(np.cos(angle), np.sin(angle), color=fig.GRAY, linewidth=1)
    for height, color in ((0.0, fig.GRAY), (trap, fig.RED)):
        wide = np.sqrt(1 - height**2)
        left.plot(wide * np.cos(angle), height + 0.12 * wide * np.sin(angle), color=color, linewidth=1)
    left.plot(np.array(path)[:, 1], np.array(path)[:, 0], color=fig.QUERY)
    left.text(0, 1.06, r"$+\xi$", ha="center")
    left.text(0, -1.18, r"$-\xi$", ha="center")
    left.set(aspect="equal", xlim=(-1.3, 1.3), ylim=(-1.25, 1.25))
    left.axis("off")
    right.plot(runs.time, runs.rho.T, color=fig.QUERY, alpha=0.6, linewidth=0.9)
    right.plot(runs.time, flow(Limit(here), at["rho"], runs.time), "--", color="black")
    right.set(xlabel=r"time $t = \eta_0 + \dots + \eta_{k-1}$", ylim=(-1.03, 1.03))
    right.set_title(r"alignment $\rho$: 5 runs, and the ODE (dashed)", loc="left", fontsize=10)
    return figure


def steps():
    """The iterate of a linear equation with noise, its exact error, and that of the mean of the iterates."""
    at, count = DEFAULTS["steps"], 10_000
    eta, rng = at["scale"] / np.arange(1, count + 1) ** at["power"], np.random.default_rng(at["seed"])
    x, paths = np.ones(6), []
    square, mixed, mean, errors = 1.0, 1.0, 1.0, []
    for k, step in enumerate(eta, 1):
        x = x - step * (x + rng.standard_normal(x.size))
        paths.append(x)
        new, kept = 1 / (k + 1), (1 - step) * mixed
        square = (1 - step) ** 2 * square + step**2
        mean = (1 - new) ** 2 * mean + 2 * new * (1 - new) * kept + new**2 * square
        mixed = (1 - new) * kept + new * square
        errors.append((np.sqrt(square), np.sqrt(mean)))
    k = np.arange(1, count + 1)
    figure, (left, right) = fig.panels(2, height=3.3, width=7.0)
    left.plot(k, paths, color=fig.QUERY, linewidth=0.9)
    left.plot(k, np.array(errors)[:, :1] * [-1, 1], "--", color="black")
    left.set(xscale="log", xlabel="step $k$", ylim=(-1.5, 1.5))
    left.set_title("iterate $x_k$, 6 runs; the root is 0", loc="left", fontsize=10)
    for values, style, name in zip(np.transpose(errors), ("-", "--"), ("iterate", "mean of iterates"), strict=True):
        right.plot(k, values, style, color=fig.BLUE if style == "-" else "black", label=name)
    right.plot(k, 1 / np.sqrt(k), ":", color=fig.GRAY, label=r"slope $-\frac{1}{2}$")
    right.set(xscale="log", yscale="log", xlabel="step $k$")
    right.set_title("root mean square error, exact", loc="left", fontsize=10)
    right.legend()
    return figure


def freeze():
    """The largest weights of one bag of noise, and their concentration against the inverse temperature."""
    at = DEFAULTS["freeze"]
    scores = np.sort(np.random.default_rng(at["seed"]).standard_normal(at["tokens"]))[::-1]
    critical, ratios = np.sqrt(2 * np.log(at["tokens"])), np.linspace(0.05, 3, 60)
    figure, (left, right) = fig.panels(2, height=3.1, width=7.0)
    left.bar(np.arange(1, 26), softmax(at["ratio"] * critical * scores)[:25], color=fig.BLUE)
    left.set(xlabel="rank of the token", ylim=(0, 1))
    left.set_title(r"weights at the critical inverse temperature", loc="left", fontsize=10)
    weights = softmax(np.outer(ratios * critical, scores), axis=1)
    right.plot(ratios, np.sum(weights**2, axis=1), color=fig.BLUE, label="this bag")
    right.plot(ratios, np.maximum(0, 1 - 1 / ratios), "--", color="black", label="many tokens")
    right.set(xlabel="inverse temperature over the critical one", ylim=(0, 1))
    right.set_title("sum of squared weights", loc="left", fontsize=10)
    right.legend()
    return figure


DRAWINGS = {
    "landscape": landscape,
    "ode": ode,
    "mass": mass,
    "sign": sign,
    "walk": walk,
    "steps": steps,
    "freeze": freeze,
}


def picture(kind):
    """Returns the picture of an explorer where it begins, as a PNG of few colors."""
    with mpl.rc_context(fig.STYLE):
        figure = DRAWINGS[kind]()
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=200)
        plt.close(figure)
    small = io.BytesIO()
    Image.open(buffer).convert("RGB").quantize(64).save(small, format="PNG", optimize=True)
    return small.getvalue()


def main(arguments=None):
    """Writes the stored runs and the pictures, and keeps their sums."""
    parser(__name__, __doc__).parse_args(arguments)
    mpl.use("agg")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "runs.js").write_text(script({**facts(), "runs": runs()}), encoding="utf-8")
    for kind in DRAWINGS:
        (FOLDER / f"{kind}.png").write_bytes(picture(kind))
    sums.keep("stills")
