"""How long does a learning run take that is written another way: with PyTorch, or with plain NumPy?

Projected SGA on fresh bags of tokens, 30 independent runs, written five other ways than `ascend(method="full")`:

    reduced         `ascend(method="reduced")`, the chain of the alignment
    torch-together  PyTorch, autograd, all runs in one tensor
    torch-single    PyTorch, autograd, one run at a time
    numpy-single    NumPy, the gradient's formula on whole bags, one run at a time
    numpy-tokens    NumPy, a Python loop over the tokens

All of them compute in double precision on the processor and may use the same number of threads. First each way takes
one step from the same queries on the same tokens; the script stops if they differ by more than rounding. (The chain is
left out here: it has the same law and no tokens. The book tests it.) Then all are timed alternately in one run, and a
ratio is taken within each repeat, so that what else the machine does touches both sides. Times are per bag and run:
the chain gets more bags and the loop over tokens fewer, because they are faster and slower by orders of magnitude.

Beside each way, the drawing of its random numbers alone is timed: by the same generator, in the same portions, by as
many threads as the way uses for it. Compilation and imports are not timed.

The result, with the machine it was measured on, goes to `peers.json` beside this file; the book's page on speed is
made from it. PyTorch is needed here, as in the chapter on real attention. Run it from the root of the repository, on a
machine with nothing else to do; it takes a few minutes:

    python book/press data speed
"""

import datetime
import json
import math
import os
import platform
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from unittest import mock

import numpy as np
from threadpoolctl import threadpool_limits

from sga import Model, PowerLaw, _runs, ascend

RESULT = Path(__file__).with_suffix(".json")
RUNS = 30
SCHEDULE = PowerLaw(scale=0.5, power=0.8)
ROUNDING = 1e-12


@dataclass(frozen=True)
class Size:
    """A model, the number of bags of a run, and the number of threads."""

    model: Model
    bags: int
    threads: int


CORES = min(_runs.cores(), RUNS)
SMALL = Model(tokens=1050, informative=50, dim=50, theta=1.0)
SIZES = {
    "small": Size(SMALL, 10, CORES),
    "small-one-thread": Size(SMALL, 10, 1),
    "long": Size(Model(tokens=10_500, informative=500, dim=50, theta=1.0), 2, CORES),
    "wide": Size(Model(tokens=1050, informative=50, dim=1000, theta=1.0), 2, CORES),
}


# One step


def torch_together_step(q, x, beta, eta):
    """Queries q of shape (runs, d) after a step on the bags x, by autograd."""
    q = q.detach().requires_grad_()
    a = (beta * (q[:, None, :] @ x.mT)).softmax(-1)
    f = (a @ x)[:, 0]
    (f * f).sum().backward()
    q = q.detach() + eta * q.grad
    return q / q.norm(dim=-1, keepdim=True)


def torch_single_step(q, x, beta, eta):
    """One query q after a step on the bag x, by autograd."""
    q = q.detach().requires_grad_()
    a = (beta * (x @ q)).softmax(-1)
    f = a @ x
    (f @ f).backward()
    q = q.detach() + eta * q.grad
    return q / q.norm()


def numpy_single_step(q, x, beta, eta):
    """One query q after a step on the bag x, by the formula of the gradient."""
    u = beta * (x @ q)
    a = np.exp(u - u.max())
    a /= a.sum()
    f = a @ x
    q = q + eta * 2.0 * beta * (a * (x @ f - f @ f)) @ x
    return q / np.linalg.norm(q)


def numpy_tokens_step(q, x, beta, eta):
    """As `numpy_single_step`, token by token."""
    u = [beta * np.dot(token, q) for token in x]
    top = max(u)
    a = [math.exp(score - top) for score in u]
    total = sum(a)
    f = np.zeros_like(q)
    for weight, token in zip(a, x, strict=True):
        f += weight / total * token
    square = np.dot(f, f)
    g = np.zeros_like(q)
    for weight, token in zip(a, x, strict=True):
        g += 2.0 * beta * weight / total * (np.dot(token, f) - square) * token
    q = q + eta * g
    return q / np.linalg.norm(q)


NUMPY_STEPS = {"numpy-single": numpy_single_step, "numpy-tokens": numpy_tokens_step}


def need_torch():
    """PyTorch, or the end of the script with the reason."""
    try:
        import torch
    except ImportError:
        raise SystemExit(
            "PyTorch is missing. The book does not need it, this benchmark does: pip install torch"
        ) from None
    return torch


# Do all ways take the same step?


