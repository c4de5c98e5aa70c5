"""Robots that fall fast, turned and spinning, onto grounds of all kinds: where do they end up?

``python -m tools.landings`` draws hundreds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from carrying import ground_model

from outrider.core.errors import UnstableError
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.physics.colliders.distance import nearest
from outrider.scene.scene import Scene
from outrider.scene.surface import Surface
from outrider.sim.rig import Participant, static_scene
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import Robot
from outrider.world.model import Geometry, World
from outrider.world.shapes import HeightField, Plane, Shape
from outrider.world.tessellate import heightfield_mesh, tessellate

SIZE = 240.0  # m a side of all grounds with an edge
MOST_S = 150.0  # s that a robot has to come to rest: a tank on a crest rocks for a minute
LOOK_S = 2.0  # s between looks at whether it rests
CREEP = 0.002  # m that one at rest may move from look to look
STILL = 0.005  # m/s
DEEP = 0.005  # m that a collider may be below the ground
TYRE_DEEP = 0.08  # radii, at least DEEP, that a tyre may be beyond what its load explains
GAIN = 1.02  # of the energy that it began with: more is a gain
SPACING = 0.12  # m between the points of a surface that are looked at
BELOW = 5.0  # m under the lowest ground: who is there has gone over the rim, or through
ABOVE = 3.0  # m over a point in which the ground is looked for
FRICTION = 0.8
_RING = np.arange(72) * np.radians(5.0)


def _waves(cell: float, height: float, seed: int) -> HeightField:
    """Return hills: waves of 7 to 30 m in all directions."""
    random = np.random.default_rng(seed)
    count = round(SIZE / cell) + 1
    along = np.linspace(-SIZE / 2, SIZE / 2, count)
    heights = np.zeros((count, count))
    for length in (30.0, 19.0, 12.0, 7.0):
        angle, phase = random.uniform(0, 2 * np.pi, 2)
        across = np.add.outer(np.cos(angle) * along, np.sin(angle) * along)
        heights += height * length / 30.0 * np.sin(2 * np.pi * across / length + phase)
    return HeightField(heights, (SIZE, SIZE))


def _field(heights: HeightField) -> World:
    return World("field", (ground_model([Geometry(heights)]),))


def _mesh(heights: HeightField) -> World:
    return World("mesh", (ground_model([Geometry(heightfield_mesh(heights))]),))


def _rough() -> HeightField:
    heights = np.random.default_rng(4).random((201, 201))
    return HeightField(0.35 * heights, (SIZE, SIZE))


GROUNDS: dict[str, Callable[[], World]] = {
    "plane": lambda: World("plane", (ground_model([Geometry(Plane())]),)),
    "mesh": lambda: _mesh(HeightField(np.zeros((25, 25)), (SIZE, SIZE))),
    "field": lambda: _field(HeightField(np.zeros((25, 25)), (SIZE, SIZE))),
    "hills": lambda: _mesh(_waves(1.0, 1.4, 1)),
    "hills field": lambda: _field(_waves(1.0, 1.4, 2)),
    "steep hills": lambda: _mesh(_waves(0.6, 2.2, 3)),
    "rough": lambda: _mesh(_rough()),
}


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A world, and its surface for rays and distances."""

    world: World
    scene: Scene
    surface: Surface
    triangles: Array

    @classmethod
    def of(cls, world: World) -> Ground:
        """Return a world with its triangles in one array."""
        scene = static_scene(world)
        assert scene.static is not None
        surface = scene.static.surface
        corners = [v[f] for _, _, v, f in surface.pieces()]
        return cls(world, scene, surface, np.concatenate(corners).astype(np.float64))

    def _cast(self, points: Array, way: float, far: float) -> tuple[Array, Array]:
        ways = np.tile(np.array([0, 0, way], np.float32), (len(points), 1))
        reach = np.full(len(points), far, np.float32)
        hits = self.surface.cast(np.ascontiguousarray(points, np.float32), ways, reach)
        distance = np.where(hits.shape >= 0, hits.distance, np.inf)
        normal = hits.normal / np.maximum(np.linalg.norm(hits.normal, axis=1), 1e-9)[:, None]
        return distance.astype(np.float64), normal.astype(np.float64)

    def height(self, x: Array, y: Array) -> Array:
        """Return how high the highest surface is; -inf where there is none."""
        top = float(self.surface.high[2]) + 1.0
        points = np.column_stack([x, y, np.full(len(x), top)])
        found: Array = top - self._cast(points, -1.0, 1e5)[0]
        return found

    def slope(self, point: Array) -> float:
        """Return how steep the ground is below a place, in rad."""
        up = np.array([[*point[:2], self.surface.high[2] + 1.0]])
        return math.acos(min(1.0, abs(float(self._cast(up, -1.0, 1e5)[1][0, 2]))))

    def depths(self, points: Array) -> Array:
        """Return how deep points are below the ground: the first above them is met from behind."""
        above, normal = self._cast(points, 1.0, ABOVE)
        inside = np.isfinite(above) & (normal[:, 2] > 0.0)
        found: Array = np.zeros(len(points))
        if inside.any():
            here = points[inside]
            low, high = here.min(axis=0) - ABOVE, here.max(axis=0) + ABOVE
            near = (self.triangles.min(axis=1) < high).all(axis=1)
            near &= (self.triangles.max(axis=1) > low).all(axis=1)
            found[inside] = np.minimum(nearest(here, self.triangles[near]), above[inside])
        return found


