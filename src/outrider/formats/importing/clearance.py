"""Room below a drafted robot: tyres give under their load, and the hull must not carry it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from outrider.core.frames import Array
from outrider.formats.gazebo.plugins import DriveFigures
from outrider.formats.importing.wheels import WheelJoint
from outrider.formats.notes import Notes
from outrider.specs.robot import CastorSpec
from outrider.world.model import Model
from outrider.world.tessellate import tessellate

_ROOM = 0.06  # of a wheel's radius: four times what drafted tyres give under their load
_MOST = 0.1  # of a wheel's radius: a hull that needs more lift is meant to lie there
_ALIKE = 0.01  # of a wheel's radius: a drafted robot has tyres of one size


def with_room(
    model: Model,
    wheels: Sequence[WheelJoint],
    castors: Sequence[CastorSpec],
    drive: DriveFigures,
    notes: Notes,
) -> tuple[list[WheelJoint], tuple[CastorSpec, ...], DriveFigures]:
    """Return wheels and castors that hold a robot's hull above the ground, and its drive's radius.

    A robot that does not stand on wheels and castors alone is left as it is.
    """
    unchanged = list(wheels), tuple(castors), drive
    ground = _ground(model, wheels, castors)
    if ground is None:
        return unchanged
    link, height = _lowest(model, wheels, castors, ground)
    radius = min(wheel.radius for wheel in wheels)
    lift = _ROOM * radius - height
    if lift <= 0:
        return unchanged
    alike = max(wheel.radius for wheel in wheels) - radius <= _ALIKE * radius
    if lift > _MOST * radius or not alike:
        told = "below the wheels: it rubs on the ground" if height < 0 else "above the ground"
        notes.add("guessed", f"'{link}' is {1000 * abs(height):.3g} mm {told}")
        return unchanged
    notes.add(
        "guessed",
        f"tyres and castors are {1000 * lift:.2g} mm larger: '{link}' lies as low as they do, and "
        "would carry the robot when they give",
    )
    return (
        [replace(wheel, radius=wheel.radius + lift, cylinder=False) for wheel in wheels],
        tuple(replace(castor, radius=castor.radius + lift) for castor in castors),
        replace(drive, radius=drive.radius + lift if drive.radius else 0.0),
    )


def _ground(
    model: Model, wheels: Sequence[WheelJoint], castors: Sequence[CastorSpec]
) -> Array | None:
    """Return the plane z = a x + b y + c below all wheels and castors; None without one."""
    poses = model.link_poses()
    ends = {joint.name: joint.child for joint in model.joints}
    feet = [(poses[ends[w.joint]].position, w.radius) for w in wheels]
    for castor in castors:
        ball = model.link(castor.link).colliders[0]
        feet.append(((poses[castor.link] @ ball.pose).position, castor.radius))
    flat = np.array([[x, y, 1.0] for (x, y, _), _ in feet])
    if len(feet) < 3 or np.linalg.matrix_rank(flat, tol=1e-3) < 3:
        return None
    plane: Array = np.linalg.lstsq(flat, np.array([place[2] - r for place, r in feet]))[0]
    return plane


def _lowest(
    model: Model, wheels: Sequence[WheelJoint], castors: Sequence[CastorSpec], ground: Array
) -> tuple[str, float]:
    """Return which other link is lowest above that plane, and how high."""
    turned = {wheel.joint for wheel in wheels}
    rolling = {castor.link for castor in castors}
    for joint in model.joints:
        if joint.name in turned:
            rolling |= set(model.fixed_to(joint.child))
    poses, found = model.link_poses(), ("", np.inf)
    for link in model.links:
        for geometry in link.colliders if link.name not in rolling else ():
            corners = (poses[link.name] @ geometry.pose).apply(tessellate(geometry.shape).vertices)
            height = float((corners[:, 2] - corners[:, :2] @ ground[:2]).min() - ground[2])
            found = min(found, (link.name, height), key=lambda pair: pair[1])
    return found
