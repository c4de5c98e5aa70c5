"""The visuals and collisions of a link as SDF."""

from __future__ import annotations

from typing import Literal

from outrider.formats.asset_folder import AssetFolder
from outrider.formats.elevation.write import heights_png
from outrider.formats.xml_source import Element
from outrider.formats.xml_write import child, exact_rpy, is_identity, number, numbers
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link
from outrider.world.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    HeightField,
    Mesh,
    Plane,
    Shape,
    Sphere,
)
from outrider.world.tessellate import tessellate

_TAGS = {Cylinder: "cylinder", Capsule: "capsule", Cone: "cone"}


class SdfGeometryWriter:
    """Writes shapes, and knows which are written already as files."""

    def __init__(self, assets: AssetFolder, heights: Literal["mesh", "image"]) -> None:
        self.assets = assets
        self.heights = heights
        self._fields: dict[int, tuple[HeightField, Mesh | str]] = {}

    def write(self, element: Element, link: Link) -> None:
        """Append all visuals and collisions of a link."""
        for tag, shapes in (("visual", link.visuals), ("collision", link.colliders)):
            taken: set[str] = set()
            for geometry in shapes:
                name = _free(geometry.name or tag, taken)
                self._geometry(element, tag, geometry, name, f"{link.name}_{name}")

    def _geometry(self, link: Element, tag: str, geometry: Geometry, name: str, hint: str) -> None:
        element = child(link, tag, name=name)
        if not is_identity(geometry.pose):
            pose = geometry.pose
            child(element, "pose", numbers([*pose.position, *exact_rpy(pose)]))
        self._shape(child(element, "geometry"), geometry.shape, hint)
        if tag == "visual":
            self._material(element, geometry.material)
        else:
            _surface(element, geometry.material)

    def _shape(self, parent: Element, shape: Shape, hint: str) -> None:
        match shape:
            case Plane(size=size):
                plane = child(parent, "plane")
                child(plane, "normal", "0 0 1")
                child(plane, "size", numbers([size, size]))
            case Box(size=size):
                child(child(parent, "box"), "size", numbers(size))
            case Sphere(radius=radius):
                child(child(parent, "sphere"), "radius", number(radius))
            case Cylinder() | Capsule() | Cone():
                element = child(parent, _TAGS[type(shape)])
                child(element, "radius", number(shape.radius))
                child(element, "length", number(shape.length))
            case HeightField():
                self._height_field(parent, shape, hint)
            case Mesh():
                child(child(parent, "mesh"), "uri", self.assets.mesh(shape, hint))

    def _height_field(self, parent: Element, field: HeightField, hint: str) -> None:
        low, high = float(field.heights.min()), float(field.heights.max())
        if self.heights == "mesh" or high == low:
            mesh = self._written(field, hint, image=False)
            child(child(parent, "mesh"), "uri", self.assets.mesh(mesh, hint))  # type: ignore[arg-type]
            return
        element = child(parent, "heightmap")
        child(element, "uri", str(self._written(field, hint, image=True)))
        child(element, "size", numbers([*field.size, high - low]))
        child(element, "pos", numbers([0.0, 0.0, low]))

    def _written(self, field: HeightField, hint: str, *, image: bool) -> Mesh | str:
        """Return the mesh or image of a field: a ground's visual and collider share one."""
        if id(field) not in self._fields:
            made = self.assets.data(heights_png(field), hint, ".png") if image else None
            self._fields[id(field)] = field, made or tessellate(field)
        return self._fields[id(field)][1]

    def _material(self, visual: Element, material: Material) -> None:
        element = child(visual, "material")
        colour = numbers(material.colour)
        child(element, "ambient", colour)
        child(element, "diffuse", colour)
        texture = self.assets.texture(material.texture)
        if texture:
            metal = child(child(element, "pbr"), "metal")
            child(metal, "albedo_map", texture)
            child(metal, "metalness", "0")


def _surface(collision: Element, material: Material) -> None:
    surface = child(collision, "surface")
    ode = child(child(surface, "friction"), "ode")
    child(ode, "mu", number(material.friction))
    child(ode, "mu2", number(material.friction * material.lateral_ratio))
    contact = child(child(surface, "contact"), "ode")
    child(contact, "kp", number(material.stiffness))
    child(contact, "kd", number(material.damping))
    if material.restitution:
        child(child(surface, "bounce"), "restitution_coefficient", number(material.restitution))


def _free(wanted: str, taken: set[str]) -> str:
    name, count = wanted, 2
    while name in taken:
        name, count = f"{wanted}_{count}", count + 1
    taken.add(name)
    return name
