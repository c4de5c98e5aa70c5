"""LiDARs in whole simulations: other robots, hidden floors, listeners."""

import math
from dataclasses import replace

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.messages.point_cloud import cloud_records
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.vehicles.robot import load_robot
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, Plane

VLP = SensorEntry("velodyne", "platt-vlp16", link="mid_mount", pose=PoseSpec(z=0.1377))
JACKAL = load_robot("jackal").bare()


def world(hidden: bool = False, wall: bool = False) -> World:
    floor = Geometry(Plane(), material=Material(hidden_from_sensors=hidden))
    models = [Model("ground", (Link("g", None, (), (floor,)),), mobility="static")]
    if wall:
        far = Geometry(Box((0.2, 20.0, 4.0)), Pose(np.array([6.1, 0.0, 0.0])))
        models.append(Model("wall", (Link("w", None, (), (far,)),), mobility="static"))
    return World("test", tuple(models))


def jackal(name: str, x: float = 0.0, y: float = 0.0, *sensors: SensorEntry) -> Participant:
    pose = Pose(np.array([x, y, 0.0]))
    return Participant(JACKAL, name, pose, namespace=name, sensors=sensors)


def test_another_robot_is_seen_where_it_drives():
    quiet = replace(VLP, set={"noise": []})
    sim = Simulation(world(hidden=True), [jackal("a", 0, 0, quiet), jackal("b", 1.5, 0.0)])
    box = sim.bus.subscribe("/a/mid/points", kept="latest")
    sim.drivers.append(lambda s: s.robots["b"].drive(1.0, 0.0) if s.steps % 40 == 0 else None)
    sim.run(1.0)
    _, message = box.latest
    points = cloud_records(message)
    assert len(points) > 30
    stamp_s = message.header.stamp.sec + message.header.stamp.nanosec * 1e-9
    # seen from behind: the nearest points are its rear end, at the time of those rays
    nearest = points[np.argmin(points["x"])]
    ago = sim.time_s - (stamp_s + float(nearest["time"]))
    b, a = sim.robots["b"].pose.position, sim.robots["a"].pose.position
    rear = b[0] - 1.0 * ago - a[0] - 0.25  # a Jackal is 0.5 m long
    assert rear > 1.8
    assert nearest["x"] == pytest.approx(rear, abs=0.03)
    assert np.abs(points["y"]).max() < 0.3


def test_a_hidden_floor_is_driven_on_but_not_seen():
    for hidden in (False, True):
        sim = Simulation(world(hidden, wall=True), [jackal("a", 0, 0, VLP)])
        box = sim.bus.subscribe("/a/mid/points", kept="latest")
        sim.drivers.append(lambda s: s.robots["a"].drive(0.5, 0.0) if s.steps % 40 == 0 else None)
        sim.run(1.0)
        points = cloud_records(box.latest[1])
        assert sim.robots["a"].pose.position[0] > 0.3
        assert abs(sim.robots["a"].pose.position[2]) < 0.1
        assert (points["x"] < 4.0).any() != hidden
        assert (points["x"] > 4.0).any()


def test_listening_changes_nothing_in_the_world():
    def state(listen: bool) -> str:
        sim = Simulation(world(wall=True), [jackal("a", 0, 0, VLP)], seed=3)
        if listen:
            sim.bus.subscribe("/a/mid/points", kept="latest")
        sim.run(0.5)
        return sim.state_hash

    assert state(True) == state(False)


def test_a_reset_gives_the_same_scans_again():
    sim = Simulation(world(wall=True), [jackal("a", 0, 0, VLP)])
    box = sim.bus.subscribe("/a/mid/points", kept="latest")
    sim.run(0.5)
    first = box.latest[1].data.tobytes()
    sim.reset()
    sim.run(0.5)
    assert box.latest[1].data.tobytes() == first


def test_a_sensor_can_stand_in_the_world_and_watch_a_robot_pass():
    post = SensorEntry(
        "post",
        "hokuyo-utm30lx",
        pose=PoseSpec(x=0.0, y=-3.0, z=0.15, yaw_deg=90.0),
        set={"noise": [], "bias_sigma": 0.0},
    )
    sim = Simulation(world(hidden=True), [jackal("a", 0.0, 0.0)], sensors=(post,))
    box = sim.bus.subscribe("/scan", kept="latest")
    sim.run(0.1)
    scan = box.latest[1]
    angle = scan.angle_min + np.arange(len(scan.ranges)) * scan.angle_increment
    seen = np.isfinite(scan.ranges)
    assert seen.any()
    assert np.abs(angle[seen]).max() < math.radians(8)
    assert scan.ranges[seen].min() == pytest.approx(3.0 - 0.215, abs=0.04)  # half its width
    assert scan.header.frame_id == "post"
