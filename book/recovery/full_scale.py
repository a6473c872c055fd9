"""The experiments at full scale: three sets of cells, 30 runs a cell, nothing left out.

    python book/press data

makes the three data files in about an hour and a half on two cores. A killed run loses nothing finished: the same
command goes on from the parts it finds in a folder below `_build/full_scale`, one for each state of the code. Run on
its own, this script takes the folder of the parts as an argument, and without one keeps none.

`data/full_scale.npz`, the d-dimensional simulator up to 10,000 noise tokens, holds for cell number i of `CELLS` the
arrays step{i} (records,), rho{i} and mass{i} (30, records) as `ascend` returns them, schedule{i} (scale, offset of the
power law k^-1), noise{i} (mean, standard error of E|g_T|^2 at the pole, from bags that no run has seen) and
predicted{i} (30, records), the path that `rates.predicted_path` gives at the model's own size from the start of the run.

`data/grid.npz`, the exact reduction at one budget of tokens, holds for the cells of `GRID` in order the arrays step
(records,), rho and predicted (60, 30, records), mass (60, 30) at the last step, schedule (60, 2) and noise (60, 2).

`data/ladder.npz` holds step, rho and predicted in the same way for the dimensions of `LADDER`: tokens in proportion to
the dimension, and one schedule, that of the cell `RUNG` of the grid.
"""

import sys
from itertools import product
from pathlib import Path

import numpy as np
from tqdm import tqdm

from sga import (
    FiniteSize,
    Limit,
    Model,
    PowerLaw,
    Tabulated,
    flow,
    gradient,
    rates,
    sweep,
)

RUNS, CHUNK, RECORDS, SEED = 30, 2, 50, 20260622
TARGET = 1 - 0.9965
HERE = Path(__file__).parent
DATA, GRID_DATA, LADDER_DATA = (
    HERE / "data" / name for name in ("full_scale.npz", "grid.npz", "ladder.npz")
)
PARTS = None

#: (noise tokens per informative one, theta, d); R = 500 everywhere.
CELLS = [
    (1, 2.0, 50),
    (1, 1.0, 50),
    (1, 0.5, 50),
    (1, 0.25, 50),
    (2, 1.0, 50),
    (5, 1.0, 50),
    (10, 1.0, 50),
    (20, 2.0, 50),
    (20, 1.0, 50),
    (20, 0.5, 50),
    (20, 0.25, 20),
]

#: The same for the grid, in which a bag has TOKENS tokens and a run sees at most BUDGET of them.
GRID = list(
    product((1, 5, 20, 100, 1000), (0.05, 0.25, 1.0, 2.0), (10, 1000, 100_000))
)
TOKENS, BUDGET, BAGS = 10_500, 10_000_000, 1000

#: Dimensions at one number of tokens per dimension, and the cell of the grid whose schedule they share.
LADDER, RUNG, LADDER_STEPS = (10, 100, 1000, 10_000, 100_000), (1, 2.0, 1000), 350


def cell_model(ratio, theta, dim):
    """The `Model` of a cell."""
    return Model(tokens=500 * (1 + ratio), informative=500, dim=dim, theta=theta)


def grid_model(ratio, theta, dim):
    """The `Model` of a cell of the grid."""
    return Model(
        tokens=TOKENS, informative=round(TOKENS / (1 + ratio)), dim=dim, theta=theta
    )


def ladder_model(dim):
    """The `Model` of a dimension of the ladder."""
    ratio, theta, rung = RUNG
    tokens = TOKENS * dim // rung
    return Model(
        tokens=tokens, informative=tokens // (1 + ratio), dim=dim, theta=theta
    )


def pole_noise(model, bags, stream):
    """E|g_T|^2 at q = xi, the size of the noise where learning ends; g_T is the part of g orthogonal to q.

    Returns:
        (mean, standard error) over fresh bags.
    """
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(stream, 0)))
    xi = np.eye(model.dim)[0]
    squares = [
        np.sum(gradient(xi, model.sample(rng), model.beta)[1:] ** 2)
        for _ in range(bags)
    ]
    return float(np.mean(squares)), float(np.std(squares) / np.sqrt(bags))


