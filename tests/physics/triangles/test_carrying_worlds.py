"""Worlds of others carry what falls on them, and robots on their backs."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from carrying import AT_REST, Ground, dropped, thing_model
from imported_worlds import WORLDS

from outrider.core.frames import Pose
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.sim.simulation import Simulation
from outrider.world.model import World


@pytest.mark.parametrize("make", WORLDS, ids=lambda make: make.__name__)
def test_nothing_falls_through_an_imported_world(
    make: Callable[[Path], World], shared_data: Path
) -> None:
    found = dropped(make(shared_data), 14, 1, "mujoco", 2.0, ("jackal",))
    assert len(found.names) > 7
    assert found.names[-1] == "jackal_on_its_back"
    assert not found.fell.any()
    assert (found.off()[found.speeds < AT_REST] < 0.002).all()


@pytest.mark.parametrize("engine", ["mujoco", "bullet"])
def test_the_hill_over_a_tunnel_carries_what_lies_on_it(engine: str) -> None:
    spec = load_world_spec("inspection")
    ground = replace(spec.ground, pixels=0)
    world = build_world(replace(spec, ground=ground, things=(), scatter=()))
    x, y = -3.75, -21.75  # the middle of the tunnel
    top = float(Ground(world).vertical(np.array([x]), np.array([y]), up=False)[0])
    assert top > ground.openings[0].floor + ground.openings[0].height
    crate = thing_model("crate", "crate", Pose([x, y, top + 0.25]))
    simulation = Simulation(replace(world, models=(*world.models, crate)), engine=engine)
    simulation.run(0.5)
    assert simulation.state.bodies["position"][0][2] == pytest.approx(top + 0.2, abs=0.02)
