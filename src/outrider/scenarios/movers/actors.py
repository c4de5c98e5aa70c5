"""Actors in a simulation: what they see of it, and how they are moved in it."""

import numpy as np
from numpy.typing import NDArray

from outrider.actors.actor_groups import ActorGroups, twists
from outrider.actors.spec import actor_names, check_actors
from outrider.actors.start_positions import StartPositions
from outrider.actors.surroundings import NO_CIRCLES, ROBOT, Circles, Surroundings
from outrider.core.errors import ConfigError
from outrider.core.frames import Array, Pose
from outrider.scene.free_place import intrusion
from outrider.scene.ground_pose import place_on_ground
from outrider.scene.roof import house_around
from outrider.scene.scene import Scene
from outrider.sim.simulation import Simulation
from outrider.specs.world import WorldSpec

_PERIOD_S = 0.04  # between decisions: engines move bodies on in between
_FOOTPRINT = (0.6, 0.6)  # m that must be even and free where an actor starts
_KEPT_CLEAR = 1.5  # m between the middle of a robot and an actor, at the start


def make_actors(
    spec: WorldSpec, seed: int, ground: Scene, robots: list[Pose]
) -> ActorGroups | None:
    """Return the actors of a world where they start; None if there are none."""
    if not spec.actors:
        return None
    check_actors(spec.actors, spec.name)
    return ActorGroups(spec.actors, seed, _site(spec.name, ground, robots))


def add_actors(simulation: Simulation, actors: ActorGroups | None) -> None:
    """Let the actors of a simulation, which has their models already, go their ways."""
    if actors is None:
        return
    simulation.drivers.append(ActorDriver(simulation, actors))
    for group in actors.groups:
        simulation.remember(f"actors {group.spec.name}", group, group.spec)
    lanes = tuple(group.spec for group in actors.groups if group.spec.type == "car")
    if lanes:
        simulation.remember("actors traffic", actors.traffic, lanes)


class ActorDriver:
    """Moves all actors: decides 25 times per simulated second, and sets the velocities of bodies.

    At the end of each period every part is exactly where its actor has it, whatever it met.
    """

    def __init__(self, simulation: Simulation, actors: ActorGroups) -> None:
        self._actors = actors
        rig = simulation.rig
        self._bodies = _bodies(simulation, actors)
        self._every = max(1, round(_PERIOD_S / rig.step_s))
        self._seconds = self._every * rig.step_s
        self._scene = rig.scene
        self._robots = np.array([v.root for v in rig.vehicles], np.intp)
        self._radii = np.array([_reach(simulation, v.root) for v in rig.vehicles])

    def __call__(self, simulation: Simulation) -> None:
        """Decide anew if it is time to."""
        if simulation.steps == 0:
            self._actors.restart()
        if simulation.steps % self._every == 0:
            self._lead(simulation)

    def _lead(self, simulation: Simulation) -> None:
        rows = simulation.state.bodies[self._bodies]
        around = Surroundings(
            simulation.time_s, self._seen_robots(simulation), self._scene.ground_below, self._feel
        )
        goal = self._actors.advance(around, self._seconds)
        found = twists(rows["position"], rows["rotation"], *goal, self._seconds)
        simulation.rig.engine.lead(self._bodies, found)

    def _seen_robots(self, simulation: Simulation) -> Circles:
        if not len(self._robots):
            return NO_CIRCLES
        rows = simulation.state.bodies[self._robots]
        owners = np.full(len(rows), ROBOT)
        return Circles(rows["position"][:, :2], rows["velocity"][:, :2], self._radii, owners)

    def _feel(self, origins: Array, directions: Array, reaches: Array) -> tuple[Array, Array]:
        """Return how far it is to what stands in the way of rays, and which way that faces."""
        if self._scene.static is None:
            return np.full(len(origins), np.inf), np.zeros((len(origins), 3))
        rays = [np.ascontiguousarray(v, np.float32) for v in (origins, directions, reaches)]
        hits = self._scene.static.surface.cast(*rays)
        return np.where(hits.shape >= 0, hits.distance, np.inf), hits.normal.astype(np.float64)


def _bodies(simulation: Simulation, actors: ActorGroups) -> NDArray[np.intp]:
    """Return the rows of all parts, in the order in which the groups give their poses."""
    numbers = {body.name: i for i, body in enumerate(simulation.rig.assembly.bodies)}
    names = [
        f"{name}/{part.name}"
        for group in actors.groups
        for name, figure in zip(actor_names(group.spec), group.figures, strict=True)
        for part in figure.parts
    ]
    return np.array([numbers[name] for name in names], np.intp)


def _reach(simulation: Simulation, root: int) -> float:
    """Return the radius of the circle about a robot's root that holds all of it, from above."""
    bodies, model = simulation.state.bodies, simulation.rig.assembly.bodies[root].model
    middle, reach = bodies[root]["position"][:2], 0.1
    for part in simulation.rig.scene.movers:
        if part.model == model:
            row = bodies[part.body]
            centre = Pose(row["position"], row["rotation"]).apply(part.centre.astype(float))
            half = 0.5 * (part.surface.high - part.surface.low)
            reach = max(reach, float(np.hypot(*(centre[:2] - middle)) + np.hypot(*half[:2])))
    return reach


def _site(where: str, ground: Scene, robots: list[Pose]) -> StartPositions:
    """Return the world as actors look for a place to start."""

    def placed(x: float, y: float) -> Pose:
        return place_on_ground(ground, Pose(np.array([x, y, 0.0])), _FOOTPRINT, 0.0)

    def stand(x: float, y: float) -> float:
        if np.isnan(ground.ground_below(np.array([[x, y]]))).all():
            raise ConfigError(f"{where}: actors: there is no ground at x = {x:g}, y = {y:g}")
        return float(placed(x, y).position[2])

    def is_free(x: float, y: float) -> bool:
        if np.isnan(ground.ground_below(np.array([[x, y]]))).all():
            return False
        if any(np.hypot(*(robot.position[:2] - (x, y))) < _KEPT_CLEAR for robot in robots):
            return False
        pose = placed(x, y)
        house = house_around(ground, *pose.position.tolist())
        return not house and not intrusion(ground, pose, _FOOTPRINT)[0]

    return StartPositions(where, stand, is_free)
