"""On Bullet, too, a robot that falls fast onto triangles ends up on them, not below."""

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.core.structure import from_data
from outrider.scenarios.build import build
from outrider.scenarios.scenario import Scenario

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
