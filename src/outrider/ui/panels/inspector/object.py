"""An object or a placed model in the inspector."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nicegui import ui

from outrider.scenarios.session.session import Session
from outrider.specs.world import RGBA, MeshSpec, ObjectSpec, ShapeSpec
from outrider.ui import editing, world_settings
from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.colour_field import colour_field
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.object_parts import object_parts
from outrider.ui.panels.inspector.pose_fields import PoseFields
from outrider.ui.panels.inspector.section import Refreshable, choice, fact, line, section
from outrider.ui.panels.inspector.size_fields import size_fields


@dataclass(frozen=True, slots=True)
class _ObjectFacts:
    body: int
    pose: list[float]
    item: ObjectSpec | None
    file: str
    friction: float = 0.0
    colour: RGBA = (1.0, 1.0, 1.0, 1.0)
    materials: Sequence[str] = ()


async def inspect_object(context: Context, node: Node) -> list[Refreshable]:
    """Show pose, shape, mass, material and colour."""
    session = context.editor.session
    facts = await context.editor.between(lambda: _facts(session, node.name))
    pose = PoseFields(context, node.name, facts.body, facts.pose)
    if facts.item is None:
        with section("Model", "view_in_ar"):
            fact("File", facts.file)
        return [pose]
    _shape(context, facts.item)
    _body(context, facts.item, facts)
    return [pose]


def facts_of_body(session: Session, name: str) -> tuple[int, list[float]]:
    """Return the first body of a model (-1 if it never moves), and its pose as numbers."""
    assembly = session.simulation.rig.assembly
    number = assembly.models.index(name) if name in assembly.models else -1
    body = next((i for i, b in enumerate(assembly.bodies) if b.model == number), -1)
    pose = editing.pose_of(session, name)
    angles = [math.degrees(angle) for angle in pose.rpy.tolist()]
    return body, [*pose.position.tolist(), *angles]


def _facts(session: Session, name: str) -> _ObjectFacts:
    body, pose = facts_of_body(session, name)
    entry = editing.model_of(session, name)
    if entry is not None:
        return _ObjectFacts(body, pose, None, entry.file.rpartition("/")[2])
    item = editing.object_of(session, name)
    friction = world_settings.friction_of(session, item.material)
    colour = world_settings.seen_colour(session, item)
    materials = world_settings.materials_of(session)
    return _ObjectFacts(body, pose, item, "", friction, colour, materials)


def _shape(context: Context, item: ObjectSpec) -> None:
    shape = item.shape
    with section("Shape", "category"):
        if shape is None:
            object_parts(context, item)
        elif isinstance(shape, MeshSpec):
            fact("Mesh", shape.file.rpartition("/")[2])
        else:
            _simple(context, item, shape)


def _simple(context: Context, item: ObjectSpec, shape: ShapeSpec) -> None:
    async def become(kind: str) -> str:
        return await _set(context, item, f"a {kind}", shape=editing.PRIMITIVES[kind])

    async def resize(new: ShapeSpec, said: str) -> str:
        return await _set(context, item, said, shape=new)

    kinds = list(editing.PRIMITIVES)
    choice("Type", kinds, shape.type, become, read_only=context.read_only)
    size_fields(shape, resize, read_only=context.read_only)
    object_parts(context, item)


def _body(context: Context, item: ObjectSpec, facts: _ObjectFacts) -> None:
    session, fixed = context.editor.session, context.read_only

    async def weigh(value: float) -> str:
        if value < 0:
            return f"a mass cannot be below 0, got {value:g}"
        return await _set(context, item, f"mass {value:g} kg", mass=value)

    async def of(material: str) -> str:
        return await _set(context, item, material, material=material)

    async def rub(value: float) -> str:
        if not 0 <= value <= 10:
            return f"friction lies between 0 and 10, got {value:g}"
        return await context.apply(
            lambda: world_settings.with_friction(session, item.name, value),
            f"{item.name}: friction {value:g}",
        )

    async def paint(colour: RGBA, said: str) -> str:
        return await _set(context, item, said, colour=colour)

    with section("Body", "fitness_center"):
        with line():
            NumberField("mass", item.mass, weigh, unit="kg", read_only=fixed)
            NumberField("friction", facts.friction, rub, read_only=fixed)
        choice(
            "Material",
            sorted({*facts.materials, item.material}),
            item.material,
            of,
            read_only=fixed,
        )
        if not item.parts:
            colour_field(facts.colour, paint, read_only=fixed)
        ui.label("A mass of 0 fixes it to the world.").classes("or-hint")


async def _set(context: Context, item: ObjectSpec, said: str, **values: object) -> str:
    session = context.editor.session
    return await context.apply(
        lambda: editing.with_object(session, item.name, **values),
        f"{item.name}: {said}",
    )
