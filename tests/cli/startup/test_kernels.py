"""What a run is the first to use is compiled before its time begins."""

import pytest

import outrider as o
from outrider.cli.startup.kernels import compile_first_uses


class Counting(o.Component):
    def step(self, me) -> None:
        me.state.steps = me.state.get("steps", 0) + 1


@pytest.fixture
def simulation(tmp_path, monkeypatch) -> o.Simulation:
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    lidar = o.Sensor("velodyne-vlp16", "top").entry("top")
    return o.Simulation(o.load_world("empty"), robots=[o.robot("jackal")], sensors=(lidar,))


def runs_of(simulation: o.Simulation, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return a list that each run adds to: whether somebody hears the LiDAR."""
    heard: list[bool] = []
    run = simulation.run

    def noted(duration_s: float) -> None:
        heard.append(simulation.bus.channel("/velodyne_points").wanted)
        run(duration_s)

    monkeypatch.setattr(simulation, "run", noted)
    return heard


def test_new_sensors_are_heard_before_the_time_of_a_run_begins_once(simulation, monkeypatch):
    start, heard = simulation.state_hash, runs_of(simulation, monkeypatch)
    compile_first_uses(simulation, cold=False)
    assert heard == [True]
    assert (simulation.time_ns, simulation.state_hash) == (0, start)
    assert not simulation.bus.channel("/velodyne_points").wanted
    compile_first_uses(simulation, cold=False)
    assert heard == [True]
    compile_first_uses(simulation, cold=True)
    assert heard == [True, True]


def test_components_are_the_users_own_code_and_do_not_run_for_nobody(simulation, monkeypatch):
    simulation.attach(Counting())
    heard = runs_of(simulation, monkeypatch)
    compile_first_uses(simulation, cold=False)
    assert heard == []


def test_notes_of_other_kernels_count_for_nothing(simulation, monkeypatch, tmp_path):
    (tmp_path / "compiled.txt").write_bytes(b"numba 0.1\nlidar/velodyne-vlp16\n\xff")
    heard = runs_of(simulation, monkeypatch)
    compile_first_uses(simulation, cold=False)
    assert heard == [True]
