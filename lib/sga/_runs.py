"""Runs of projected SGA, planned and carried out: what `ascend` and `sweep` share, and their streams and records."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from sga import _softmax as softmax
from sga import _validate as check
from sga.model import Model

BLOCK_BYTES = 1 << 20


@dataclass(frozen=True)
class Plan:
    """What decides the runs: the arguments of `ascend`, checked and written out, one start a run, one eta a step."""

    model: Model
    method: str
    seed: int
    replicates: Sequence[int]
    start: NDArray[np.float64]
    eta: NDArray[np.float64]
    record: NDArray[np.intp]


def plan(model, steps, step_size, runs, seed, rho0, method, every):
    """The `Plan` of these arguments of `ascend`, or raise."""
    check.instance("model", model, Model)
    if method not in ("full", "reduced"):
        raise ValueError(f'method must be "full" or "reduced", got {method!r}')
    steps = check.integer("steps", steps, 0)
    every = check.integer("every", every, 1)
    seed = check.integer("seed", seed, 0)
    replicates = _replicates(runs)
    start = _start(rho0, len(replicates))
    return Plan(model, method, seed, replicates, start, step_sizes(step_size, steps), records(steps, every))


def advance(plan, *, threads, progress=False):
    """Alignment and mass of the runs at the records, each of shape (runs, records), on at most `threads` threads."""
    model, replicates, start, eta, record = plan.model, plan.replicates, plan.start, plan.eta, plan.record
    rho = np.empty((len(replicates), record.size))
    mass = np.empty_like(rho)
    workers = min(threads, len(replicates))
    slices = _slices(len(replicates), workers, BLOCK_BYTES // (8 * model.tokens * model.dim))

    def full(part):
        rngs = [stream(plan.seed, i) for i in replicates[part]]
        q = np.stack([_first_query(rng, model.dim, r) for rng, r in zip(rngs, start[part], strict=True)])
        rho[part], mass[part] = _block(model, q, eta, record, rngs)
        return len(rngs)

    def reduced(part):
        from sga import _chain  # compiled at the first use; importing the library does not wait for it

        sizes = model.tokens, model.informative, model.dim, *model.in_units_of_noise
        for i in range(part.start, part.stop):
            rng = stream(plan.seed, replicates[i])
            _chain.run(rng, *sizes, eta * model.sigma**2, record, float(start[i]), rho[i], mass[i])
        return part.stop - part.start

    # One BLAS thread: the runs are the parallel axis, and sums must not depend on how many threads share them.
    bar = tqdm(total=len(replicates), unit="run", disable=not progress)
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(workers) as pool, bar:
        for done in pool.map(full if plan.method == "full" else reduced, slices):
            bar.update(done)
    return rho, mass


def _block(model, q, eta, record, rngs):
    """Advance the queries q of shape (b, d) together; return alignment and mass at the records."""
    bags = np.empty((len(rngs), model.tokens, model.dim))
    rho = np.empty((len(rngs), record.size))
    mass = np.empty_like(rho)
    row = 0
    for k in range(record[-1] + 1):
        for rng, bag in zip(rngs, bags, strict=True):
            rng.standard_normal(out=bag)
        a, g = softmax.gradient(q, model.from_normals(bags), model.beta)
        if k == record[row]:
            rho[:, row] = q[:, 0]
            mass[:, row] = np.sum(a[:, : model.informative], axis=-1)
            row += 1
        if k < record[-1]:
            q = q + eta[k] * g
            q /= np.sqrt(np.sum(q * q, axis=-1, keepdims=True))
    return rho, mass


def stream(seed, replicate):
    """The generator from which one run draws everything."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(replicate,)))


def _first_query(rng, dim, rho0):
    """A unit vector: uniform on the sphere if rho0 is nan, else uniform among those with first coordinate rho0."""
    q = rng.standard_normal(dim)
    if np.isnan(rho0):
        return q / np.sqrt(np.sum(q * q))
    q[0] = 0.0
    q *= np.sqrt((1.0 - rho0) * (1.0 + rho0) / np.sum(q * q))
    q[0] = rho0
    return q


def _replicates(runs):
    if isinstance(runs, range):
        if len(runs) == 0 or min(runs) < 0:
            raise ValueError(f"runs must be an integer >= 1 or a non-empty range of indices >= 0, got {runs}")
        return runs
    return range(check.integer("runs", runs, 1))


def _start(rho0, runs):
    if rho0 is None:
        return np.full(runs, np.nan)
    rho0 = check.alignment("rho0", rho0)
    if rho0.shape not in ((), (runs,)):
        raise ValueError(f"rho0 must be a number or have shape ({runs},), got shape {rho0.shape}")
    return np.broadcast_to(rho0, (runs,))


def step_sizes(step_size, steps):
    if not (callable(step_size) and callable(getattr(step_size, "time", None))):
        raise TypeError(f"step_size must be a schedule such as PowerLaw, got {step_size!r}")
    eta = np.asarray(step_size(np.arange(steps)), dtype=np.float64)
    if eta.shape != (steps,) or not np.all(np.isfinite(eta) & (eta > 0.0)):
        raise ValueError("step_size must give one finite step > 0 for every k")
    return eta


def records(steps, every):
    """Indices of the recorded steps: every `every`-th, and the last."""
    return np.unique(np.append(np.arange(0, steps + 1, every), steps))


def _slices(runs, workers, most):
    """Slices of at most `most` (but at least one) runs, about equally many of about equal length for each worker."""
    rounds = -(-runs // (workers * max(1, most)))
    block = -(-runs // (workers * rounds))
    return [slice(i, min(i + block, runs)) for i in range(0, runs, block)]


def cores():
    """Number of cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
