"""A robot that tumbles fast keeps within bounds: it does not gain energy from step to step."""

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot
from outrider.world.model import World

SPIN = np.array([12.0, 28.0, 51.0])  # rad/s


@pytest.mark.parametrize("engine", ["mujoco", "bullet"])
@pytest.mark.parametrize("robot", ["husky", "tank"])  # before: unstable after 1.2 to 2.5 s
def test_a_robot_that_tumbles_fast_does_not_gain_energy(robot: str, engine: str) -> None:
    if engine == "bullet":
        pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    rider = Participant(load_robot(robot).bare(), robot, Pose(), on_ground=False)
    simulation = Simulation(World("space", (), gravity=(0.0, 0.0, 0.0)), [rider], engine=engine)
    root = simulation.rig.vehicles[0].root
    simulation.rig.engine.place(root, Pose(), np.zeros(3), SPIN)
    simulation.run(3.0)
    assert np.linalg.norm(simulation.state.bodies["angular_velocity"][root]) < 66.0
