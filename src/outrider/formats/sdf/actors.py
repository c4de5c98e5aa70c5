"""Actors of SDF as people: their waypoints with times; their skins stay behind."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from outrider.actors.spec import PersonSpec
from outrider.formats.gazebo.pose import read_pose
from outrider.formats.sdf.document import SdfDocument
from outrider.formats.xml_source import Element

_MOST_POINTS = 10_000
_HALTS = 1e-3  # s that two waypoints are apart at least
Row = tuple[float, float, float]  # time, x, y


def read_actors(
    document: SdfDocument, world: Element, heading_rad: float
) -> tuple[PersonSpec, ...]:
    """Return the actors of a world that is turned by its heading."""
    found: list[PersonSpec] = []
    taken: set[str] = set()
    for element in world.findall("actor"):
        name = (element.get("name") or "actor").strip().replace("/", "_") or "actor"
        base, number = name, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        found.append(_person(document, element, name, heading_rad))
    return tuple(found)


def _person(document: SdfDocument, element: Element, name: str, heading_rad: float) -> PersonSpec:
    xml = document.xml
    xml.note(element, "becomes a person: its skin and animation were left out", "guessed")
    for plugin in element.findall("plugin"):
        xml.note(plugin, "plugins of actors are not run here: it follows its waypoints alone")
    pose, _ = read_pose(xml, element)
    script = element.find("script")
    rows = [] if script is None else _rows(document, script)
    if not rows:
        at = _turned(float(pose.position[0]), float(pose.position[1]), heading_rad)
        return PersonSpec(name=name, points=(at,), loop=False)
    assert script is not None
    if np.hypot(*pose.position[:2]) > 1e-6:
        xml.note(element, "its waypoints are taken in the world, without its own pose", "guessed")
    if not xml.child_flag(script, "auto_start", True):
        xml.note(script, "auto_start is false in Gazebo; here it starts by itself", "guessed")
    points = tuple(_turned(x, y, heading_rad) for _, x, y in rows)
    return PersonSpec(
        name=name,
        points=points,
        times=tuple(t for t, _, _ in rows) if len(rows) > 1 else (),
        loop=xml.child_flag(script, "loop", True),
        start_s=max(0.0, xml.child_number(script, "delay_start", 0.0)),
        robots="ignore",
    )


def _rows(document: SdfDocument, script: Element) -> list[Row]:
    """Return the waypoints of all trajectories, in the order of their times."""
    xml = document.xml
    rows: list[Row] = []
    for trajectory in script.findall("trajectory"):
        if xml.number(trajectory, "tension", 0.0) not in (0.0, 1.0):
            xml.note(
                trajectory, "its curve is replaced with straight legs between points", "guessed"
            )
        for point in trajectory.findall("waypoint"):
            time = xml.child_number(point, "time", 0.0)
            pose, _ = read_pose(xml, point)
            if not math.isfinite(time) or time < 0.0:
                raise xml.fail(point, f"a time of {time:g} s cannot be kept")
            rows.append((time, float(pose.position[0]), float(pose.position[1])))
    if len(rows) > _MOST_POINTS:
        raise xml.fail(script, f"more than {_MOST_POINTS} waypoints")
    rows.sort(key=lambda row: row[0])
    return [*rows[:1], *(b for a, b in pairwise(rows) if b[0] - a[0] >= _HALTS)]


def _turned(x: float, y: float, angle: float) -> tuple[float, float]:
    c, s = math.cos(angle), math.sin(angle)
    return (x, y) if angle == 0.0 else (c * x - s * y, s * x + c * y)
