"""URDF files as models."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast, get_args

import numpy as np

from outrider.core.errors import FormatError, near_match
from outrider.core.frames import unit
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.collision_shapes import with_collisions_apart
from outrider.formats.gazebo.tags import GazeboTags, read_gazebo_tags
from outrider.formats.inertial import plausible
from outrider.formats.mesh.link_geometry import ColladaUp
from outrider.formats.notes import Note, Notes
from outrider.formats.urdf.floating_base import without_free_root
from outrider.formats.urdf.geometry import UrdfGeometryReader, read_origin
from outrider.formats.urdf.tree import ordered, without_loose_links, without_lost_branches
from outrider.formats.urdf.virtual_links import with_light_links
from outrider.formats.xml_source import Element, XmlSource, read_bounded
from outrider.world.model import Inertial, Joint, JointKind, Link, Mobility, Model

LINK_PARTS = ("inertial", "visual", "collision")
JOINT_PARTS = ("origin", "parent", "child", "axis", "limit", "dynamics")
ROBOT_PARTS = ("link", "joint", "material", "gazebo")
_NEEDLESS = {  # tags that others need and that change nothing here
    "transmission": "the robot's own file says which joints are driven",
    "ros2_control": "the robot's own file says which joints are driven",
    "safety_controller": "the robot's motors have their own limits",
    "calibration": "joints start at zero",
    "mimic": "the joint moves by itself",
}


@dataclass(frozen=True, slots=True, eq=False)
class UrdfReading:
    """A model, and one sentence for everything in its file that was left out."""

    model: Model
    notes: tuple[str, ...]
    log: tuple[Note, ...] = ()
    source: XmlSource | None = None
    tags: GazeboTags = field(default_factory=GazeboTags)


def read_urdf(path: Path | str, search: tuple[Path, ...] = (), *, repair: bool = False) -> Model:
    """Return the model of a URDF file; ``search`` are folders of packages or meshes."""
    return read_urdf_with_notes(path, search, repair=repair).model


def read_urdf_with_notes(
    path: Path | str, search: tuple[Path, ...] = (), *, repair: bool = False
) -> UrdfReading:
    """Return the model of a URDF file, and what of the file it does not hold.

    If ``repair``, inertias that no body has are made possible.
    """
    path = Path(path)
    source = XmlSource(str(path), read_bounded(path))
    return _UrdfReader(source, AssetPaths(path.parent, search), repair=repair).read()


def read_urdf_text_with_notes(
    text: str,
    base: Path,
    source: str = "urdf",
    search: tuple[Path, ...] = (),
    log: Notes | None = None,
    lenient: bool = False,
    repair: bool = False,
    places: Sequence[str] = (),
    collada_up: ColladaUp = "ros",
    absent: Sequence[str] = (),
) -> UrdfReading:
    """Return the model of a URDF text, and what of the text it does not hold.

    If ``lenient``, meshes that are not there and branches that hang from links that are not are
    left out, and if packages are ``absent``, also links that nothing joins; if ``repair``,
    inertias that no body has are made possible. ``places`` are the file and line of every element,
    for a text that was made from other files.
    """
    document = XmlSource(source, text.encode(), encoding="utf-8", log=log, places=places)
    assets = AssetPaths(base, search)
    return _UrdfReader(document, assets, lenient, repair, collada_up, absent).read()


class _UrdfReader:
    """One reading of one document."""

    def __init__(
        self,
        source: XmlSource,
        assets: AssetPaths,
        lenient: bool = False,
        repair: bool = False,
        collada_up: ColladaUp = "ros",
        absent: Sequence[str] = (),
    ) -> None:
        self.source = source
        self.absent = absent
        self.assets = assets
        self.lenient = lenient
        self.repair = repair
        self.collada_up: ColladaUp = collada_up

    def read(self) -> UrdfReading:
        root = self.source.root
        self._check_root(root)
        without_free_root(self.source)
        tags = read_gazebo_tags(self.source)
        geometry = UrdfGeometryReader(self.source, self.assets, tags, self.lenient, self.collada_up)
        links = [self._link(element, geometry) for element in root.findall("link")]
        found = [self._joint(element) for element in root.findall("joint")]
        joints = [self._sprung(joint, tags.springs.get(joint.name, {})) for joint in found]
        if self.lenient:
            links, joints = without_lost_branches(self.source, links, joints)
            if self.absent:
                links, joints = without_loose_links(self.source, links, joints, self.absent)
        links, joints = ordered(self.source, links, joints)
        if self.repair and not tags.static:
            links = with_light_links(self.source, links, joints)
        self._note_unread(root, ROBOT_PARTS)
        self._note_motor_limits(root)
        name = self.source.text(root, "name")
        mobility: Mobility = "static" if tags.static else "dynamic"
        model = Model(name, tuple(links), tuple(joints), mobility=mobility)
        model = with_collisions_apart((model,))[0]
        return UrdfReading(
            model, tuple(self.source.notes), self.source.log.all(), self.source, tags
        )

    def _sprung(self, joint: Joint, spring: dict[str, float]) -> Joint:
        return replace(joint, stiffness=spring.get("stiffness", 0.0), rest=spring.get("rest", 0.0))

    def _check_root(self, root: Element) -> None:
        if root.tag != "robot":
            raise self.source.fail(root, "expected a <robot>; this is not a URDF")
        if any("xacro" in str(element.tag) for element in root.iter()):
            raise FormatError(f"{self.source.name}: this is a xacro file; expand it to URDF first")

    def _link(self, element: Element, geometry: UrdfGeometryReader) -> Link:
        self._note_unread(element, LINK_PARTS)
        return Link(
            self.source.text(element, "name"),
            self._inertial(element),
            geometry.visuals(element),
            geometry.colliders(element),
        )

    def _inertial(self, link: Element) -> Inertial | None:
        element = link.find("inertial") if self.repair else self.source.only(link, "inertial")
        if element is None:
            return None
        self._note_others(link, "inertial")
        mass, inertia = self.source.only(element, "mass"), self.source.only(element, "inertia")
        if not self.repair and (mass is None or inertia is None):
            raise self.source.fail(element, "an inertial needs a <mass> and an <inertia>")
        value = 0.0 if mass is None else self.source.number(mass, "value")
        tensor = np.zeros((3, 3)) if inertia is None else self._tensor(inertia)
        found = Inertial(value, tensor, read_origin(self.source, element))
        return plausible(self.source, element, found, self.repair)

    def _note_others(self, link: Element, tag: str) -> None:
        """Tell of all children of that tag but the first, which counts in ROS."""
        for other in link.findall(tag)[1:]:
            self.source.note(other, "was left out: as in ROS, the link's first one counts")

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
            axis=(1.0, 0.0, 0.0) if kind == "fixed" else self._axis(element),
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
        if lower == upper:
            left_out = element.get("lower") is None and element.get("upper") is None
            why = "has no lower and upper, which are 0 then" if left_out else f"is {lower:g} twice"
            self.source.note(element, f"{why}: the joint is held there", "guessed", key="held")
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
            if child.tag in _NEEDLESS:
                self.source.note(child, f"was left out: {_NEEDLESS[child.tag]}", key=child.tag)
            elif child.tag not in known:
                self.source.note(
                    child, "is not part of a model here and was left out", key=f"tag {child.tag}"
                )
