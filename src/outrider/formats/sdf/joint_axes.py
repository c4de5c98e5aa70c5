"""SDF joints about several axes, as a chain of hinges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from outrider.core.frames import Pose
from outrider.formats.sdf.joint import FlatJoint, read_joint, with_axis
from outrider.formats.sdf.link import FlatLink
from outrider.formats.sdf.raw import RawModel
from outrider.formats.xml_source import Element
from outrider.world.model import Inertial, Link

_XYZ = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_LIGHT = 1e-3  # kg of what lies between two hinges: engines need some


def read_joints(
    model: RawModel, element: Element, prefix: str, T_model: Pose
) -> tuple[list[FlatJoint], list[FlatLink]]:
    """Return a hinge or slide for each axis of a joint, and the links between them."""
    first = read_joint(model, element, prefix, T_model)
    chain = _chain(model, element, first)
    between = [f"{first.name}_cross{i + 1}" for i in range(len(chain) - 1)]
    ends = [first.parent, *between, first.child]
    names = [first.name, *(f"{first.name}_{i + 2}" for i in range(len(chain) - 1))]
    joints = [
        replace(joint, name=names[i], parent=ends[i], child=ends[i + 1])
        for i, joint in enumerate(chain)
    ]
    light = Inertial(_LIGHT, _LIGHT**2 * np.eye(3))
    links = [
        FlatLink(Link(name, light), first.pose, static=model.static, owner=model)
        for name in between
    ]
    return joints, links


def _chain(model: RawModel, element: Element, first: FlatJoint) -> list[FlatJoint]:
    xml = model.document.xml
    kind, second = xml.text(element, "type"), element.find("axis2")
    if kind == "ball":
        chain = [replace(first, axis=axis) for axis in _XYZ]
    elif kind in ("universal", "revolute2") and second is not None:
        whole = replace(first, kind="revolute")
        chain = [first, with_axis(model, xml.text(element, "name"), second, whole)]
    else:
        return [first]
    xml.note(
        element,
        f"a {kind} joint is {len(chain)} hinges, with {_LIGHT:g} kg between them",
        "applied",
        key=f"joint {kind}",
    )
    return chain
