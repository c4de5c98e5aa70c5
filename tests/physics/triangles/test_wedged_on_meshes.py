"""Long and pointed bodies on static meshes: held where they are squeezed, out to their tips."""

import numpy as np
import pytest
from carrying import ground_model

from outrider.core.frames import Pose
from outrider.physics.colliders.convex import hull
from outrider.physics.engine import ENGINES
from outrider.sim.simulation import Simulation
from outrider.world.inertia import solid_inertial
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, Mesh

BEAM = Box((1.0, 0.08, 0.08))


def _patch(x_low, x_high, z):
    """Return a level sheet of no thickness, 2 m wide."""
    corners = [[x_low, -1, z], [x_high, -1, z], [x_high, 1, z], [x_low, 1, z]]
    return np.array(corners, float), np.array([[0, 1, 2], [0, 2, 3]], np.int32)


def _mesh(*patches):
    vertices = np.concatenate([v for v, _ in patches])
    faces = np.concatenate([f + 4 * i for i, (_, f) in enumerate(patches)])
    return Mesh(vertices, faces)


def _simulation(mesh, shape, pose, engine="mujoco"):
    geometry = Geometry(shape)
    inertial = solid_inertial(BEAM, 5.0)
    body = Model("body", (Link("link", inertial, (geometry,), (geometry,)),), (), pose)
    return Simulation(World("w", (ground_model([Geometry(mesh)]), body)), [], engine=engine)


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "kinematic"])
def test_a_beam_with_its_end_under_a_ledge_is_held_by_ledge_and_pivot(engine):
    mesh = _mesh(_patch(-0.2, -0.1, 0.0), _patch(-0.5, -0.4, 0.08))
    simulation = _simulation(mesh, BEAM, Pose(np.array([0.0, 0.0, 0.04])), engine)
    simulation.run(1.5)
    body = simulation.state.bodies[0]
    assert body["position"] == pytest.approx([0.0, 0.0, 0.04], abs=0.003)
    assert np.abs(body["rotation"][:3]).max() < 0.01


def test_a_pointed_corner_that_leans_over_a_triangle_is_as_deep_as_its_tip():
    blade = hull(np.array([[0, 0, 0], [0.4, 0, 0.15], [0.4, 0.26, 0.105], [0.4, -0.26, 0.105]]))
    assert blade is not None
    pose = Pose(np.array([0.13, 0.4, -0.006]))
    simulation = _simulation(_mesh(_patch(-1.0, 1.0, 0.0)), blade, pose)
    depths = [overlap.depth for overlap in simulation.rig.engine.overlaps(0.0)]
    assert max(depths) == pytest.approx(0.006, abs=1e-4)
