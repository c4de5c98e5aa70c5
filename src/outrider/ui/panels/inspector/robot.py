"""A robot in the inspector: pose, driving, joints, sensors."""

from dataclasses import dataclass, replace

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from outrider.scenarios.scenario import Waypoints
from outrider.scenarios.session.changes import RenameTopic, SetRobot
from outrider.scenarios.session.session import Session
from outrider.ui.driving import greatest
from outrider.ui.editing import entry_of
from outrider.ui.outline import Node, find
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.add_sensor import ask_for_sensor
from outrider.ui.panels.inspector.joints import JointFacts, joint_sliders, joints_of
from outrider.ui.panels.inspector.object import facts_of_body
from outrider.ui.panels.inspector.pose_fields import PoseFields
from outrider.ui.panels.inspector.route import route_fields
from outrider.ui.panels.inspector.section import Refreshable, fact, section
from outrider.ui.panels.inspector.text_field import text_field
from outrider.ui.routes import waypoints_of
from outrider.vehicles.vehicle import Vehicle


@dataclass(frozen=True, slots=True)
class _RobotFacts:
    body: int
    fixed: list[float]
    model: str
    description: str
    mass: float
    drive: str
    speed: float
    turn: float
    joints: list[JointFacts]
    sensors: list[tuple[str, str, float]]  # name, model, rate
    topics: dict[str, str]
    route: Waypoints | None
    stops: bool  # when it hits something


async def inspect_robot(context: Context, node: Node) -> list[Refreshable]:
    """Show a robot."""
    session = context.editor.session
    facts = await context.editor.between(lambda: _facts(session, node.name))
    pose = PoseFields(context, node.name, facts.body, facts.fixed)
    with section("Robot", "precision_manufacturing"):
        if facts.description:
            ui.label(facts.description).classes("or-hint")
        fact("Model", facts.model)
        fact("Mass", f"{facts.mass:.2f} kg")
        fact("Drive", facts.drive)
        fact("Greatest speed", f"{facts.speed:g} m/s")
        _stop_switch(context, node.name, facts.stops)
    with section("Sensors", "sensors"):
        for name, model, rate in facts.sensors:
            _sensor_row(context, node, name, model, rate)
        if not context.read_only:
            ui.button(
                "Attach a sensor",
                icon="add",
                on_click=lambda: ask_for_sensor(context, node.name, ""),
            ).props('flat dense no-caps size=sm data-act="attach"').classes("or-small")
    route_fields(context, node.name, facts.route)
    joint_sliders(context, node.name, facts.joints)
    with section("Topics", "rss_feed", opened=False):
        for key, topic in facts.topics.items():
            _topic(context, node.name, key, topic)
    return [pose]


def vehicle_of(session: Session, name: str) -> Vehicle:
    """Return a robot's vehicle."""
    return next(v for v in session.simulation.rig.vehicles if v.name == name)


def _facts(session: Session, name: str) -> _RobotFacts:
    body, fixed = facts_of_body(session, name)
    simulation = session.simulation
    vehicle = vehicle_of(session, name)
    assembly = simulation.rig.assembly
    number = assembly.models.index(name)
    speed, turn = greatest(vehicle)
    return _RobotFacts(
        body=body,
        fixed=fixed,
        model=vehicle.robot.spec.name,
        description=vehicle.robot.spec.description,
        mass=sum(b.inertial.mass for b in assembly.bodies if b.model == number),
        drive=vehicle.robot.spec.drivetrain.type,
        speed=speed,
        turn=turn,
        joints=joints_of(session, name),
        sensors=[
            (m.plan.entry.name, m.plan.entry.model, m.plan.rate_hz)
            for m in simulation.mounted
            if m.owner == name
        ],
        topics=dict(simulation.robots[name].topics),
        route=waypoints_of(entry_of(session, name)),
        stops=entry_of(session, name).stop_on_collision,
    )


def _stop_switch(context: Context, robot: str, on: bool) -> None:
    session = context.editor.session

    async def flipped(event: ValueChangeEventArguments[bool | None]) -> None:
        stops = bool(event.value)
        await context.apply(
            lambda: SetRobot(replace(entry_of(session, robot), stop_on_collision=stops)),
            f"{robot}: {'stops' if stops else 'goes on'} at a collision",
        )
        if not stops:  # one that has stopped is free again
            await context.change(vehicle_of(session, robot).controller.release, "")

    switch = ui.switch("Stop at a collision", value=on, on_change=flipped)
    switch.props('dense data-field="stop at a collision"')
    switch.tooltip("It then stands still until a reset, or until this is switched off")
    if context.read_only:
        switch.disable()


def _sensor_row(context: Context, robot: Node, name: str, model: str, rate: float) -> None:
    def open_() -> None:
        context.select(find(context.tree, f"sensor:{robot.name}/{name}"))

    with ui.row().classes("or-item").on("click", open_):
        ui.icon("sensors").classes("or-item-icon")
        ui.label(name).classes("or-item-name")
        ui.label(f"{model}, {rate:g} Hz").classes("or-hint")


def _topic(context: Context, robot: str, key: str, topic: str) -> None:

    async def rename(text: str) -> str:
        return await context.apply(
            lambda: RenameTopic(robot, key, text), f"{robot}: {key} is {text}"
        )

    text_field(key, topic, rename, read_only=context.read_only)
