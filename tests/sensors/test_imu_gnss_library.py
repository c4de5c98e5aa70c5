"""The body sensors of the library on a robot: all of them, as a simulation uses them."""

import numpy as np
import pytest

from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.sensors.catalogue import plan_sensor
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.vehicles.robot import load_robot

IMUS = (
    "ideal-imu",
    "imu-platt",
    "imu-hector",
    "adis16448",
    "microstrain-3dm-gx3-25",
    "mpu6050",
    "bno055",
    "husky-um7",
)
RECEIVERS = ("ideal-gnss", "ublox-m8", "ublox-f9p", "novatel-smart6", "hector-gps")
COMPASSES = ("ideal-compass", "hmc6352", "hmc5883l")
POSES = ("autominy-gps", "automodelcar-gps")


def entry(model: str) -> SensorEntry:
    """Return the model under a name of its own, with topics of its own."""
    name = model.replace("-", "_")
    outputs = plan_sensor(SensorEntry(name, model), "test").kind.types
    return SensorEntry(name, model, latency_s=0.0, topics={o: f"{name}/{o}" for o in outputs})


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    world = build_world(load_world_spec("empty"))
    entries = tuple(entry(model) for model in (*IMUS, *RECEIVERS, *COMPASSES, *POSES))
    return Simulation(world, [Participant(load_robot("husky").bare(), "husky", sensors=entries)])


def test_all_models_speak_and_repeat_after_a_reset(simulation: Simulation) -> None:
    names = [t.name for t in simulation.bus.topics() if t.name.count("/") == 2]
    readers = {name: simulation.bus.subscribe(name, kept="latest") for name in names}
    said: list[dict[str, str]] = []
    for _ in range(2):
        simulation.reset()
        simulation.run(1.3)
        said.append({name: str(reader.latest) for name, reader in readers.items()})
    for model in (*IMUS, *RECEIVERS, *COMPASSES, *POSES):
        assert any(name.startswith(f"/{model.replace('-', '_')}/") for name in said[0])
    assert "None" not in said[0].values()
    assert said[0] == said[1]


def test_platts_imu_is_the_one_of_the_comparison() -> None:
    ready = plan_sensor(SensorEntry("imu", "imu-platt"), "test")
    assert ready.rate_hz == 50.0
    assert ready.topics["data"] == "imu/data"
    for axes in (ready.parameters.accelerometer, ready.parameters.gyroscope):
        assert (axes.noise_sigma, axes.drift_sigma, axes.drift_time_s) == (0.005, 0.005, 3600.0)


def test_a_driving_huskys_imu_agrees_with_its_true_motion() -> None:
    world = build_world(load_world_spec("empty"))
    sensor = SensorEntry("imu", "ideal-imu", link="base_link", rate_hz=100.0)
    simulation = Simulation(
        world, [Participant(load_robot("husky").bare(), "husky", sensors=(sensor,))]
    )
    imu = simulation.bus.subscribe("/imu/data", kept="latest")
    robot = simulation.robots["husky"]
    simulation.run(1.0)
    turned = 0.0
    forces = []
    for _ in range(200):
        robot.drive(0.5, 0.4)
        simulation.run(0.01)
        _, message = imu.latest
        turned += message.angular_velocity.z * 0.01
        forces.append(message.linear_acceleration.z)
    assert turned == pytest.approx(robot.pose.rpy[2], abs=0.01)
    assert np.mean(forces) == pytest.approx(9.80665, abs=0.05)


def test_the_field_a_car_drives_in_gives_its_place_on_the_globe() -> None:
    world = build_world(load_world_spec("empty"))
    simulation = Simulation(world, sensors=(SensorEntry("base", "ideal-gnss"),))
    fix = simulation.bus.subscribe("/navsat/fix", kept="latest")
    simulation.run(0.2)
    _, found = fix.latest
    assert found.latitude == pytest.approx(world.origin.latitude_deg, abs=1e-9)
    assert found.longitude == pytest.approx(world.origin.longitude_deg, abs=1e-9)
