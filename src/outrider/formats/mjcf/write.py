"""Models and worlds as MuJoCo's MJCF, for people who go on in plain MuJoCo."""

import math
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.formats.asset_folder import AssetFolder
from outrider.formats.mjcf.write_geometry import MjcfGeometryWriter, placed
from outrider.formats.xml_source import Element
from outrider.formats.xml_write import child, document, number, numbers, root
from outrider.world.model import Geometry, Inertial, Joint, Light, Link, Model, World

Solid: TypeAlias = Callable[[Geometry, bool], Iterable[Geometry]]
_KINDS = {"revolute": "hinge", "continuous": "hinge", "prismatic": "slide"}


def write_mjcf(of: World | Model, folder: Path | None, solid: Solid | None = None) -> str:
    """Return a world or model as MJCF; meshes and height fields go to ``folder`` beside the file.

    MuJoCo collides a mesh as its convex hull. ``solid`` says what a collider (and whether it never
    moves) is to collide as instead; without it meshes are written as they are.
    """
    world = of if isinstance(of, World) else World(of.name, (of,), lights=())
    return _MjcfWriter(world, AssetFolder(folder), solid, alone=isinstance(of, Model)).write()


class _MjcfWriter:
    def __init__(
        self, world: World, assets: AssetFolder, solid: Solid | None, *, alone: bool
    ) -> None:
        self.world = world
        self.solid = solid or (lambda geometry, _: (geometry,))
        self.alone = alone  # a single model's links keep their plain names
        self.top = root("mujoco", model=world.name)
        # figures are ours, also where MuJoCo would rather work them out from the shapes
        child(self.top, "compiler", angle="radian", autolimits="false", inertiafromgeom="false")
        child(self.top, "option", gravity=numbers(world.gravity))
        self.geometry = MjcfGeometryWriter(child(self.top, "asset"), assets)
        self.body_root = child(self.top, "worldbody")
        self.apart: list[tuple[str, str]] = []  # bodies that do not touch each other

    def write(self) -> str:
        for light in self.world.lights:
            _light(self.body_root, light)
        for model in self.world.models:
            self._model(model, Pose(), "")
        if self.apart:
            contact = child(self.top, "contact")
            for one, other in self.apart:
                child(contact, "exclude", body1=one, body2=other)
        return document(self.top)

    def _model(self, model: Model, T_world_parent: Pose, prefix: str) -> None:
        if not model.links:
            raise FormatError(f"model '{model.name}' has no links")
        name, pose = prefix + model.name, T_world_parent @ model.pose
        roots = model.roots
        if len(roots) != 1:
            raise FormatError(f"model '{name}' needs exactly one root link, it has {len(roots)}")
        own = "" if self.alone and not prefix else f"{name}/"
        self._body(self.body_root, model, roots[0], None, pose, own)
        touching = [own + link.name for link in model.links if link.colliders]
        if model.mobility != "static":
            self.apart += combinations(touching, 2)
        for inner in model.children:
            self._model(inner, pose, f"{name}/")

    def _body(
        self, parent: Element, model: Model, link: Link, joint: Joint | None, pose: Pose, own: str
    ) -> None:
        element = child(parent, "body", name=own + link.name, **placed(pose))
        if joint is None and model.mobility == "scripted":
            element.set("mocap", "true")
        elif joint is None and model.mobility == "dynamic":
            child(element, "freejoint")
        elif joint is not None and joint.kind != "fixed":
            _joint(element, joint, own)
        if link.inertial is not None and model.mobility != "static":
            _inertial(element, link.inertial)
        self._shapes(element, model, link, own)
        for below in model.joints:
            if below.parent == link.name:
                self._body(element, model, model.link(below.child), below, below.origin, own)

    def _shapes(self, body: Element, model: Model, link: Link, own: str) -> None:
        hint = own + link.name
        for geometry in link.visuals:
            self.geometry.visual(body, geometry, hint)
        for geometry in link.colliders:
            for piece in self.solid(geometry, model.mobility == "static"):
                self.geometry.collider(body, piece, hint)


def _joint(body: Element, joint: Joint, own: str) -> None:
    limited = math.isfinite(joint.lower) or math.isfinite(joint.upper)
    figures = {
        "damping": joint.damping,
        "frictionloss": joint.friction,
        "stiffness": joint.stiffness,
        "springref": joint.rest,
        "armature": joint.armature,
    }
    told = {name: number(value) for name, value in figures.items() if value}
    if limited:
        told |= {"limited": "true", "range": numbers([joint.lower, joint.upper])}
    name, kind, axis = own + joint.name, _KINDS[joint.kind], numbers(joint.axis)
    child(body, "joint", name=name, type=kind, axis=axis, **told)


def _inertial(body: Element, inertial: Inertial) -> None:
    """Write an inertia as it is if it is diagonal, else turned into the link's axes."""
    tensor, mass = np.asarray(inertial.inertia), number(inertial.mass)
    if not (tensor - np.diag(np.diag(tensor))).any():
        moments = numbers(np.diag(tensor))
        child(
            body, "inertial", mass=mass, diaginertia=moments, **placed(inertial.pose, always=True)
        )
        return
    axes = matrix_from_quaternion(inertial.pose.rotation)
    i = axes @ tensor @ axes.T
    full = numbers([i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]])
    child(body, "inertial", pos=numbers(inertial.pose.position), mass=mass, fullinertia=full)


def _light(parent: Element, light: Light) -> None:
    child(
        parent,
        "light",
        name=light.name,
        type=light.kind,
        pos=numbers(light.position),
        dir=numbers(light.direction),
        castshadow=str(light.cast_shadows).lower(),
        diffuse=numbers(min(c * light.intensity, 1.0) for c in light.colour),
    )