def spread(model, schedule, steps, noise, decay=None):
    """Predicted M_k/2 for k = 0..steps, the misalignment that the noise leaves near the pole.

    M_k is the mean square of the part of q_k orthogonal to xi:
    M_{k+1} = (1 - eta_k lambda)^2 M_k + eta_k^2 E|g_T|^2, M_0 = 0, with lambda = J'(1).

    Args:
        model: a `Model`.
        schedule: a step-size schedule.
        steps: K, integer >= 1.
        noise: E|g_T|^2 at the pole.
        decay: lambda; None for that of many tokens.

    Returns:
        Array of shape (steps + 1,).
    """
    eta = schedule(np.arange(steps))
    decay = float(Limit(model).slope(1.0)) if decay is None else decay
    squares = [0.0]
    for step in eta:
        squares.append((1 - step * decay) ** 2 * squares[-1] + step**2 * noise)
    return np.array(squares) / 2


def candidates(model, landscape, noise, start, steps):
    """Schedules with the misalignment that each predicts after 0..steps steps from `start`.

    The first step is small enough for the ODE to be followed (eta_0 lambda <= 0.1) and for the noise to leave the
    equator alone (eta_0 E|g_T|^2 <= 0.3 lambda); then eta_k = c/(k + k_0), with c = m/lambda.
    """
    decay = float(landscape.slope(1.0))
    first = min(0.1 / decay, 0.3 * decay / noise)
    for m in (1.0, 1.5, 2.0, 3.0, 4.0):
        schedule = PowerLaw(scale=m / decay, power=1.0, offset=m / decay / first)
        left = 1 - flow(landscape, start, schedule.time(np.arange(steps + 1)))
        yield schedule, left + spread(model, schedule, steps, noise, decay)


def plan(model, most=40_000):
    """Schedule and number of steps chosen from the theory, before any run.

    Of the candidates the one is taken that reaches the target first from the pessimistic start rho = -0.3.

    Returns:
        (schedule, steps): `PowerLaw` and K.

    Raises:
        ValueError: no candidate reaches the target within `most` steps.
    """
    noise, _ = pole_noise(model, bags=400, stream=0)
    plans = []
    for schedule, misalignment in candidates(
        model, Limit(model), noise, -0.3, most
    ):
        reached = misalignment <= TARGET
        if reached.any():
            plans.append((int(np.argmax(reached)), schedule.scale, schedule))
    if not plans:
        raise ValueError(
            f"no schedule takes {model} to the target within {most} steps"
        )
    steps, _, schedule = min(plans)
    return schedule, steps


def plan_grid(model):
    """Schedule for a cell of the grid, and (mean, standard error) of the noise at the pole.

    Of the candidates the one is taken whose predicted misalignment at the end of the budget is least, from a start
    two standard deviations to the wrong side; slope and noise are those of the model's own size.
    """
    power, _ = rates.sampled_noise(model, 1.0, bags=4 * BAGS, seed=SEED)
    noise = float(np.mean(power)), float(np.std(power) / np.sqrt(power.size))
    start = -min(2 / np.sqrt(model.dim), 0.5)
    plans = candidates(
        model, Tabulated(FiniteSize(model)), noise[0], start, BUDGET // TOKENS
    )
    schedule, _ = min(plans, key=lambda plan: plan[1][-1])
    return schedule, noise