def first_steps(model, runs, seed=0):
    """What `ascend` draws: queries of shape (runs, d) and the first bags; and the alignments after a step on them."""
    rngs = [_runs.stream(seed, i) for i in range(runs)]
    q = np.stack([rng.standard_normal(model.dim) for rng in rngs])
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    x = np.stack([model.sample(rng) for rng in rngs])
    return q, x, ascend(model, 1, SCHEDULE, runs=runs, seed=seed).rho[:, 1]


def numpy_steps(q, x, beta, eta):
    """Queries after a step on the bags x, by the name of the way: those with NumPy."""
    pairs = list(zip(q, x, strict=True))
    return {name: np.stack([step(*pair, beta, eta) for pair in pairs]) for name, step in NUMPY_STEPS.items()}


def torch_steps(q, x, beta, eta):
    """Queries after a step on the bags x, by the name of the way: those with PyTorch."""
    torch = need_torch()
    q, x = torch.from_numpy(q), torch.from_numpy(x)
    single = [torch_single_step(*pair, beta, eta) for pair in zip(q, x, strict=True)]
    return {
        "torch-together": torch_together_step(q, x, beta, eta).numpy(),
        "torch-single": torch.stack(single).numpy(),
    }


def require_agreement(rho, steps):
    """Raise RuntimeError unless all ways moved the queries alike, and to the alignments `rho` of `ascend`."""
    reference = steps["numpy-single"]
    for name, q in steps.items():
        error = max(np.max(np.abs(q - reference)), np.max(np.abs(q[:, 0] - rho)))
        if not error <= ROUNDING:
            raise RuntimeError(f"{name} takes another step: it is off by {error:.1e}, more than {ROUNDING:g}")


# Learning, and drawing alone


def learn_by(method, model, runs, bags, threads):
    """The library's runs; it draws a last bag for the mass, so that `bags` of them make one step less."""
    with mock.patch.object(_runs, "cores", lambda: threads):
        ascend(model, bags - 1, SCHEDULE, runs=runs, method=method, every=max(1, bags - 1))


def learn_torch_together(model, runs, bags, threads):
    """All runs in one tensor."""
    torch = need_torch()
    rng = torch.Generator().manual_seed(0)
    q = torch.randn(runs, model.dim, generator=rng, dtype=torch.float64)
    q /= q.norm(dim=-1, keepdim=True)
    x = torch.empty(runs, model.tokens, model.dim, dtype=torch.float64)
    for k in range(bags):
        x.normal_(generator=rng)
        x[:, : model.informative, 0] += model.theta
        q = torch_together_step(q, x, model.beta, float(SCHEDULE(k)))


def learn_torch_single(model, runs, bags, threads):
    """One run after the other."""
    torch = need_torch()
    x = torch.empty(model.tokens, model.dim, dtype=torch.float64)
    for run in range(runs):
        rng = torch.Generator().manual_seed(run)
        q = torch.randn(model.dim, generator=rng, dtype=torch.float64)
        q /= q.norm()
        for k in range(bags):
            x.normal_(generator=rng)
            x[: model.informative, 0] += model.theta
            q = torch_single_step(q, x, model.beta, float(SCHEDULE(k)))


def learn_numpy(step, model, runs, bags, threads):
    """One run after the other, by `step`."""
    x = np.empty((model.tokens, model.dim))
    for run in range(runs):
        rng = np.random.default_rng(run)
        q = rng.standard_normal(model.dim)
        q /= np.linalg.norm(q)
        for k in range(bags):
            rng.standard_normal(out=x)
            x[: model.informative, 0] += model.theta
            q = step(q, x, model.beta, float(SCHEDULE(k)))


def draw_numpy(shape, runs, bags, threads):
    """Normals of the given shape for each bag, each run on one of so many threads."""

    def draw(run):
        rng = np.random.default_rng(run)
        x = np.empty(shape)
        for _ in range(bags):
            rng.standard_normal(out=x)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(draw, range(runs)))


def draw_torch(shape, repeats):
    """Normals of the given shape, so many times."""
    torch = need_torch()
    x = torch.empty(shape, dtype=torch.float64)
    rng = torch.Generator().manual_seed(0)
    for _ in range(repeats):
        x.normal_(generator=rng)


