"""The experiments at full scale: 30 runs a cell, up to 10,000 noise tokens, data in `data/full_scale.npz`.

    python book/recovery/full_scale.py

takes about an hour on two cores. A killed run loses nothing finished: the same command goes on from the parts
it finds in `_build/full_scale`.

The file holds, for cell number i of `CELLS`, the arrays step{i} (records,), rho{i} and mass{i} (30, records) as
`ascend` returns them, schedule{i} (scale, offset of the power law k^-1), and noise{i} (mean, standard error of
E|g_T|^2 at the pole, from bags that no run has seen).
"""

from hashlib import sha256
from pathlib import Path

import numpy as np
from tqdm import tqdm

from sga import Limit, Model, PowerLaw, ascend, flow, gradient

RUNS, CHUNK, RECORDS, SEED = 30, 2, 50, 20260622
TARGET = 1 - 0.9965
HERE = Path(__file__).parent
DATA = HERE / "data" / "full_scale.npz"
PARTS = HERE.parents[1] / "_build" / "full_scale"

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


def cell_model(ratio, theta, dim):
    """The `Model` of a cell."""
    return Model(tokens=500 * (1 + ratio), informative=500, dim=dim, theta=theta)


def pole_noise(model, bags, stream):
    """E|g_T|^2 at q = xi, the size of the noise where learning ends; g_T is the part of g orthogonal to q.

    Returns:
        (mean, standard error) over fresh bags.
    """
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(stream, 0)))
    xi = np.eye(model.dim)[0]
    squares = [
        np.sum(gradient(xi, model.sample(rng), model.beta)[1:] ** 2) for _ in range(bags)
    ]
    return float(np.mean(squares)), float(np.std(squares) / np.sqrt(bags))


def spread(model, schedule, steps, noise):
    """Predicted M_k/2 for k = 0..steps, the misalignment that the noise leaves near the pole.

    M_k is the mean square of the part of q_k orthogonal to xi:
    M_{k+1} = (1 - eta_k lambda)^2 M_k + eta_k^2 E|g_T|^2, M_0 = 0, with lambda = J'(1).

    Args:
        model: a `Model`.
        schedule: a step-size schedule.
        steps: K, integer >= 1.
        noise: E|g_T|^2 at the pole.

    Returns:
        Array of shape (steps + 1,).
    """
    eta, decay = schedule(np.arange(steps)), float(Limit(model).slope(1.0))
    squares = [0.0]
    for step in eta:
        squares.append((1 - step * decay) ** 2 * squares[-1] + step**2 * noise)
    return np.array(squares) / 2


def plan(model, most=40_000):
    """Schedule and number of steps chosen from the theory, before any run.

    The first step is small enough for the ODE to be followed (eta_0 lambda <= 0.1) and for the noise to leave the
    equator alone (eta_0 E|g_T|^2 <= 0.3 lambda); then eta_k = c/(k + k_0). Of the constants c = m/lambda with
    m = 1, 1.5, 2, 3, 4, the one is taken that reaches the target first from the pessimistic start rho = -0.3.

    Returns:
        (schedule, steps): `PowerLaw` and K.

    Raises:
        ValueError: no constant reaches the target within `most` steps.
    """
    limit = Limit(model)
    decay, (noise, _) = float(limit.slope(1.0)), pole_noise(model, bags=400, stream=0)
    first = min(0.1 / decay, 0.3 * decay / noise)
    plans = []
    for m in (1.0, 1.5, 2.0, 3.0, 4.0):
        schedule = PowerLaw(scale=m / decay, power=1.0, offset=m / decay / first)
        transient = 1 - flow(limit, -0.3, schedule.time(np.arange(most + 1)))
        reached = transient + spread(model, schedule, most, noise) <= TARGET
        if reached.any():
            plans.append((int(np.argmax(reached)), m, schedule))
    if not plans:
        raise ValueError(f"no schedule takes {model} to the target within {most} steps")
    steps, _, schedule = min(plans)
    return schedule, steps


def records_every(steps):
    """Spacing of the records: about `RECORDS` of them."""
    return max(1, steps // RECORDS)


def run_part(model, schedule, steps, runs):
    """The paths of `runs`, from the file of finished parts if they are there; its name tells what it depends on."""
    key = sha256(repr((model, schedule, steps, runs, SEED)).encode()).hexdigest()[:16]
    part = PARTS / f"{key}.npz"
    if not part.exists():
        every = records_every(steps)
        paths = ascend(model, steps, schedule, runs=runs, seed=SEED, every=every)
        save(part, np.savez, step=paths.step, rho=paths.rho, mass=paths.mass)
    with np.load(part) as piece:
        return {name: piece[name] for name in piece.files}


def save(path, write, **arrays):
    """Write arrays to a file that appears only when it is whole."""
    unfinished = path.with_suffix(".tmp.npz")
    write(unfinished, **arrays)
    unfinished.replace(path)


def main():
    """Run what is missing, then write the data file."""
    PARTS.mkdir(parents=True, exist_ok=True)
    out = {"cells": np.array(CELLS)}
    with tqdm(total=len(CELLS) * RUNS, unit="run") as bar:
        for number, cell in enumerate(CELLS):
            model = cell_model(*cell)
            schedule, steps = plan(model)
            pieces = []
            for first in range(0, RUNS, CHUNK):
                runs = range(first, min(first + CHUNK, RUNS))
                pieces.append(run_part(model, schedule, steps, runs))
                bar.update(len(runs))
            out[f"step{number}"] = pieces[0]["step"]
            for name in ("rho", "mass"):
                joined = np.concatenate([piece[name] for piece in pieces])
                out[f"{name}{number}"] = joined.astype(np.float32)
            out[f"schedule{number}"] = np.array([schedule.scale, schedule.offset])
            out[f"noise{number}"] = np.array(pole_noise(model, bags=4000, stream=1))
    DATA.parent.mkdir(exist_ok=True)
    save(DATA, np.savez_compressed, **out)


if __name__ == "__main__":
    main()