@cache
def ground(name: str) -> Ground:
    """Return one of the grounds, made once."""
    return Ground.of(GROUNDS[name]())


@dataclass(frozen=True, slots=True, eq=False)
class Fall:
    """How a robot meets the ground."""

    x: float
    y: float
    turned: Array  # roll, pitch, yaw
    velocity: Array
    spin: Array

    @classmethod
    def drawn(cls, random: np.random.Generator) -> Fall:
        """Return a fall at 5 to 77 m/s, at most 40 degrees off the vertical, turned anyhow."""
        x, y = random.uniform(-20.0, 20.0, 2)
        turned = np.array([random.uniform(-np.pi, np.pi), 0.0, random.uniform(-np.pi, np.pi)])
        turned[1] = math.asin(random.uniform(-1.0, 1.0))
        aside, around = random.uniform(0.0, math.radians(40.0)), random.uniform(0.0, 2 * np.pi)
        way = np.array([np.cos(around) * np.sin(aside), np.sin(around) * np.sin(aside), 0.0])
        way[2] = -math.cos(aside)
        axis = random.normal(size=3)
        spin = axis / np.linalg.norm(axis) * random.uniform(0.0, 12.0)
        return cls(x, y, turned, way * random.uniform(5.0, 77.0), spin)


@dataclass(frozen=True, slots=True)
class Ended:
    """Where a robot has ended up."""

    verdict: str  # "rests", "slides" or what is wrong
    seconds: float = 0.0
    speed: float = 0.0  # m/s, of its fastest part
    creep: float = 0.0  # m in the last LOOK_S
    sunk: float = 0.0  # m, the deepest collider
    wheels_sunk: float = 0.0  # m that a tyre is deeper than it may be
    gain: float = 0.0  # most energy over the first
    slope_deg: float = 0.0
    up: float = 1.0  # z of its upward axis

    @property
    def right(self) -> bool:
        """Whether a real one could have ended so."""
        return self.verdict in ("rests", "slides")

    @property
    def left(self) -> bool:
        """Whether it has skipped over the rim of the ground, which tells nothing."""
        return self.verdict == "left"

    def told(self) -> str:
        """Return the figures."""
        return (
            f"{self.verdict:8} after {self.seconds:4.1f} s: {1e3 * self.speed:7.2f} mm/s,"
            f" creep {1e3 * self.creep:7.2f} mm, sunk {1e3 * self.sunk:6.1f} mm, tyres"
            f" {1e3 * self.wheels_sunk:6.1f} mm, energy {self.gain:5.3f}, slope"
            f" {self.slope_deg:4.1f} deg, up {self.up:5.2f}"
        )


