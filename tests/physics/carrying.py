"""Things dropped on meshes: do any fall through, and how well do those lie that do not?

``python -m tools.carrying_table`` drops a thousand on every kind of mesh.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.physics.colliders.convex import hull
from outrider.physics.colliders.distance import nearest
from outrider.scene.surface import Surface
from outrider.sim.simulation import Simulation
from outrider.world.assembly import WORLD
from outrider.world.inertia import solid_inertial
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, Capsule, Cylinder, Mesh, Shape, Sphere

LOST = 0.5  # m below all of the mesh
APART = 1.3  # m between things
SPEED = 3.0  # m/s downwards at the start


def _pebble() -> Mesh:
    random = np.random.default_rng(5)
    points = random.normal(size=(24, 3))
    made = hull(points / np.linalg.norm(points, axis=1, keepdims=True) * [0.3, 0.22, 0.15])
    assert made is not None
    return made


THINGS: dict[str, Shape] = {
    "crate": Box((0.4, 0.4, 0.4)),
    "ball": Sphere(0.2),
    "capsule": Capsule(0.12, 0.4),
    "barrel": Cylinder(0.2, 0.5),
    "pebble": _pebble(),
    "plank": Box((0.9, 0.25, 0.06)),
    "brick": Box((0.2, 0.1, 0.1)),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the things."""

    places: Array
    lost: list[str]
    off: float  # m, the farthest contact from the surface
    moving: int


def ground_model(ground: list[Geometry]) -> Model:
    """Return meshes as a model that never moves."""
    return Model("ground", (Link("link", None, tuple(ground), tuple(ground)),), mobility="static")


def thing_model(name: str, kind: str, pose: Pose) -> Model:
    """Return one of the things."""
    shape = THINGS[kind]
    weighed = Box((0.4, 0.3, 0.2)) if isinstance(shape, Mesh) else shape
    geometry = Geometry(shape)
    return Model(
        name, (Link("link", solid_inertial(weighed, 5.0), (geometry,), (geometry,)),), (), pose
    )


def spots(ground: list[Geometry], count: int, random: np.random.Generator) -> list[Pose]:
    """Return places over the middle of the ground, in layers, turned at random."""
    surface = Surface(ground)
    half = np.maximum((surface.high - surface.low)[:2] / 2 - 1.6, 0.3)
    middle = (surface.high + surface.low)[:2] / 2
    lines = [np.arange(-h, h + 1e-9, APART) for h in half]
    grid = np.stack(np.meshgrid(*lines), axis=-1).reshape(-1, 2)
    grid, found = random.permutation(grid), []
    for i in range(count):
        x, y = middle + grid[i % len(grid)] + random.uniform(-0.2, 0.2, 2)
        down = surface.cast(
            np.array([[x, y, surface.high[2] + 1]], np.float32),
            np.array([[0, 0, -1]], np.float32),
            np.array([1e6], np.float32),
        )
        top = surface.high[2] + 1 - float(down.distance[0]) if down.shape[0] >= 0 else np.nan
        z = top + 0.7 + 1.2 * (i // len(grid))
        if np.isfinite(z):
            found.append(Pose.from_rpy([x, y, z], random.uniform(-3, 3, 3)))
    return found


def names_of(count: int) -> list[str]:
    """Return what the things are called, by their kinds in turn."""
    kinds = list(THINGS)
    return [f"{kinds[i % len(kinds)]}{i}" for i in range(count)]


def dropped(
    ground: list[Geometry], count: int, seed: int, engine: str, seconds: float
) -> Simulation:
    """Let things fall on a mesh."""
    poses = spots(ground, count, np.random.default_rng(seed))
    kinds = list(THINGS)
    things = [
        thing_model(name, kinds[i % len(kinds)], pose)
        for i, (name, pose) in enumerate(zip(names_of(len(poses)), poses, strict=True))
    ]
    simulation = Simulation(World("drop", (ground_model(ground), *things)), engine=engine)
    simulation.rig.engine.watch_contacts = True
    for body, pose in enumerate(poses):
        simulation.rig.engine.place(body, pose, np.array([0, 0, -SPEED]), np.zeros(3))
    simulation.run(seconds)
    return simulation


def drop(ground: list[Geometry], count: int, seed: int, engine: str, seconds: float) -> Outcome:
    """Let things fall on a mesh and look at them when they have come to rest."""
    simulation = dropped(ground, count, seed, engine, seconds)
    bodies = simulation.state.bodies
    low = min(float(g.pose.apply(g.shape.vertices)[:, 2].min()) for g in ground)  # type: ignore[union-attr]
    fallen = bodies["position"][:, 2] < low - LOST
    lost = [name for name, gone in zip(names_of(len(bodies)), fallen, strict=True) if gone]
    moving = int((np.linalg.norm(bodies["velocity"], axis=1) > 0.02).sum())
    return Outcome(bodies["position"].copy(), lost, contact_gap(simulation, ground), moving)


def contact_gap(simulation: Simulation, ground: list[Geometry]) -> float:
    """Return how far the farthest contact with the ground lies from its triangles."""
    found = [c for c in simulation.rig.engine.contacts() if WORLD in (c.first, c.second)]
    if not found:
        return 0.0
    corners = [g.pose.apply(g.shape.vertices)[g.shape.faces] for g in ground]  # type: ignore[union-attr]
    return float(nearest(np.array([c.point for c in found]), np.concatenate(corners)).max())
