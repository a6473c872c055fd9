"""Sweeps: the same table whatever computes it and however often it is interrupted."""

import io
import os
import signal
import subprocess
import sys
import time
import warnings
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sga
from sga import Constant, Model, PowerLaw, _runs, ascend, sweep

STEPS = PowerLaw(0.5, 1.0, 10.0)
GRID = [
    Model(tokens=tokens, informative=tokens // ratio, dim=dim, theta=theta)
    for tokens in (60, 200)
    for ratio in (2, 5, 20)
    for dim in (2, 40)
    for theta in (0.5, 2.0)
]
COLUMNS = "cell tokens informative dim theta beta sigma schedule method seed rho0 run step time rho mass".split()


@dataclass(frozen=True)
class Deadly(PowerLaw):
    """Kills the process that uses it, unless it is the one that made it or `deaths` are on file."""

    home: str = ""
    deaths: int = 1
    maker: int = 0

    def __call__(self, k):
        if self.home and os.getpid() != self.maker:
            past = len(list(Path(self.home).iterdir()))
            if past < self.deaths:
                (Path(self.home) / str(past)).touch()
                time.sleep(0.2)  # as a process that runs out of memory, not in its first millisecond
                os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(k)


def same_bytes(one, other):
    """Whether two tables are one, to the last bit, order of the rows and types included."""
    files = []
    for table in (one, other):
        file = io.BytesIO()
        table.to_parquet(file)
        files.append(file.getvalue())
    return files[0] == files[1]


def small(**changes):
    arguments = {"models": GRID[:5], "steps": 12, "step_size": STEPS, "runs": 6, "n_jobs": 1, "every": 5}
    return sweep(**(arguments | changes))


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed", reason="needs dask: pip install './lib[cluster]'")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers,
        distributed.Client(workers) as client,
    ):
        yield client


@pytest.mark.parametrize("method", ["reduced", "full"])
def test_each_row_is_a_record_of_ascend(method):
    table = small(method=method, seed=3, rho0=0.25)
    for cell, part in table.groupby("cell"):
        paths = ascend(GRID[cell], 12, STEPS, runs=6, seed=3, rho0=0.25, method=method, every=5)
        np.testing.assert_array_equal(part["rho"].to_numpy().reshape(6, -1), paths.rho)
        np.testing.assert_array_equal(part["mass"].to_numpy().reshape(6, -1), paths.mass)
        np.testing.assert_array_equal(part["step"].to_numpy().reshape(6, -1), [paths.step] * 6)
        np.testing.assert_array_equal(part["time"].to_numpy().reshape(6, -1), [paths.time] * 6)
        np.testing.assert_array_equal(part["run"].unique(), np.arange(6))


def test_the_columns_are_those_documented():
    table = small(store=None, seed=3)
    assert list(table.columns) == COLUMNS
    assert all(f"`{name}`" in sga.sweep.__doc__ for name in COLUMNS)
    for name in ("tokens", "informative", "dim", "theta", "beta", "sigma"):
        assert [getattr(model, name) for model in GRID[:5]] == table.groupby("cell")[name].first().tolist()
    assert set(table["schedule"]) == {repr(STEPS)}
    assert set(table["seed"]) == {3}
    assert table["rho0"].isna().all()
    assert not table.drop(columns="rho0").isna().any(axis=None)


def test_start_and_end_alone_are_recorded_unless_more_is_asked_for():
    assert sorted(set(small(every=None)["step"])) == [0, 12]
    assert set(small(every=None, steps=0)["step"]) == {0}


def test_steps_and_schedules_may_differ_from_cell_to_cell():
    schedules = [Constant(0.1 * (i + 1)) for i in range(5)]
    table = small(steps=[3, 4, 5, 6, 7], step_size=schedules, every=None)
    assert table.groupby("cell")["step"].max().tolist() == [3, 4, 5, 6, 7]
    assert table.groupby("cell")["schedule"].first().tolist() == [repr(s) for s in schedules]
    paths = ascend(GRID[2], 5, schedules[2], runs=6, method="reduced")
    np.testing.assert_array_equal(table.query("cell == 2 and step == 5")["rho"], paths.rho[:, -1])


