"""A robot's parts: links added, changed and removed in its two files."""

import math
from dataclasses import dataclass, replace
from statistics import fmean

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose
from outrider.loader.solids import Appearance, rigid_link
from outrider.specs.world import IN_PLACE, RGBA, PartSpec, PoseSpec, ShapeSpec
from outrider.vehicles.robot_file import RobotFiles
from outrider.vehicles.spec import RobotSpec
from outrider.world.materials import Material
from outrider.world.model import Geometry, Joint, JointKind, Link, Model
from outrider.world.shapes import Cylinder
from outrider.world.solids import solid_mass

JOINTS: tuple[JointKind, ...] = ("fixed", "revolute", "continuous", "prismatic")
_TYRE = Material(name="rubber", friction=0.9, reflectivity=0.05, colour=(0.12, 0.12, 0.12, 1.0))
_ALONG_Y = Pose.from_rpy([0.0, 0.0, 0.0], [math.pi / 2, 0.0, 0.0])
_TRAVEL = {"revolute": math.pi / 2, "prismatic": 0.2}  # rad, m to either side


@dataclass(frozen=True, slots=True)
class NewPart:
    """A new link: its shape, its pose on the parent link, and its joint."""

    name: str
    shape: ShapeSpec
    pose: PoseSpec = IN_PLACE
    mass: float = 1.0
    colour: RGBA = (0.55, 0.6, 0.66, 1.0)
    joint: JointKind = "fixed"
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class NewWheel:
    """A new wheel on an axle along y; a driven one belongs to the side it is on."""

    name: str
    radius: float = 0.1
    width: float = 0.05
    pose: PoseSpec = IN_PLACE
    mass: float = 0.5
    driven: bool = True


def with_part(robot: RobotFiles, link: str, part: NewPart) -> RobotFiles:
    """Return a robot with one more part on a link."""
    _check(robot.model, link, part.name, part.mass)
    look = Appearance(f"part '{part.name}'", "plastic", {}, part.colour)
    made = rigid_link(part.name, (PartSpec(part.shape),), part.mass, look)
    reach = _TRAVEL.get(part.joint, math.inf)
    joint = Joint(
        f"{part.name}_joint",
        part.joint,
        link,
        part.name,
        part.pose.pose(),
        part.axis,
        lower=-reach,
        upper=reach,
        damping=0.0 if part.joint == "fixed" else 0.1,
    )
    return replace(robot, model=_added(robot.model, made, joint))


def with_wheel(robot: RobotFiles, link: str, wheel: NewWheel) -> RobotFiles:
    """Return a robot with one more wheel on a link."""
    _check(robot.model, link, f"{wheel.name}_link", wheel.mass)
    if wheel.radius <= 0 or wheel.width <= 0:
        raise ConfigError(
            f"a wheel needs a radius and a width, got {wheel.radius:g} and {wheel.width:g}"
        )
    geometry = (Geometry(Cylinder(wheel.radius, wheel.width), _ALONG_Y, _TYRE),)
    inertial = solid_mass(geometry, wheel.mass, f"wheel '{wheel.name}'")
    made = Link(f"{wheel.name}_link", inertial, geometry, geometry)
    origin = wheel.pose.pose()
    joint = Joint(wheel.name, "continuous", link, made.name, origin, (0.0, 1.0, 0.0))
    across = float((robot.model.link_poses()[link] @ origin).position[1])
    model = _added(robot.model, made, joint)
    return RobotFiles(with_track(_with_axle(robot.spec, wheel, across), model), model)


def without_part(robot: RobotFiles, link: str) -> RobotFiles:
    """Return a robot without a link and its descendants."""
    model = robot.model
    if link in {root.name for root in model.roots}:
        raise ConfigError(f"'{link}' is the root link and cannot be removed")
    gone = _carried_by(model, link)
    joints = {joint.name for joint in model.joints if joint.child in gone}
    left = replace(
        model,
        links=tuple(item for item in model.links if item.name not in gone),
        joints=tuple(item for item in model.joints if item.child not in gone),
    )
    spec = _without_joints(robot.spec, joints, gone)
    return RobotFiles(with_track(spec, left) if drives(robot.spec, joints) else spec, left)


def with_track(spec: RobotSpec, model: Model) -> RobotSpec:
    """Return a spec with the track measured between the wheels of both sides."""
    sides = spec.drivetrain.sides
    if sides is None:
        return spec
    poses = model.link_poses()
    across = {j.name: float(poses[j.child].position[1]) for j in model.joints}
    left, right = (fmean(across[name] for name in side) for side in sides)
    if left <= right:
        raise ConfigError("the wheels of the left side must be left of those of the right side")
    return replace(spec, drivetrain=spec.drivetrain.with_wheels(*sides, round(left - right, 6)))


def _check(model: Model, link: str, name: str, mass: float) -> None:
    model.link(link)
    if not name.replace("_", "").isalnum() or not name.isascii():
        raise ConfigError(f"'{name[:40]}' is not a valid part name: expected letters, digits and _")
    if any(item.name == name for item in model.links):
        raise ConfigError(f"there is already a part '{name}'")
    if mass <= 0:
        raise ConfigError(f"a part's mass must be above 0, got {mass:g} kg")


def _added(model: Model, link: Link, joint: Joint) -> Model:
    return replace(model, links=(*model.links, link), joints=(*model.joints, joint))


def _with_axle(spec: RobotSpec, wheel: NewWheel, across: float) -> RobotSpec:
    """Add a wheel to the drivetrain's side it is on, or to the idle wheels."""
    drive = spec.drivetrain
    if not wheel.driven:
        return replace(spec, idle_wheels=(*spec.idle_wheels, wheel.name))
    left, right = drive.sides or ((), ())
    if across > 0:
        return replace(spec, drivetrain=drive.with_wheels((*left, wheel.name), right))
    return replace(spec, drivetrain=drive.with_wheels(left, (*right, wheel.name)))


def drives(spec: RobotSpec, joints: set[str]) -> bool:
    """Return whether any of the joints is a driven wheel on one of the sides."""
    return any(joints.intersection(side) for side in spec.drivetrain.sides or ())


def _carried_by(model: Model, link: str) -> set[str]:
    gone = {link}
    while True:
        more = {joint.child for joint in model.joints if joint.parent in gone} - gone
        if not more:
            return gone
        gone |= more


def _without_joints(spec: RobotSpec, joints: set[str], links: set[str]) -> RobotSpec:
    """Remove joints and links from drivetrain, sensors and suspension."""
    drive = spec.drivetrain
    if drive.sides is not None:
        left, right = (tuple(name for name in side if name not in joints) for side in drive.sides)
        if not left or not right:
            raise ConfigError("each side needs a driven wheel: add another one first")
        drive = drive.with_wheels(left, right)
    return replace(
        spec,
        drivetrain=drive,
        idle_wheels=tuple(name for name in spec.idle_wheels if name not in joints),
        castors=tuple(castor for castor in spec.castors if castor.link not in links),
        suspension={k: v for k, v in spec.suspension.items() if k not in joints},
        sensors=tuple(sensor for sensor in spec.sensors if sensor.link not in links),
    )
