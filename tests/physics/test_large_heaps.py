"""Heaps so large that another solver finds their forces."""

import numpy as np
import pytest
from engine_worlds import G, ground, solid, world_of

from outrider.core.frames import Array, Pose
from outrider.physics.mujoco import solver
from outrider.physics.mujoco.engine import MujocoEngine
from outrider.world.assembly import Assembly
from outrider.world.shapes import Box

SIDE, MASS, STEP_S = 0.4, 20.0, 0.0025


def _pyramid() -> Assembly:
    """Return four boxes with three on their gaps, and two, and one: all hang together."""
    places = [
        np.array([0.42 * (k + 0.5 * layer), 0.0, SIDE * (layer + 0.5) + 0.001 * layer])
        for layer in range(4)
        for k in range(4 - layer)
    ]
    box = Box((SIDE, SIDE, SIDE))
    boxes = [solid(f"box{i}", box, MASS, Pose(at)) for i, at in enumerate(places)]
    return world_of(ground(), *boxes)


def _come_to_rest() -> tuple[Array, float]:
    """Return where the boxes lie then, and what the ground carries."""
    engine = MujocoEngine(_pyramid(), STEP_S)
    engine.watch_contacts = True
    for _ in range(160):
        engine.step()
    names = [(contact.first_name, contact.second_name) for contact in engine.contacts()]
    impulses = [contact.impulse for contact in engine.contacts()]
    carried = sum(i for i, pair in zip(impulses, names, strict=True) if "ground" in "".join(pair))
    return engine.state.bodies["position"].copy(), carried / STEP_S


def test_a_heap_rests_where_it_does_with_the_exact_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    exact, _ = _come_to_rest()
    monkeypatch.setattr(solver, "LARGE", 6)
    found, carried = _come_to_rest()
    assert not np.array_equal(found, exact)  # it was another solver
    assert found == pytest.approx(exact, abs=2e-5)
    assert carried == pytest.approx(10 * MASS * G, rel=1e-2)
