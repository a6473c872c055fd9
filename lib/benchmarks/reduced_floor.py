"""How many times the time to draw its random numbers alone does `ascend(method="reduced")` take, and does d matter?

The floor is what NumPy takes to draw 2 L normals and to compute L exponentials for each run and step, into
preallocated arrays, by as many threads as `ascend` uses and by one thread. All is measured alternately in one run, and
a ratio is taken within each repeat, so that what else the machine does touches both sides; the table shows the median
ratio and its least and largest value. The last column compares d = 10^6 with d = 50.

Run it from the root of the repository, on a machine with nothing else to do:

    python lib/benchmarks/reduced_floor.py [repeats]
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sga import Constant, Model, _runs, ascend

RUNS = 30
SIZES = [(1050, 400), (10_500, 40)]


def clock(work):
    """Seconds that `work()` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def floor(tokens, steps, threads):
    """Draw 2 L normals and take L exponentials for RUNS runs of `steps` steps each."""

    def draw(run):
        rng = np.random.default_rng(run)
        normals, exponentials = np.empty(2 * tokens), np.empty(tokens)
        for _ in range(steps):
            rng.standard_normal(out=normals)
            np.exp(normals[:tokens], out=exponentials)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(draw, range(RUNS)))


def learn(tokens, dim, steps):
    """One experiment of RUNS runs."""
    model = Model(tokens=tokens, informative=tokens // 20, dim=dim, theta=1.0)
    ascend(model, steps, Constant(1e-3), runs=RUNS, method="reduced", every=steps)


def measure(tokens, steps, threads):
    """Seconds of the floor with `threads` threads, of `ascend` at d = 50 and at d = 10^6, and of the floor with one."""
    return (
        clock(lambda: floor(tokens, steps + 1, threads)),
        clock(lambda: learn(tokens, 50, steps)),
        clock(lambda: learn(tokens, 10**6, steps)),
        clock(lambda: floor(tokens, steps + 1, 1)),
    )


def main(repeats):
    """Print one line a size."""
    threads = min(_runs.cores(), RUNS)
    learn(10, 5, 1)
    print(f"{RUNS} runs, {threads} threads, {repeats} repeats; ratio = time of ascend / time of floor")
    print(f"{'L':>7} {'steps':>6}   {'ratio, same threads':<22} {'ratio, one thread':<22} {'d = 10^6 / d = 50':<22}")
    for tokens, steps in SIZES:
        seconds = np.array([measure(tokens, steps, threads) for _ in range(repeats)])
        many, few, large, one = seconds.T
        ratios = (few / many, few / one, large / few)
        print(f"{tokens:>7} {steps:>6}   ", end="")
        print(*(f"{f'{np.median(r):.2f} ({r.min():.2f} to {r.max():.2f})':<22}" for r in ratios))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
