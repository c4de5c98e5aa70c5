"""The shapes and materials of a URDF's links."""

from collections.abc import Callable
from dataclasses import replace

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.gazebo.surface import ContactSurface, named_colour
from outrider.formats.gazebo.tags import GazeboTags
from outrider.formats.mesh.link_geometry import ColladaUp, MeshUse, mesh_colliders, mesh_visuals
from outrider.formats.xml_source import Element, XmlSource
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Capsule, Cylinder, Shape, Sphere

SHAPES = ("box", "sphere", "cylinder", "capsule", "mesh")
_EXPECTED = f"expected one of <{'>, <'.join(SHAPES)}>"


def read_origin(source: XmlSource, element: Element) -> Pose:
    """Return the pose of an element's ``<origin>``, or the identity."""
    origin = source.only(element, "origin")
    if origin is None:
        return Pose()
    xyz = source.numbers(origin, "xyz", (0.0, 0.0, 0.0))
    rpy = source.numbers(origin, "rpy", (0.0, 0.0, 0.0))
    return Pose.from_rpy(xyz, rpy)


class UrdfGeometryReader:
    """Reads visuals and collisions of one document; knows its materials and assets."""

    def __init__(
        self,
        source: XmlSource,
        assets: AssetPaths,
        tags: GazeboTags,
        lenient: bool = False,
        collada_up: ColladaUp = "ros",
    ) -> None:
        """``tags`` say how links rub and what Gazebo paints them with."""
        self.source = source
        self.assets = assets
        self.tags = tags
        self.lenient = lenient
        self.collada_up: ColladaUp = collada_up
        self.materials = self._named_materials()

    def visuals(self, link: Element) -> tuple[Geometry, ...]:
        """Return what the link looks like; wheels on it feel its surface, too."""
        return tuple(g for e in link.findall("visual") for g in self._visual(e, link))

    def colliders(self, link: Element) -> tuple[Geometry, ...]:
        """Return what the link touches with."""
        material = self._rubbing(Material(), link)
        return tuple(g for e in link.findall("collision") for g in self._collider(e, material))

    def _visual(self, element: Element, link: Element) -> tuple[Geometry, ...]:
        pose, name = read_origin(self.source, element), element.get("name", "")
        told = self._material(element)
        paint = named_colour(self.tags.materials.get(link.get("name", ""), ""))
        if told is None and paint is not None:
            told = Material(colour=paint)
        material = self._rubbing(told or Material(), link)
        shape = self._shape(element)
        if isinstance(shape, MeshUse):
            own = told is None
            return self._meshed(
                element,
                lambda: mesh_visuals(shape, pose, material, own, name, self.source.log),
            )
        return () if shape is None else (Geometry(shape, pose, material, name),)

    def _collider(self, element: Element, material: Material) -> tuple[Geometry, ...]:
        pose, name = read_origin(self.source, element), element.get("name", "")
        for child in element:
            if child.tag not in ("geometry", "origin"):
                self.source.note(
                    child, "is not part of a URDF's collision and was left out", key=str(child.tag)
                )
        shape = self._shape(element)
        if isinstance(shape, MeshUse):
            return self._meshed(
                element, lambda: mesh_colliders(shape, pose, material, name, self.source.log)
            )
        return () if shape is None else (Geometry(shape, pose, material, name),)

    def _meshed(
        self, element: Element, read: Callable[[], tuple[Geometry, ...]]
    ) -> tuple[Geometry, ...]:
        try:
            return read()
        except FormatError as error:
            raise self.source.fail(element, str(error)) from None

    def _rubbing(self, material: Material, link: Element) -> Material:
        surface = self.tags.surfaces.get(link.get("name", ""), ContactSurface())
        return surface.on(material, self.source.location(link), self.source.log)

    def _shape(self, owner: Element) -> Shape | MeshUse | None:
        """Return the one shape of a visual or collision; None where it has no size."""
        geometry = self.source.only(owner, "geometry")
        if geometry is None:
            raise self.source.fail(owner, "a <geometry> is required")
        found = [child for child in geometry if child.tag in SHAPES]
        if len(found) != 1:
            tags = ", ".join(f"<{child.tag}>" for child in geometry) or "nothing"
            raise self.source.fail(geometry, f"{_EXPECTED}, got {tags}")
        if found[0].tag == "mesh":
            return self._mesh(found[0])
        return self._primitive(found[0])

    def _primitive(self, element: Element) -> Shape | None:
        if element.tag == "box":
            x, y, z = self.source.numbers(element, "size", None, 3)
            return Box((x, y, z)) if self._has_size(element, x, y, z) else None
        radius = self.source.number(element, "radius")
        if element.tag == "sphere":
            return Sphere(radius) if self._has_size(element, radius) else None
        length = self.source.number(element, "length")
        if not self._has_size(element, radius, length):
            return None
        return Cylinder(radius, length) if element.tag == "cylinder" else Capsule(radius, length)

    def _has_size(self, element: Element, *sizes: float) -> bool:
        if min(sizes) < 0:
            raise self.source.fail(element, f"a size cannot be negative, got {min(sizes):g}")
        if min(sizes) == 0:
            self.source.note(element, "has no extent and was left out")
            return False
        return True

    def _mesh(self, element: Element) -> MeshUse | None:
        x, y, z = self.source.numbers(element, "scale", (1.0, 1.0, 1.0))
        if 0.0 in (x, y, z):
            raise self.source.fail(element, "a mesh cannot be scaled by zero")
        uri = self.source.text(element, "filename")
        try:
            return MeshUse(self.assets.find(uri), (x, y, z), collada_up=self.collada_up)
        except FormatError as error:
            if not self.lenient:
                raise self.source.fail(element, str(error)) from None
            self.source.note(element, f"was left out: {error}", "missing", key=f"mesh {uri}")
            return None

    def _material(self, visual: Element) -> Material | None:
        element = self.source.only(visual, "material")
        if element is None:
            return None
        if len(element):
            return self._defined(element)
        name = self.source.text(element, "name")
        if name not in self.materials:
            self.source.note(
                element, "is not defined anywhere; the default colour is used", "guessed"
            )
            return Material(name=name)
        return self.materials[name]

    def _named_materials(self) -> dict[str, Material]:
        """Return all materials that have a body; those of the robot itself come first."""
        root = self.source.root
        inline = [e for e in root.iterfind("link/visual/material") if len(e)]
        named: dict[str, Material] = {}
        for element in [*root.findall("material"), *inline]:
            name = element.get("name", "")
            material = self._defined(element)
            if name and named.setdefault(name, material) != material:
                self.source.note(element, "is defined twice; references use the first")
        return named

    def _defined(self, element: Element) -> Material:
        material = Material(name=element.get("name") or "default")
        colour, texture = self.source.only(element, "color"), self.source.only(element, "texture")
        if colour is not None:
            r, g, b, a = self._rgba(colour)
            if not all(0 <= value <= 1 for value in (r, g, b, a)):
                raise self.source.fail(colour, "a colour has four values from 0 to 1")
            material = replace(material, colour=(r, g, b, a))
        if texture is not None:
            material = replace(material, texture=self._texture(texture))
        if colour is None and texture is None:
            self.source.note(element, "has neither colour nor texture")
        return material

    def _rgba(self, colour: Element) -> tuple[float, ...]:
        if len(self.source.text(colour, "rgba").split()) != 3:
            return self.source.numbers(colour, "rgba", None, 4)
        self.source.note(colour, "has no opacity; 1 is used", "guessed", key="no opacity")
        return *self.source.numbers(colour, "rgba", None, 3), 1.0

    def _texture(self, element: Element) -> str:
        uri = (element.get("filename") or "").strip()
        if not uri:
            self.source.note(element, "names no file and was left out")
            return ""
        try:
            return str(self.assets.find(uri))
        except FormatError as error:
            self.source.note(element, f"the texture was left out: {error}", "missing")
            return ""
