"""Masses and inertias of files, made possible where they are not."""

from dataclasses import replace

import numpy as np

from outrider.formats.xml_source import Element, XmlSource
from outrider.world.inertia import TRIANGLE_TOLERANCE, check_inertial
from outrider.world.model import Inertial

_POINT_RADIUS = 0.01  # m: what stands in for an inertia of zero
_MOST = 1e15  # kg m^2
_ROUNDING = 1e-9  # of the largest moment: less than that is none


def plausible(
    source: XmlSource, element: Element, found: Inertial, repair: bool
) -> Inertial | None:
    """Return an inertial that a body can have; without mass a link is a frame.

    Public files have moments that no body has (iRobot's Create), moments of zero (integers
    divided in old xacro files) and products that only fill a gap (ANYmal, TIAGo): ``repair``
    changes them, with a note. Negative moments stay errors.
    """
    if found.mass == 0 and (repair or not found.inertia.any()):
        source.note(element, "has no mass; the link is kept as a frame", "applied")
        return None
    if repair and found.mass > 0 and np.isfinite(found.inertia).all():
        found = _balanced(source, element, _positive(source, element, found))
    check_inertial(found, source.location(element))
    return found


def _positive(source: XmlSource, element: Element, found: Inertial) -> Inertial:
    """Drop products that contradict their moments, as Bullet does, and raise moments of zero."""
    sphere = 0.4 * found.mass * _POINT_RADIUS**2
    told = found.inertia.diagonal()
    least, _, most = np.linalg.eigvalsh(found.inertia)
    if least > _ROUNDING * most or (told < -_ROUNDING * sphere).any():
        return found
    moments = np.where(told > 0, told, sphere)
    if found.inertia.any():
        shown = ", ".join(f"{moment:.3g}" for moment in moments)
        source.note(
            element,
            f"no body has this inertia: a principal moment is {least:.3g} kg m^2; "
            f"the moments {shown} kg m^2 are used, without products",
            "guessed",
        )
    else:
        source.note(element, f"has no inertia; {sphere:.3g} kg m^2, a sphere's, is used", "guessed")
    return replace(found, inertia=np.diag(moments))


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
