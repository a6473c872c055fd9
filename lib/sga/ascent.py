"""Projected stochastic gradient ascent (SGA) on the sphere: many independent runs, reproducible one by one."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from sga import _validate as check
from sga.attention import _gradient
from sga.model import Model

BLOCK_BYTES = 1 << 20


@dataclass(frozen=True)
class Paths:
    """Recorded runs of `ascend`.

    Attributes:
        step: indices k of the records, shape (records,); record 0 is the start, the last is the end.
        time: eta_0 + ... + eta_{k-1} at each record, shape (records,).
        rho: alignment <q_k, xi>, shape (runs, records).
        mass: attention of q_k on the informative tokens of the fresh bag X_k, shape (runs, records).
    """

    step: np.ndarray
    time: np.ndarray
    rho: np.ndarray
    mass: np.ndarray


def ascend(model, steps, step_size, *, runs=30, seed=0, rho0=None, method="full", every=1, progress=False):
    r"""Run projected SGA, q_{k+1} = (q_k + eta_k g_k)/|q_k + eta_k g_k|, on fresh bags of tokens.

    xi is the first basis vector; by rotation invariance nothing else can be learned from another one. Run number
    i draws everything from `SeedSequence(seed, spawn_key=(i,))`: its first query, then one bag a step. So a run
    depends on (seed, i) alone: not on which others are asked for, on threads or on blocks.

    Args:
        model: the `Model`.
        steps: K, number of steps, integer >= 0.
        step_size: a schedule such as `PowerLaw`: step_size(k) gives eta_k > 0, step_size.time(k) their sum.
        runs: a number of runs, integer >= 1, or a `range` of replicate indices >= 0.
        seed: integer >= 0.
        rho0: initial alignment: None for a query uniform on the sphere, a number in [-1, 1], or shape (runs,).
        method: "full" holds d-dimensional queries and draws L x d normals a step; "reduced" samples the exact law of
            alignment and mass by at most 2 L + 2 normals and 2 chi-squares a step, in any dimension.
        every: record each `every`-th step, integer >= 1; start and end are always recorded.
        progress: whether to show a progress bar that counts runs.

    Returns:
        `Paths`.

    Raises:
        TypeError, ValueError: an argument is not of its kind or outside its range.

    Source: claims A2 and C5; the book's equations (sga) and (reduced-chain).
    """
    arguments = _arguments(model, steps, step_size, runs, seed, rho0, method, every)
    return _advance(model, step_size, method, *arguments, threads=_cores(), progress=progress)


def _arguments(model, steps, step_size, runs, seed, rho0, method, every):
    """The arguments of `ascend`, checked: seed, replicate indices, initial alignments, step sizes, records."""
    check.instance("model", model, Model)
    if method not in ("full", "reduced"):
        raise ValueError(f'method must be "full" or "reduced", got {method!r}')
    steps = check.integer("steps", steps, 0)
    every = check.integer("every", every, 1)
    seed = check.integer("seed", seed, 0)
    replicates = _replicates(runs)
    start = _start(rho0, len(replicates))
    return seed, replicates, start, _step_sizes(step_size, steps), _records(steps, every)


def _advance(model, step_size, method, seed, replicates, start, eta, record, *, threads, progress=False):
    """Run what `_arguments` has checked, on at most `threads` threads."""
    rho = np.empty((len(replicates), record.size))
    mass = np.empty_like(rho)
    workers = min(threads, len(replicates))
    slices = _slices(len(replicates), workers, BLOCK_BYTES // (8 * model.tokens * model.dim))

    def full(part):
        rngs = [_stream(seed, i) for i in replicates[part]]
        q = np.stack([_first_query(rng, model.dim, r) for rng, r in zip(rngs, start[part], strict=True)])
        rho[part], mass[part] = _block(model, q, eta, record, rngs)
        return len(rngs)

    def reduced(part):
        from sga import _chain  # compiled at the first use; importing the library does not wait for it

        sizes = model.tokens, model.informative, model.dim, *model.in_units_of_noise
        for i in range(part.start, part.stop):
            rng = _stream(seed, replicates[i])
            _chain.run(rng, *sizes, eta * model.sigma**2, record, float(start[i]), rho[i], mass[i])
        return part.stop - part.start

    # One BLAS thread: the runs are the parallel axis, and sums must not depend on how many threads share them.
    bar = tqdm(total=len(replicates), unit="run", disable=not progress)
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(workers) as pool, bar:
        for done in pool.map(full if method == "full" else reduced, slices):
            bar.update(done)
    return Paths(record, step_size.time(record), rho, mass)


def _block(model, q, eta, record, rngs):
    """Advance the queries q of shape (b, d) together; return alignment and mass at the records."""
    bags = np.empty((len(rngs), model.tokens, model.dim))
    rho = np.empty((len(rngs), record.size))
    mass = np.empty_like(rho)
    row = 0
    for k in range(record[-1] + 1):
        for rng, bag in zip(rngs, bags, strict=True):
            rng.standard_normal(out=bag)
        a, g = _gradient(q, model._dress(bags), model.beta)
        if k == record[row]:
            rho[:, row] = q[:, 0]
            mass[:, row] = np.sum(a[:, : model.informative], axis=-1)
            row += 1
        if k < record[-1]:
            q = q + eta[k] * g
            q /= np.sqrt(np.sum(q * q, axis=-1, keepdims=True))
    return rho, mass


def _stream(seed, replicate):
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


def _step_sizes(step_size, steps):
    if not (callable(step_size) and callable(getattr(step_size, "time", None))):
        raise TypeError(f"step_size must be a schedule such as PowerLaw, got {step_size!r}")
    eta = np.asarray(step_size(np.arange(steps)), dtype=np.float64)
    if eta.shape != (steps,) or not np.all(np.isfinite(eta) & (eta > 0.0)):
        raise ValueError("step_size must give one finite step > 0 for every k")
    return eta


def _records(steps, every):
    """Indices of the recorded steps: every `every`-th, and the last."""
    return np.unique(np.append(np.arange(0, steps + 1, every), steps))


def _slices(runs, workers, most):
    """Slices of at most `most` (but at least one) runs, about equally many of about equal length for each worker."""
    rounds = -(-runs // (workers * max(1, most)))
    block = -(-runs // (workers * rounds))
    return [slice(i, min(i + block, runs)) for i in range(0, runs, block)]


def _cores():
    """Number of cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
