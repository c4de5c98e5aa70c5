import pytest

from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.sim.pacing import Pacer
from outrider.sim.rig import Participant
from outrider.sim.runner import Runner
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot


def run(speed: float, seconds: float):
    world = build_world(load_world_spec("empty"))
    sim = Simulation(world, [Participant(load_robot("jackal"), "jackal")])
    box = sim.bus.subscribe("/performance_metrics")
    Runner(sim, Pacer(speed=speed)).run(seconds)
    return box.latest[1]


def test_sensors_that_keep_their_rate_say_so_in_both_times() -> None:
    rates = {s.name: s for s in run(1.0, 1.2).sensors}
    imu = rates["jackal/imu"]
    assert imu.sim_update_rate == pytest.approx(50.0, rel=0.05)
    assert imu.real_update_rate == pytest.approx(50.0, rel=0.3)
    assert imu.fps == 50.0
    assert set(rates) == {"jackal/imu", "jackal/navsat", "jackal/encoders", "jackal/front"}


def test_in_slow_motion_a_sensor_keeps_its_simulated_rate_but_not_the_real_one() -> None:
    imu = next(s for s in run(0.2, 0.3).sensors if s.name == "jackal/imu")
    assert imu.sim_update_rate == pytest.approx(50.0, rel=0.15)
    assert imu.real_update_rate == pytest.approx(10.0, rel=0.3)