def points_of(shape: Shape) -> Array:
    """Return points all over a shape's surface."""
    mesh = tessellate(shape)
    found = [mesh.vertices]
    for a, b, c in mesh.vertices[mesh.faces]:
        sides = [np.linalg.norm(b - a), np.linalg.norm(c - a), np.linalg.norm(c - b)]
        parts = min(40, math.ceil(max(sides) / SPACING))
        if parts > 1:
            i, j = (k.ravel() for k in np.meshgrid(*[np.arange(parts + 1)] * 2))
            i, j = i[i + j <= parts] / parts, j[i + j <= parts] / parts
            found.append(a + i[:, None] * (b - a) + j[:, None] * (c - a))
    return np.unique(np.concatenate(found).round(6), axis=0)


class Faller:
    """A robot over a ground, and the measures of its fall."""

    def __init__(self, robot: Robot, name: str, fall: Fall, engine: str) -> None:
        self.ground = ground(name)
        away = Pose(np.array([0.0, 0.0, float(self.ground.surface.high[2]) + 20.0]))
        rider = Participant(robot.bare(), "robot", away, on_ground=False)
        self.simulation = Simulation(
            self.ground.world, [rider], engine=engine, scene=self.ground.scene
        )
        self.bodies = self.simulation.rig.assembly.bodies
        self._colliders = [
            (n, g.pose.apply(points_of(g.shape)))
            for n, body in enumerate(self.bodies)
            for g in body.colliders
        ]
        self._masses = np.array([b.inertial.mass for b in self.bodies])
        root = self.simulation.rig.vehicles[0].root
        pose = Pose.from_rpy([fall.x, fall.y, 0.0], fall.turned)
        z = self._height_over(pose)
        self.simulation.rig.engine.place(
            root, Pose(np.array([fall.x, fall.y, z]), pose.rotation), fall.velocity, fall.spin
        )

    def _height_over(self, pose: Pose) -> float:
        """Return the height at which no point of the robot touches the ground yet."""
        state = self.simulation.state.bodies
        points = np.concatenate([self._collider_points(), self._tyre_points().reshape(-1, 3)])
        local = (points - state["position"][0]) @ matrix_from_quaternion(state["rotation"][0])
        placed = pose.apply(local)
        high = self.ground.height(placed[:, 0], placed[:, 1])
        return float((high - placed[:, 2]).max()) + 0.1

    def _collider_points(self) -> Array:
        state = self.simulation.state.bodies
        found = [
            Pose(state["position"][n], state["rotation"][n]).apply(points)
            for n, points in self._colliders
        ]
        return np.concatenate(found) if found else np.zeros((0, 3))

    def _tyre_points(self) -> Array:
        """Return points of each tyre and piece of belt: the middle of its tread and of its sides.

        Tyres feel the mean of what is below them; an edge may be as much deeper as the ground is
        steep across it.
        """
        state, rows = self.simulation.state.bodies, self.simulation.rig.tyres.rows
        found = []
        for row in rows:
            body = Pose(state["position"][row["body"]], state["rotation"][row["body"]])
            ring = row["radius"] * np.column_stack([np.cos(_RING), 0 * _RING, np.sin(_RING)])
            sides = np.array([[0.0, row["half_width"], 0.0], [0.0, -row["half_width"], 0.0]])
            local = np.concatenate([ring, sides])
            found.append(body.apply(row["hub"] + local @ _onto(row["axle"]).T))
        return np.array(found).reshape(len(rows), -1, 3)

    def energy(self) -> float:
        """Return the kinetic energy and the energy of height."""
        state = self.simulation.state.bodies
        gravity, total = 9.81, 0.0
        for row, body in zip(state, self.bodies, strict=True):
            turn, inertial = matrix_from_quaternion(row["rotation"]), body.inertial
            arm = turn @ inertial.pose.position
            spin = row["angular_velocity"]
            velocity = row["velocity"] + np.cross(spin, arm)
            axes = turn @ matrix_from_quaternion(inertial.pose.rotation)
            own = axes.T @ spin
            height = row["position"][2] + arm[2] - self.ground.surface.low[2]
            total += inertial.mass * (0.5 * velocity @ velocity + gravity * height)
            total += 0.5 * own @ inertial.inertia @ own
        return float(total)

    def run(self) -> Ended:
        """Fall, and come to rest."""
        first = self.energy()
        most = creep = speed = 0.0
        steps = round(LOOK_S / self.simulation.rig.step_s)
        try:
            for _ in range(round(MOST_S / LOOK_S)):
                before = self.simulation.state.bodies["position"].copy()
                for step in range(steps):
                    self.simulation.step()
                    if step % 8 == 0:
                        most = max(most, self.energy() / first)
                state = self.simulation.state.bodies
                creep = float(np.linalg.norm(state["position"] - before, axis=1).max())
                speed = float(np.linalg.norm(state["velocity"], axis=1).max())
                fell = state["position"][0, 2] < self.ground.surface.low[2] - BELOW
                if fell or (creep < CREEP and speed < STILL):
                    break
        except UnstableError:
            return Ended("unstable", self.simulation.time_s)
        return self._judged(speed, creep, most)

    def _judged(self, speed: float, creep: float, gain: float) -> Ended:
        row = self.simulation.state.bodies[0]
        place = row["position"]
        slope, up = self.ground.slope(place), matrix_from_quaternion(row["rotation"])[2, 2]
        tyres = self.simulation.rig.tyres.rows
        points = self._tyre_points()
        felt = self.ground.depths(points.reshape(-1, 3)).reshape(points.shape[:2])
        explained = np.minimum(tyres["load"], 9.81 * self._masses.sum()) / _stiffness(tyres)
        explained += np.maximum(DEEP, TYRE_DEEP * tyres["radius"])
        beyond = float((felt.max(axis=1) - explained).max(initial=0.0))
        found = Ended(
            "rests",
            self.simulation.time_s,
            speed,
            creep,
            float(self.ground.depths(self._collider_points()).max(initial=0.0)),
            beyond,
            gain,
            math.degrees(slope),
            float(up),
        )
        verdict = _verdict(found, place, self.ground)
        return Ended(verdict, *(getattr(found, k) for k in Ended.__slots__[1:]))


def _verdict(ended: Ended, place: Array, where: Ground) -> str:
    level = where.height(place[:1], place[1:2])[0]
    if not math.isfinite(level):
        return "left"
    if place[2] < level - 1.0:
        return "lost"
    if ended.gain > GAIN:
        return "gained"
    moves = ended.creep >= CREEP or ended.speed >= STILL
    if moves and math.tan(math.radians(ended.slope_deg)) < 0.9 * FRICTION:
        return "moves"
    if ended.sunk > DEEP or ended.wheels_sunk > 0.0:
        return "sunk"
    return "slides" if moves else "rests"


def _stiffness(tyres: Array) -> Array:
    """Return the stiffness of tyres and default ground in series."""
    found: Array = tyres["stiffness"] * 1e6 / (tyres["stiffness"] + 1e6)
    return found


def _onto(axle: Array) -> Array:
    """Return a rotation that turns y into an axle."""
    side = np.array([1.0, 0.0, 0.0]) if abs(axle[0]) < 0.9 else np.array([0.0, 0.0, 1.0])
    up = np.cross(side, axle)
    up /= np.linalg.norm(up)
    return np.column_stack([np.cross(axle, up), axle, up])
