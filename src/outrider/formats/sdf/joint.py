"""Joints of SDF."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Pose, matrix_from_quaternion, unit
from outrider.formats.sdf.joint_ends import WORLD, joint_ends
from outrider.formats.sdf.raw import RawModel
from outrider.formats.xml_source import Element, XmlSource
from outrider.world.model import JointKind

_KINDS: dict[str, JointKind] = {
    "fixed": "fixed",
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "universal": "revolute",  # and a second axis
    "revolute2": "revolute",
    "ball": "continuous",  # and two more
}
_RUB = ("damping", "friction", "stiffness", "rest")
_UNBOUNDED = 1e15  # SDF writes 1e16 where there is no limit
_TURNS_FREELY = 1e6  # rad: other files have 1e8 or so


@dataclass(frozen=True, slots=True, eq=False)
class FlatJoint:
    """A joint between two links of a flattened model; ``pose`` is its frame in the model."""

    name: str
    kind: JointKind
    parent: str
    child: str
    pose: Pose
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)  # in the joint's frame
    lower: float = -math.inf
    upper: float = math.inf
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0


def read_joint(model: RawModel, element: Element, prefix: str, T_model: Pose) -> FlatJoint:
    """Return a joint of a model whose own frame has the pose ``T_model`` in the flattened one."""
    xml = model.document.xml
    name = xml.text(element, "name")
    ends = [xml.child_text(element, tag) for tag in ("parent", "child")]
    for tag, end in zip(("parent", "child"), ends, strict=True):
        if not end:
            raise xml.fail(element, f"a <{tag}> is required")
    parent, child = (end if end == WORLD else prefix + end for end in joint_ends(model, element))
    kind = _kind(xml, element)
    axis = element.find("axis")
    joint = FlatJoint(prefix + name, kind, parent, child, T_model @ model.scope.pose(name))
    return joint if axis is None or kind == "fixed" else with_axis(model, name, axis, joint)


def with_axis(model: RawModel, name: str, axis: Element, joint: FlatJoint) -> FlatJoint:
    """Return a joint about or along an axis of its element, called ``name`` in its own model."""
    xml, kind = model.document.xml, joint.kind
    shift = model.shifts.get(name, 0.0)
    lower, upper = _limits(xml, axis, kind)
    if kind == "revolute" and math.isinf(lower) and math.isinf(upper):
        kind = "continuous"
    if axis.find("mimic") is not None:
        xml.note(axis, "<mimic> was left out: the joint moves by itself", key="mimic")
    dynamics = axis.find("dynamics")
    rub = dict.fromkeys(_RUB, 0.0) if dynamics is None else _dynamics(xml, dynamics)
    return FlatJoint(
        joint.name,
        kind,
        joint.parent,
        child=joint.child,
        pose=joint.pose,
        axis=joint_axis(model, axis, model.scope.pose(name)),
        lower=lower - shift,
        upper=upper - shift,
        damping=rub["damping"],
        friction=rub["friction"],
        stiffness=rub["stiffness"],
        rest=rub["rest"] - shift,
    )


def _kind(xml: XmlSource, element: Element) -> JointKind:
    kind = xml.text(element, "type")
    if kind in _KINDS:
        return _KINDS[kind]
    if kind not in ("screw", "gearbox"):
        raise xml.fail(element, f"there is no joint of type '{kind[:40]}'")
    xml.note(element, f"joints of type '{kind}' are not supported; it is fixed", "guessed")
    return "fixed"


def joint_axis(model: RawModel, axis: Element, pose: Pose) -> tuple[float, float, float]:
    """Return an axis in the joint's frame; files before 1.5 give it in the model's."""
    xml = model.document.xml
    element = axis.find("xyz")
    values = xml.child_numbers(axis, "xyz", (0.0, 0.0, 1.0))
    if not np.any(values):
        raise xml.fail(axis, "the axis has no direction")
    vector = np.array(values)
    frame = "" if element is None else (element.get("expressed_in") or "").strip()
    in_model = model.document.version < (1, 5) or xml.child_flag(axis, "use_parent_model_frame")
    if frame or in_model:
        from_frame = model.scope.pose(frame) if frame else Pose()
        vector = matrix_from_quaternion(from_frame.rotation) @ vector
        vector = matrix_from_quaternion(pose.rotation).T @ vector
    x, y, z = (float(value) for value in unit(vector))
    return x, y, z


def _limits(xml: XmlSource, axis: Element, kind: JointKind) -> tuple[float, float]:
    limit = axis.find("limit")
    if limit is None or kind == "continuous":
        return -math.inf, math.inf
    lower = _bound(xml, limit, "lower", -math.inf)
    upper = _bound(xml, limit, "upper", math.inf)
    if lower > upper:
        raise xml.fail(limit, f"the lower limit {lower:g} is above the upper {upper:g}")
    if kind == "revolute" and upper - lower > _TURNS_FREELY:
        return -math.inf, math.inf
    return lower, upper


def _bound(xml: XmlSource, limit: Element, tag: str, none: float) -> float:
    text = xml.child_text(limit, tag).lower()
    if text in ("", "inf", "-inf", "+inf", "infinity", "-infinity"):
        return none
    value = xml.child_number(limit, tag, 0.0)
    return none if abs(value) >= _UNBOUNDED else value


def _dynamics(xml: XmlSource, element: Element) -> dict[str, float]:
    names = {
        "damping": "damping",
        "friction": "friction",
        "spring_stiffness": "stiffness",
        "spring_reference": "rest",
    }
    found = {name: xml.child_number(element, tag, 0.0) for tag, name in names.items()}
    for name in ("damping", "friction", "stiffness"):
        if found[name] < 0:
            raise xml.fail(element, f"{name} cannot be negative, got {found[name]:g}")
    return found
