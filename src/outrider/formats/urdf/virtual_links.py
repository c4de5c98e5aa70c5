"""Links that only stand between two joints: engines need some mass there."""

from dataclasses import replace

import numpy as np

from outrider.formats.xml_source import XmlSource
from outrider.world.model import Inertial, Joint, Link

LIGHT = 1e-3  # kg


def with_light_links(source: XmlSource, links: list[Link], joints: list[Joint]) -> list[Link]:
    """Give a little mass to what moves without mass and without shapes, and tell of it.

    What has a shape and no mass is left as it is: a guess would be far off.
    """
    carried = {joint.child: joint.parent for joint in joints if joint.kind == "fixed"}
    full = {_first(link.name, carried) for link in links if _weighs_or_shows(link)}
    ends = [end for j in joints if j.kind != "fixed" for end in (j.parent, j.child)]
    bodies = dict.fromkeys(_first(end, carried) for end in ends)
    light = [name for name in bodies if name not in full]
    if not light or not full:
        return links
    shown = ", ".join(light[:3]) + (f" and {len(light) - 3} more" if len(light) > 3 else "")
    told = f"links without mass at joints ({shown}) have {LIGHT:g} kg each"
    source.note(source.root, told, "guessed")
    inertial = Inertial(LIGHT, LIGHT**2 * np.eye(3))
    return [replace(link, inertial=inertial) if link.name in light else link for link in links]


def _weighs_or_shows(link: Link) -> bool:
    return link.inertial is not None or bool(link.visuals or link.colliders)


def _first(name: str, carried: dict[str, str]) -> str:
    """Return the link of a rigid body that all its others are fixed to."""
    while name in carried:
        name = carried[name]
    return name
