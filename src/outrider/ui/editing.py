"""The editor's actions, expressed as changes of the session.

All functions belong between two steps.
"""

import math
import re
from dataclasses import replace
from pathlib import Path

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose, yaw_of
from outrider.core.structure import with_fields
from outrider.scenarios.build import world_spec
from outrider.scenarios.scenario import RobotEntry
from outrider.scenarios.services.model_state import motion_of
from outrider.scenarios.session.changes import (
    AddModel,
    AddObject,
    AddRobot,
    Change,
    Move,
    Remove,
    SetObject,
    names_of,
)
from outrider.scenarios.session.session import Session
from outrider.specs.world import (
    BoxSpec,
    CapsuleSpec,
    ConeSpec,
    CylinderSpec,
    ModelEntry,
    ObjectSpec,
    PoseSpec,
    ShapeSpec,
    SphereSpec,
)
from outrider.ui.outline import entry_name

PRIMITIVES: dict[str, ShapeSpec] = {
    "box": BoxSpec(size=(0.5, 0.5, 0.5)),
    "sphere": SphereSpec(radius=0.25),
    "cylinder": CylinderSpec(radius=0.25, length=0.6),
    "cone": ConeSpec(radius=0.25, length=0.6),
    "capsule": CapsuleSpec(radius=0.2, length=0.4),
}
_AHEAD_M = 2.0  # where new things are put
_COLOURS = ((0.90, 0.45, 0.20, 1.0), (0.25, 0.55, 0.85, 1.0), (0.35, 0.70, 0.40, 1.0))


def object_of(session: Session, name: str) -> ObjectSpec:
    """Return an object's spec from its scenario or world."""
    for item in world_spec(session.scenario).objects:
        if item.name == name:
            return item
    raise ConfigError(f"there is no object '{name}'")


def entry_of(session: Session, name: str) -> RobotEntry:
    """Return a robot's entry."""
    for entry in session.scenario.robots:
        if entry.name == name:
            return entry
    raise ConfigError(f"there is no robot '{name}'")


def model_of(session: Session, name: str) -> ModelEntry | None:
    """Return the entry of a model file."""
    models = world_spec(session.scenario).models
    return next((entry for entry in models if entry_name(entry) == name), None)


def pose_of(session: Session, name: str) -> Pose:
    """Return a model's current pose."""
    return motion_of(session.simulation, name).pose


def moved(session: Session, name: str, **values: float) -> Change:
    """Return the change that sets coordinates of a model (x, y, z, roll, pitch, yaw_deg).

    What stands on the ground stays on it, unless a height or a lean is given.
    """
    asked = _asked_pose(session, name) or PoseSpec()
    now = PoseSpec.of(pose_of(session, name))
    if asked.z is None and not values.keys() & {"z", "roll_deg", "pitch_deg"}:
        now = replace(now, z=None, roll_deg=asked.roll_deg, pitch_deg=asked.pitch_deg)
    return Move(name, replace(now, **values))


def shifted(
    session: Session, name: str, shift: tuple[float, float, float], yaw_deg: float
) -> Change:
    """Return the change requested by handles: a translation and a rotation."""
    now = pose_of(session, name)
    x, y, z = (float(a) + b for a, b in zip(now.position, shift, strict=True))
    values = {"x": x, "y": y, "yaw_deg": math.degrees(yaw_of(now.rotation)) + yaw_deg}
    if abs(shift[2]) > 1e-6:
        values["z"] = z
    return moved(session, name, **values)


def dropped(session: Session, name: str) -> Change:
    """Return the change that puts a model on the ground where it is."""
    now = pose_of(session, name)
    x, y, _ = now.position.tolist()
    return Move(name, PoseSpec(x, y, None, 0.0, 0.0, math.degrees(yaw_of(now.rotation))))


def with_object(session: Session, name: str, **values: object) -> Change:
    """Return the change that sets values of an object; its pose is kept."""
    item = object_of(session, name)
    if item.mass > 0 and item.path is None:
        now = PoseSpec.of(pose_of(session, name))
        height = None if "shape" in values and item.pose.z is None else now.z
        item = replace(item, pose=replace(now, z=height))
    return SetObject(with_fields(item, **values))


def added_primitive(
    session: Session, kind: str, near: str, place: tuple[float, float] | None = None
) -> AddObject:
    """Return the change that adds a shape, in front of a robot unless a position is given."""
    x, y = place or ahead(session, near)
    name = fresh_name(session, kind)
    colour = _COLOURS[len(session.scenario.obstacles) % len(_COLOURS)]
    shape = PRIMITIVES[kind]
    return AddObject(ObjectSpec(name, shape, PoseSpec(x, y), mass=5.0, colour=colour))


def added_robot(
    session: Session, model: str, near: str, place: tuple[float, float] | None = None
) -> AddRobot:
    """Return the change that adds a library robot next to another."""
    x, y = place or ahead(session, near)
    name = fresh_name(session, re.sub(r"\W", "_", Path(model).stem))
    return AddRobot(RobotEntry(model=model, name=name, pose=PoseSpec(x, y), namespace=name))


def added_model(session: Session, file: Path, near: str) -> AddModel:
    """Return the change that adds a model file."""
    x, y = ahead(session, near)
    name = fresh_name(session, re.sub(r"\W", "_", file.stem))
    return AddModel(ModelEntry(str(file), name=name, pose=PoseSpec(x, y)))


def duplicated(session: Session, name: str) -> Change:
    """Return the change that adds a copy next to the original."""
    now = pose_of(session, name)
    x, y, _ = now.position.tolist()
    place = PoseSpec(x, y + 1.0, None, 0.0, 0.0, math.degrees(yaw_of(now.rotation)))
    other = fresh_name(session, re.sub(r"_\d+$", "", name))
    for entry in session.scenario.robots:
        if entry.name == name:
            return AddRobot(replace(entry, name=other, pose=place, namespace=other, motion=()))
    if (model := model_of(session, name)) is not None:
        return AddModel(replace(model, name=other, pose=place))
    item = object_of(session, name)
    height = item.pose.z
    return AddObject(replace(item, name=other, pose=replace(item.pose, x=x, y=y + 1.0, z=height)))


def removed(name: str) -> Change:
    """Return the change that removes an object."""
    return Remove(name)


def fresh_name(session: Session, base: str) -> str:
    """Return an unused name."""
    taken = set(names_of(session.scenario)) | set(session.simulation.rig.assembly.models)
    if base not in taken:
        return base
    return next(name for n in range(2, 10_000) if (name := f"{base}_{n}") not in taken)


def ahead(session: Session, robot: str) -> tuple[float, float]:
    """Return the position in front of a robot where new objects are placed."""
    if robot not in session.simulation.robots:
        start = session.simulation.rig.assembly.world.start.position
        return float(start[0]) + _AHEAD_M, float(start[1])
    pose = session.simulation.robots[robot].pose
    yaw = yaw_of(pose.rotation)
    x, y, _ = pose.position.tolist()
    return x + _AHEAD_M * math.cos(yaw), y + _AHEAD_M * math.sin(yaw)


def _asked_pose(session: Session, name: str) -> PoseSpec | None:
    """Return the pose from the scenario; a robot's start may be left to its world."""
    for entry in session.scenario.robots:
        if entry.name == name:
            return entry.pose
    if (model := model_of(session, name)) is not None:
        return model.pose
    return object_of(session, name).pose
