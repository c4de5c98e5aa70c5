"""Worlds and models as SDF 1.9 text (1.11 where there are cones)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Literal, TypeAlias

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.formats.asset_folder import AssetFolder
from outrider.formats.sdf.write_geometry import SdfGeometryWriter
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
from outrider.world.model import Inertial, Joint, Light, Link, Model, World
from outrider.world.shapes import Cone

Heights: TypeAlias = Literal["mesh", "image"]


def write_sdf(of: World | Model, folder: Path | None, heights: Heights = "mesh") -> str:
    """Return a world or model as SDF; meshes and images go to ``folder``, beside the file.

    Height fields become meshes, which are exact, or 16-bit images, which are small.
    """
    models = of.models if isinstance(of, World) else (of,)
    version = "1.11" if _has_cone(models) else "1.9"
    sdf = root("sdf", version=version)
    writer = _SdfWriter(SdfGeometryWriter(AssetFolder(folder), heights))
    if isinstance(of, World):
        writer.world(sdf, of)
    else:
        writer.model(sdf, of)
    return document(sdf)


def lost_in_sdf(of: World | Model) -> list[str]:
    """Return a sentence for everything of a world or model that SDF cannot say."""
    models = list(_all(of.models if isinstance(of, World) else (of,)))
    if any(joint.armature for model in models for joint in model.joints):
        return ["the armature of joints"]
    return []


class _SdfWriter:
    """Writes elements in the order that the specification lists them."""

    def __init__(self, geometry: SdfGeometryWriter) -> None:
        self.geometry = geometry

    def world(self, sdf: Element, world: World) -> None:
        element = child(sdf, "world", name=world.name)
        child(element, "gravity", numbers(world.gravity))
        self._scene(element, world)
        self._place_on_earth(element, world)
        if not is_identity(world.start):
            _pose(child(element, "frame", name="start"), world.start)
        for light in world.lights:
            self._light(element, light)
        for model in world.models:
            self.model(element, model)

    def _scene(self, element: Element, world: World) -> None:
        scene = child(element, "scene")
        child(scene, "ambient", numbers([*world.ambient, 1.0]))
        child(scene, "background", numbers([*world.sky, 1.0]))
        shadows = any(light.cast_shadows for light in world.lights)
        child(scene, "shadows", str(shadows).lower())

    def _place_on_earth(self, element: Element, world: World) -> None:
        place = child(element, "spherical_coordinates")
        child(place, "surface_model", "EARTH_WGS84")
        child(place, "world_frame_orientation", "ENU")
        child(place, "latitude_deg", number(world.origin.latitude_deg))
        child(place, "longitude_deg", number(world.origin.longitude_deg))
        child(place, "elevation", number(world.origin.altitude_m))
        child(place, "heading_deg", "0")

    def _light(self, element: Element, light: Light) -> None:
        made = child(element, "light", name=light.name, type=light.kind)
        child(made, "pose", numbers([*light.position, 0, 0, 0]))
        child(made, "cast_shadows", str(light.cast_shadows).lower())
        child(made, "intensity", number(light.intensity))
        child(made, "diffuse", numbers([*light.colour, 1.0]))
        if light.kind != "directional":
            fade = child(made, "attenuation")
            child(fade, "range", number(light.range))
        if light.kind != "point":
            child(made, "direction", numbers(light.direction))
        if light.kind == "spot":
            spot = child(made, "spot")
            for tag, value in (("inner_angle", 0.6), ("outer_angle", 1.0), ("falloff", 1.0)):
                child(spot, tag, number(value))

    def model(self, parent: Element, model: Model) -> None:
        """Append a model with its links, joints and the models inside it."""
        if not model.links:
            raise FormatError(f"model '{model.name}' has no links")
        _check_names(model)
        element = child(parent, "model", name=model.name)
        if model.mobility == "static":
            child(element, "static", "true")
        _pose(element, model.pose)
        carried = {joint.child: joint.name for joint in model.joints}
        for link in model.links:
            self._link(element, model, link, carried.get(link.name, ""))
        for joint in model.joints:
            self._joint(element, joint)
        for inner in model.children:
            self.model(element, inner)

    def _link(self, parent: Element, model: Model, link: Link, joint: str) -> None:
        """Write a link in the frame of the joint that carries it: so no figure is changed."""
        element = child(parent, "link", name=link.name)
        if joint:
            child(element, "pose", "0 0 0 0 0 0", relative_to=joint)
        if model.mobility == "scripted":
            child(element, "kinematic", "true")
        if link.inertial is not None:
            self._inertial(element, link.inertial)
        self.geometry.write(element, link)

    def _inertial(self, link: Element, inertial: Inertial) -> None:
        element = child(link, "inertial")
        _pose(element, inertial.pose)
        child(element, "mass", number(inertial.mass))
        tensor = child(element, "inertia")
        for i, j, tag in (
            (0, 0, "ixx"),
            (0, 1, "ixy"),
            (0, 2, "ixz"),
            (1, 1, "iyy"),
            (1, 2, "iyz"),
            (2, 2, "izz"),
        ):
            child(tensor, tag, number(inertial.inertia[i, j]))

    def _joint(self, parent: Element, joint: Joint) -> None:
        element = child(parent, "joint", name=joint.name, type=joint.kind)
        origin = child(element, "pose", relative_to=joint.parent)
        origin.text = numbers([*joint.origin.position, *exact_rpy(joint.origin)])
        child(element, "parent", joint.parent)
        child(element, "child", joint.child)
        if joint.kind == "fixed":
            return
        axis = child(element, "axis")
        child(axis, "xyz", numbers(joint.axis))
        limit = child(axis, "limit")
        child(limit, "lower", number(joint.lower))
        child(limit, "upper", number(joint.upper))
        dynamics = child(axis, "dynamics")
        child(dynamics, "damping", number(joint.damping))
        child(dynamics, "friction", number(joint.friction))
        child(dynamics, "spring_reference", number(joint.rest))
        child(dynamics, "spring_stiffness", number(joint.stiffness))


def _pose(parent: Element, pose: Pose) -> None:
    if not is_identity(pose):
        child(parent, "pose", numbers([*pose.position, *exact_rpy(pose)]))


def _check_names(model: Model) -> None:
    """Links, joints and models inside share one room of names in SDF."""
    names = [item.name for group in (model.links, model.joints, model.children) for item in group]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise FormatError(f"model '{model.name}': SDF allows only one '{twice[0]}'; rename one")


def _has_cone(models: tuple[Model, ...]) -> bool:
    links = [link for model in _all(models) for link in model.links]
    return any(isinstance(g.shape, Cone) for k in links for g in (*k.visuals, *k.colliders))


def _all(models: tuple[Model, ...]) -> list[Model]:
    return [found for model in models for found in (model, *_all(model.children))]
