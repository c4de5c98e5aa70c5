"""A robot's joints as sliders."""

import math
from dataclasses import dataclass

import numpy as np
from nicegui import ui

from outrider.scenarios.session.session import Session
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.section import section


@dataclass(frozen=True, slots=True)
class JointFacts:
    """One joint: its limits and position."""

    name: str
    unit: str
    lower: float
    upper: float
    now: float


def joints_of(session: Session, robot: str) -> list[JointFacts]:
    """Return the joints of a robot; call between two steps."""
    simulation = session.simulation
    vehicle = next(v for v in simulation.rig.vehicles if v.name == robot)
    found = []
    for row in vehicle.joints.tolist():
        joint = simulation.rig.assembly.joints[row].joint
        linear = joint.kind == "prismatic"
        lower, upper = joint.lower, joint.upper
        if not (np.isfinite(lower) and np.isfinite(upper)):
            lower, upper = (-1.0, 1.0) if linear else (-math.pi, math.pi)
        now = float(simulation.state.joints["position"][row])
        found.append(JointFacts(joint.name, "m" if linear else "rad", lower, upper, now))
    return found


def joint_sliders(context: Context, robot: str, joints: list[JointFacts]) -> None:
    """Show a slider per joint."""
    if not joints:
        return
    with section("Joints", "sync_alt", opened=False):
        for joint in joints:
            _slider(context, robot, joint)


def _slider(context: Context, robot: str, joint: JointFacts) -> None:
    async def turn() -> None:
        asked = {"model": robot, "joints": {joint.name: float(slider.value)}}
        await context.call("set_joints", asked, "")

    with ui.column().classes("or-joint"):
        ui.label(f"{joint.name} ({joint.unit})").classes("or-hint")
        slider = ui.slider(
            min=joint.lower,
            max=joint.upper,
            step=(joint.upper - joint.lower) / 200,
            value=min(max(joint.now, joint.lower), joint.upper),
        )
        slider.on("update:model-value", turn, throttle=0.1)
        slider.props("label dense").props(f'data-joint="{joint.name}"')
        if context.read_only:
            slider.disable()