@pytest.mark.parametrize("chunk", [1, 4, 7, 1000])
def test_neither_chunks_nor_the_order_of_the_cells_change_a_bit(chunk):
    whole = small()
    assert same_bytes(small(chunk=chunk), whole)
    turned = small(models=GRID[4::-1], chunk=chunk)
    for cell in range(5):
        parts = [table.query(f"cell == {i}").drop(columns="cell") for table, i in ((whole, cell), (turned, 4 - cell))]
        pd.testing.assert_frame_equal(*(part.reset_index(drop=True) for part in parts), check_exact=True)


def whole(**changes):
    assert len(GRID) == 24
    return sweep(GRID, 40, STEPS, every=8, chunk=50, **changes)


@pytest.fixture(scope="module")
def in_one_thread():
    table = whole(n_jobs=1)
    assert len(table) == 24 * 30 * 6
    return table


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "n_jobs"), [("loky", 1), ("loky", 2), ("threading", 2)])
def test_twenty_four_models_give_the_same_bytes_on_every_backend(backend, n_jobs, in_one_thread):
    assert same_bytes(whole(backend=backend, n_jobs=n_jobs), in_one_thread)


@pytest.mark.slow
@pytest.mark.extra
def test_twenty_four_models_give_the_same_bytes_on_a_cluster(cluster, in_one_thread):
    assert same_bytes(whole(backend="dask"), in_one_thread)


