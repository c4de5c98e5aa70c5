"""Props at many positions, and props that follow the ground from point to point."""

from dataclasses import replace

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.loader.ground import ground_shape, heights_at
from outrider.specs.world import PoseSpec, ThingSpec, WorldSpec

MOST_POINTS = 100_000


def each_thing(spec: WorldSpec) -> list[ThingSpec]:
    """Return the props of a world one by one, each with its own name."""
    counts: dict[str, int] = {}
    found = []
    for thing in spec.things:
        where = f"{spec.name}: thing '{thing.name or thing.what}'"
        for number, single in enumerate(_copies(thing, spec, where)):
            counts[thing.what] = counts.get(thing.what, 0) + 1
            name = thing.name or f"{thing.what}_{counts[thing.what]}"
            if thing.name and len(thing.places) > 1:
                name = f"{thing.name}_{number + 1}"
            found.append(replace(single, name=name))
    return found


def _copies(thing: ThingSpec, spec: WorldSpec, where: str) -> list[ThingSpec]:
    if thing.along and thing.places:
        raise ConfigError(f"{where}: expected either 'places' or 'along', not both")
    if thing.along:
        points = _on_ground(thing, spec, where).tolist()
        return [
            replace(thing, pose=PoseSpec(z=0.0), parameters={**thing.parameters, "points": points})
        ]
    if not thing.places:
        return [thing]
    return [_copy(thing, number, place, where) for number, place in enumerate(thing.places)]


def _copy(thing: ThingSpec, number: int, place: tuple[float, ...], where: str) -> ThingSpec:
    """Return one of many copies; ``variants`` of them differ."""
    if not 2 <= len(place) <= 3:
        raise ConfigError(f"{where}: places.{number}: expected x, y and yaw_deg, got {list(place)}")
    pose = replace(thing.pose, x=place[0], y=place[1])
    if len(place) == 3:
        pose = replace(pose, yaw_deg=place[2])
    return replace(thing, pose=pose, seed=thing.seed + number % thing.variants, places=())


def _on_ground(thing: ThingSpec, spec: WorldSpec, where: str) -> Array:
    """Return points (n, 3) on the ground along a prop's corners, in steps of limited length."""
    corners = np.array(thing.along, float)
    if len(corners) < 2:
        raise ConfigError(f"{where}: along: expected at least two points")
    steps = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    counts = np.maximum(1, np.round(steps / thing.step)).astype(int)
    if counts.sum() > MOST_POINTS:
        raise ConfigError(f"{where}: step: more than {MOST_POINTS} points; use longer steps")
    pieces = [
        corners[k] + np.linspace(0, 1, n, endpoint=False)[:, None] * (corners[k + 1] - corners[k])
        for k, n in enumerate(counts)
    ]
    points = np.concatenate([*pieces, corners[-1:]])
    found = ground_shape(spec.ground)
    heights = np.zeros(len(points)) if found is None else heights_at(*found, points)
    if np.isnan(heights).any():
        x, y = points[np.isnan(heights)][0]
        raise ConfigError(f"{where}: there is no ground at x = {x:g}, y = {y:g}")
    return np.column_stack([points, heights])
