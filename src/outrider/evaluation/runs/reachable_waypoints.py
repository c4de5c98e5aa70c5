"""Unreachable waypoints are refused before a run, not after it."""

import math

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.scenarios.movers.driven_robot import driven
from outrider.scenarios.movers.motions import motions_of
from outrider.scenarios.scenario import RobotEntry, Scenario, Waypoints
from outrider.scene.part import Part
from outrider.sim.outputs import GROUND
from outrider.sim.simulation import Simulation

_RAYS = 24
_ABOVE = 0.15  # m over the floor
_AROUND = 0.8  # of all level ways end at the thing one is inside of
_LAYERS = 40
_LOW = 0.3  # m: what is lower is driven over, or is a floor
_FAR = 1e4  # m


def check_way_points(scenario: Scenario, simulation: Simulation) -> None:
    """Refuse points inside static objects."""
    static = simulation.rig.scene.static
    for entry in scenario.robots if static is not None else ():
        for number, (x, y) in enumerate(_points(entry, scenario)):
            assert static is not None
            found = _thing_around(static, x, y)
            if found:
                raise ConfigError(
                    f"{scenario.name}: waypoint {number} ({x:g}, {y:g}) of '{entry.name}' lies"
                    f" inside '{found}'; move it"
                )


def _points(entry: RobotEntry, scenario: Scenario) -> list[tuple[float, float]]:
    points = [p for m in motions_of(entry) if isinstance(m, Waypoints) for p in m.points]
    spec = scenario.autonomy
    if spec is not None and spec.waypoints is not None and driven(scenario).name == entry.name:
        points += [(point.x, point.y) for point in spec.waypoints.load()]
    return points


def _thing_around(static: Part, x: float, y: float) -> str:
    """Return the name of the object above and around a point, or an empty text."""
    top, height = _below(static, np.array([x, y, float(static.surface.high[2]) + 1.0]))
    floor = height
    for _ in range(_LAYERS):
        under, lower = _below(static, np.array([x, y, floor - 0.001]))
        if not under:  # the thing stands right on the ground
            break
        floor = lower
        if under != top:
            break
    if top == GROUND or height - floor < _LOW:
        return ""
    angle = np.linspace(0, 2 * math.pi, _RAYS, endpoint=False)
    ways = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(_RAYS)])
    hits = _names(static, np.tile([x, y, floor + _ABOVE], (_RAYS, 1)), ways)
    return top if sum(name == top for name, _ in hits) >= _AROUND * _RAYS else ""


def _below(static: Part, point: Array) -> tuple[str, float]:
    ((name, distance),) = _names(static, point[None, :], np.array([[0.0, 0.0, -1.0]]))
    return name, float(point[2]) - distance


def _names(static: Part, origins: Array, ways: Array) -> list[tuple[str, float]]:
    """Return the names of what rays hit and the distances; an empty name is a miss."""
    hits = static.surface.cast(
        np.ascontiguousarray(origins, np.float32),
        np.ascontiguousarray(ways, np.float32),
        np.full(len(ways), _FAR, np.float32),
    )
    names = [static.names[shape] if shape >= 0 else "" for shape in hits.shape.tolist()]
    return list(zip(names, hits.distance.tolist(), strict=True))
