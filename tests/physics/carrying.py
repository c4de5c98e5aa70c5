"""Things dropped on meshes: do any fall through, and how well do those lie that do not?

``python -m tools.carrying_table`` drops a thousand on every kind of mesh.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose
from outrider.physics.colliders.convex import hull
from outrider.physics.colliders.distance import nearest
from outrider.scene.surface import Surface
from outrider.scene.triangles import triangles
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot
from outrider.world.assembly import WORLD, assemble, felt
from outrider.world.inertia import solid_inertial
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, Capsule, Cylinder, Mesh, Shape, Sphere

AT_REST = 0.02  # m/s
AROUND = 20.0  # m from the middle of a world, at most
DEEP = 0.05  # m below the ground: a robot's origin may lie on its outside
APART = 1.3  # m between things
CLEAR = 0.75  # m from the middle of a thing or robot: no wall stands so near at its start
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


class Ground:
    """What stands still in a world, as bodies feel it."""

    def __init__(self, world: World) -> None:
        static = assemble(world).static
        self.surface = Surface([g for part in static for g in felt(part)])
        meshes = [(g, triangles(g.shape)) for g in self.surface.geometry]
        self.triangles = np.concatenate([g.pose.apply(m.vertices)[m.faces] for g, m in meshes])
        self.low, self.high = self.surface.low, self.surface.high

    def vertical(self, x: Array, y: Array, up: bool) -> Array:
        """Return how high the lowest (seen from below, upwards) or highest surface is, or inf."""
        start = float(self.low[2]) - 1 if up else float(self.high[2]) + 1
        way = 1.0 if up else -1.0
        origins = np.column_stack([x, y, np.full(len(x), start)]).astype(np.float32)
        ways = np.tile(np.array([0, 0, way], np.float32), (len(x), 1))
        far = np.full(len(x), 1e6, np.float32)
        hits = self.surface.cast(origins, ways, far)
        found: Array = np.where(hits.shape < 0, np.inf, start + way * hits.distance)
        return found

    def highest(self, x: Array, y: Array, around: float) -> Array:
        """Return how high the highest surface within so many metres is; -inf if there is none."""
        angle = np.arange(16) * (np.pi / 8)
        ring = np.column_stack([np.cos(angle), np.sin(angle)]) * around
        ways = np.concatenate([[[0.0, 0.0]], ring / 3, ring * 2 / 3, ring])
        shape = (len(ways), len(x))
        near_x, near_y = (np.add.outer(ways[:, k], (x, y)[k]).ravel() for k in range(2))
        z = self.vertical(near_x, near_y, up=False).reshape(shape)
        found: Array = np.where(np.isfinite(z), z, -np.inf).max(axis=0)
        return found


@dataclass(frozen=True, slots=True)
class Dropped:
    """Things and robots after their fall."""

    simulation: Simulation
    ground: Ground
    bodies: list[int]
    names: list[str]
    world: World  # with the things in it
    robots: tuple[Participant, ...]
    before: Array  # how fast each was a step ago, when it met what its contacts are with

    @property
    def positions(self) -> Array:
        """Where they are."""
        places: Array = self.simulation.state.bodies["position"][self.bodies]
        return places

    @property
    def speeds(self) -> Array:
        """How fast the fastest point of each is, at most."""
        return fastest(self.simulation, self.bodies)

    @property
    def fell(self) -> NDArray[np.bool_]:
        """Which are below all there is at their place, with what they call their middle."""
        x, y, z = self.positions.T
        floor = self.ground.vertical(x, y, up=True)
        found: NDArray[np.bool_] = np.isfinite(floor) & (z < floor - DEEP)
        return found

    @property
    def left(self) -> NDArray[np.bool_]:
        """Which have gone over the rim: there is nothing at their place."""
        x, y, z = self.positions.T
        nothing = ~np.isfinite(self.ground.vertical(x, y, up=True))
        found: NDArray[np.bool_] = nothing & (z < self.ground.low[2])
        return found

    def moved_in(self, engine: str, seconds: float) -> Array:
        """Return how far each moves if it is put where it is now in another engine."""
        other = Simulation(self.world, list(self.robots), engine=engine)
        state, still = self.simulation.state.bodies, np.zeros(3)
        for body in self.bodies:
            pose = Pose(state["position"][body], state["rotation"][body])
            other.rig.engine.place(body, pose, still, still)
        other.run(seconds)
        way = other.state.bodies["position"][self.bodies] - self.positions
        found: Array = np.linalg.norm(way, axis=1)
        return found

    def kept(self, engine: str, seconds: float, within: float) -> NDArray[np.bool_]:
        """Return which lie still, and stay so if they are put down anew in the same engine."""
        found: NDArray[np.bool_] = (self.speeds < AT_REST) & (
            self.moved_in(engine, seconds) < within
        )
        return found

    def off(self) -> Array:
        """Return how far the farthest contact of each with the ground lies from the triangles."""
        found: Array = np.zeros(len(self.bodies))
        contacts = self.simulation.rig.engine.contacts()
        met = [c for c in contacts if WORLD in (c.first, c.second)]
        met = [c for c in met if max(c.first, c.second) in self.bodies]
        if met:
            far = nearest(np.array([c.point for c in met]), self.ground.triangles)
            rows = [self.bodies.index(max(c.first, c.second)) for c in met]
            np.maximum.at(found, rows, far)
        return found


def fastest(simulation: Simulation, bodies: list[int]) -> Array:
    """Return how fast the fastest point of each is, at most: half a metre from its middle."""
    states = simulation.state.bodies[bodies]
    spin = np.linalg.norm(states["angular_velocity"], axis=1)
    found: Array = np.linalg.norm(states["velocity"], axis=1) + 0.5 * spin
    return found


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


def spots(ground: Ground, count: int, random: np.random.Generator) -> list[Pose]:
    """Return places over the middle of the ground, in layers, turned at random."""
    half = np.clip((ground.high - ground.low)[:2] / 2 - 1.6, 0.3, AROUND)
    middle = (ground.high + ground.low)[:2] / 2
    lines = [np.arange(-h, h + 1e-9, APART) for h in half]
    grid = random.permutation(np.stack(np.meshgrid(*lines), axis=-1).reshape(-1, 2))
    number = np.arange(count)
    x, y = (middle + grid[number % len(grid)] + random.uniform(-0.2, 0.2, (count, 2))).T
    z = ground.highest(x, y, CLEAR) + 0.7 + 1.2 * (number // len(grid))
    turns = random.uniform(-3, 3, (count, 3))
    here = np.flatnonzero(np.isfinite(ground.vertical(x, y, up=False)))
    return [Pose.from_rpy([x[i], y[i], z[i]], turns[i]) for i in here]


def dropped(
    world: World,
    count: int,
    seed: int,
    engine: str,
    seconds: float,
    robots: tuple[str, ...] = (),
) -> Dropped:
    """Let things fall on a world, and robots on their backs."""
    ground, kinds = Ground(world), list(THINGS)
    poses = spots(ground, count + len(robots), np.random.default_rng(seed))
    ridden, poses = poses[: len(robots)], poses[len(robots) :]
    names = [f"{kinds[i % len(kinds)]}-{i}" for i in range(len(poses))]
    things = [
        thing_model(name, kinds[i % len(kinds)], pose)
        for i, (name, pose) in enumerate(zip(names, poses, strict=True))
    ]
    full = replace(world, models=(*world.models, *things))
    riders = tuple(on_its_back(robot, pose) for robot, pose in zip(robots, ridden, strict=False))
    simulation = Simulation(full, list(riders), engine=engine)
    simulation.rig.engine.watch_contacts = True
    names += [rider.name for rider in riders]
    bodies = [simulation.rig.assembly.root(name) for name in names]
    for body, pose in zip(bodies, poses, strict=False):
        simulation.rig.engine.place(body, pose, np.array([0, 0, -SPEED]), np.zeros(3))
    simulation.run(seconds)
    before = fastest(simulation, bodies)
    simulation.step()
    return Dropped(simulation, ground, bodies, names, full, riders, before)


def on_its_back(robot: str, over: Pose) -> Participant:
    """Return a robot upside down."""
    pose = Pose.from_rpy(over.position + np.array([0.0, 0.0, 0.6]), [np.pi, 0.0, 0.4])
    return Participant(load_robot(robot).bare(), f"{robot}_on_its_back", pose, on_ground=False)


def drop(mesh: Mesh, count: int, seed: int, engine: str, seconds: float) -> Dropped:
    """Let things fall on a mesh."""
    return dropped(World("drop", (ground_model([Geometry(mesh)]),)), count, seed, engine, seconds)
