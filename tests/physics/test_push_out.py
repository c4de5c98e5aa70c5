"""What was put inside something else comes out of it slowly; what touches is left as it was."""

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.core.structure import from_data
from outrider.physics.push_out import FASTEST
from outrider.scenarios.build import build
from outrider.scenarios.scenario import Scenario

ENGINES = ("mujoco", "bullet")
WALL = {"name": "wall", "shape": {"type": "box", "size": [0.4, 6.0, 2.0]}, "pose": {"x": 3.0}}


def box(name, x, **more):
    shape = {"type": "box", "size": [0.6, 0.6, 0.6]}
    return {"name": name, "shape": shape, "pose": {"x": x, "y": 0.0}, "mass": 5.0, **more}


def yard(engine, *objects):
    world = {"name": "yard", "ground": {"type": "flat"}, "objects": list(objects)}
    data = {"name": "s", "world": world, "robots": [], "physics": {"engine": engine}}
    return build(from_data(Scenario, data, "s"))


def fastest(simulation, seconds):
    """Return the highest speed of any body in a time."""
    found = 0.0
    while simulation.time_s < seconds:
        simulation.step()
        found = max(found, float(np.linalg.norm(simulation.state.bodies["velocity"], axis=1).max()))
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "objects",
    [
        (WALL, box("a", 3.1)),
        (box("a", -3.0), box("b", -3.4)),
        (WALL, box("a", 3.4), box("beside", 4.001)),
        (box("light", -3.0, mass=0.5), box("heavy", -3.4, mass=200.0)),
    ],
    ids=["in a wall", "in one another", "with a third beside", "light in heavy"],
)
def test_what_starts_inside_something_leaves_it_and_is_not_flung(engine, objects):
    simulation = yard(engine, *objects)
    assert simulation.rig.engine.overlaps(0.05)
    assert fastest(simulation, 2.0) < 4 * FASTEST  # 6 and 13 m/s before
    assert not simulation.rig.engine.overlaps(0.02)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_state_saved_on_the_way_out_continues_bit_for_bit(engine):
    objects = (WALL, box("a", 3.1))
    simulation, other = yard(engine, *objects), yard(engine, *objects)
    simulation.run(0.2)
    other.set_state(simulation.get_state())
    simulation.run(1.0)
    other.run(1.0)
    assert other.state_hash == simulation.state_hash


@pytest.mark.parametrize("engine", ENGINES)
def test_what_leaves_a_wall_rests_and_is_pushed_as_any_other_thing(engine):
    wedged, free = yard(engine, WALL, box("a", 3.1)), yard(engine, WALL, box("a", 6.0))
    for simulation in (wedged, free):
        simulation.run(3.0)
        root = simulation.rig.assembly.root("a")
        assert simulation.state.bodies[root]["position"][2] == pytest.approx(0.3, abs=2e-3)
        assert np.linalg.norm(simulation.state.bodies[root]["velocity"]) < 0.01


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_put_elsewhere_meanwhile_does_not_fling_it(engine):
    simulation = yard(engine, WALL, box("a", 3.1), box("b", -3.0))
    simulation.run(0.05)
    other = simulation.rig.assembly.root("b")
    there = Pose(np.array([-5.0, 0.0, 0.3]))
    simulation.rig.engine.place(other, there, np.zeros(3), np.zeros(3))
    assert fastest(simulation, 2.0) < 4 * FASTEST  # 12 m/s before, with Bullet
