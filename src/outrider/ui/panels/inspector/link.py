"""A link in the inspector; for robots also its parts, which can be edited."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from nicegui import ui

from outrider.scenarios.services.model_state import motion_of
from outrider.scenarios.session.session import Session
from outrider.specs.world import RGBA, PoseSpec, ShapeSpec
from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.add_part import ask_for_part, ask_for_wheel
from outrider.ui.panels.inspector.add_sensor import ask_for_sensor
from outrider.ui.panels.inspector.colour_field import colour_field
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.pose_grid import pose_grid
from outrider.ui.panels.inspector.section import Refreshable, fact, section
from outrider.ui.panels.inspector.size_fields import size_fields
from outrider.ui.workshop import files, links
from outrider.ui.workshop.robot_parts import without_part
from outrider.vehicles.robot_file import RobotFiles


@dataclass(frozen=True, slots=True)
class _LinkFacts:
    place: str
    angles: str
    link: links.LinkFacts
    on_robot: bool


async def inspect_link(context: Context, node: Node) -> list[Refreshable]:
    """Show a link's pose and parts, and what can be added to it."""
    session = context.editor.session
    model, _, link = node.name.partition("/")
    facts = await context.editor.between(lambda: _facts(session, model, link))
    with section("Link", "commit"):
        fact("Position", facts.place)
        fact("Roll, pitch, yaw", facts.angles)
        if facts.link.parent:
            fact("On", f"{facts.link.parent} ({facts.link.kind})")
        fact("Visuals, colliders", f"{facts.link.visuals}, {facts.link.colliders}")
    if not facts.on_robot:
        with section("Body", "fitness_center"):
            fact("Mass", _weight(facts.link.mass))
        return []
    _LinkFields(context, model, facts.link).build()
    return []


class _LinkFields:
    """The fields of one link of a robot."""

    def __init__(self, context: Context, robot: str, link: links.LinkFacts) -> None:
        self._context = context
        self._robot = robot
        self._link = link

    def build(self) -> None:
        """Show them all."""
        link, fixed = self._link, self._context.read_only
        if link.pose is not None:
            with section(f"Place on {link.parent}", "open_with"):
                pose_grid(link.pose, self._place, read_only=fixed)
        with section("Body", "fitness_center"):
            if link.mass > 0:
                NumberField("mass", link.mass, self._weigh, unit="kg", read_only=fixed)
            else:
                fact("Mass", _weight(0.0))
            if link.shape is not None:
                size_fields(link.shape, self._size, read_only=fixed)
            if link.colour is not None:
                colour_field(link.colour, self._paint, read_only=fixed)
        if not fixed:
            self._buttons()

    def _buttons(self) -> None:
        robot, name = self._robot, self._link.name
        with ui.row().classes("or-buttons"):
            _button("Sensor", "attach", lambda: ask_for_sensor(self._context, robot, name))
            _button("Part", "add part", lambda: ask_for_part(self._context, robot, name))
            _button("Wheel", "add wheel", lambda: ask_for_wheel(self._context, robot, name))
        if self._link.parent:
            away = ui.button("Remove this part", icon="delete", color=None, on_click=self._away)
            away.props('flat dense no-caps size=sm data-act="remove part"').classes("or-small")

    async def _place(self, pose: PoseSpec, said: str) -> str:
        return await self._change(partial(links.placed, link=self._link.name, pose=pose), said)

    async def _weigh(self, mass: float) -> str:
        change = partial(links.weighing, link=self._link.name, mass=mass)
        return await self._change(change, f"mass {mass:g} kg")

    async def _size(self, shape: ShapeSpec, said: str) -> str:
        return await self._change(partial(links.shaped, link=self._link.name, shape=shape), said)

    async def _paint(self, colour: RGBA, said: str) -> str:
        change = partial(links.painted, link=self._link.name, colour=colour)
        return await self._change(change, said)

    async def _away(self) -> None:
        if not await self._change(partial(without_part, link=self._link.name), "taken away"):
            self._context.select(None)

    async def _change(self, change: Callable[[RobotFiles], RobotFiles], said: str) -> str:
        session, robot = self._context.editor.session, self._robot
        return await self._context.apply(
            lambda: files.rebuilt(session, robot, change),
            f"{robot}/{self._link.name}: {said}",
        )


def _button(label: str, name: str, act: Callable[[], None]) -> None:
    button = ui.button(label, icon="add", on_click=act)
    button.props(f'flat dense no-caps size=sm data-act="{name}"')


def _facts(session: Session, model: str, link: str) -> _LinkFacts:
    simulation = session.simulation
    pose = motion_of(simulation, f"{model}/{link}").pose
    world = simulation.rig.assembly.world
    found = next(m for m in world.models if m.name == model)
    on_robot = model in simulation.robots
    if on_robot:
        files_of = files.robot_of(session, model).model
        on_robot = any(item.name == link for item in files_of.links)  # not a spring's strut
        found = files_of if on_robot else found
    angles = ", ".join(f"{math.degrees(a):.1f}°" for a in pose.rpy.tolist())
    place = ", ".join(f"{v:.3f}" for v in pose.position.tolist()) + " m"
    return _LinkFacts(place, angles, links.facts_of(found, link), on_robot)


def _weight(mass: float) -> str:
    return f"{mass:.3f} kg" if mass > 0 else "none of its own"
