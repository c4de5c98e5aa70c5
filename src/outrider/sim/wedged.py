"""Movable things that start inside others: they are told of, as contacts will throw them out.

Robots in such places are refused; the worlds of others often have things that are not quite apart.
"""

import logging
import math
from collections.abc import Container, Iterator

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.sim.rig import Rig
from outrider.world.assembly import WORLD

_LOG = logging.getLogger("outrider")
TOLERATED = 0.02  # m of two bodies in one another that their contact takes back gently
_RINGS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0, 14.0)  # m
_WAYS = 16  # on each ring around it where a free place is looked for
_TOLD = 3  # of all of them, each in a sentence of its own
_GROUND = "ground"  # things on a slope dip a corner into it
_THICK = 1.0  # m above a middle where the ground may end
_STILL = np.zeros(3)


def steps_aside() -> Iterator[Array]:
    """Yield ways to go from a place that is not free, the shortest first."""
    for radius in _RINGS:
        for way in range(_WAYS if radius else 1):
            angle = 2 * math.pi * way / _WAYS
            yield radius * np.array([math.cos(angle), math.sin(angle), 0.0])


def tell_of_wedged(rig: Rig, names: Container[str] | None) -> None:
    """Say which movable things are inside others; with ``names`` only what those are part of."""
    found = _wedged(rig)
    if names is not None:
        found = {k: v for k, v in found.items() if _name(rig, k) in names or v[0] in names}
    for model, (other, depth) in list(found.items())[:_TOLD]:
        _LOG.warning(
            "'%s' starts %.2f m inside '%s' and will be pushed out%s",
            _name(rig, model),
            depth,
            other,
            _advice(rig, model),
        )
    if len(found) > _TOLD:
        _LOG.warning("%d more things start inside others", len(found) - _TOLD)


def _wedged(rig: Rig) -> dict[int, tuple[str, float]]:
    """Return what each free model is deepest inside of, and by how much."""
    found: dict[int, tuple[str, float]] = {}
    free = _free_models(rig)
    for overlap in rig.engine.overlaps(TOLERATED) if free else ():
        bodies = rig.assembly.bodies
        sides = ((overlap.first, overlap.first_name), (overlap.second, overlap.second_name))
        models = [WORLD if body == WORLD else bodies[body].model for body, _ in sides]
        if models[0] == models[1]:
            continue
        for own, other in ((0, 1), (1, 0)):
            name = sides[other][1] if models[other] == WORLD else _name(rig, models[other])
            told_already = models[other] in found and models[other] in free
            if models[own] not in free or told_already:
                continue
            if name == _GROUND and not _is_buried(rig, free[models[own]]):
                continue
            if overlap.depth > found.get(models[own], ("", 0.0))[1]:
                found[models[own]] = (name, overlap.depth)
    return found


def _is_buried(rig: Rig, body: int) -> bool:
    """Tell whether a thing's middle is below the ground: more than a corner on a slope."""
    middle = rig.engine.state.bodies[body]["position"]
    ground = rig.scene.ground_below(middle[None], float(middle[2]) + _THICK)
    return bool(ground[0] > middle[2])


def _free_models(rig: Rig) -> dict[int, int]:
    """Return the models that nothing holds, other than robots, with their first bodies."""
    robots = {rig.assembly.bodies[vehicle.root].model for vehicle in rig.vehicles}
    return {
        body.model: number
        for number, body in enumerate(rig.assembly.bodies)
        if body.joint < 0 and body.mobility == "dynamic" and body.model not in robots
    }


def _name(rig: Rig, model: int) -> str:
    return rig.assembly.models[model]


def _advice(rig: Rig, model: int) -> str:
    """Return the nearest place where it is inside of nothing; all stands as before after this."""
    engine, body = rig.engine, _free_models(rig)[model]
    row = engine.state.bodies[body]
    start = Pose(row["position"].copy(), row["rotation"].copy())
    before = engine.get_state()
    try:
        for aside in steps_aside():
            place = Pose(start.position + aside, start.rotation)
            engine.place(body, place, _STILL, _STILL)
            if model not in _wedged(rig):
                x, y = place.position[:2].tolist()
                return f"; the nearest free place is x = {x:.2f}, y = {y:.2f}"
    finally:
        engine.set_state(before)
    return ""
