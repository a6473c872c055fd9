"""Many models or schedules at once: on threads, processes or a cluster, with the same result to the last bit."""

import json
import os
import warnings
from collections import deque
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, is_dataclass, replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import uuid4

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
from joblib.externals.loky.process_executor import TerminatedWorkerError
from tqdm import tqdm

from sga import _runs
from sga import _validate as check
from sga.ascent import Paths
from sga.model import Model
from sga.steps import StepSize

#: Numbers drawn by one task, about: some ten seconds of work for one core.
TASK_SIZE = 10**9
MODEL = ("tokens", "informative", "dim", "theta", "beta", "sigma")
COLUMNS = (*MODEL, "schedule", "method", "seed", "rho0", "run", "step", "time", "rho", "mass")


@dataclass(frozen=True)
class _Cell:
    """One model with one schedule; its key names everything that its runs depend on."""

    model: Model
    steps: int
    step_size: Any
    seed: int
    rho0: float | None
    method: str
    every: int
    key: str

    def plan(self, runs):
        return _runs.plan(self.model, self.steps, self.step_size, runs, self.seed, self.rho0, self.method, self.every)

    def __str__(self):
        start = "uniform" if self.rho0 is None else self.rho0
        return f"{self.model}, {self.steps} steps of {self.step_size}, {self.method}, seed {self.seed}, start {start}"


def sweep(
    models: Model | Sequence[Model],
    steps: int | Sequence[int],
    step_size: StepSize | Sequence[StepSize],
    *,
    runs: int | range = 30,
    seed: int = 0,
    rho0: float | None = None,
    method: str = "reduced",
    every: int | None = None,
    n_jobs: int = -1,
    backend: str = "threading",
    chunk: int | None = None,
    progress: bool = False,
    store: str | os.PathLike[str] | None = None,
) -> pd.DataFrame:
    r"""Run `ascend` for every cell of a study, a cell being a model with its schedule; return one tidy table.

    Run i of a cell is run i of `ascend` with the same arguments, whatever the backend, the number of workers, the
    order of the cells and the size of the chunks. Each task is written to `store` as it ends. The same call on the
    same store goes on from there: it computes what is missing, so also what cells or runs were added.

    A dead worker process is reported, by a RuntimeWarning, with the cells that were running, and these are run
    again, one at a time.

    Args:
        models: a sequence of `Model`, one a cell.
        steps: K, integer >= 0: one for all cells, or a sequence of one a cell.
        step_size: a schedule such as `PowerLaw`: one for all cells, or a sequence of one a cell; a dataclass, since
            its fields tell stored results apart.
        runs: a number of runs a cell, integer >= 1, or a `range` of replicate indices >= 0.
        seed: integer >= 0. Cells share it, so run i starts at the same query in all cells of equal dimension.
        rho0: initial alignment in [-1, 1], or None for a query uniform on the sphere.
        method: "reduced" or "full", see `ascend`.
        every: record each `every`-th step, integer >= 1; None for the start and the end alone.
        n_jobs: cores to use, integer >= 1, or -1 for all (of the cluster, with "dask"). A task takes one core.
        backend: "threading" (one process; the inner loops release the GIL), "loky" (processes) or "dask" (the cluster
            of the active `distributed.Client`; needs the extra `cluster`).
        chunk: runs a task, integer >= 1; None for tasks of some ten seconds. A task that is cut off is lost.
        progress: whether to show a progress bar that counts runs.
        store: folder of the results, made if it is missing; None to keep them in memory only. One call at a time may
            write to a folder. It holds Parquet files, which together are one table, for `pandas.read_parquet(store)`
            too: the columns below, with `key`, a hash of what the cell depends on, in place of `cell`.

    Returns:
        `pandas.DataFrame` with a row for each cell, run and record, in this order, and the columns `cell` (number in
        `models`), those of the model (`tokens`, `informative`, `dim`, `theta`, `beta`, `sigma`), `schedule` (text),
        `method`, `seed`, `rho0` (nan: uniform), `run` (replicate index), `step` (k), `time` (eta_0 + ... +
        eta_{k-1}), `rho` (alignment) and `mass` (attention on informative tokens).

    Raises:
        TypeError, ValueError: an argument is not of its kind or outside its range, or two cells are the same.
        ModuleNotFoundError: `backend` is "dask" and `distributed` is not installed.
        RuntimeError: `backend` is "dask" and there is no active client; or a cell kills its worker twice.

    Source: claims A10 and C5; the book's equations (sga) and (reduced-chain).
    """
    cells, replicates = _cells(models, steps, step_size, runs, seed, rho0, method, every)
    if n_jobs != -1:
        n_jobs = check.integer("n_jobs, unless it is -1,", n_jobs, 1)
    chunk = None if chunk is None else check.integer("chunk", chunk, 1)
    client = _client(backend)
    folder = None if store is None else Path(store)
    parts, done = _finished(folder)
    tasks = _tasks(cells, replicates, chunk, done)
    missing = sum(len(part) for task in tasks for _, part in task)
    total = len(cells) * len(replicates)
    with (
        tqdm(total=total, initial=total - missing, unit="run", disable=not progress) as bar,
        closing(_results(tasks, n_jobs, backend, client)) as results,
    ):
        for task, paths in results:
            part = _table(task, paths)
            parts.append(part if folder is None else _write(part, task, folder))
            bar.update(sum(len(runs) for _, runs in task))
    return _joined(parts, cells, replicates)


