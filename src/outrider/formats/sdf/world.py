"""Everything in an SDF world besides its models: light, sky, gravity, geographic origin."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from outrider.core.frames import Pose, matrix_from_quaternion, quaternion_from_rpy
from outrider.formats.gazebo.pose import read_pose
from outrider.formats.sdf.document import SdfDocument
from outrider.formats.sdf.scope import Scope
from outrider.formats.xml_source import Element
from outrider.world.model import GeoOrigin, Light, World

_NOTHING = {
    "actor",
    "gui",
    "audio",
    "state",
    "model",
    "include",
    "light",
    "physics",
    "gravity",
    "scene",
    "frame",
    "spherical_coordinates",
    "population",
    "plugin",
    "wind",
}
_KINDS = ("directional", "point", "spot")
RGB = tuple[float, float, float]


def read_environment(document: SdfDocument, world: Element, name: str, scope: Scope) -> World:
    """Return a world without models."""
    base = World(name, lights=())
    for child in world:
        if child.tag not in _NOTHING:
            document.xml.note(
                child, "is not part of a world here and was left out", key=f"world {child.tag}"
            )
    for plugin in world.findall("plugin"):
        document.xml.note(plugin, "plugins of the world are not needed here", key="world plugin")
    lights = tuple(
        read_light(document, e, _placed(document, e, scope)) for e in world.findall("light")
    )
    start = scope.pose("start") if "start" in scope.entries else Pose()
    made = replace(
        base,
        gravity=_gravity(document, world),
        origin=_origin(document, world),
        lights=lights,
        start=start,
    )
    return _scene(document, world, made)


def _placed(document: SdfDocument, element: Element, scope: Scope) -> Pose:
    pose, relative_to = read_pose(document.xml, element)
    return scope.pose(relative_to) @ pose if relative_to else pose


def read_light(document: SdfDocument, element: Element, pose: Pose) -> Light:
    """Return a light at a pose of the world."""
    xml = document.xml
    kind = (element.get("type") or "point").strip()
    if kind not in _KINDS:
        raise xml.fail(element, f"there is no light of type '{kind[:40]}'")
    direction = np.array(xml.child_numbers(element, "direction", (0.0, 0.0, -1.0)))
    if not direction.any():
        raise xml.fail(element, "the direction has no length")
    if kind == "directional" and np.abs(pose.rotation[:3]).max() > 1e-9:
        xml.note(element, "its direction is used as given, without its own rotation", "guessed")
    elif kind == "spot":
        direction = matrix_from_quaternion(pose.rotation) @ direction
    attenuation = element.find("attenuation")
    reach = 10.0 if attenuation is None else xml.child_number(attenuation, "range", 10.0)
    x, y, z = (float(v) for v in pose.position)
    dx, dy, dz = (float(v) for v in direction)
    return Light(
        name=element.get("name") or kind,
        kind=kind,  # type: ignore[arg-type]
        position=(x, y, z),
        direction=(dx, dy, dz),
        colour=_rgb(document, element, "diffuse", (1.0, 1.0, 1.0)),
        intensity=max(xml.child_number(element, "intensity", 1.0), 0.0),
        range=max(reach, 0.0),
        cast_shadows=xml.child_flag(element, "cast_shadows"),
    )


def _rgb(document: SdfDocument, element: Element, tag: str, default: RGB) -> RGB:
    """Return a colour without its opacity."""
    child = element.find(tag)
    if child is None or not (child.text or "").strip():
        return default
    words = (child.text or "").split()
    values = document.xml.parse(child, tag, " ".join(words), 4 if len(words) == 4 else 3)
    r, g, b = (min(max(v, 0.0), 1.0) for v in values[:3])
    return r, g, b


def _scene(document: SdfDocument, world: Element, made: World) -> World:
    scene = world.find("scene")
    if scene is None:
        return made
    ambient = _rgb(document, scene, "ambient", made.ambient)
    sky = (
        made.sky if scene.find("sky") is not None else _rgb(document, scene, "background", made.sky)
    )
    lights = made.lights
    if not document.xml.child_flag(scene, "shadows", True):
        lights = tuple(replace(light, cast_shadows=False) for light in lights)
    if scene.find("fog") is not None:
        document.xml.note(scene, "fog was left out")
    return replace(made, ambient=ambient, sky=sky, lights=lights)


def _gravity(document: SdfDocument, world: Element) -> tuple[float, float, float]:
    """Return the world's weight; before 1.6 it stands under the physics."""
    xml = document.xml
    physics = world.find("physics")
    owner = world if world.find("gravity") is not None or physics is None else physics
    x, y, z = xml.child_numbers(owner, "gravity", (0.0, 0.0, -9.8))
    if max(abs(x), abs(y), abs(z)) > 1e4:
        raise xml.fail(owner, "the gravity is too large")
    if physics is not None and (step := xml.child_number(physics, "max_step_size", 0.0)) > 0:
        xml.note(
            physics,
            f"Gazebo's step of {step:g} s and its solver were left out: the scenario has its own",
        )
    return x, y, z


def _origin(document: SdfDocument, world: Element) -> GeoOrigin:
    xml = document.xml
    element = world.find("spherical_coordinates")
    if element is None:
        return GeoOrigin()
    surface = xml.child_text(element, "surface_model", "EARTH_WGS84")
    if surface != "EARTH_WGS84":
        xml.note(element, f"the surface {surface} is taken as EARTH_WGS84", "guessed")
    latitude = xml.child_number(element, "latitude_deg", 0.0)
    longitude = xml.child_number(element, "longitude_deg", 0.0)
    if abs(latitude) > 90 or abs(longitude) > 360:
        raise xml.fail(element, f"latitude {latitude:g}, longitude {longitude:g} is not on Earth")
    return GeoOrigin(latitude, longitude, xml.child_number(element, "elevation", 0.0))


def heading(document: SdfDocument, world: Element) -> float:
    """Return the angle from east to the world's x, counter-clockwise, in radians."""
    element = world.find("spherical_coordinates")
    if element is None:
        return 0.0
    return math.radians(document.xml.child_number(element, "heading_deg", 0.0))


def rotated(world: World, angle: float) -> World:
    """Return a world rotated about its origin, so that x points east."""
    rotation = Pose(rotation=quaternion_from_rpy(0.0, 0.0, angle))

    def light(old: Light) -> Light:
        x, y, z = (float(v) for v in rotation.apply(np.array(old.position)))
        dx, dy, dz = (float(v) for v in rotation.apply(np.array(old.direction)))
        return replace(old, position=(x, y, z), direction=(dx, dy, dz))

    models = tuple(replace(model, pose=rotation @ model.pose) for model in world.models)
    lights = tuple(light(old) for old in world.lights)
    return replace(world, models=models, lights=lights, start=rotation @ world.start)
