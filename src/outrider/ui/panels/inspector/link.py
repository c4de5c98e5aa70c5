"""A link in the inspector."""

import math
from typing import Any

from nicegui import ui

from outrider.scenarios.services.whereabouts import motion_of
from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.add_sensor import ask_for_sensor
from outrider.ui.panels.inspector.section import fact, section


async def inspect_link(context: Context, node: Node) -> list[Any]:
    """Show where a link is, what it weighs, and what can be attached to it."""
    session = context.desk.session
    model, _, link = node.name.partition("/")

    def facts() -> tuple[list[tuple[str, str]], bool]:
        simulation = session.simulation
        pose = motion_of(simulation, node.name).pose
        world = simulation.rig.assembly.world
        found = next(m for m in world.models if m.name == model).link(link)
        angles = ", ".join(f"{math.degrees(a):.1f}°" for a in pose.rpy.tolist())
        mass = f"{found.inertial.mass:.3f} kg" if found.inertial else "none of its own"
        rows = [
            ("Position", ", ".join(f"{v:.3f}" for v in pose.position.tolist()) + " m"),
            ("Roll, pitch, yaw", angles),
            ("Mass", mass),
            ("Visuals", str(len(found.visuals))),
            ("Colliders", str(len(found.colliders))),
        ]
        return rows, model in simulation.robots

    rows, on_robot = await context.desk.between(facts)
    with section("Link", "commit"):
        for name, value in rows:
            fact(name, value)
    if on_robot and not context.read_only:
        ui.button(
            "Attach a sensor here",
            icon="add",
            on_click=lambda: ask_for_sensor(context, model, link),
        ).props('flat dense no-caps size=sm data-act="attach"').classes("or-small")
    return []