INTERRUPTED = """
import sys
from test_sweep import GRID, STEPS
from sga import sweep
sweep(GRID, 400, STEPS, every=100, chunk=60, n_jobs=2, backend=sys.argv[2], store=sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_a_sweep_that_is_killed_goes_on_where_it_was(backend, tmp_path, monkeypatch):
    store, whole = tmp_path / "store", sweep(GRID, 400, STEPS, every=100)
    command = [sys.executable, "-c", INTERRUPTED, str(store), backend]
    paths = os.pathsep.join(str(path) for path in (Path(__file__).parent, Path(sga.__file__).parents[1]))
    process = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": paths})
    while process.poll() is None and len(list(store.glob("*.parquet"))) < 3:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = {path: path.read_bytes() for path in store.glob("*.parquet")}
    assert 3 <= len(kept) < 12
    runs = computed(monkeypatch)
    assert same_bytes(sweep(GRID, 400, STEPS, every=100, n_jobs=1, store=store), whole)
    assert len(runs) == 24 * 30 - 60 * len(kept)
    assert all(path.read_bytes() == content for path, content in kept.items())


def computed(monkeypatch):
    """A list that grows by (model, replicate) with each run that is computed in this process."""
    runs, advance = [], _runs.advance

    def counted(plan, **options):
        runs.extend((plan.model, i) for i in plan.replicates)
        return advance(plan, **options)

    monkeypatch.setattr(_runs, "advance", counted)
    return runs


def test_the_same_call_computes_only_what_is_missing(tmp_path, monkeypatch):
    runs = computed(monkeypatch)
    first = small(store=tmp_path, models=GRID[:3], runs=4)
    assert len(runs) == 12
    assert same_bytes(small(store=tmp_path, models=GRID[:3], runs=4), first)
    assert len(runs) == 12
    more = small(store=tmp_path, models=GRID[3::-1], runs=range(2, 6))
    assert set(runs[12:]) == {(model, i) for model in GRID[:3] for i in (4, 5)} | {(GRID[3], i) for i in range(2, 6)}
    assert len(runs) == 22
    assert same_bytes(more, small(models=GRID[3::-1], runs=range(2, 6)))


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"rho0": 0.1},
        {"steps": 13},
        {"every": 4},
        {"method": "full"},
        {"step_size": PowerLaw(0.5, 1.0, 11.0)},
        {"models": [Model(60, 30, 2, 0.5, beta=0.9)]},
    ],
)
def test_whatever_a_run_depends_on_is_told_apart_in_a_store(tmp_path, monkeypatch, change):
    small(store=tmp_path, models=GRID[:1])
    runs = computed(monkeypatch)
    arguments = {"models": GRID[:1]} | change
    assert same_bytes(small(store=tmp_path, **arguments), small(**arguments))
    assert len(runs) == 12


def test_the_store_is_one_table_for_other_tools(tmp_path):
    table = small(store=tmp_path, chunk=4)
    assert len(list(tmp_path.iterdir())) == 8
    other = pd.read_parquet(tmp_path)
    assert sorted(other.columns) == sorted(["key", *COLUMNS[1:]])
    assert other["key"].nunique() == 5
    order = ["theta", "dim", "informative", "tokens", "run", "step"]
    one, two = (t.sort_values(order, ignore_index=True)[COLUMNS[1:]] for t in (table, other))
    pd.testing.assert_frame_equal(one, two, check_exact=True)


def test_what_was_half_written_is_never_read(tmp_path):
    whole = small(store=tmp_path, chunk=4)
    first, *_ = tmp_path.glob("*.parquet")
    content = first.read_bytes()
    first.unlink()
    unfinished = tmp_path / f".{first.stem}.unfinished"
    unfinished.write_bytes(content[: len(content) // 2])
    assert same_bytes(small(store=tmp_path), whole)
    assert not unfinished.exists()


def test_a_damaged_or_foreign_file_is_named(tmp_path):
    small(store=tmp_path)
    (tmp_path / "foreign.parquet").write_bytes(b"PAR1")
    with pytest.raises(ValueError, match=r"store must hold results of sweep alone, got foreign\.parquet"):
        small(store=tmp_path)
    pd.DataFrame({"rho": [1.0]}).to_parquet(tmp_path / "foreign.parquet")
    with pytest.raises(ValueError, match=r"foreign.parquet"):
        small(store=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["loky", pytest.param("dask", marks=pytest.mark.extra)])
def test_a_worker_that_dies_is_reported_and_its_work_done_again(backend, tmp_path, request):
    running = request.getfixturevalue("cluster") if backend == "dask" else nullcontext()
    deadly = Deadly(0.5, 1.0, 10.0, home=str(tmp_path), maker=os.getpid())
    schedules = [STEPS, STEPS, deadly, STEPS, STEPS]
    assert running is not None
    with pytest.warns(RuntimeWarning, match=r"a worker died; .*tokens=60, informative=30, dim=40, theta=0.5.*Deadly"):
        table = small(step_size=schedules, n_jobs=2, backend=backend, chunk=6)
    assert len(list(tmp_path.iterdir())) == 1
    expected = small()
    pd.testing.assert_frame_equal(table.drop(columns="schedule"), expected.drop(columns="schedule"), check_exact=True)


@pytest.mark.slow
def test_a_cell_that_kills_its_worker_twice_is_named_and_the_rest_is_kept(tmp_path):
    home, store = tmp_path / "deaths", tmp_path / "store"
    home.mkdir()
    deadly = Deadly(0.5, 1.0, 10.0, home=str(home), deaths=9, maker=os.getpid())
    with (
        warnings.catch_warnings(),
        pytest.raises(RuntimeError, match=r"died again, alone with .*\(Model\([^;]*Deadly[^;]*\)"),
    ):
        warnings.simplefilter("ignore")
        small(step_size=[STEPS, STEPS, deadly, STEPS, STEPS], n_jobs=2, backend="loky", chunk=6, store=store)
    assert len(list(home.iterdir())) == 2
    assert list(store.glob("*.parquet"))


@dataclass(frozen=True)
class Failing(PowerLaw):
    """Works where it was made and fails elsewhere."""

    maker: int = 0

    def __call__(self, k):
        if os.getpid() != self.maker:
            raise ArithmeticError("no such step")
        return super().__call__(k)


@pytest.mark.slow
def test_a_cell_that_fails_says_which_it_was():
    schedules = [STEPS, Failing(0.5, 1.0, 10.0, maker=os.getpid())]
    with pytest.raises(ArithmeticError, match="no such step") as caught:
        small(models=GRID[:2], step_size=schedules, n_jobs=2, backend="loky", chunk=6)
    assert any("in the cell Model(tokens=60" in note and "Failing" in note for note in caught.value.__notes__)


def test_the_progress_bar_counts_runs(tmp_path, capsys):
    small(store=tmp_path, models=GRID[:2])
    assert "run" not in capsys.readouterr().err
    small(store=tmp_path, progress=True, chunk=4)
    assert "30/30" in capsys.readouterr().err


def test_tasks_hold_many_small_cells_or_a_part_of_a_large_one():
    module = sys.modules["sga.sweep"]
    tiny, _ = module._cells([Model(10, 5, d, 1.0) for d in range(2, 202)], 10, STEPS, 30, 0, None, "reduced", None)
    assert len(module._tasks(tiny, range(30), None, set())) == 1
    huge, _ = module._cells([Model(10**6, 5, 5, 1.0)], 10**4, STEPS, 30, 0, None, "reduced", None)
    assert [len(runs) for ((_, runs),) in module._tasks(huge, range(30), None, set())] == [1] * 30
    parts = module._tasks(tiny, range(30), 45, set())
    assert sum(len(runs) for task in parts for _, runs in task) == 200 * 30
    assert {sum(len(runs) for _, runs in task) for task in parts} <= set(range(40, 51)) | {200 * 30 % 45}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"models": []}, ValueError, "models must hold at least one Model, got none"),
        ({"models": ["a"]}, TypeError, "model must be a Model, got str"),
        ({"models": [GRID[0], GRID[0]]}, ValueError, "cells must differ, got the same in 0 and 1"),
        ({"steps": -1}, ValueError, "steps must be an integer >= 0, got -1"),
        ({"steps": [1, 2]}, ValueError, "steps must be one for all models or a sequence of 5, got 2"),
        ({"step_size": 0.1}, TypeError, "step_size must be a schedule"),
        ({"runs": 0}, ValueError, "runs must be an integer >= 1, got 0"),
        ({"seed": -1}, ValueError, "seed must be an integer >= 0, got -1"),
        ({"rho0": 2}, ValueError, "rho0 must be >= -1 and <= 1, got 2"),
        ({"method": "fast"}, ValueError, 'method must be "full" or "reduced"'),
        ({"every": 0}, ValueError, "every must be an integer >= 1, got 0"),
        ({"n_jobs": 0}, ValueError, "n_jobs, unless it is -1, must be an integer >= 1, got 0"),
        ({"n_jobs": 1.5}, TypeError, "n_jobs, unless"),
        ({"chunk": 0}, ValueError, "chunk must be an integer >= 1, got 0"),
        ({"backend": "mpi"}, ValueError, 'backend must be "threading", "loky" or "dask", got \'mpi\''),
    ],
)
def test_bad_arguments_are_refused_before_anything_runs(change, error, message, monkeypatch):
    monkeypatch.setattr(_runs, "advance", lambda *_, **__: pytest.fail("a run began"))
    with pytest.raises(error, match=message):
        small(**change)


def test_dask_needs_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install './lib\[cluster\]'"):
        small(backend="dask")


@pytest.mark.extra
def test_dask_needs_a_client():
    pytest.importorskip("distributed", reason="needs dask: pip install './lib[cluster]'")
    with pytest.raises(RuntimeError, match=r"needs an active distributed\.Client"):
        small(backend="dask")
