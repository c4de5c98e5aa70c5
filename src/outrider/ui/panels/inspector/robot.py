"""A robot in the inspector: pose, driving, joints, sensors."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from nicegui import ui

from outrider.scenarios.session.session import Session
from outrider.ui.driving import greatest
from outrider.ui.outline import Node, find
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.add_sensor import ask_for_sensor
from outrider.ui.panels.inspector.object import facts_of_body
from outrider.ui.panels.inspector.pose_fields import PoseFields
from outrider.ui.panels.inspector.section import fact, section
from outrider.ui.services import services_of


@dataclass(frozen=True, slots=True)
class _Joint:
    name: str
    unit: str
    lower: float
    upper: float
    now: float


@dataclass(frozen=True, slots=True)
class _Facts:
    body: int
    fixed: list[float]
    model: str
    description: str
    mass: float
    drive: str
    speed: float
    turn: float
    joints: list[_Joint]
    sensors: list[tuple[str, str, float]]  # name, model, rate
    topics: dict[str, str]


async def inspect_robot(context: Context, node: Node) -> list[Any]:
    """Show a robot."""
    session = context.desk.session
    facts = await context.desk.between(lambda: _facts(session, node.name))
    pose = PoseFields(context, node.name, facts.body, facts.fixed)
    with section("Robot", "precision_manufacturing"):
        if facts.description:
            ui.label(facts.description).classes("or-hint")
        fact("Model", facts.model)
        fact("Mass", f"{facts.mass:.2f} kg")
        fact("Drive", facts.drive)
        fact("Greatest speed", f"{facts.speed:g} m/s")
    with section("Sensors", "sensors"):
        for name, model, rate in facts.sensors:
            _sensor_row(context, node, name, model, rate)
        if not context.read_only:
            ui.button(
                "Attach a sensor",
                icon="add",
                on_click=lambda: ask_for_sensor(context, node.name, ""),
            ).props('flat dense no-caps size=sm data-act="attach"').classes("or-small")
    if facts.joints:
        with section("Joints", "sync_alt", opened=False):
            for joint in facts.joints:
                _joint_row(context, node.name, joint)
    with section("Topics", "rss_feed", opened=False):
        for key, topic in facts.topics.items():
            fact(key, topic)
    return [pose]


def _facts(session: Session, name: str) -> _Facts:
    body, fixed = facts_of_body(session, name)
    simulation = session.simulation
    vehicle = next(v for v in simulation.rig.vehicles if v.name == name)
    assembly = simulation.rig.assembly
    number = assembly.models.index(name)
    speed, turn = greatest(vehicle)
    return _Facts(
        body,
        fixed,
        vehicle.robot.spec.name,
        vehicle.robot.spec.description,
        sum(b.inertial.mass for b in assembly.bodies if b.model == number),
        vehicle.robot.spec.drivetrain.type,
        speed,
        turn,
        _joints(session, name),
        [
            (m.plan.entry.name, m.plan.entry.model, m.plan.rate_hz)
            for m in simulation.mounted
            if m.owner == name
        ],
        dict(simulation.robots[name].topics),
    )


def _joints(session: Session, robot: str) -> list[_Joint]:
    """Return the joints that a person may set: wheels turn by themselves."""
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
        found.append(_Joint(joint.name, "m" if linear else "rad", lower, upper, now))
    return found


def _sensor_row(context: Context, robot: Node, name: str, model: str, rate: float) -> None:
    def open_() -> None:
        context.select(find(context.tree, f"sensor:{robot.name}/{name}"))

    with ui.row().classes("or-item").on("click", open_):
        ui.icon("sensors").classes("or-item-icon")
        ui.label(name).classes("or-item-name")
        ui.label(f"{model}, {rate:g} Hz").classes("or-hint")


def _joint_row(context: Context, robot: str, joint: _Joint) -> None:
    services = services_of(context.desk.run.runner)

    async def turn() -> None:
        value = float(slider.value)
        asked = {"model": robot, "joints": {joint.name: value}}
        await context.change(lambda: services["set_joints"](asked), "")

    with ui.column().classes("or-joint"):
        ui.label(f"{joint.name} ({joint.unit})").classes("or-hint")
        now = min(max(joint.now, joint.lower), joint.upper)
        slider = ui.slider(
            min=joint.lower,
            max=joint.upper,
            step=(joint.upper - joint.lower) / 200,
            value=now,
        )
        slider.on("update:model-value", turn, throttle=0.1)
        slider.props("label dense").props(f'data-joint="{joint.name}"')
        if context.read_only:
            slider.disable()
