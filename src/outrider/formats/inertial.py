"""Masses and inertias of files, made possible where they are not."""

import numpy as np

from outrider.formats.xml_source import Element, XmlSource
from outrider.world.inertia import TRIANGLE_TOLERANCE, check_inertial
from outrider.world.model import Inertial

_POINT_RADIUS = 0.01  # m: what stands in for an inertia of zero
_MOST = 1e15  # kg m^2


def plausible(
    source: XmlSource, element: Element, found: Inertial, repair: bool
) -> Inertial | None:
    """Return an inertial that a body can have; without mass a link is a frame.

    Public files have moments that no body has (iRobot's Create) and moments of zero (integers
    divided in old xacro files): ``repair`` changes them, with a note. Negative ones stay errors.
    """
    where = source.location(element)
    if found.mass == 0 and (repair or not found.inertia.any()):
        source.note(element, "has no mass; the link is kept as a frame", "applied")
        return None
    if repair and found.mass > 0 and not found.inertia.any():
        moment = 0.4 * found.mass * _POINT_RADIUS**2
        source.note(element, f"has no inertia; {moment:.3g} kg m^2, a sphere's, is used", "guessed")
        found = Inertial(found.mass, moment * np.eye(3), found.pose)
    if repair and found.mass > 0 and np.isfinite(found.inertia).all():
        found = _balanced(source, element, found)
    check_inertial(found, where)
    return found


def _balanced(source: XmlSource, element: Element, found: Inertial) -> Inertial:
    """Lower a largest principal moment that exceeds the sum of the others to that sum."""
    if np.abs(found.inertia).max() > _MOST:
        raise source.fail(element, f"no vehicle has more than {_MOST:g} kg m^2")
    moments, axes = np.linalg.eigh(found.inertia)
    most = float(moments[0] + moments[1])
    if moments[0] <= 0 or moments[2] <= most * (1 + TRIANGLE_TOLERANCE):
        return found
    source.note(
        element,
        f"no body has the principal moments {moments[0]:.3g}, {moments[1]:.3g} and "
        f"{moments[2]:.3g} kg m^2; the largest is taken as the sum of the others, {most:.3g}",
        "guessed",
    )
    inertia = axes @ np.diag([moments[0], moments[1], most]) @ axes.T
    return Inertial(found.mass, (inertia + inertia.T) / 2, found.pose)