@dataclass(frozen=True)
class Way:
    """How a way learns and how it draws, as functions of (model, runs, bags, threads), and how much of it is timed.

    `tokens`, if given, is the number of tokens of a run, whatever the size; else the size says how many bags it gets.
    """

    learn: object
    draw: object
    tokens: int | None = None
    runs: int = RUNS

    def amount(self, size):
        """The numbers of runs and of bags a run."""
        return self.runs, max(1, self.tokens // size.model.tokens) if self.tokens else size.bags


def draw_bags(model, runs, bags, threads):
    """The normals of bags."""
    draw_numpy((model.tokens, model.dim), runs, bags, threads)


def draw_bags_alone(model, runs, bags, threads):
    """The normals of bags, on one thread."""
    draw_bags(model, runs, bags, 1)


def draw_chain(model, runs, bags, threads):
    """The normals of the chain."""
    draw_numpy(2 * model.tokens, runs, bags, threads)


def draw_torch_together(model, runs, bags, threads):
    """The normals of bags, those of all runs at once."""
    draw_torch((runs, model.tokens, model.dim), bags)


def draw_torch_single(model, runs, bags, threads):
    """The normals of bags, one after the other."""
    draw_torch((model.tokens, model.dim), runs * bags)


WAYS = {
    "full": Way(partial(learn_by, "full"), draw_bags),
    "reduced": Way(partial(learn_by, "reduced"), draw_chain, tokens=105_000),
    "torch-together": Way(learn_torch_together, draw_torch_together),
    "torch-single": Way(learn_torch_single, draw_torch_single),
    "numpy-single": Way(partial(learn_numpy, numpy_single_step), draw_bags_alone),
    "numpy-tokens": Way(partial(learn_numpy, numpy_tokens_step), draw_bags_alone, tokens=2100, runs=3),
}


# Measuring


def clock(work, *arguments):
    """Seconds that `work(*arguments)` takes."""
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def measure(size, repeats):
    """Seconds per bag and run, by the name of the way: arrays of learning and of drawing, of shape (repeats, 2)."""
    torch = need_torch()
    seconds = {name: [] for name in WAYS}
    before = torch.get_num_threads()
    torch.set_num_threads(size.threads)
    with threadpool_limits(size.threads):
        for repeat in range(repeats):
            for name in list(WAYS)[:: -1 if repeat % 2 else 1]:
                way = WAYS[name]
                runs, bags = way.amount(size)
                each = [clock(work, size.model, runs, bags, size.threads) for work in (way.learn, way.draw)]
                seconds[name].append(np.array(each) / (runs * bags))
    torch.set_num_threads(before)
    return {name: np.array(each) for name, each in seconds.items()}


def spread(ratios):
    """Median, least and greatest, with four digits."""
    return [float(f"{value:.4g}") for value in (np.median(ratios), np.min(ratios), np.max(ratios))]


def summary(size, seconds):
    """What is stored of a size: for each way ratios of times, and the median time of a run's bag in microseconds."""
    ways = {
        name: {
            "over_full": spread(each[:, 0] / seconds["full"][:, 0]),
            "over_reduced": spread(each[:, 0] / seconds["reduced"][:, 0]),
            "drawing": spread(each[:, 1] / each[:, 0]),
            "microseconds": spread(1e6 * each[:, 0])[0],
        }
        for name, each in seconds.items()
    }
    model = size.model
    return {
        "tokens": model.tokens,
        "informative": model.informative,
        "dim": model.dim,
        "threads": size.threads,
        "ways": ways,
    }


def machine():
    """What was measured on, without anything that names the machine."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, StopIteration):
        processor, memory, system = platform.processor() or platform.machine(), None, platform.system()
    return {
        "processor": processor,
        "cores": _runs.cores(),
        "memory": f"{memory / 2**30:.0f} GB" if memory else "unknown",
        "system": system,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "torch", "numba")},
    }


def show(size):
    """Print the stored ratios of a size."""
    head = f"L = {size['tokens']}, R = {size['informative']}, d = {size['dim']}, {size['threads']} threads"
    print(f"\n{head}\n{'':<16}{'time / full':<26}{'time / reduced':<26}{'drawing / time':<26}")
    for name, way in size["ways"].items():
        cells = ("{:.3g} ({:.3g} to {:.3g})".format(*way[key]) for key in ("over_full", "over_reduced", "drawing"))
        print(f"{name:<16}" + "".join(f"{cell:<26}" for cell in cells))


def main(repeats):
    """Check that all ways take the same step, time them, print the ratios and store them."""
    need_torch()
    sizes = {}
    for name, size in SIZES.items():
        q, x, rho = first_steps(size.model, 3)
        arguments = q, x, size.model.beta, float(SCHEDULE(0))
        require_agreement(rho, numpy_steps(*arguments) | torch_steps(*arguments))
        measure(size, 1)  # nothing is timed when it runs for the first time
        sizes[name] = summary(size, measure(size, repeats))
        show(sizes[name])
    result = {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "repeats": repeats,
        "runs": RUNS,
        "sizes": sizes,
    }
    RESULT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
