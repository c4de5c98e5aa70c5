"""SDF links: masses, visuals, collisions, and what is mounted on them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from outrider.core.frames import Pose
from outrider.formats.gazebo.pose import read_pose
from outrider.formats.inertial import plausible
from outrider.formats.sdf.document import SdfLibrary
from outrider.formats.sdf.geometry import ShapeUse, read_shapes
from outrider.formats.sdf.material import faded, read_look, read_surface
from outrider.formats.sdf.raw import RawModel
from outrider.formats.xml_source import Element
from outrider.world.materials import Material
from outrider.world.model import Geometry, Inertial, Link
from outrider.world.solids import solid_mass, volume_of

_DENSITY = 1000.0  # kg/m^3: SDF's own default
_READ = {
    "pose",
    "inertial",
    "visual",
    "collision",
    "sensor",
    "light",
    "kinematic",
    "static",
    # Gazebo's solver and its energy saving
    "gravity",
    "self_collide",
    "velocity_decay",
    "must_be_base_link",
    "enable_wind",
    "damping",
}


@dataclass(frozen=True, slots=True, eq=False)
class FlatLink:
    """A link of a flattened model, its pose in it, and the elements mounted on it."""

    link: Link
    pose: Pose
    scripted: bool = False
    static: bool = False
    owner: RawModel | None = None
    mounted: tuple[tuple[Element, Pose], ...] = field(default=())  # sensors and lights


def read_link(
    library: SdfLibrary, model: RawModel, element: Element, prefix: str, T_model: Pose
) -> FlatLink:
    """Return a link of a model whose own frame has the pose ``T_model`` in the flattened one."""
    xml = model.document.xml
    name = xml.text(element, "name")
    pose = model.scope.pose(name)
    reader = _LinkReader(library, model, pose)
    colliders, surface = reader.colliders(element)
    visuals = reader.visuals(element, surface)
    inertial = reader.inertial(element, colliders)
    for child in element:
        if child.tag not in _READ:
            xml.note(child, "is not known on a link and was left out", key=f"link {child.tag}")
    mounted = tuple(
        (child, reader.local(child)) for child in element if child.tag in ("sensor", "light")
    )
    link = Link(prefix + name, inertial, visuals, colliders)
    scripted = xml.child_flag(element, "kinematic")
    return FlatLink(link, T_model @ pose, scripted, model.static, model, mounted)


class _LinkReader:
    """Reads the parts of one link, whose frame has a pose in its model."""

    def __init__(self, library: SdfLibrary, model: RawModel, pose: Pose) -> None:
        self.library = library
        self.document = model.document
        self.scope = model.scope
        self.T_model_link = pose

    def local(self, element: Element) -> Pose:
        """Return a part's pose in the link; from 1.7 on it may count from any frame."""
        pose, relative_to = read_pose(self.document.xml, element)
        if not relative_to or self.document.version < (1, 7):
            return pose
        return self.T_model_link.inverse() @ self.scope.pose(relative_to) @ pose

    def colliders(self, link: Element) -> tuple[tuple[Geometry, ...], Material]:
        """Return what touches, and the surface of the first: visuals are given it too."""
        found: list[Geometry] = []
        surface: Material | None = None
        for element in link.findall("collision"):
            where = self.document.xml.location(element)
            said = read_surface(self.document, element)
            material = said.on(Material(), where, self.document.xml.log)
            surface = surface or material
            use = ShapeUse(element.get("name", ""), self.local(element), material, False, False)
            found += read_shapes(self.library, self.document, element, use)
        return tuple(found), surface or Material()

    def visuals(self, link: Element, surface: Material) -> tuple[Geometry, ...]:
        """Return what is seen."""
        found: list[Geometry] = []
        for element in link.findall("visual"):
            look = read_look(self.document, element)
            material = faded(self.document, element, _painted(surface, look))
            name, own = element.get("name", ""), look is None
            use = ShapeUse(name, self.local(element), material, own, True)
            found += read_shapes(self.library, self.document, element, use)
        return tuple(found)

    def inertial(self, link: Element, colliders: tuple[Geometry, ...]) -> Inertial | None:
        """Return mass and inertia; from 1.11 on they may be left to the shapes."""
        xml = self.document.xml
        element = link.find("inertial")
        if element is None:
            return None
        if (element.get("auto") or "").strip().lower() in ("1", "true"):
            return self._from_shapes(link, element, colliders)
        mass = xml.child_number(element, "mass", 1.0)
        tensor = element.find("inertia")
        if tensor is None:
            inertia = np.eye(3)
        else:
            xx, yy, zz = (xml.child_number(tensor, tag, 1.0) for tag in ("ixx", "iyy", "izz"))
            xy, xz, yz = (xml.child_number(tensor, tag, 0.0) for tag in ("ixy", "ixz", "iyz"))
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return plausible(xml, element, Inertial(mass, inertia, self.local(element)), repair=True)

    def _from_shapes(
        self, link: Element, element: Element, colliders: tuple[Geometry, ...]
    ) -> Inertial | None:
        xml = self.document.xml
        density = xml.child_number(element, "density", 0.0)
        for collision in link.findall("collision"):
            density = density or xml.child_number(collision, "density", 0.0)
        volume = sum(volume_of(geometry.shape) for geometry in colliders)
        if volume <= 0:
            xml.note(element, "has no shapes to take a mass from", "guessed")
            return None
        mass = volume * (density or _DENSITY)
        xml.note(element, f"{mass:.4g} kg by the volume of its collisions", "applied")
        return solid_mass(colliders, mass, xml.location(element))


def _painted(surface: Material, look: Material | None) -> Material:
    """Return a surface as it is felt, with a look."""
    if look is None:
        return surface
    return replace(surface, colour=look.colour, texture=look.texture)
