"""URDF files as models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

import numpy as np

from outrider.core.errors import FormatError, near_match
from outrider.core.frames import unit
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.urdf_geometry import GeometryReader, read_origin
from outrider.formats.urdf_tree import ordered
from outrider.formats.xml_source import Element, XmlSource, read_bounded
from outrider.world.inertia import check_inertial
from outrider.world.model import Inertial, Joint, JointKind, Link, Model

LINK_PARTS = ("inertial", "visual", "collision")
JOINT_PARTS = ("origin", "parent", "child", "axis", "limit", "dynamics")
ROBOT_PARTS = ("link", "joint", "material", "gazebo")


@dataclass(frozen=True, slots=True, eq=False)
class UrdfReading:
    """A model, and one sentence for everything in its file that was left out."""

    model: Model
    notes: tuple[str, ...]


def read_urdf(path: Path | str, search: tuple[Path, ...] = ()) -> Model:
    """Return the model of a URDF file; ``search`` are folders of packages or meshes."""
    return read_urdf_with_notes(path, search).model


def read_urdf_with_notes(path: Path | str, search: tuple[Path, ...] = ()) -> UrdfReading:
    """Return the model of a URDF file, and what of the file it does not hold."""
    path = Path(path)
    source = XmlSource(str(path), read_bounded(path))
    return _UrdfReader(source, AssetPaths(path.parent, search)).read()


def read_urdf_text(
    text: str, base: Path, source: str = "urdf", search: tuple[Path, ...] = ()
) -> Model:
    """Return the model of a URDF text; relative paths start in ``base``."""
    return read_urdf_text_with_notes(text, base, source, search).model


def read_urdf_text_with_notes(
    text: str, base: Path, source: str = "urdf", search: tuple[Path, ...] = ()
) -> UrdfReading:
    """Return the model of a URDF text, and what of the text it does not hold."""
    document = XmlSource(source, text.encode(), encoding="utf-8")
    return _UrdfReader(document, AssetPaths(base, search)).read()


class _UrdfReader:
    """One reading of one document."""

    def __init__(self, source: XmlSource, assets: AssetPaths) -> None:
        self.source = source
        self.assets = assets

    def read(self) -> UrdfReading:
        root = self.source.root
        self._check_root(root)
        geometry = GeometryReader(self.source, self.assets, self._friction(root))
        links = [self._link(element, geometry) for element in root.findall("link")]
        joints = [self._joint(element) for element in root.findall("joint")]
        links, joints = ordered(self.source, links, joints)
        self._note_unread(root, ROBOT_PARTS)
        self._note_motor_limits(root)
        model = Model(self.source.text(root, "name"), tuple(links), tuple(joints))
        return UrdfReading(model, tuple(self.source.notes))

    def _check_root(self, root: Element) -> None:
        if root.tag != "robot":
            raise self.source.fail(root, "expected a <robot>; this is not a URDF")
        if any("xacro" in str(element.tag) for element in root.iter()):
            raise FormatError(f"{self.source.name}: this is a xacro file; expand it to URDF first")

    def _link(self, element: Element, geometry: GeometryReader) -> Link:
        self._note_unread(element, LINK_PARTS)
        return Link(
            self.source.text(element, "name"),
            self._inertial(element),
            geometry.visuals(element),
            geometry.colliders(element),
        )

    def _inertial(self, link: Element) -> Inertial | None:
        element = self.source.only(link, "inertial")
        if element is None:
            return None
        mass, inertia = self.source.only(element, "mass"), self.source.only(element, "inertia")
        if mass is None or inertia is None:
            raise self.source.fail(element, "an inertial needs a <mass> and an <inertia>")
        value = self.source.number(mass, "value")
        found = Inertial(value, self._tensor(inertia), read_origin(self.source, element))
        check_inertial(found, self.source.place(element))
        if value == 0:
            self.source.note(element, "has no mass; the link is kept as a frame")
            return None
        return found

    def _tensor(self, element: Element) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        xx, yy, zz = (self.source.number(element, name) for name in ("ixx", "iyy", "izz"))
        xy, xz, yz = (self.source.number(element, name, 0.0) for name in ("ixy", "ixz", "iyz"))
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def _joint(self, element: Element) -> Joint:
        self._note_unread(element, JOINT_PARTS)
        kind = self._kind(element)
        lower, upper = self._limits(element, kind)
        damping, friction = self._dynamics(element)
        return Joint(
            name=self.source.text(element, "name"),
            kind=kind,
            parent=self._end(element, "parent"),
            child=self._end(element, "child"),
            origin=read_origin(self.source, element),
            axis=self._axis(element),
            lower=lower,
            upper=upper,
            damping=damping,
            friction=friction,
        )

    def _kind(self, element: Element) -> JointKind:
        kind, known = self.source.text(element, "type"), get_args(JointKind)
        if kind not in known:
            hint = near_match(kind, known)
            raise self.source.fail(
                element,
                f"joints of type '{kind}' are not supported{hint}; known: {', '.join(known)}",
            )
        return cast(JointKind, kind)

    def _end(self, joint: Element, tag: str) -> str:
        element = self.source.only(joint, tag)
        if element is None:
            raise self.source.fail(joint, f"a <{tag} link='...'/> is required")
        return self.source.text(element, "link")

    def _axis(self, joint: Element) -> tuple[float, float, float]:
        element = self.source.only(joint, "axis")
        if element is None:
            return 1.0, 0.0, 0.0
        axis = np.array(self.source.numbers(element, "xyz", (1.0, 0.0, 0.0)))
        if not axis.any():
            raise self.source.fail(element, "the axis has no direction")
        x, y, z = (float(value) for value in unit(axis))
        return x, y, z

    def _limits(self, joint: Element, kind: JointKind) -> tuple[float, float]:
        element = self.source.only(joint, "limit")
        if kind in ("fixed", "continuous"):
            return -np.inf, np.inf
        if element is None:
            raise self.source.fail(
                joint, f"a {kind} joint needs a <limit> (a joint without one is 'continuous')"
            )
        lower = self.source.number(element, "lower", 0.0)
        upper = self.source.number(element, "upper", 0.0)
        if lower > upper:
            raise self.source.fail(
                element, f"the lower limit {lower:g} is above the upper {upper:g}"
            )
        return lower, upper

    def _dynamics(self, joint: Element) -> tuple[float, float]:
        element = self.source.only(joint, "dynamics")
        if element is None:
            return 0.0, 0.0
        damping = self.source.number(element, "damping", 0.0)
        friction = self.source.number(element, "friction", 0.0)
        if damping < 0 or friction < 0:
            raise self.source.fail(element, "damping and friction cannot be negative")
        return damping, friction

    def _friction(self, root: Element) -> dict[str, float]:
        """Return the first friction coefficient of each link that a <gazebo> tag names."""
        names = [link.get("name") for link in root.findall("link")]
        friction: dict[str, float] = {}
        for element in root.findall("gazebo"):
            reference = element.get("reference", "")
            for child in element:
                if child.tag == "mu1" and reference in names:
                    friction[reference] = self._coefficient(child)
                elif child.tag != "mu2" or self._differs(element, child):
                    self.source.note(child, f"<gazebo> extension for '{reference}' was left out")
        return friction

    def _differs(self, gazebo: Element, mu2: Element) -> bool:
        """Tell whether a second coefficient says something that the first does not."""
        mu1 = gazebo.find("mu1")
        return mu1 is None or self._coefficient(mu1) != self._coefficient(mu2)

    def _coefficient(self, element: Element) -> float:
        text = element.get("value") or element.text or ""
        (value,) = self.source.parse(element, "friction", text, 1)
        if value < 0:
            raise self.source.fail(element, f"friction cannot be negative, got {value:g}")
        return value

    def _note_motor_limits(self, root: Element) -> None:
        """Say once that torque and speed are limited by the robot's motors, not by its joints."""
        limits = [e for e in root.iterfind("joint/limit") if e.get("effort") or e.get("velocity")]
        if limits:
            self.source.note(
                limits[0],
                f"effort and velocity limits ({len(limits)} in the file) were left out: "
                "the robot's motors have their own",
            )

    def _note_unread(self, element: Element, known: tuple[str, ...]) -> None:
        for child in element:
            if child.tag not in known:
                self.source.note(child, "is not part of a model here and was left out")