def _cells(models, steps, step_size, runs, seed, rho0, method, every):
    """The cells of a call, with all that can be wrong in any of them found before the first one runs."""
    models = [models] if isinstance(models, Model) else list(models)
    if not models:
        raise ValueError("models must hold at least one Model, got none")
    if rho0 is not None:
        rho0 = check.real("rho0", rho0, -1.0, 1.0)
    cells, first = [], {}
    for model, K, schedule in zip(
        models, _each("steps", steps, models), _each("step_size", step_size, models), strict=True
    ):
        spacing = max(1, check.integer("steps", K, 0)) if every is None else every
        plan = _runs.plan(model, K, schedule, runs, seed, rho0, method, spacing)
        seed, replicates = plan.seed, plan.replicates
        if not is_dataclass(schedule) or isinstance(schedule, type):
            raise TypeError(f"step_size must be a dataclass, whose fields tell schedules apart, got {schedule!r}")
        named = [type(schedule).__qualname__, asdict(schedule)]
        content = [version("sga"), asdict(model), int(K), named, seed, rho0, method, int(spacing)]
        key = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:20]
        if first.setdefault(key, len(cells)) != len(cells):
            raise ValueError(f"cells must differ, got the same in {first[key]} and {len(cells)}: {cells[first[key]]}")
        cells.append(_Cell(model, int(K), schedule, seed, rho0, method, int(spacing), key))
    return cells, replicates


def _each(name, value, models):
    """One value for each model: the sequence given, or the one value for all."""
    if not isinstance(value, list | tuple | range | np.ndarray):
        return [value] * len(models)
    if len(value) != len(models):
        raise ValueError(f"{name} must be one for all models or a sequence of {len(models)}, got {len(value)}")
    return list(value)


def _client(backend):
    """The client of the Dask cluster, or None for the other backends."""
    if backend in ("threading", "loky"):
        return None
    if backend != "dask":
        raise ValueError(f'backend must be "threading", "loky" or "dask", got {backend!r}')
    try:
        from distributed import get_client
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError("backend \"dask\" needs the extra: pip install './lib[cluster]'") from missing
    try:
        return get_client()
    except ValueError:
        raise RuntimeError('backend "dask" needs an active distributed.Client, got none') from None


def _tasks(cells, replicates, chunk, done):
    """Lists of (cell, replicate indices) that are not done, in order, each worth about one task."""
    tasks, task, room = [], [], 1.0
    for cell in cells:
        missing = deque(i for i in replicates if (cell.key, i) not in done)
        draws = cell.model.tokens * (cell.steps + 1) * (cell.model.dim if cell.method == "full" else 2)
        share = draws / TASK_SIZE if chunk is None else 1.0 / chunk
        while missing:
            take = [missing.popleft() for _ in range(min(len(missing), max(1, round(room / share))))]
            task.append((cell, tuple(take)))
            room -= share * len(take)
            if room < share / 2:
                tasks.append(task)
                task, room = [], 1.0
    return [*tasks, task] if task else tasks


def _run(task):
    """Compute one task, on one thread; a cell that fails says which it was."""
    paths = []
    for cell, runs in task:
        try:
            plan = replace(cell.plan(len(runs)), replicates=runs)
            rho, mass = _runs.advance(plan, threads=1)
            paths.append(Paths(plan.record, cell.step_size.time(plan.record), rho, mass))
        except Exception as error:
            error.add_note(f"in the cell {cell}")
            raise
    return paths


