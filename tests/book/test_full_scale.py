"""The stored full-scale experiments: complete, and a sample of them reproduces."""

import sys

import full_scale
import numpy as np
import pytest

from sga import Constant, Limit, PowerLaw, ascend, rates

SINGLE = 1e-6  # the file holds single precision


@pytest.fixture(scope="module")
def stored():
    with np.load(full_scale.DATA) as file:
        return {key: file[key] for key in file.files}


def schedule_of(stored, i):
    scale, offset = stored[f"schedule{i}"]
    return PowerLaw(scale, 1.0, offset)


def test_the_file_holds_every_cell_with_thirty_runs_from_start_to_end(stored):
    assert np.array_equal(stored["cells"], np.array(full_scale.CELLS))
    for i in range(len(full_scale.CELLS)):
        step, rho, mass = stored[f"step{i}"], stored[f"rho{i}"], stored[f"mass{i}"]
        assert step[0] == 0 and np.all(np.diff(step) > 0)
        assert rho.shape == mass.shape == stored[f"predicted{i}"].shape == (30, step.size)
        assert np.all(np.abs(rho) <= 1) and np.all((mass > 0) & (mass < 1))


def test_the_grid_reaches_ten_thousand_noise_tokens_and_weak_signals():
    models = [full_scale.cell_model(*cell) for cell in full_scale.CELLS]
    assert max(m.tokens - m.informative for m in models) == 10_000
    assert min(m.theta for m in models) == 0.25
    assert {(m.tokens - m.informative) // m.informative for m in models} == {1, 2, 5, 10, 20}


def test_a_whole_run_reproduces(stored):
    model, step = full_scale.cell_model(*full_scale.CELLS[1]), stored["step1"]
    run = ascend(
        model,
        int(step[-1]),
        schedule_of(stored, 1),
        runs=range(7, 8),
        seed=full_scale.SEED,
        every=full_scale.records_every(int(step[-1])),
    )
    assert np.array_equal(run.step, step)
    np.testing.assert_allclose(run.rho[0], stored["rho1"][7], atol=SINGLE)
    np.testing.assert_allclose(run.mass[0], stored["mass1"][7], atol=SINGLE)


@pytest.mark.parametrize("cell", range(11))
def test_the_beginning_of_a_run_reproduces_in_every_cell(stored, cell):
    model, first = full_scale.cell_model(*full_scale.CELLS[cell]), int(stored[f"step{cell}"][1])
    run = ascend(model, first, schedule_of(stored, cell), runs=range(29, 30), seed=full_scale.SEED, every=first)
    np.testing.assert_allclose(run.rho[0], stored[f"rho{cell}"][29, :2], atol=SINGLE)
    np.testing.assert_allclose(run.mass[0], stored[f"mass{cell}"][29, :2], atol=SINGLE)


@pytest.mark.slow
def test_the_stored_prediction_is_that_of_the_code(stored):
    starts, steps = stored["rho4"][:2, 0].astype(float), int(stored["step4"][-1])
    path = full_scale.predict(full_scale.cell_model(*full_scale.CELLS[4]), schedule_of(stored, 4), steps, starts)
    np.testing.assert_allclose(path, stored["predicted4"][:2], atol=2 * SINGLE)


def test_the_stored_schedule_is_the_planned_one(stored):
    schedule, steps = full_scale.plan(full_scale.cell_model(*full_scale.CELLS[0]))
    assert steps == stored["step0"][-1]
    np.testing.assert_allclose([schedule.scale, schedule.offset], stored["schedule0"], rtol=1e-9)


def test_the_recursion_of_the_spread_settles_where_a_constant_step_says():
    model = full_scale.cell_model(1, 1.0, 50)
    eta, decay = 0.05, float(Limit(model).slope(1.0))
    settled = full_scale.spread(model, Constant(eta), 2000, noise=3.0)[-1]
    assert settled == pytest.approx(eta * 3.0 / (2 * decay * (2 - eta * decay)), rel=1e-9)


def test_a_plan_that_cannot_succeed_says_so():
    with pytest.raises(ValueError, match=r"no schedule takes Model.* to the target within 3 steps"):
        full_scale.plan(full_scale.cell_model(1, 2.0, 4), most=3)


def tiny(monkeypatch, folder):
    """A study of a few seconds, in a folder of its own."""
    monkeypatch.setattr(full_scale, "PARTS", folder / "parts")
    monkeypatch.setattr(full_scale, "DATA", folder / "cells.npz")
    monkeypatch.setattr(full_scale, "GRID_DATA", folder / "grid.npz")
    monkeypatch.setattr(full_scale, "CELLS", [(1, 2.0, 4)])
    monkeypatch.setattr(full_scale, "GRID", [(1, 1.0, 3), (20, 2.0, 30)])
    monkeypatch.setattr(full_scale, "TOKENS", 42)
    monkeypatch.setattr(full_scale, "BUDGET", 42 * 20)
    monkeypatch.setattr(full_scale, "BAGS", 50)
    monkeypatch.setattr(full_scale, "plan", lambda model: (PowerLaw(0.1, 1.0, 5.0), 4))
    monkeypatch.setattr(full_scale, "pole_noise", lambda model, bags, stream: (1.0, 0.1))


def contents(path):
    with np.load(path) as file:
        return {key: file[key] for key in file.files}


@pytest.mark.slow
def test_a_killed_study_goes_on_where_it_stopped(tmp_path, monkeypatch):
    files = []
    for folder, killed in (("whole", False), ("killed", True)):
        tiny(monkeypatch, tmp_path / folder)
        if killed:
            interrupt_after(monkeypatch, 3)
            with pytest.raises(KeyboardInterrupt):
                full_scale.measure_cells()
            assert not full_scale.DATA.exists()
            assert len(list(full_scale.PARTS.glob("*.parquet"))) == 3
        full_scale.measure_cells()
        full_scale.measure_grid()
        files.append([contents(full_scale.DATA), contents(full_scale.GRID_DATA)])
    for whole, resumed in zip(*files, strict=True):
        assert whole.keys() == resumed.keys()
        assert all(np.array_equal(whole[key], resumed[key]) for key in whole)
    assert len(list(full_scale.PARTS.glob("*.parquet"))) == 15 + 2


def interrupt_after(monkeypatch, tasks):
    """Let `sweep` write the results of so many tasks, then stop it once."""
    module, left = sys.modules["sga.sweep"], [tasks]
    write = module._write

    def counted(*arguments):
        if not left[0]:
            monkeypatch.setattr(module, "_write", write)
            raise KeyboardInterrupt
        left[0] -= 1
        return write(*arguments)

    monkeypatch.setattr(module, "_write", counted)


@pytest.fixture(scope="module")
def grid():
    return contents(full_scale.GRID_DATA)


def test_the_grid_goes_far_beyond_the_source():
    ratios, thetas, dims = map(set, zip(*full_scale.GRID, strict=True))
    assert max(ratios) == 1000 and min(thetas) == 0.05 and min(dims) == 10 and max(dims) == 100_000
    assert len(full_scale.GRID) == len(ratios) * len(thetas) * len(dims)


def test_the_grid_holds_every_cell_with_thirty_runs_from_start_to_end(grid):
    shape = (len(full_scale.GRID), 30, grid["step"].size)
    assert grid["rho"].shape == grid["predicted"].shape == shape
    assert grid["mass"].shape == shape[:2]
    assert grid["step"][0] == 0 and grid["step"][-1] == full_scale.BUDGET // full_scale.TOKENS
    assert np.array_equal(grid["rho"][..., 0], grid["predicted"][..., 0])
    assert np.all(np.abs(grid["rho"]) <= 1) and np.all((grid["mass"] > 0) & (grid["mass"] < 1))


@pytest.mark.parametrize("cell", [0, 22, 37, 59])
def test_runs_of_the_grid_reproduce(grid, cell):
    model, steps = full_scale.grid_model(*full_scale.GRID[cell]), int(grid["step"][-1])
    scale, offset = grid["schedule"][cell]
    run = ascend(
        model,
        steps,
        PowerLaw(scale, 1.0, offset),
        runs=range(11, 12),
        seed=full_scale.SEED,
        every=int(grid["step"][1]),
        method="reduced",
    )
    np.testing.assert_allclose(run.rho[0], grid["rho"][cell, 11], atol=SINGLE)
    np.testing.assert_allclose(run.mass[0, -1], grid["mass"][cell, 11], atol=SINGLE)


@pytest.mark.slow
def test_a_plan_and_a_prediction_of_the_grid_reproduce(grid):
    cell = full_scale.GRID.index((5, 1.0, 1000))
    model = full_scale.grid_model(*full_scale.GRID[cell])
    schedule, noise = full_scale.plan_grid(model)
    np.testing.assert_allclose([schedule.scale, schedule.offset], grid["schedule"][cell], rtol=1e-9)
    np.testing.assert_allclose(noise, grid["noise"][cell], rtol=1e-9)
    path = rates.predicted_path(
        model,
        schedule,
        int(grid["step"][-1]),
        grid["rho"][cell, :2, 0].astype(float),
        every=int(grid["step"][1]),
        bags=full_scale.BAGS,
        seed=full_scale.SEED + 1,
    )
    np.testing.assert_allclose(path, grid["predicted"][cell, :2], atol=2 * SINGLE)


def test_the_ladder_holds_every_dimension_and_a_run_of_it_reproduces():
    ladder = contents(full_scale.LADDER_DATA)
    shape = (len(full_scale.LADDER), 30, ladder["step"].size)
    assert ladder["rho"].shape == ladder["predicted"].shape == shape
    assert ladder["step"][-1] == full_scale.LADDER_STEPS
    models = [full_scale.ladder_model(dim) for dim in full_scale.LADDER]
    assert {model.gamma for model in models} == {1 / 10.5} and max(full_scale.LADDER) == 100_000
    schedule, _ = full_scale.plan_grid(full_scale.grid_model(*full_scale.RUNG))
    run = ascend(
        models[1],
        full_scale.LADDER_STEPS,
        schedule,
        runs=range(4, 5),
        seed=full_scale.SEED,
        every=int(ladder["step"][1]),
        method="reduced",
    )
    np.testing.assert_allclose(run.rho[0], ladder["rho"][1, 4], atol=SINGLE)
