"""The state block of a saved world: the poses when it was saved."""

from __future__ import annotations

import math

import numpy as np

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.formats.gazebo.pose import read_pose
from outrider.formats.sdf.document import SdfDocument, SdfLibrary
from outrider.formats.sdf.joint import joint_axis
from outrider.formats.sdf.raw import RawModel, raw_models
from outrider.formats.sdf.scope import Scope
from outrider.formats.xml_source import Element


def apply_state(
    library: SdfLibrary, document: SdfDocument, world: Element, models: list[RawModel], scope: Scope
) -> list[RawModel]:
    """Move models and their links to where a ``<state>`` says; return those that are there then."""
    state = world.find("state")
    if state is None:
        return models
    for insertion in state.findall("insertions"):
        added = raw_models(library, document, insertion, ())
        for model in added:
            scope.add(model.key, model.entry)
            scope.inner.setdefault(model.key, model.scope)
        models = [*models, *added]
    gone = {(name.text or "").strip() for name in state.iterfind("deletions/name")}
    models = [model for model in models if model.name not in gone]
    by_name = {model.name: model for model in models}
    moved = 0
    for element in state.findall("model"):
        found = by_name.get(element.get("name") or "")
        if found is None:
            document.xml.note(element, "the state is of a model that is not there", "missing")
            continue
        moved += _move(document, element, found, scope, Pose())
    if moved:
        document.xml.note(state, f"the state block put {moved} models in their places", "applied")
    return models


def _move(
    document: SdfDocument, element: Element, model: RawModel, scope: Scope, T_scope_world: Pose
) -> int:
    """Put a model where its state says, in world coordinates; return how many were moved."""
    xml = document.xml
    pose = scope.pose(model.key)
    moved = 0
    if element.find("pose") is not None:
        T_world_model, _ = read_pose(xml, element)
        pose = T_scope_world @ T_world_model
        scope.put(model.key, pose)
        moved = 1
    _note_scale(document, element)
    T_model_world = pose.inverse() @ T_scope_world
    inner = {part.name: part for part in model.inner}
    for part in element.findall("model"):
        name = (part.get("name") or "").rpartition("::")[2]
        if name in inner:
            moved += _move(document, part, inner[name], model.scope, T_model_world)
    before = {joint: _turn(model, joint) for joint in model.element.findall("joint")}
    _move_links(document, element, model, T_model_world)
    for joint, (T_before, axis) in before.items():
        T_after, _ = _turn(model, joint)
        shift = _along(T_before.inverse() @ T_after, axis, slides=joint.get("type") == "prismatic")
        model.shifts[str(joint.get("name"))] = shift
    return moved


def _turn(model: RawModel, joint: Element) -> tuple[Pose, Array]:
    """Return a joint's child in its parent, and the joint's axis in the child."""
    parent, child = (model.document.xml.child_text(joint, tag) for tag in ("parent", "child"))
    names = [end if model.scope.has(end) else "" for end in (parent, child)]
    T_parent, T_child = (model.scope.pose(name) for name in names)
    T_joint = model.scope.pose(str(joint.get("name")))
    element = joint.find("axis")
    axis = np.array((0.0, 0.0, 1.0) if element is None else joint_axis(model, element, T_joint))
    rotated = matrix_from_quaternion((T_child.inverse() @ T_joint).rotation) @ axis
    return T_parent.inverse() @ T_child, rotated


def _along(T: Pose, axis: Array, *, slides: bool) -> float:
    """Return how far a joint has gone: along its axis, or about it."""
    if slides:
        return float(T.position @ axis)
    angle = 2 * math.atan2(float(T.rotation[:3] @ axis), float(T.rotation[3]))
    return math.remainder(angle, 2 * math.pi)


def _move_links(
    document: SdfDocument, element: Element, model: RawModel, T_model_world: Pose
) -> None:
    names = {str(link.get("name")) for link in model.element.findall("link")}
    for link in element.findall("link"):
        name = link.get("name") or ""
        if name in names and link.find("pose") is not None:
            T_world_link, _ = read_pose(document.xml, link)
            model.scope.put(name, T_model_world @ T_world_link)


def _note_scale(document: SdfDocument, element: Element) -> None:
    scale = document.xml.child_numbers(element, "scale", (1.0, 1.0, 1.0))
    if scale != (1.0, 1.0, 1.0):
        document.xml.note(element, f"its scale {scale} in the state block was left out")
