"""Wheels and belts carry a robot that lies on its side, which their rings of rays cannot see."""

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.physics.tyres.buried import Buried
from outrider.physics.tyres.data import TYRE
from outrider.scene.surface import Surface
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Plane
from outrider.world.state import BODY

GROUND = Link("link", None, (Geometry(Plane()),), (Geometry(Plane()),))
FLOOR = World("floor", (Model("ground", (GROUND,), mobility="static"),))


@pytest.mark.parametrize("robot", ["tracked_ugv", "autominy"])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_robot_on_its_side_rests_on_its_wheels(robot: str, side: float) -> None:
    pose = Pose.from_rpy([0.0, 0.0, 0.4], [side * np.pi / 2, 0.0, 0.3])
    rider = Participant(load_robot(robot).bare(), robot, pose, on_ground=False)
    simulation = Simulation(FLOOR, [rider])
    simulation.run(3.0)
    wheels = simulation.rig.tyres.rows
    upright = np.abs(wheels["axle_world"][:, 2])
    assert upright.max() > 0.85  # it has not rolled over
    faces = wheels["hub_world"][:, 2] - wheels["half_width"] * upright
    assert faces.min() > -0.005  # before: 37 to 127 mm below the ground
    assert np.linalg.norm(simulation.state.bodies["velocity"], axis=1).max() < 0.01


def test_a_side_that_only_just_touches_is_not_pressed() -> None:
    """Before: neither load nor direction were numbers, and the run ended as unstable."""
    wheel = np.zeros(1, TYRE)
    wheel["axle_world"], wheel["hub_world"] = (0.0, 0.0, 1.0), (0.0, 0.0, 0.25)
    wheel["radius"], wheel["half_width"], wheel["ground"] = 0.5, 0.25, -1
    buried, nowhere = Buried(1), np.zeros((0, 3))
    buried.look(wheel, np.zeros(1, BODY), nowhere, Surface([Geometry(Plane())]), 0.0025)
    assert buried.shape.tolist() == [-1]
    wheel["hub_world"][0, 2] -= 0.001
    buried.look(wheel, np.zeros(1, BODY), nowhere, Surface([Geometry(Plane())]), 0.0025)
    assert buried.shape.tolist() == [0]
    assert buried.depth == pytest.approx([0.001], abs=1e-6)
