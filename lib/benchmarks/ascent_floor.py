"""How many times the time to draw its normals alone does `ascend` take?

Both are measured alternately in one run: `ascend`, and the floor, `Generator.standard_normal` into a preallocated
bag for as many bags, by as many threads as `ascend` uses and by one thread. A ratio is taken within each repeat, so
that what else the machine does touches both sides; the table shows the median ratio and its least and largest value.

Run it from the root of the repository, on a machine with nothing else to do:

    python lib/benchmarks/ascent_floor.py [repeats]
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sga import Model, PowerLaw, _runs, ascend

RUNS = 30
SIZES = [(1050, 50, 40), (10_500, 50, 4), (1000, 10, 200)]


def clock(work):
    """Seconds that `work()` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def floor(tokens, dim, bags, threads):
    """Draw the normals of RUNS runs of `bags` bags each, one generator a run, and do nothing with them."""

    def draw(run):
        rng = np.random.default_rng(run)
        bag = np.empty((tokens, dim))
        for _ in range(bags):
            rng.standard_normal(out=bag)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(draw, range(RUNS)))


def ratios(tokens, dim, steps, repeats):
    """Ratios of `ascend` to the floor with its threads and with one, and its times, of shape (repeats,) each."""
    model = Model(tokens=tokens, informative=tokens // 20, dim=dim, theta=1.0)
    threads = min(_runs.cores(), RUNS)
    schedule = PowerLaw(0.5, 0.8)
    ascend(model, 0, schedule, runs=RUNS)
    seconds = np.array(
        [
            (
                clock(lambda: floor(tokens, dim, steps + 1, threads)),
                clock(lambda: ascend(model, steps, schedule, runs=RUNS, every=steps)),
                clock(lambda: floor(tokens, dim, steps + 1, 1)),
            )
            for _ in range(repeats)
        ]
    )
    many, whole, one = seconds.T
    return whole / many, whole / one, whole


def main(repeats):
    """Print one line a size."""
    print(f"{RUNS} runs, {min(_runs.cores(), RUNS)} threads, {repeats} repeats; ratio = time of ascend / time of floor")
    print(f"{'L':>7} {'d':>4} {'bags':>5} {'ascend':>9}   {'ratio, same threads':<22} {'ratio, one thread':<22}")
    for tokens, dim, steps in SIZES:
        same, one, whole = ratios(tokens, dim, steps, repeats)
        shown = [f"{np.median(r):.2f} ({r.min():.2f} to {r.max():.2f})" for r in (same, one)]
        print(f"{tokens:>7} {dim:>4} {steps + 1:>5} {np.median(whole):>7.2f} s   {shown[0]:<22} {shown[1]:<22}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
