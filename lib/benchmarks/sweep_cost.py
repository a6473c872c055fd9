"""What does a sweep cost: seconds a cell, a step and a token, for one core, and memory for one worker?

The time of a sweep of one cell, in one thread, is taken over a grid of sizes and fitted by
cell + runs x steps x (step + tokens x token), no part below zero. The grid is repeated, and each size counts with its
shortest time, since whatever else the machine does only adds. Memory is the peak of a fresh process, at two sizes.

Run it from the root of the repository, on a machine with nothing else to do:

    python book/press data cost

It writes its result, with the machine described, to book/recovery/data/cost.json, which the book reads.
"""

import json
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
from scipy.optimize import nnls

from sga import Constant, Model, sweep

RUNS = 30
SIZES = [(tokens, steps) for tokens in (10, 100, 1000, 10_000) for steps in (10, 300)]
OUT = Path(__file__).parents[2] / "book" / "recovery" / "data" / "cost.json"


def study(tokens, steps):
    """One cell of RUNS runs, in one thread."""
    model = Model(tokens=tokens, informative=tokens // 10, dim=1000, theta=1.0)
    return sweep([model], steps, Constant(1e-3), runs=RUNS, n_jobs=1)


def clock(tokens, steps):
    """Seconds that one cell takes."""
    start = time.perf_counter()
    study(tokens, steps)
    return time.perf_counter() - start


def peak(tokens):
    """Peak memory in bytes of a fresh process that runs one cell of `tokens` tokens."""
    done = subprocess.run([sys.executable, __file__, "peak", str(tokens)], capture_output=True, check=True, text=True)
    return int(done.stdout)


def processor():
    """Name of the processor, as the system tells it."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if sys.platform == "linux" else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def main(repeats):
    """Measure, fit and store."""
    study(10, 1)
    seconds = np.min([[clock(*size) for size in SIZES] for _ in range(repeats)], axis=0)
    tokens, steps = np.array(SIZES, dtype=float).T
    terms = np.stack([np.ones_like(tokens), RUNS * steps, RUNS * steps * tokens], axis=1)
    cell, step, token = nnls(terms / seconds[:, None], np.ones_like(seconds))[0]
    fitted = terms @ [cell, step, token]
    small, large = peak(1000), peak(4_000_000)
    result = {
        "seconds": {"cell": cell, "step": step, "token": token},
        "worst relative error of the fit": float(np.max(np.abs(fitted / seconds - 1))),
        "bytes": {"worker": small, "token": (large - small) / 4_000_000},
        "machine": {
            "processor": processor(),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
        },
        "repeats": repeats,
    }
    OUT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    if sys.argv[1:2] == ["peak"]:
        study(int(sys.argv[2]), 1)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
