"""Models as URDF text: every number reads back exactly."""

import math
from dataclasses import replace
from pathlib import Path

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.formats.asset_folder import AssetFolder
from outrider.formats.xml_source import Element
from outrider.formats.xml_write import (
    child,
    document,
    exact_rpy,
    is_identity,
    number,
    numbers,
    root,
)
from outrider.world.materials import Material
from outrider.world.model import Geometry, Inertial, Joint, Link, Model
from outrider.world.shapes import Box, Capsule, Cylinder, Mesh, Shape, Sphere
from outrider.world.tessellate import tessellate

_NO_LIMIT = "1000000000"  # a robot's motors have limits of their own, its joints have none
_PLAIN = Material()


def write_urdf(model: Model, mesh_folder: Path | None) -> str:
    """Return a model as URDF; its meshes are written to ``mesh_folder``, beside the URDF's file.

    The text calls them ``<folder's name>/<file>``, so it belongs into the folder's parent. Without
    a folder, a model with meshes is an error. The model's own pose has no place in a URDF.
    """
    if not model.links:
        raise FormatError(f"model '{model.name}' has no links")
    if model.children:
        names = ", ".join(f"'{item.name}'" for item in model.children)
        raise FormatError(
            f"model '{model.name}' contains other models ({names}); a URDF is one robot: write SDF"
        )
    return _UrdfWriter(model, AssetFolder(mesh_folder)).write()


def lost_in_urdf(model: Model) -> list[str]:
    """Return a sentence for everything of a model that a URDF cannot say."""
    lost = []
    if not is_identity(model.pose):
        lost.append(f"the pose of '{model.name}': a URDF does not say where the robot stands")
    if any(joint.armature for joint in model.joints):
        lost.append("the armature of joints")
    surfaces = {g.material for k in model.links for g in k.colliders}
    if any(s != _only_urdf(s) for s in surfaces):
        lost.append("restitution, lateral friction and roughness of surfaces")
    return lost


def _only_urdf(material: Material) -> Material:
    """Return a collider's material as far as a URDF can say it."""
    return replace(
        _PLAIN,
        name=material.name,
        friction=material.friction,
        stiffness=material.stiffness,
        damping=material.damping,
        reflectivity=material.reflectivity,  # what colliders look like is never seen
        colour=material.colour,
        texture=material.texture,
    )


class _UrdfWriter:
    """One writing of one model."""

    def __init__(self, model: Model, assets: AssetFolder) -> None:
        self.model = model
        self.assets = assets
        self.materials: dict[str, Material] = {}

    def write(self) -> str:
        robot = root("robot", name=self.model.name)
        for link in self.model.links:
            self._link(robot, link)
        for joint in self.model.joints:
            self._joint(robot, joint)
        self._extensions(robot)
        return document(robot)

    def _link(self, robot: Element, link: Link) -> None:
        element = child(robot, "link", name=link.name)
        if link.inertial is not None:
            self._inertial(element, link.inertial)
        for i, geometry in enumerate(link.visuals):
            visual = self._geometry(element, "visual", geometry, f"{link.name}_visual_{i}")
            self._material(visual, geometry.material)
        for i, geometry in enumerate(link.colliders):
            self._geometry(element, "collision", geometry, f"{link.name}_collision_{i}")

    def _inertial(self, link: Element, inertial: Inertial) -> None:
        element = child(link, "inertial")
        _origin(element, inertial.pose)
        child(element, "mass", value=number(inertial.mass))
        i = inertial.inertia
        child(
            element,
            "inertia",
            ixx=number(i[0, 0]),
            ixy=number(i[0, 1]),
            ixz=number(i[0, 2]),
            iyy=number(i[1, 1]),
            iyz=number(i[1, 2]),
            izz=number(i[2, 2]),
        )

    def _geometry(self, link: Element, tag: str, geometry: Geometry, hint: str) -> Element:
        named = {"name": geometry.name} if geometry.name else {}
        element = child(link, tag, **named)
        _origin(element, geometry.pose)
        self._shape(child(element, "geometry"), geometry.shape, hint)
        return element

    def _shape(self, parent: Element, shape: Shape, hint: str) -> None:
        match shape:
            case Box(size=size):
                child(parent, "box", size=numbers(size))
            case Sphere(radius=radius):
                child(parent, "sphere", radius=number(radius))
            case Cylinder(radius=radius, length=length):
                child(parent, "cylinder", radius=number(radius), length=number(length))
            case Capsule(radius=radius, length=length):
                child(parent, "capsule", radius=number(radius), length=number(length))
            case Mesh():
                child(parent, "mesh", filename=self.assets.mesh(shape, hint))
            case _:  # a URDF knows no cones, planes and height fields
                child(parent, "mesh", filename=self.assets.mesh(tessellate(shape), hint))

    def _material(self, visual: Element, material: Material) -> None:
        if material == _PLAIN:
            return
        looks = replace(_PLAIN, colour=material.colour, texture=material.texture)
        element = child(visual, "material", name=self._name(material.name, looks))
        child(element, "color", rgba=numbers(material.colour))
        texture = self.assets.texture(material.texture)
        if texture:
            child(element, "texture", filename=texture)

    def _name(self, wanted: str, looks: Material) -> str:
        """Return a name that stands for these looks only: a URDF's materials are known by name."""
        name, count = wanted, 2
        while self.materials.setdefault(name, looks) != looks:
            name, count = f"{wanted}_{count}", count + 1
        return name

    def _joint(self, robot: Element, joint: Joint) -> None:
        kind = joint.kind
        limited = math.isfinite(joint.lower) or math.isfinite(joint.upper)
        if kind == "revolute" and not limited:
            kind = "continuous"
        element = child(robot, "joint", name=joint.name, type=kind)
        _origin(element, joint.origin)
        child(element, "parent", link=joint.parent)
        child(element, "child", link=joint.child)
        if kind == "fixed":
            return
        child(element, "axis", xyz=numbers(joint.axis))
        if kind != "continuous":
            child(
                element,
                "limit",
                lower=number(joint.lower),
                upper=number(joint.upper),
                effort=_NO_LIMIT,
                velocity=_NO_LIMIT,
            )
        if joint.damping or joint.friction:
            damping, friction = number(joint.damping), number(joint.friction)
            child(element, "dynamics", damping=damping, friction=friction)

    def _extensions(self, robot: Element) -> None:
        """Write what Gazebo's extension tags can say and URDF cannot."""
        if self.model.mobility == "static":
            child(child(robot, "gazebo"), "static", "true")
        for link in self.model.links:
            if link.colliders:
                _surface(robot, link.name, link.colliders[0].material)
        for joint in self.model.joints:
            if joint.stiffness:
                element = child(robot, "gazebo", reference=joint.name)
                child(element, "springStiffness", number(joint.stiffness))
                child(element, "springReference", number(joint.rest))


def _origin(parent: Element, pose: Pose) -> None:
    if not is_identity(pose):
        child(parent, "origin", xyz=numbers(pose.position), rpy=numbers(exact_rpy(pose)))


def _surface(robot: Element, link: str, material: Material) -> None:
    """Write friction, stiffness and damping of a link where they are not the usual ones."""
    pairs = [
        (("mu1", "mu2"), material.friction, _PLAIN.friction),
        (("kp",), material.stiffness, _PLAIN.stiffness),
        (("kd",), material.damping, _PLAIN.damping),
    ]
    told = [(tag, value) for tags, value, usual in pairs if value != usual for tag in tags]
    if told:
        element = child(robot, "gazebo", reference=link)
        for tag, value in told:
            child(element, tag, number(value))
