"""Frames of sensors on /tf_static: what has the name of another frame would tear the tree apart."""

from dataclasses import replace

import pytest

import outrider as o
from outrider.core.errors import ConfigError
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec

ABOVE = PoseSpec(z=0.3)


def imu(name, pose=ABOVE, **keys):
    return SensorEntry(name, "ideal-imu", pose=pose, **keys)


def static_frames(*entries, standing=()):
    jackal = o.robot("jackal")
    spec = replace(jackal.robot.spec, sensors=entries)
    robot = replace(jackal, robot=replace(jackal.robot, spec=spec))
    sim = o.Simulation(o.load_world("empty"), [robot], sensors=standing, engine="kinematic")
    box = sim.bus.subscribe("/tf_static")
    sim.run(0.01)
    frames = [(t.header.frame_id, t.child_frame_id) for t in box.latest[1].transforms]
    children = [child for _, child in frames]
    assert len(children) == len(set(children)), "a frame has two parents"
    return frames


@pytest.mark.parametrize("name", ["imu_link", "base_link", "odom", "map"])
def test_a_sensor_with_the_name_of_another_frame_has_one_of_its_own(name):
    assert ("base_link", f"{name}_sensor") in static_frames(imu(name))


def test_the_same_holds_in_the_world():
    assert ("map", "base_link_sensor") in static_frames(standing=(imu("base_link"),))


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([imu("one", frame_id="imu_link")], "'imu_link' is a link of robot 'jackal' at another"),
        ([imu("one", frame_id="base_link")], "'base_link' is a link of robot 'jackal'"),
        ([imu("one", frame_id="map")], "'map' is the frame of the world"),
        ([imu("one", frame_id="odom")], "'odom' is the frame of odometry"),
        ([imu("one", frame_id="f"), imu("two", PoseSpec(z=0.5), frame_id="f")], "of sensor 'one'"),
    ],
)
def test_a_frame_id_that_is_another_frame_is_refused(entries, says):
    with pytest.raises(ConfigError, match=says):
        static_frames(*entries)


def test_sensors_at_one_place_may_share_a_frame():
    frames = static_frames(imu("one", frame_id="f"), imu("two", frame_id="f"))
    assert ("base_link", "f") in frames


def test_a_link_at_the_very_place_of_a_sensor_is_its_frame():
    at_link = PoseSpec(z=0.0)
    static_frames(imu("one", at_link, link="imu_link", frame_id="imu_link"))
