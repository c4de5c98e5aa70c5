"""Routes: the points that robots drive through, clicked in the scene, drawn on the ground."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from outrider.autonomy.waypoints.files import Waypoint, read_waypoints, write_waypoints
from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.core.structure import with_fields
from outrider.scenarios.movers.motions import motions_of
from outrider.scenarios.scenario import RobotEntry, Waypoints
from outrider.scenarios.session.changes import SetRobot
from outrider.scenarios.session.session import Session
from outrider.ui.driving import greatest
from outrider.ui.editing import entry_of
from outrider.ui.link.frame import packed
from outrider.ui.projects import checked_name

FOLDER = "routes"
_SHARE = 0.5  # of a robot's greatest speed
_FASTEST = 1.0  # m/s
_ABOVE_M = 0.12


def sent_to(session: Session, robot: str, x: float, y: float, *, more: bool) -> SetRobot:
    """Return the change that sends a robot to a point, appended to its route if ``more``."""
    entry = entry_of(session, robot)
    before = route_of(entry) if more else ()
    known = waypoints_of(entry) if more else None
    route = known or Waypoints(speed=_speed(session, robot))
    return SetRobot(replace(entry, motion=replace(route, points=(*before, (x, y)))))


def rerouted(session: Session, robot: str, **values: object) -> SetRobot:
    """Return the change that sets values of a robot's route."""
    entry = entry_of(session, robot)
    route = waypoints_of(entry)
    if route is None:
        raise ConfigError(f"'{robot}' has no route")
    return SetRobot(replace(entry, motion=with_fields(route, **values)))


def loaded(session: Session, robot: str, path: Path) -> SetRobot:
    """Return the change that sends a robot along the waypoints in a file."""
    entry = entry_of(session, robot)
    points = tuple((point.x, point.y) for point in read_waypoints(path))
    route = waypoints_of(entry) or Waypoints(speed=_speed(session, robot))
    return SetRobot(replace(entry, motion=replace(route, points=points)))


def save_route(folder: Path, name: str, route: Waypoints) -> Path:
    """Write a route as a waypoint file, which the autonomy stack reads as well."""
    place = folder / FOLDER
    path = place / f"{checked_name(name, 'route')}.yaml"
    write_waypoints(path, tuple(Waypoint(x, y) for x, y in route.points))
    return path


def route_files(folder: Path) -> list[Path]:
    """Return the waypoint files in a folder."""
    place = folder / FOLDER
    return sorted([*place.glob("*.yaml"), *place.glob("*.csv")])


def halted(session: Session, robot: str) -> SetRobot:
    """Return the change that removes a robot's route."""
    return SetRobot(replace(entry_of(session, robot), motion=()))


def route_of(entry: RobotEntry) -> tuple[tuple[float, float], ...]:
    """Return the points of a robot's route."""
    found = [motion for motion in motions_of(entry) if isinstance(motion, Waypoints)]
    return tuple(point for motion in found for point in motion.points)


def waypoints_of(entry: RobotEntry) -> Waypoints | None:
    """Return a robot's route, if that is its only motion."""
    found = motions_of(entry)
    return found[0] if len(found) == 1 and isinstance(found[0], Waypoints) else None


def drawn_routes(session: Session) -> dict[str, bytes]:
    """Return all robots' routes as lines on the ground; call between two steps."""
    made = {}
    for entry in session.scenario.robots:
        points = route_of(entry)
        if not points:
            continue
        fine = _filled(np.array(points))
        ground = session.simulation.rig.scene.ground_below(fine)
        places = np.column_stack([fine[:, :2], np.nan_to_num(ground) + _ABOVE_M])
        key = f"route {entry.name}"
        made[key] = packed(
            {"k": "path", "id": key, "n": len(places), "colour": "#ffd54f"},
            places.astype(np.float32),
        )
        corners = np.array(points)
        heights = np.nan_to_num(session.simulation.rig.scene.ground_below(corners)) + _ABOVE_M
        dots = np.column_stack([corners, heights]).astype(np.float32)
        made[f"{key} points"] = packed(
            {
                "k": "marks",
                "id": f"{key} points",
                "n": len(dots),
                "radius": 0.05,
                "colour": "#ffd54f",
            },
            dots,
        )
    return made


def _speed(session: Session, robot: str) -> float:
    vehicle = next(v for v in session.simulation.rig.vehicles if v.name == robot)
    return min(_SHARE * greatest(vehicle)[0], _FASTEST)


def _filled(points: Array) -> Array:
    """Return a polyline with a point at least every half metre, to follow the ground."""
    parts = [points[:1]]
    for start, end in pairwise(points):
        count = max(1, int(np.ceil(np.linalg.norm(end - start) / 0.5)))
        parts.append(start + (end - start) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(parts)
