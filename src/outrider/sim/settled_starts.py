"""Robots without a height begin at rest: on their springs, with their brakes closed."""

from collections.abc import Iterable, Mapping

import numpy as np

from outrider.physics.engine import PhysicsEngine
from outrider.physics.tyres.settling import Standing, settle
from outrider.physics.tyres.tyres import Tyres
from outrider.sim.sunk_wheels import sunk_wheels
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import WORLD
from outrider.world.state import Placement, Records

_TOUCHES = 1e-3  # m that a hull may be in the ground


def settle_robots(
    engine: PhysicsEngine, tyres: Tyres, robots: Mapping[int, Vehicle], step_s: float
) -> None:
    """Let robots, by their first row among all tyres, rest where they stand.

    Those stay as they are that find no rest, would come down on their hull, or have a wheel inside
    something or would sink so far.
    """
    standing = [
        Standing(vehicle.root, slice(first, first + len(vehicle.tyres)), vehicle.brakes())
        for first, vehicle in robots.items()
        if len(vehicle.tyres) and not _is_sunk(engine, tyres, vehicle)
    ]
    if not standing:
        return
    state, untouched = engine.state, tyres.rows.copy()
    found = settle(tyres, engine.assembly, state, standing, step_s)
    starts = state.bodies[list(found)].copy()
    resting = starts.copy()
    for row, pose in zip(resting, found.values(), strict=True):
        row["position"], row["rotation"] = pose.position, pose.rotation
    _place(engine, found, resting)
    touching, back = _touching(engine), []
    for first, vehicle in robots.items():
        if vehicle.root not in found:
            continue
        model = engine.assembly.bodies[vehicle.root].model
        if model in touching or _is_sunk(engine, tyres, vehicle):
            vehicle.tyres[:] = untouched[first : first + len(vehicle.tyres)]
            back.append(vehicle.root)
        else:
            vehicle.park(engine.assembly, state)
    if back:
        _place(engine, back, starts[[list(found).index(root) for root in back]])


def _is_sunk(engine: PhysicsEngine, tyres: Tyres, vehicle: Vehicle) -> bool:
    return bool(sunk_wheels(tyres.scene, engine.state, vehicle.tyres)[0])


def _place(engine: PhysicsEngine, roots: Iterable[int], rows: Records) -> None:
    engine.place_all(Placement(np.array(list(roots), np.intp), rows))


def _touching(engine: PhysicsEngine) -> set[int]:
    """Return the models of which something is in something else."""
    bodies, found = engine.assembly.bodies, set()
    for overlap in engine.overlaps(_TOUCHES):
        pair = overlap.first, overlap.second
        models = [bodies[body].model if body != WORLD else WORLD for body in pair]
        if models[0] != models[1]:
            found.update(models)
    return found
