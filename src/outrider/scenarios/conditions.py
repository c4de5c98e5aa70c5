"""End conditions of a run, evaluated after every step."""

import math
from collections.abc import Callable
from functools import partial

from outrider.core.declared_state import DeclaredState
from outrider.core.errors import ConfigError, near_match
from outrider.scenarios.scenario import Collides, Condition, ReachGoal, TipsOver
from outrider.sim.collisions import Collision
from outrider.sim.outputs import GROUND
from outrider.sim.simulation import Simulation
from outrider.world.assembly import WORLD

Question = Callable[[Simulation], bool | None]


def question(condition: Condition, simulation: Simulation, where: str) -> Question:
    """Return the test of a condition: None to continue, otherwise whether the run has passed.

    Its state is registered with the simulation, under the name ``where``.
    """
    robots = robots_of(condition.robot, simulation, f"{where}.robot")
    roots = [simulation.rig.assembly.root(name) for name in robots]
    match condition:
        case ReachGoal():
            return partial(_reached, condition, roots)
        case TipsOver():
            return partial(_tipped, condition, roots)
        case Collides():
            asked = CollisionQuestion(condition, set(robots))
            simulation.remember(where, asked, condition)
            return asked


def robots_of(name: str, simulation: Simulation, where: str) -> list[str]:
    """Return the robot of a name, or all of them where there is none."""
    if name and name not in simulation.robots:
        hint = near_match(name, simulation.robots)
        known = ", ".join(simulation.robots)
        raise ConfigError(f"{where}: there is no robot '{name}'{hint}; known: {known}")
    return [name] if name else list(simulation.robots)


def robots_hit(simulation: Simulation, collision: Collision) -> list[str]:
    """Return the robots that met something other than the ground."""
    if GROUND in (collision.first, collision.second):
        return []
    assembly = simulation.rig.assembly
    models = {assembly.models[assembly.bodies[b].model] for b in collision.bodies if b != WORLD}
    return [name for name in simulation.robots if name in models]


def _reached(goal: ReachGoal, roots: list[int], simulation: Simulation) -> bool | None:
    positions = simulation.state.bodies["position"]
    for root in roots:
        x, y, _ = positions[root].tolist()
        if math.hypot(x - goal.x, y - goal.y) <= goal.tolerance:
            return goal.success
    return None


def _tipped(tip: TipsOver, roots: list[int], simulation: Simulation) -> bool | None:
    rotations = simulation.state.bodies["rotation"]
    for root in roots:
        if tilt_deg(rotations[root].tolist()) > tip.angle_deg:
            return tip.success
    return None


def tilt_deg(rotation: list[float]) -> float:
    """Return the angle between a body's z axis and the vertical."""
    x, y, _, _ = rotation
    return math.degrees(math.acos(max(-1.0, min(1.0, 1.0 - 2.0 * (x * x + y * y)))))


class CollisionQuestion(DeclaredState):
    """Considers only new collisions."""

    state_fields = ("_seen",)

    def __init__(self, condition: Collides, robots: set[str]) -> None:
        self._condition = condition
        self._robots = robots
        self._seen = 0

    def __call__(self, simulation: Simulation) -> bool | None:
        """Ask whether one of its robots has met something since the last time."""
        if simulation.steps <= 1:
            self._seen = 0
        new = simulation.collisions.since(self._seen)
        self._seen = simulation.collisions.total
        hit = any(self._robots.intersection(robots_hit(simulation, c)) for c in new)
        return self._condition.success if hit else None
