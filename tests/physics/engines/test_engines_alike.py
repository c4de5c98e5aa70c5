"""Two engines, one answer."""

import math
from dataclasses import replace

import numpy as np
import pytest
from carrying import THINGS
from engine_truth import TOLERANCES, run
from engine_worlds import (
    arm,
    ground,
    solid,
    world_of,
)

from outrider.core.frames import Pose
from outrider.physics.engine import ENGINES
from outrider.world.model import Inertial, Joint
from outrider.world.shapes import Box, HeightField
from outrider.world.tessellate import heightfield_mesh

STEP_S = 0.0025
FLAT = heightfield_mesh(HeightField(np.zeros((21, 21)), (4.0, 4.0)))  # of 800 triangles
LYING = [math.pi / 2, 0.0, 0.0]


@pytest.mark.parametrize("kind", ["crate", "ball", "capsule", "barrel", "plank", "brick"])
def test_things_lie_on_a_mesh_itself_whatever_the_engine(make, kind):
    shape = THINGS[kind]
    lies = shape.size[2] / 2 if isinstance(shape, Box) else shape.radius
    start = Pose.from_rpy([0.03, 0.04, lies], [0.0, 0.0, 0.0] if isinstance(shape, Box) else LYING)
    engine = make(world_of(ground(shape=FLAT), solid("thing", shape, 5.0, start)), STEP_S)
    run(engine, 0.5)
    assert engine.state.bodies["position"][0, 2] == pytest.approx(lies, abs=1e-4)


def test_a_convex_mesh_lies_on_a_mesh_itself_whatever_the_engine(make):
    pebble = THINGS["pebble"]
    start = Pose([0.03, 0.04, 0.16])
    heap = solid("thing", Box((0.4, 0.3, 0.2)), 5.0, start)  # weighs as this does
    link = heap.links[0]
    shown = tuple(replace(part, shape=pebble) for part in link.colliders)
    engine = make(
        world_of(ground(shape=FLAT), replace(heap, links=(replace(link, colliders=shown),))), STEP_S
    )
    run(engine, 3.0)
    row = engine.state.bodies[0]
    lowest = Pose(row["position"], row["rotation"]).apply(pebble.vertices)[:, 2].min()
    assert lowest == pytest.approx(0.0, abs=1.5e-4)


@pytest.mark.parametrize("turn", [[math.pi / 4, 0.0, 0.0], [math.pi / 4, math.atan(0.5**0.5), 0.0]])
def test_bullet_meets_edges_and_corners_of_boxes_where_they_are(turn):
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    reach = 0.2 * math.sqrt(2.0 if turn[1] == 0.0 else 3.0)
    low = Pose.from_rpy([0.03, 0.04, reach - 5e-4], turn)
    engine = ENGINES.load("bullet")(
        world_of(ground(shape=FLAT), solid("box", Box((0.4, 0.4, 0.4)), 5.0, low)), STEP_S
    )
    assert max(found.depth for found in engine.overlaps()) == pytest.approx(5e-4, abs=1e-4)


def test_bullet_and_mujoco_move_a_robot_of_odd_joints_alike():
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    engines = [ENGINES.load(name)(world_of(_odd_robot()), 1e-4) for name in TOLERANCES]
    rng = np.random.default_rng(3)
    loads, efforts = 3 * rng.normal(size=(5, 6)), rng.normal(size=4)
    for engine in engines:

        def push(engine=engine):
            engine.loads.bodies["force"], engine.loads.bodies["torque"] = loads[:, :3], loads[:, 3:]
            engine.loads.joints[:] = efforts

        run(engine, 0.3, before=push)
    first, second = (engine.state for engine in engines)
    assert np.abs(first.bodies["angular_velocity"]).max() > 1.0
    for field, tolerance in (("position", 2e-6), ("velocity", 5e-5), ("angular_velocity", 1e-9)):
        assert second.bodies[field] == pytest.approx(first.bodies[field], abs=tolerance)
    assert second.bodies["rotation"] == pytest.approx(first.bodies["rotation"], abs=1e-9)
    assert second.joints["position"] == pytest.approx(first.joints["position"], abs=1e-9)


def _odd_robot():
    rng = np.random.default_rng(1)

    def part():
        a = rng.normal(size=(3, 3))
        second = a @ a.T + 0.3 * np.eye(3)
        inertia = 0.05 * (np.trace(second) * np.eye(3) - second)
        pose = Pose.from_rpy(0.2 * rng.normal(size=3), rng.normal(size=3))
        return Inertial(float(rng.uniform(0.5, 3.0)), inertia, pose)

    joints = []
    for i, (kind, parent) in enumerate(
        [
            ("revolute", "base"),
            ("prismatic", "link0"),
            ("continuous", "link1"),
            ("revolute", "base"),
        ]
    ):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        origin = Pose.from_rpy(0.4 * rng.normal(size=3), rng.normal(size=3))
        joints.append(Joint(f"joint{i}", kind, parent, f"link{i}", origin, tuple(axis)))
    return arm(joints, [part() for _ in joints], part())