def records_every(steps):
    """Spacing of the records: about `RECORDS` of them."""
    return max(1, steps // RECORDS)


def save(path, **arrays):
    """Write arrays to a file that appears only when it is whole."""
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_suffix(".tmp.npz")
    np.savez_compressed(unfinished, **arrays)
    unfinished.replace(path)


def predict(model, schedule, steps, starts):
    """Predicted paths of a cell at the records of its runs, shape (runs, records), in single precision."""
    every, bags = records_every(steps), 20_000_000 // model.tokens
    paths = rates.predicted_path(
        model, schedule, steps, starts, every=every, bags=bags, seed=SEED + 1
    )
    return paths.astype(np.float32)


def measure_cells():
    """Run the cells with the d-dimensional simulator."""
    out = {"cells": np.array(CELLS)}
    for number, cell in enumerate(tqdm(CELLS, unit="cell")):
        model = cell_model(*cell)
        schedule, steps = plan(model)
        study = {
            "seed": SEED,
            "method": "full",
            "every": records_every(steps),
            "chunk": CHUNK,
        }
        table = sweep(
            [model], steps, schedule, runs=RUNS, store=PARTS, progress=True, **study
        )
        out[f"step{number}"] = table["step"].unique()
        for name in ("rho", "mass"):
            paths = table[name].to_numpy().reshape(RUNS, -1)
            out[f"{name}{number}"] = paths.astype(np.float32)
        out[f"schedule{number}"] = np.array([schedule.scale, schedule.offset])
        out[f"noise{number}"] = np.array(pole_noise(model, bags=4000, stream=1))
        starts = out[f"rho{number}"][:, 0].astype(float)
        out[f"predicted{number}"] = predict(model, schedule, steps, starts)
    save(DATA, **out)


def measure_grid():
    """Run the grid with the exact reduction, and predict it."""
    models, steps = [grid_model(*cell) for cell in GRID], BUDGET // TOKENS
    schedules, noise = zip(*map(plan_grid, tqdm(models, unit="plan")), strict=True)
    every = steps // 10
    study = {"seed": SEED, "every": every, "chunk": RUNS}
    table = sweep(
        models, steps, schedules, runs=RUNS, store=PARTS, progress=True, **study
    )
    rho = table["rho"].to_numpy().reshape(len(GRID), RUNS, -1)
    mass = table["mass"].to_numpy().reshape(rho.shape)[:, :, -1]
    predicted = [
        rates.predicted_path(
            m, s, steps, start, every=every, bags=BAGS, seed=SEED + 1
        )
        for m, s, start in zip(
            tqdm(models, unit="prediction"), schedules, rho[..., 0], strict=True
        )
    ]
    save(
        GRID_DATA,
        step=table["step"].unique(),
        rho=rho.astype(np.float32),
        mass=mass.astype(np.float32),
        predicted=np.array(predicted, dtype=np.float32),
        schedule=np.array([[s.scale, s.offset] for s in schedules]),
        noise=np.array(noise),
    )


def measure_ladder():
    """Run the dimensions of the ladder with the exact reduction, and predict them."""
    models, (schedule, _) = (
        [ladder_model(dim) for dim in LADDER],
        plan_grid(grid_model(*RUNG)),
    )
    every = LADDER_STEPS // 10
    study = {"seed": SEED, "every": every, "chunk": 1}
    table = sweep(
        models,
        LADDER_STEPS,
        schedule,
        runs=RUNS,
        store=PARTS,
        progress=True,
        **study,
    )
    rho = table["rho"].to_numpy().reshape(len(LADDER), RUNS, -1)
    predicted = [
        rates.predicted_path(
            m, schedule, LADDER_STEPS, start, every=every, bags=bags, seed=SEED
        )
        for m, start in zip(models, rho[..., 0], strict=True)
        for bags in [min(4000, max(40, BUDGET // m.tokens))]
    ]
    save(
        LADDER_DATA,
        step=table["step"].unique(),
        rho=rho.astype(np.float32),
        predicted=np.array(predicted, dtype=np.float32),
    )


if __name__ == "__main__":
    PARTS = sys.argv[1] if len(sys.argv) > 1 else None
    measure_cells()
    measure_grid()
    measure_ladder()
