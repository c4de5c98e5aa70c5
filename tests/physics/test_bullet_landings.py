"""On Bullet, too, a robot that falls fast onto triangles ends up on them and keeps in bounds."""

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.core.structure import from_data
from outrider.scenarios.build import build
from outrider.scenarios.scenario import Scenario
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot
from outrider.world.model import World

SPEED = 76.7  # m/s, after a fall from 300 m

OBJ = "v -50 -50 0\nv 50 -50 0\nv 50 50 0\nv -50 50 0\nf 1 2 3\nf 1 3 4\n"
ASC = "ncols 21\nnrows 21\nxllcorner 0\nyllcorner 0\ncellsize 5\n" + ("0 " * 21 + "\n") * 21


@pytest.mark.parametrize(
    ("kind", "file", "text"), [("mesh", "flat.obj", OBJ), ("heightmap", "flat.asc", ASC)]
)
def test_a_jackal_that_falls_at_76_m_per_s_ends_on_the_ground(tmp_path, kind, file, text):
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    (tmp_path / file).write_text(text)
    ground = {"type": kind, "file": str(tmp_path / file), "material": "concrete"}
    robot = {"model": "jackal", "pose": {"x": 0.3, "y": -0.4, "z": 1.4, "yaw_deg": 25}}
    data = {"name": "fall", "world": {"name": "flat", "ground": ground}, "robots": [robot]}
    simulation = build(from_data(Scenario, {**data, "physics": {"engine": "bullet"}}, "fall"))
    root = simulation.rig.vehicles[0].root
    body = simulation.state.bodies[root]
    pose = Pose(body["position"].copy(), body["rotation"].copy())
    simulation.rig.engine.place(root, pose, np.array([0.0, 0.0, -SPEED]), np.zeros(3))
    simulation.run(6.0)
    wheels = simulation.rig.tyres.rows
    assert (wheels["hub_world"][:, 2] - wheels["radius"]).min() > -0.01


def test_a_robot_that_tumbles_fast_does_not_gain_energy():
    pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    robot = Participant(load_robot("husky").bare(), "husky", Pose(), on_ground=False)
    simulation = Simulation(World("space", (), gravity=(0.0, 0.0, 0.0)), [robot], engine="bullet")
    root = simulation.rig.vehicles[0].root
    spin = np.array([12.0, 28.0, 51.0])
    simulation.rig.engine.place(root, Pose(), np.zeros(3), spin)
    simulation.run(2.0)  # before: unstable after 1.4 s
    assert np.linalg.norm(simulation.state.bodies["angular_velocity"][root]) < 66.0
