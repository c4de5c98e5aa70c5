"""Shapes of SDF's visuals and collisions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array, Pose
from outrider.formats.elevation.heightmap import read_heightmap
from outrider.formats.mesh.link_geometry import MeshUse, mesh_colliders, mesh_visuals
from outrider.formats.sdf.document import SdfDocument, SdfLibrary
from outrider.formats.sdf.heightmap_textures import ground_look
from outrider.formats.sdf.polyline import polyline_mesh
from outrider.formats.xml_source import Element, XmlSource
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Mesh,
    Plane,
    Shape,
    Sphere,
)
from outrider.world.tessellate import tessellate

ENDLESS = 2000.0  # m: a collision plane has no edge in Gazebo
SHAPES = (
    "plane",
    "box",
    "sphere",
    "cylinder",
    "capsule",
    "cone",
    "ellipsoid",
    "mesh",
    "heightmap",
    "polyline",
    "image",
    "empty",
)


@dataclass(frozen=True, slots=True)
class ShapeUse:
    """Who has a shape: where, of what, and whether it is seen or felt."""

    name: str
    pose: Pose
    material: Material
    own_look: bool
    visual: bool


def read_shapes(
    library: SdfLibrary, document: SdfDocument, owner: Element, use: ShapeUse
) -> tuple[Geometry, ...]:
    """Return the geometry of a ``<visual>`` or ``<collision>``: none, one, or one per part."""
    geometry = owner.find("geometry")
    if geometry is None:
        raise document.xml.fail(owner, "a <geometry> is required")
    found = [child for child in geometry if child.tag in SHAPES]
    if not found:
        tags = ", ".join(f"<{child.tag}>" for child in geometry) or "nothing"
        raise document.xml.fail(geometry, f"expected a shape, got {tags}")
    element, tag = found[0], found[0].tag
    if tag == "mesh":
        return _mesh(library, document, element, use)
    if tag == "heightmap":
        return _heightmap(library, document, element, use)
    if tag in ("image", "empty"):
        if tag == "image":
            document.xml.note(element, "extruded images are not supported and were left out")
        return ()
    posed = _simple(document.xml, element, geometry, use)
    if posed is None:
        return ()
    shape, rotation = posed
    return (Geometry(shape, use.pose @ rotation, use.material, use.name),)


def _simple(
    xml: XmlSource, element: Element, geometry: Element, use: ShapeUse
) -> tuple[Shape, Pose] | None:
    tag = str(element.tag)
    if tag == "plane":
        return _plane(xml, element, use.visual)
    if tag == "polyline":
        solid = polyline_mesh(xml, geometry)
        return None if solid is None else (solid, Pose())
    if tag == "box":
        x, y, z = _sizes(xml, element, "size", 3)
        return (Box((x, y, z)), Pose()) if _has_size(xml, element, x, y, z) else None
    if tag == "ellipsoid":
        x, y, z = _sizes(xml, element, "radii", 3)
        return (_ellipsoid(x, y, z), Pose()) if _has_size(xml, element, x, y, z) else None
    (radius,) = _sizes(xml, element, "radius", 1)
    if tag == "sphere":
        return (Sphere(radius), Pose()) if _has_size(xml, element, radius) else None
    (length,) = _sizes(xml, element, "length", 1)
    if not _has_size(xml, element, radius, length):
        return None
    return _round(tag, radius, length), Pose()


def _round(tag: str, radius: float, length: float) -> Shape:
    if tag == "cylinder":
        return Cylinder(radius, length)
    return Capsule(radius, length) if tag == "capsule" else Cone(radius, length)


def _sizes(xml: XmlSource, element: Element, tag: str, count: int) -> tuple[float, ...]:
    child = element.find(tag)
    if child is None:
        raise xml.fail(element, f"a <{tag}> is required")
    return xml.parse(child, tag, child.text or "", count)


def _has_size(xml: XmlSource, element: Element, *sizes: float) -> bool:
    if min(sizes) < 0:
        raise xml.fail(element, f"a size cannot be negative, got {min(sizes):g}")
    if min(sizes) == 0:
        xml.note(element, "has no extent and was left out")
        return False
    return True


def _plane(xml: XmlSource, element: Element, visual: bool) -> tuple[Shape, Pose] | None:
    """Return a plane: as large as it is drawn, without an edge where it is felt."""
    normal = np.array(xml.child_numbers(element, "normal", (0.0, 0.0, 1.0)))
    if not normal.any():
        raise xml.fail(element, "the normal has no direction")
    x, y = xml.child_numbers(element, "size", (1.0, 1.0))
    if not _has_size(xml, element, x, y):
        return None
    rotation = Pose(rotation=_upward_to(normal / np.linalg.norm(normal)))
    if not visual:
        return Plane(max(x, y, ENDLESS)), rotation
    return (Plane(x) if x == y else _sheet(x, y)), rotation


def _upward_to(normal: Array) -> Array:
    """Return the shortest rotation from z to a direction."""
    up = np.array([0.0, 0.0, 1.0])
    if normal @ up < -1 + 1e-12:
        return np.array([1.0, 0.0, 0.0, 0.0])
    return np.array([*np.cross(up, normal), 1.0 + float(normal @ up)])


def _sheet(x: float, y: float) -> Mesh:
    corners = np.array([[-x, -y, 0.0], [x, -y, 0.0], [-x, y, 0.0], [x, y, 0.0]]) / 2
    return Mesh(corners, np.array([[0, 1, 2], [1, 3, 2]], np.int32))


def _ellipsoid(x: float, y: float, z: float) -> Mesh:
    ball = tessellate(Sphere(1.0))
    return Mesh(ball.vertices * np.array([x, y, z]), ball.faces, source="ellipsoid")


def _mesh(
    library: SdfLibrary, document: SdfDocument, element: Element, use: ShapeUse
) -> tuple[Geometry, ...]:
    xml, uri = document.xml, document.xml.child_text(element, "uri")
    if not uri:
        raise xml.fail(element, "a <uri> is required")
    x, y, z = xml.child_numbers(element, "scale", (1.0, 1.0, 1.0))
    if 0.0 in (x, y, z):
        raise xml.fail(element, "a mesh cannot be scaled by zero")
    submesh = element.find("submesh")
    name = None if submesh is None else xml.child_text(submesh, "name") or None
    centre = submesh is not None and xml.child_flag(submesh, "center")
    try:
        found = MeshUse(document.assets.find(uri), (x, y, z), name, centre, library.collada_up)
    except FormatError as error:
        if not library.lenient:
            raise xml.fail(element, str(error)) from None
        xml.note(element, f"was left out: {error}", "missing", key=f"mesh {uri}")
        return ()
    try:
        if use.visual:
            return mesh_visuals(found, use.pose, use.material, use.own_look, use.name, xml.log)
        return mesh_colliders(found, use.pose, use.material, use.name, xml.log)
    except FormatError as error:
        raise xml.fail(element, str(error)) from None


def _heightmap(
    library: SdfLibrary, document: SdfDocument, element: Element, use: ShapeUse
) -> tuple[Geometry, ...]:
    xml, uri = document.xml, document.xml.child_text(element, "uri")
    if not uri:
        raise xml.fail(element, "a <uri> is required")
    x, y, z = xml.child_numbers(element, "size", (0.0, 0.0, 0.0))
    size = (x, y, z) if min(x, y) > 0 else None
    place = Pose(np.array(xml.child_numbers(element, "pos", (0.0, 0.0, 0.0))))
    try:
        found = read_heightmap(document.assets.find(uri), size)
    except FormatError as error:
        if not library.lenient:
            raise xml.fail(element, str(error)) from None
        xml.note(element, f"was left out: {error}", "missing", key=f"heightmap {uri}")
        return ()
    xml.log.extend("applied", found.notes, f"{uri}: ")
    material = (
        ground_look(document, element, found.field, use.material) if use.visual else use.material
    )
    return (Geometry(found.field, use.pose @ place, material, use.name),)
