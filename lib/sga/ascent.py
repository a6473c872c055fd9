"""Projected stochastic gradient ascent (SGA) on the sphere: many independent runs, reproducible one by one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sga import _runs
from sga.model import Model
from sga.steps import StepSize


@dataclass(frozen=True)
class Paths:
    """Recorded runs of `ascend`.

    Attributes:
        step: indices k of the records, shape (records,); record 0 is the start, the last is the end.
        time: eta_0 + ... + eta_{k-1} at each record, shape (records,).
        rho: alignment <q_k, xi>, shape (runs, records).
        mass: attention of q_k on the informative tokens of the fresh bag X_k, shape (runs, records).
    """

    step: NDArray[np.intp]
    time: NDArray[np.float64]
    rho: NDArray[np.float64]
    mass: NDArray[np.float64]


def ascend(
    model: Model,
    steps: int,
    step_size: StepSize,
    *,
    runs: int | range = 30,
    seed: int = 0,
    rho0: ArrayLike | None = None,
    method: str = "full",
    every: int = 1,
    progress: bool = False,
) -> Paths:
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

    Source: claims T2 and C5; the book's equations (sga) and (reduced-chain).
    """
    plan = _runs.plan(model, steps, step_size, runs, seed, rho0, method, every)
    rho, mass = _runs.advance(plan, threads=_runs.cores(), progress=progress)
    return Paths(plan.record, step_size.time(plan.record), rho, mass)
