"""Robots built part by part: they drive, and load back to the same robot."""

import math

import pytest

import outrider as o
from outrider.core.errors import ConfigError, OutriderError
from outrider.loader.library import library_names
from outrider.vehicles.ackermann import AckermannSpec
from outrider.vehicles.robot import load_robot


def cart(**options) -> o.RobotBuilder:
    made = o.RobotBuilder("cart", size=(0.6, 0.4, 0.2), mass=12)
    return made.wheels(radius=0.1, width=0.05, wheelbase=0.4, track=0.5, **options)


def car() -> o.RobotBuilder:
    made = o.RobotBuilder("car", size=(0.8, 0.4, 0.15), mass=8)
    made.wheels(0.08, 0.04, wheelbase=0.6, track=0.4, driven="rear", steered="front")
    return made.suspension(2000, 80, 0.05).sensor("lidar", "rplidar-a2", z=0.2)


def roomba() -> o.RobotBuilder:
    """The robot of SEAR's listing 2: a disc with two driven wheels and two to lean on."""
    body = o.Cylinder(0.1667, 0.0762, mass=4, colour=(0.2, 0.2, 0.2))
    return o.RobotBuilder("roomba", body=body).add(
        o.Wheel(0.0381, 0.03, name="left").move(0, 0.13, -0.03),
        o.Wheel(0.0381, 0.03, name="right").move(0, -0.13, -0.03),
        o.Castor(0.02, name="front").move(0.13, 0, -0.0481),
        o.Castor(0.02, name="back").move(-0.13, 0, -0.0481),
        o.Box(0.05, 0.1, 0.03, mass=0.2, name="display").move(0, 0, 0.05),
        o.Cone(0.01, 0.05, mass=0.01, name="aerial").move(-0.05, 0, 0.06),
        o.Sensor("ping", "leftFrontPing").move(0.15, 0.05, 0.02).rotate(yaw_deg=20),
        o.Sensor("sick-lms200", "lidar", rate_hz=5.0).move(0.1, 0, 0.06),
    )


def drive(sim, name, speed, yaw_rate, seconds):
    for _ in range(round(seconds / 0.1)):
        sim.robots[name].drive(speed, yaw_rate)
        sim.run(0.1)
    return sim.robots[name]


@pytest.mark.parametrize("make", [cart, car, roomba], ids=lambda make: make.__name__)
def test_a_robot_saved_and_loaded_drives_to_the_same_state(make, tmp_path):
    path = make().save(tmp_path / "robot")
    sims = [o.WorldBuilder().simulate([robot]) for robot in (make(), o.robot(path))]
    for sim in sims:
        drive(sim, make().name, 0.4, 0.3, 2.5)
    assert sims[0].state_hash == sims[1].state_hash
    again = load_robot(path)
    assert again.spec == make().robot().spec
    assert again.urdf == (tmp_path / "robot" / f"{make().name}.urdf").read_text()


@pytest.mark.parametrize(
    ("make", "yaw_rate"), [(cart, 0.5), (car, 0.4), (roomba, 0.5)], ids=["cart", "car", "roomba"]
)
def test_a_robot_built_from_few_figures_follows_its_commands(make, yaw_rate):
    sim = o.WorldBuilder().add(o.Floor(40, 40, "concrete")).simulate([make()])
    name = make().name
    robot = drive(sim, name, 0.5, 0.0, 3.0)
    assert robot.velocity[0] == pytest.approx(0.5, abs=0.02)
    assert abs(robot.pose.rpy[2]) < 0.02
    robot = drive(sim, name, 0.5, yaw_rate, 3.0)
    assert robot.angular_velocity[2] == pytest.approx(yaw_rate, rel=0.15)
    assert abs(robot.pose.rpy[0]) < 0.05
    robot = drive(sim, name, 0.0, 0.0, 1.0)
    assert abs(robot.velocity[0]) < 0.01


def test_masses_and_places_are_those_that_were_said():
    model = roomba().model
    masses = {link.name: link.inertial.mass for link in model.links if link.inertial}
    wheel = float(f"{math.pi * 0.0381**2 * 0.03 * 500:.3g}")
    assert masses == pytest.approx(
        {"base_link": 4, "left_link": wheel, "right_link": wheel, "display": 0.2, "aerial": 0.01}
    )
    assert roomba().mass == pytest.approx(4.21 + 2 * wheel)
    left = next(joint for joint in model.joints if joint.name == "left")
    assert left.origin.position.tolist() == [0, 0.13, -0.03]
    assert left.axis == (0.0, 1.0, 0.0)


def test_a_car_has_its_frame_on_the_rear_axle_and_sensors_where_they_were_put():
    spec = car().spec
    assert isinstance(spec.drivetrain, AckermannSpec)
    assert spec.drivetrain.wheelbase == pytest.approx(0.6)
    assert spec.idle_wheels == ("front_left_wheel", "front_right_wheel")
    sim = o.WorldBuilder().simulate([car()])
    frames = sim.rig.assembly.frames
    base, chassis = frames["car/base_link"], frames["car/chassis"]
    assert chassis.body == base.body
    ahead = base.T_body_link.inverse() @ chassis.T_body_link
    assert ahead.position.tolist() == pytest.approx([0.3, 0, 0])
    assert spec.sensors[0].link == "chassis"


@pytest.mark.parametrize("model", library_names("sensors"))
def test_every_sensor_of_the_library_is_mounted_by_its_name(model):
    spec = cart().add(o.Sensor(model).move(0.1, 0, 0.2)).spec
    assert spec.sensors[0].model == model
    assert spec.sensors[0].name.isidentifier()


def test_figures_can_be_overruled_and_are_checked():
    spec = cart().set("motor", power_w=42).set("limits", speed=1.0).topics(cmd_vel="go").spec
    assert (spec.motor.power_w, spec.limits.speed, spec.topics) == (42, 1.0, {"cmd_vel": "go"})
    assert spec.motor.torque_nm == cart().spec.motor.torque_nm
    with pytest.raises(ConfigError, match=r"motor: powr_w: unknown key \(did you mean 'power_w'"):
        assert cart().set("motor", powr_w=1).spec


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: o.RobotBuilder("r").spec, "it has no wheels"),
        (lambda: cart(driven="none").spec, "no wheel is driven"),
        (lambda: o.RobotBuilder("r").add(o.Wheel(0.1, 0.1).move(0, 1)).spec, "left .* and right"),
        (lambda: cart().sensor("p", "pong").spec, r"no sensor 'pong'.*did you mean 'ping'"),
        (lambda: cart().sensor("p", "ping").sensor("p", "ping"), "two parts have the name 'p'"),
        (lambda: cart().set("moter"), "did you mean 'motor'"),
        (lambda: o.RobotBuilder("r", mass=0), "needs a mass"),
        (lambda: o.Wheel(0, 1), "a radius and a width"),
        (lambda: cart().sensor("p", "ping", max_rnge=3).spec, "did you mean 'max_range'"),
    ],
)
def test_mistakes_are_told_in_one_sentence(make, sentence):
    with pytest.raises(OutriderError, match=sentence):
        make()


def test_a_saved_robot_reads_as_people_write_one(tmp_path):
    text = cart().sensor("ping", "ping", x=0.3).save(tmp_path).read_text()
    assert "  left: [front_left_wheel, rear_left_wheel]\n" in text
    assert "sensors: [{name: ping, model: ping, pose: {x: 0.3, z: 0.0}}]\n" in text
    assert str(tmp_path) not in text
