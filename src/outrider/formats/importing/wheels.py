"""Which joints of a model are wheels: by their axle, their shape and their name."""

import math
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.specs.robot import CastorSpec
from outrider.world.model import Geometry, Joint, Link, Model
from outrider.world.shapes import Cylinder, Sphere
from outrider.world.tessellate import box_corners

_WHEEL = re.compile(r"wheel|tire|tyre|rim", re.IGNORECASE)
_CASTOR = re.compile(r"cast[eo]r|swivel", re.IGNORECASE)
_STEERING = re.compile(r"steer", re.IGNORECASE)
_ALONG = 0.8  # cosine: how far an axle may point away from the side


@dataclass(frozen=True, slots=True)
class WheelJoint:
    """A joint that turns a wheel, and where it is in the robot's root link."""

    joint: str
    x: float
    y: float
    radius: float
    width: float
    cylinder: bool  # whether its size is that of a collision cylinder
    backward: bool = False  # whether its axle points to the right
    steering: str = ""  # the joint that steers it
    steering_limit: float = 0.6
    swivels: bool = False  # a castor's: nobody drives it


def find_wheels(model: Model, named: Collection[str] = ()) -> list[WheelJoint]:
    """Return the wheels, in the order of the file; ``named`` joints are wheels in any case."""
    carried = {joint.child: joint for joint in model.joints}
    found = []
    for joint in model.joints:
        turns = joint.kind == "continuous" or (joint.kind == "revolute" and joint.name in named)
        if turns and (wheel := _wheel(model, joint, carried, named)):
            found.append(wheel)
    return found


def crosswise_wheels(model: Model, named: Collection[str] = ()) -> list[str]:
    """Return joints that turn wheels about x: what they carry looks along y."""
    carried = {joint.child: joint for joint in model.joints}
    return [
        joint.name
        for joint in model.joints
        if joint.kind == "continuous"
        and abs(_axle(joint, carried)[0]) >= _ALONG
        and (size := _size(model, joint)) is not None
        and (size[2] or _is_called_wheel(model, joint, named))
    ]


def shared_axles(model: Model) -> list[str]:
    """Return joints that turn wheels on the left and on the right at once."""
    carried = {joint.child: joint for joint in model.joints}
    wheels = {wheel.joint for wheel in find_wheels(model)}
    return [j.name for j in model.joints if j.name in wheels and _spans(model, j, carried)]


def castors(model: Model, wheels: Sequence[WheelJoint]) -> list[CastorSpec]:
    """Return links that slide on a ball: by name, or because the file says that they do not rub."""
    turned = {wheel.joint for wheel in wheels}
    carried = [joint.child for joint in model.joints if joint.name in turned]
    moving = {link for name in carried for link in model.fixed_to(name)}
    found = []
    for link in model.links:
        if len(link.colliders) != 1 or link.name in moving:
            continue
        ball = link.colliders[0]
        smooth = ball.material.friction == 0
        if isinstance(ball.shape, Sphere) and (smooth or _CASTOR.search(link.name)):
            castor = CastorSpec(link.name, ball.shape.radius)
            found.append(replace(castor, friction=0.0) if smooth else castor)
    return found


def link_pose(name: str, carried: dict[str, Joint]) -> Pose:
    """Return the pose of a link in the root, joints at zero."""
    pose = Pose()
    while name in carried:
        pose = carried[name].origin @ pose
        name = carried[name].parent
    return pose


def _wheel(
    model: Model, joint: Joint, carried: dict[str, Joint], named: Collection[str]
) -> WheelJoint | None:
    pose, axle = link_pose(joint.child, carried), _axle(joint, carried)
    size = _size(model, joint) if abs(axle[1]) >= _ALONG else None
    if size is None or not (size[2] or _is_called_wheel(model, joint, named)):
        return None
    steering = _steering(joint, carried)
    swivels = steering is not None and _swivels(steering)
    limit = 0.6
    if steering and math.isfinite(steering.upper) and steering.upper > 0:
        limit = min(steering.upper, -steering.lower if steering.lower < 0 else steering.upper)
    return WheelJoint(
        joint.name,
        float(pose.position[0]),
        float(pose.position[1]),
        *size,
        backward=bool(axle[1] < 0),
        steering=steering.name if steering and not swivels else "",
        steering_limit=limit,
        swivels=swivels or bool(_CASTOR.search(joint.name)),
    )


def _axle(joint: Joint, carried: dict[str, Joint]) -> Array:
    """Return the direction that a joint turns about, in the robot's root link."""
    axle: Array = matrix_from_quaternion(link_pose(joint.child, carried).rotation) @ joint.axis
    return axle


def _swivels(upright: Joint) -> bool:
    """Return whether nobody steers a wheel about its upright joint: a castor's has no limits."""
    called = upright.name
    free = upright.kind == "continuous" and not _STEERING.search(called)
    return free or bool(_CASTOR.search(called))


def _is_called_wheel(model: Model, joint: Joint, named: Collection[str]) -> bool:
    names = (joint.name, *model.fixed_to(joint.child))
    return joint.name in named or any(_WHEEL.search(name) for name in names)


def _steering(joint: Joint, carried: dict[str, Joint]) -> Joint | None:
    """Return the upright joint above a wheel, if there is one."""
    above = carried.get(joint.parent)
    while above is not None:
        upright = matrix_from_quaternion(link_pose(above.child, carried).rotation) @ above.axis
        if above.kind in ("revolute", "continuous") and abs(upright[2]) > _ALONG:
            return above
        above = carried.get(above.parent)
    return None


def _size(model: Model, joint: Joint) -> tuple[float, float, bool] | None:
    """Return radius, width, and whether a collision cylinder along the axle says so."""
    axle = np.array(joint.axis)
    felt = _shapes(model, joint, lambda link: link.colliders)
    for geometry in felt:
        if isinstance(geometry.shape, Cylinder) and abs(_along(geometry) @ axle) > 0.99:
            return geometry.shape.radius, geometry.shape.length, True
    shapes = felt or _shapes(model, joint, lambda link: link.visuals)
    if not shapes:
        return None
    corners = np.concatenate([_corners(geometry) for geometry in shapes])
    width = float(np.ptp(corners @ axle))
    across = corners - np.outer(corners @ axle, axle)
    radius = float(np.abs(across).max())
    return (radius, max(width, 0.1 * radius), False) if radius > 0 else None


def _spans(model: Model, joint: Joint, carried: dict[str, Joint]) -> bool:
    """Return whether a joint turns shapes that lie wholly on the left, and others on the right."""
    pose = link_pose(joint.child, carried)
    shapes = _shapes(model, joint, lambda link: link.colliders or link.visuals)
    across = [pose.apply(_corners(geometry))[:, 1] for geometry in shapes]
    return any(y.min() > 0 for y in across) and any(y.max() < 0 for y in across)


def _shapes(
    model: Model, joint: Joint, of: Callable[[Link], tuple[Geometry, ...]]
) -> list[Geometry]:
    """Return the shapes that a joint turns, in its child's frame: a wheel may be several links."""
    return [
        replace(geometry, pose=pose @ geometry.pose)
        for name, pose in model.fixed_to(joint.child).items()
        for geometry in of(model.link(name))
    ]


def _along(geometry: Geometry) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return matrix_from_quaternion(geometry.pose.rotation)[:, 2]


def _corners(geometry: Geometry) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return geometry.pose.apply(box_corners(geometry.shape))
