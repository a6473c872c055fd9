"""The stored full-scale experiments: complete, and a sample of them reproduces."""

import full_scale
import numpy as np
import pytest

from sga import Constant, Limit, PowerLaw, ascend

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
        assert rho.shape == mass.shape == (30, step.size)
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


def test_parts_of_another_plan_are_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(full_scale, "PARTS", tmp_path)
    model, runs = full_scale.cell_model(1, 2.0, 4), range(2)
    first = full_scale.run_part(model, PowerLaw(0.1, 1.0, 5.0), 3, runs)
    other = full_scale.run_part(model, PowerLaw(0.2, 1.0, 5.0), 3, runs)
    assert not np.array_equal(first["rho"], other["rho"])
    assert len(list(tmp_path.iterdir())) == 2


def test_a_killed_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    calls = []

    def counted(*args, **kwargs):
        calls.append(kwargs["runs"])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return ascend(*args, **kwargs)

    def output(folder):
        monkeypatch.setattr(full_scale, "PARTS", tmp_path / folder / "parts")
        monkeypatch.setattr(full_scale, "DATA", tmp_path / folder / "out.npz")

    monkeypatch.setattr(full_scale, "CELLS", [(1, 2.0, 4)])
    monkeypatch.setattr(full_scale, "RUNS", 10)
    monkeypatch.setattr(full_scale, "plan", lambda model: (PowerLaw(0.1, 1.0, 5.0), 4))
    monkeypatch.setattr(full_scale, "pole_noise", lambda model, bags, stream: (1.0, 0.1))
    output("whole")
    full_scale.main()
    output("killed")
    monkeypatch.setattr(full_scale, "ascend", counted)
    with pytest.raises(KeyboardInterrupt):
        full_scale.main()
    assert not full_scale.DATA.exists()
    full_scale.main()
    assert len(calls) == 3 + 3  # two chunks were finished, three were missing
    with np.load(tmp_path / "whole" / "out.npz") as a, np.load(full_scale.DATA) as b:
        assert a.files == b.files
        assert all(np.array_equal(a[key], b[key]) for key in a.files)
