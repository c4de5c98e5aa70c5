"""Two engines, one answer."""

import numpy as np
import pytest
from engine_truth import TOLERANCES, run
from engine_worlds import (
    arm,
    world_of,
)

from outrider.core.frames import Pose
from outrider.physics.engine import ENGINES
from outrider.world.model import Inertial, Joint


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
