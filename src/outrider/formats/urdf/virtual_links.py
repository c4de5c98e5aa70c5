"""Links without mass that joints move: engines need some there."""

from dataclasses import replace

import numpy as np

from outrider.formats.xml_source import XmlSource
from outrider.world.model import Inertial, Joint, Link

LIGHT = 1e-3  # kg


def with_light_links(source: XmlSource, links: list[Link], joints: list[Joint]) -> list[Link]:
    """Give a little mass to what moves without mass and without shapes, and tell of it.

    What has a shape and no mass is told and left as it is: a guess would be far off.
    """
    carried = {joint.child: joint.parent for joint in joints if joint.kind == "fixed"}
    weighing = {_first(link.name, carried) for link in links if link.inertial is not None}
    shown = {_first(k.name, carried) for k in links if k.visuals or k.colliders}
    ends = [end for j in joints if j.kind != "fixed" for end in (j.parent, j.child)]
    bodies = dict.fromkeys(_first(end, carried) for end in ends)
    if heavy := [name for name in bodies if name in shown - weighing]:
        told = f"links at joints have shapes but no mass ({_few(heavy)}); add an <inertial>"
        source.note(source.root, told, "missing")
    light = [name for name in bodies if name not in shown | weighing]
    if not light or not shown | weighing:
        return links
    told = f"links without mass at joints ({_few(light)}) have {LIGHT:g} kg each"
    source.note(source.root, told, "guessed")
    inertial = Inertial(LIGHT, LIGHT**2 * np.eye(3))
    return [replace(link, inertial=inertial) if link.name in light else link for link in links]


def _few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _first(name: str, carried: dict[str, str]) -> str:
    """Return the link of a rigid body that all its others are fixed to."""
    while name in carried:
        name = carried[name]
    return name
