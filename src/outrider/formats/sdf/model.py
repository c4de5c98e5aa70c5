"""SDF models as Outrider models, with what is mounted on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from outrider.core.frames import Pose
from outrider.core.structure import Data
from outrider.formats.gazebo.plugins import DriveFigures, read_plugin
from outrider.formats.gazebo.pose import read_pose
from outrider.formats.gazebo.sensors import SensorList
from outrider.formats.sdf.document import SdfDocument, SdfLibrary
from outrider.formats.sdf.joint import FlatJoint
from outrider.formats.sdf.joint_axes import read_joints
from outrider.formats.sdf.joint_ends import joint_ends
from outrider.formats.sdf.link import FlatLink, read_link
from outrider.formats.sdf.raw import RawModel
from outrider.formats.sdf.tree import build_model
from outrider.formats.xml_source import Element
from outrider.specs.sensor import SensorEntry
from outrider.world.model import Model

MAX_LINKS = 100_000
_READ = {
    "link",
    "joint",
    "frame",
    "model",
    "include",
    "pose",
    "static",
    "plugin",
    # of no meaning here, or for Gazebo's solver
    "self_collide",
    "allow_auto_disable",
    "enable_wind",
    "gripper",
}


@dataclass(frozen=True, slots=True)
class MountedSensor:
    """A sensor or light of a link: which link, where in the world and in the link."""

    top: str  # the model of the world that it is part of
    owner: RawModel
    element: Element
    link: str
    T_world: Pose
    T_link: Pose
    static: bool


@dataclass(slots=True)
class SdfModels:
    """Makes models out of raw ones, and gathers what hangs on them."""

    library: SdfLibrary
    mounted: list[MountedSensor] = field(default_factory=list)
    drives: dict[str, DriveFigures] = field(default_factory=dict)  # by top model
    raw: list[str] = field(default_factory=list)  # XML of plugins that have no counterpart
    components: list[tuple[str, Data]] = field(default_factory=list)  # by top model
    sensors: list[tuple[str, str, SensorEntry]] = field(default_factory=list)  # of plugins
    topics: dict[str, dict[str, str]] = field(default_factory=dict)  # by top model
    namespaces: dict[str, list[str]] = field(default_factory=dict)  # by top model
    sources: dict[str, RawModel] = field(default_factory=dict)  # by top model
    _links: int = 0

    def top(self, raw: RawModel, pose: Pose) -> Model:
        """Return a model of a world at its pose, and its parts below it."""
        model = self._model(raw, raw.static, frozenset(), pose, raw.name)
        self.sources[raw.name] = raw
        return replace(model, pose=pose @ model.pose)

    def of(self, top: str) -> list[Data]:
        """Return the components of a top model, whose names in them are its own."""
        return [entry for owner, entry in self.components if owner == top]

    def _model(
        self, raw: RawModel, static: bool, pulled: frozenset[str], T_world: Pose, top: str
    ) -> Model:
        """Return a model in its own frame, which has the pose ``T_world``."""
        links: list[FlatLink] = []
        joints: list[FlatJoint] = []
        loose: list[tuple[RawModel, Pose]] = []
        self._flatten(
            raw, "", Pose(), pulled=pulled, links=links, joints=joints, loose=loose, top=top
        )
        self._gather(links, T_world, static, top)
        notes = self.library.notes
        self._check(raw, links, joints)
        model = build_model(raw.name, links, joints, static, raw.where, notes)
        nested = []
        for inner, T_inner in loose:
            part = self._model(inner, static or inner.static, frozenset(), T_world @ T_inner, top)
            nested.append(replace(part, pose=T_inner @ part.pose))
        # the children stand in the frame of the first link, which may not be the model's own
        back = model.pose.inverse()
        placed = tuple(replace(part, pose=back @ part.pose) for part in (*model.children, *nested))
        return replace(model, children=_unique(placed))

    def _flatten(
        self,
        raw: RawModel,
        prefix: str,
        T: Pose,
        pulled: frozenset[str],
        links: list[FlatLink],
        joints: list[FlatJoint],
        loose: list[tuple[RawModel, Pose]],
        top: str,
    ) -> None:
        """Add a model's links and joints, and those of the inner models that joints reach into."""
        xml = raw.document.xml
        self._note_unread(raw)
        for element in raw.element.findall("link"):
            self._links += 1
            if self._links > MAX_LINKS:
                raise xml.fail(element, f"more than {MAX_LINKS} links")
            links.append(read_link(self.library, raw, element, prefix, T))
        for element in raw.element.findall("joint"):
            axes, between = read_joints(raw, element, prefix, T)
            joints += axes
            links += between
            self._mount_in_joint(raw, element, axes[-1].child, links)
        for document, element in raw.plugins:
            self._plugin(raw, document, element, top, prefix)
        reached = pulled | frozenset(_ends(raw))
        for inner in raw.inner:
            T_inner = T @ raw.scope.pose(inner.key)
            heads = {name.partition("::")[2] for name in reached if _head(name) == inner.name}
            if inner.merge or heads:
                own = prefix if inner.merge else f"{prefix}{inner.name}::"
                inside = reached if inner.merge else frozenset(heads)
                self._flatten(
                    inner,
                    own,
                    T_inner,
                    pulled=inside,
                    links=links,
                    joints=joints,
                    loose=loose,
                    top=top,
                )
            else:
                loose.append((inner, T_inner))

    def _mount_in_joint(
        self, raw: RawModel, joint: Element, child: str, links: list[FlatLink]
    ) -> None:
        """Mount a joint's sensors on the link that it carries."""
        xml = raw.document.xml
        sensors = tuple((sensor, read_pose(xml, sensor)[0]) for sensor in joint.findall("sensor"))
        row = next((i for i, flat in enumerate(links) if flat.link.name == child), None)
        if sensors and row is not None:
            links[row] = replace(links[row], mounted=links[row].mounted + sensors)
        elif sensors:
            xml.note(joint, "the sensors of this joint were left out")

    def _check(self, raw: RawModel, links: list[FlatLink], joints: list[FlatJoint]) -> None:
        names = [flat.link.name for flat in links]
        known = set(names)
        if len(known) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise raw.document.xml.fail(raw.element, f"two links have the name '{twice}'")
        for joint in joints:
            for end in (joint.parent, joint.child):
                if end not in known and end != "world":
                    raise raw.document.xml.fail(
                        raw.element, f"joint '{joint.name}': there is no link '{end}'"
                    )
            if joint.parent == joint.child:
                raise raw.document.xml.fail(
                    raw.element, f"joint '{joint.name}' joins '{joint.parent}' to itself"
                )

    def _gather(self, links: list[FlatLink], T_world: Pose, static: bool, top: str) -> None:
        for flat in links:
            assert flat.owner is not None
            still = static or flat.static
            self.mounted += [
                MountedSensor(
                    top,
                    flat.owner,
                    element,
                    flat.link.name,
                    T_world @ flat.pose @ pose,
                    pose,
                    still,
                )
                for element, pose in flat.mounted
            ]

    def _plugin(
        self, raw: RawModel, document: SdfDocument, element: Element, top: str, prefix: str
    ) -> None:
        xml = raw.document.xml
        kept = SensorList(
            frozenset(str(e.get("name")) for e in raw.element.findall("link")),
            {str(e.get("name")): xml.child_text(e, "child") for e in raw.element.findall("joint")},
        )
        drive = read_plugin(document.xml, element, kept)
        if drive is not None:
            self.drives[top] = drive
        self.raw += kept.raw
        self.topics.setdefault(top, {}).update(kept.topics)
        self.namespaces.setdefault(top, []).extend(kept.namespaces)
        self.sensors += [(top, prefix, entry) for entry in kept.entries]
        for entry in kept.components:
            on = f"{prefix}{entry['on']}" if entry.get("on") else ""
            self.components.append((top, {**entry, "on": on}))

    def _note_unread(self, raw: RawModel) -> None:
        for child in raw.element:
            if child.tag not in _READ:
                raw.document.xml.note(
                    child, "is not known on a model and was left out", key=f"model {child.tag}"
                )


def _ends(raw: RawModel) -> Iterable[str]:
    """Yield the links that a model's joints reach for."""
    for joint in raw.element.findall("joint"):
        yield from joint_ends(raw, joint)


def _head(name: str) -> str:
    return name.partition("::")[0] if "::" in name else ""


def _unique(models: Iterable[Model]) -> tuple[Model, ...]:
    taken: set[str] = set()
    found = []
    for model in models:
        name, number = model.name, 2
        while name in taken:
            name, number = f"{model.name}_{number}", number + 1
        taken.add(name)
        found.append(replace(model, name=name))
    return tuple(found)
