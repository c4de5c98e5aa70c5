"""Boxes known to have no triangles save searches, and change nothing in the motion."""

import numpy as np
import pytest
from carrying import THINGS, ground_model, thing_model
from rough_meshes import MESHES

from outrider.core.frames import Pose
from outrider.sim.simulation import Simulation
from outrider.world.model import Geometry, World


def over(name: str) -> Simulation:
    """Return one thing of each kind that flies low over a mesh, turning, and lands."""
    random = np.random.default_rng(4)
    things = [
        thing_model(kind, kind, Pose.from_rpy([-3.6 + 1.2 * k, 0.0, 1.5], random.uniform(-1, 1, 3)))
        for k, kind in enumerate(THINGS)
    ]
    ground = ground_model([Geometry(MESHES[name](np.random.default_rng(3)))])
    simulation = Simulation(World("spaces", (ground, *things)))
    engine = simulation.rig.engine
    for body, thing in enumerate(things):
        engine.place(body, thing.pose, random.uniform(-2, 2, 3), random.uniform(-5, 5, 3))
    return simulation


def spaces(simulation: Simulation) -> np.ndarray:
    """Return the boxes (mesh, geom, six ends); all zero before the first is found."""
    found: np.ndarray = simulation.rig.engine._meshes._spaces
    return found


@pytest.mark.parametrize("name", list(MESHES))
def test_things_move_alike_to_the_last_bit_with_and_without_spaces(name: str) -> None:
    knowing, searching = over(name), over(name)
    used = 0
    for _ in range(400):
        used += bool(spaces(knowing).any())
        spaces(searching)[:] = 0.0
        knowing.step()
        searching.step()
        assert knowing.state_hash == searching.state_hash
    assert used > 300


def test_a_state_from_elsewhere_is_judged_by_where_it_is() -> None:
    """A thing put below a sheet by a saved state must not be taken for one above it."""
    simulation = over("sheet")
    start = simulation.get_state()
    simulation.run(0.6)
    later, fresh = simulation.get_state(), over("sheet")
    fresh.set_state(later)
    simulation.set_state(start)
    simulation.run(0.3)
    simulation.set_state(later)
    for one in (fresh, simulation):
        one.run(0.5)
    assert fresh.state_hash == simulation.state_hash