def _results(tasks, n_jobs, backend, client):
    """Pairs of a task and its paths, as they end; what a dead process took with it is run again."""
    waiting, flying = deque(enumerate(tasks)), {}
    topic = None if client is None else f"sga.sweep {uuid4()}"

    def numbered(number, task):
        if topic is not None:
            from distributed import get_worker

            get_worker().log_event(topic, number)
        return number, _run(task)

    def dispatched():
        while waiting:
            number, task = waiting.popleft()
            flying[number] = task
            yield joblib.delayed(numbered)(number, task)

    def computed(calls, jobs):
        with joblib.parallel_config(backend):  # knows the backends that joblib loads on demand
            parallel = joblib.Parallel(jobs, batch_size=1, pre_dispatch="n_jobs", return_as="generator_unordered")
        for number, paths in parallel(calls):
            yield flying.pop(number), paths

    while waiting:
        try:
            yield from computed(dispatched(), n_jobs)
        except TerminatedWorkerError:
            suspects = dict(flying)
            warnings.warn(f"a worker died; {_running(suspects)} run again", RuntimeWarning, stacklevel=3)
            for number, task in suspects.items():
                try:  # two jobs, since one would run in this process
                    yield from computed([joblib.delayed(numbered)(number, task)], 2)
                except TerminatedWorkerError as death:
                    raise RuntimeError(f"a worker died again, alone with {_running({number: task})}") from death
        except Exception as error:
            if type(error).__name__ == "KilledWorker":
                raise RuntimeError(f"workers of the cluster died again and again; {_running(flying)}") from error
            raise
    if client is not None:  # it begins a task again when the worker that had it died
        begun = [number for _, number in client.get_events(topic)]
        again = {number: tasks[number] for number in begun if begun.count(number) > 1}
        if again:
            warnings.warn(f"a worker died; {_running(again)} ran again", RuntimeWarning, stacklevel=3)


def _running(tasks):
    cells = dict.fromkeys(str(cell) for task in tasks.values() for cell, _ in task)
    return f"the cells that were running ({'; '.join(cells)})"


def _table(task, paths):
    """The rows of one task."""
    parts = []
    for (cell, runs), path in zip(task, paths, strict=True):
        records = path.step.size
        rows = {"key": cell.key, **{name: getattr(cell.model, name) for name in MODEL}}
        rows |= {"schedule": repr(cell.step_size), "method": cell.method, "seed": cell.seed}
        rows["rho0"] = np.nan if cell.rho0 is None else cell.rho0
        rows["run"] = np.repeat(np.asarray(runs, dtype=np.int64), records)
        rows["step"] = np.tile(path.step.astype(np.int64), len(runs))
        rows["time"] = np.tile(path.time, len(runs))
        parts.append(pd.DataFrame(rows | {"rho": path.rho.ravel(), "mass": path.mass.ravel()}))
    return pa.Table.from_pandas(pd.concat(parts, ignore_index=True), preserve_index=False)


def _write(table, task, folder):
    """Write a task's rows to a file that has its name only when it is whole and on the disk; return its path."""
    held = [[cell.key, list(runs)] for cell, runs in task]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{sha256(json.dumps(held).encode()).hexdigest()[:20]}.parquet"
    unfinished = path.with_name(f".{path.stem}.unfinished")
    metadata = {**(table.schema.metadata or {}), b"sga.runs": json.dumps(held).encode()}
    with open(unfinished, "wb") as file:
        pq.write_table(table.replace_schema_metadata(metadata), file)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    return path


def _finished(folder):
    """Files of a store that are whole, and the pairs (key, run) they hold; what is not whole is cleared away."""
    paths, done = [], set()
    if folder is None or not folder.exists():
        return paths, done
    for unfinished in folder.glob(".*.unfinished"):
        unfinished.unlink()
    for path in sorted(folder.glob("*.parquet")):
        try:
            held = json.loads(pq.read_schema(path).metadata[b"sga.runs"])
        except (pa.ArrowInvalid, KeyError, TypeError):
            raise ValueError(
                f"store must hold results of sweep alone, got {path.name}, which is damaged or not one"
            ) from None
        paths.append(path)
        done |= {(key, run) for key, runs in held for run in runs}
    return paths, done


def _joined(parts, cells, replicates):
    """One table of this call's cells and runs, in order, from tables in memory or files of a store."""
    if parts and isinstance(parts[0], Path):
        wanted = pa.dataset.field("key").isin([cell.key for cell in cells])
        table = pa.dataset.dataset(parts).to_table(filter=wanted).to_pandas()
        table = table[table["run"].isin(list(replicates))]
    else:
        table = pa.concat_tables(parts).to_pandas()
    numbers = {cell.key: number for number, cell in enumerate(cells)}
    table.insert(0, "cell", table.pop("key").map(numbers).astype(np.int64))
    order = np.lexsort((table["step"], table["run"], table["cell"]))
    return table.iloc[order].reset_index(drop=True)[["cell", *COLUMNS]]
