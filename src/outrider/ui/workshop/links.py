"""The editable properties of a robot's link: pose, mass, size and colour."""

from dataclasses import dataclass, replace

from outrider.core.errors import ConfigError
from outrider.loader.solids import simple_shape
from outrider.specs.world import (
    RGBA,
    BoxSpec,
    CapsuleSpec,
    ConeSpec,
    CylinderSpec,
    PoseSpec,
    ShapeSpec,
    SphereSpec,
)
from outrider.ui.workshop.robot_parts import drives, with_track
from outrider.vehicles.robot_file import RobotFiles
from outrider.world.model import Geometry, Inertial, Joint, Link, Model
from outrider.world.shapes import Box, Capsule, Cone, Cylinder, Shape, Sphere


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """A link as shown in the workshop; None where it cannot be edited."""

    name: str
    parent: str  # empty: it carries all the others
    joint: str
    kind: str
    pose: PoseSpec | None
    mass: float
    shape: ShapeSpec | None
    colour: RGBA | None
    visuals: int
    colliders: int


def facts_of(model: Model, name: str) -> LinkFacts:
    """Return the properties of a link."""
    link = model.link(name)
    joint = joint_of(model, name)
    geometry = link.visuals or link.colliders
    return LinkFacts(
        name=name,
        parent=joint.parent if joint else "",
        joint=joint.name if joint else "",
        kind=joint.kind if joint else "",
        pose=PoseSpec.of(joint.origin) if joint else None,
        mass=link.inertial.mass if link.inertial else 0.0,
        shape=shape_spec(geometry[0].shape) if len(geometry) == 1 else None,
        colour=geometry[0].material.colour
        if geometry and not geometry[0].material.texture
        else None,
        visuals=len(link.visuals),
        colliders=len(link.colliders),
    )


def joint_of(model: Model, link: str) -> Joint | None:
    """Return the parent joint of a link."""
    return next((joint for joint in model.joints if joint.child == link), None)


def placed(robot: RobotFiles, link: str, pose: PoseSpec) -> RobotFiles:
    """Return a robot with a link at another pose on its parent."""
    joint = joint_of(robot.model, link)
    if joint is None:
        raise ConfigError(f"'{link}' is the root link: move the robot instead")
    moved = replace(joint, origin=pose.pose())
    joints = tuple(moved if j is joint else j for j in robot.model.joints)
    model = replace(robot.model, joints=joints)
    spec = robot.spec
    return RobotFiles(with_track(spec, model) if drives(spec, {joint.name}) else spec, model)


def weighing(robot: RobotFiles, link: str, mass: float) -> RobotFiles:
    """Return a robot with another mass of a link; its distribution is kept."""
    if mass <= 0:
        raise ConfigError(f"a part's mass must be above 0, got {mass:g} kg")
    found = robot.model.link(link)
    if found.inertial is None:
        raise ConfigError(f"'{link}' has no mass of its own: it is part of its parent's")
    share = mass / found.inertial.mass
    inertial = Inertial(mass, share * found.inertial.inertia, found.inertial.pose)
    return _with_link(robot, replace(found, inertial=inertial))


def painted(robot: RobotFiles, link: str, colour: RGBA) -> RobotFiles:
    """Return a robot with another colour of a link."""
    found = robot.model.link(link)
    visuals = tuple(
        replace(g, material=replace(g.material, colour=colour, texture=""))
        for g in found.visuals or found.colliders
    )
    return _with_link(robot, replace(found, visuals=visuals))


def shaped(robot: RobotFiles, link: str, shape: ShapeSpec) -> RobotFiles:
    """Return a robot with another size of a link; its mass is kept."""
    found = robot.model.link(link)
    made = simple_shape(shape, f"part '{link}'")
    like = type(made)

    def resized(geometry: tuple[Geometry, ...]) -> tuple[Geometry, ...]:
        return tuple(replace(g, shape=made) if isinstance(g.shape, like) else g for g in geometry)

    after = replace(found, visuals=resized(found.visuals), colliders=resized(found.colliders))
    return _with_link(robot, after)


def shape_spec(shape: Shape) -> ShapeSpec | None:
    """Return a simple shape as it is written in files; None for meshes."""
    match shape:
        case Box(size=(x, y, z)):
            return BoxSpec(size=(x, y, z))
        case Sphere(radius=radius):
            return SphereSpec(radius=radius)
        case Cylinder(radius=radius, length=length):
            return CylinderSpec(radius=radius, length=length)
        case Capsule(radius=radius, length=length):
            return CapsuleSpec(radius=radius, length=length)
        case Cone(radius=radius, length=length):
            return ConeSpec(radius=radius, length=length)
    return None


def _with_link(robot: RobotFiles, link: Link) -> RobotFiles:
    links = tuple(link if item.name == link.name else item for item in robot.model.links)
    return RobotFiles(robot.spec, replace(robot.model, links=links))
