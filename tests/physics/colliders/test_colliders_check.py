import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from test_colliders import u_shape, wall_with_door

from outrider.core.frames import Pose
from outrider.formats.mesh.write import write_mesh
from outrider.physics.mujoco.model import MujocoModel
from outrider.sim.simulation import Simulation
from outrider.world.assembly import assemble
from outrider.world.inertia import solid_inertial
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Mesh, Sphere


def checked(path: Path) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "outrider", "check", str(path), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_check_tells_the_largest_difference_of_a_mesh(tmp_path: Path) -> None:
    write_mesh(wall_with_door(), tmp_path / "wall.obj")
    found = checked(tmp_path / "wall.obj")
    assert found["collider_shapes"] == 1  # every triangle collides
    assert found["largest_difference_m"] == 0.0
    assert found["differences"] == []


def test_check_tells_where_a_robots_collider_is_not_what_is_seen(tmp_path: Path) -> None:
    write_mesh(u_shape(), tmp_path / "u.obj")
    (tmp_path / "robot.urdf").write_text(
        "<robot name='r'><link name='body'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1'/></inertial>"
        "<visual><geometry><mesh filename='u.obj'/></geometry></visual>"
        "<collision><origin xyz='0 0 1'/><geometry><box size='3.2 0.4 2'/></geometry></collision>"
        "</link></robot>",
        encoding="utf-8",
    )
    found = checked(tmp_path / "robot.urdf")
    assert found["largest_difference_m"] == pytest.approx(1.3, abs=0.1)  # to the nearest wall
    assert str(found["differences"]).startswith("['r/body: 1.")


def test_a_ball_falls_through_the_opening_and_rests_on_the_bottom_of_a_u() -> None:
    """The engine itself agrees: nothing stands in the opening, and the bottom carries."""
    u = Geometry(u_shape())
    ball = Geometry(Sphere(0.15))
    world = World(
        "u",
        (
            Model("u", (Link("link", None, (u,), (u,)),), mobility="static"),
            Model(
                "ball",
                (Link("link", solid_inertial(Sphere(0.15), 1.0), (ball,), (ball,)),),
                (),
                Pose(np.array([0.1, 0.0, 1.5])),
            ),
        ),
    )
    simulation = Simulation(world, [])
    simulation.run(1.5)
    assert simulation.state.bodies["position"][0, 2] == pytest.approx(0.35, abs=5e-3)


def test_any_triangles_become_shapes_that_the_engine_takes() -> None:
    random = np.random.default_rng(11)
    for case in range(60):
        vertices = random.normal(size=(int(random.integers(3, 30)), 3)) * 10 ** random.uniform(
            -2, 3
        )
        if case % 4 == 1:
            vertices[:, 2] = 0.0  # flat
        if case % 4 == 2:
            vertices = np.round(vertices) + 1e6  # far away, many corners in one place
        faces = random.integers(0, len(vertices), (int(random.integers(1, 50)), 3))
        soup = Geometry(Mesh(vertices, faces.astype(np.int32)))
        mobility = "static" if case % 2 else "dynamic"
        link = Link("link", solid_inertial(Sphere(1.0), 1.0), (), (soup,))
        model = Model("soup", (link,), mobility=mobility)  # type: ignore[arg-type]
        MujocoModel(assemble(World("w", (model,))), 0.0025)
