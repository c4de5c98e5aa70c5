"""An object or a placed model in the inspector."""

import math
from dataclasses import fields, replace
from typing import Any

from nicegui import ui

from outrider.loader.materials import library_materials
from outrider.scenarios.session.session import Session
from outrider.specs.world import BoxSpec, MeshSpec, ObjectSpec, ShapeSpec
from outrider.ui import editing
from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.pose_fields import PoseFields
from outrider.ui.panels.inspector.section import choice, fact, line, section


async def inspect_object(context: Context, node: Node) -> list[Any]:
    """Show pose, shape, mass, material and colour."""
    session = context.desk.session
    body, fixed, item = await context.desk.between(lambda: _facts(session, node.name))
    pose = PoseFields(context, node.name, body, fixed)
    if item is None:
        entry = await context.desk.between(lambda: editing.model_of(session, node.name))
        with section("Model", "view_in_ar"):
            fact("File", entry.file.rpartition("/")[2] if entry else "-")
        return [pose]
    _shape(context, item)
    _body(context, item)
    _looks(context, item)
    return [pose]


def facts_of_body(session: Session, name: str) -> tuple[int, list[float]]:
    """Return the first body of a model (-1 if it never moves), and its pose as numbers."""
    assembly = session.simulation.rig.assembly
    number = assembly.models.index(name) if name in assembly.models else -1
    body = next((i for i, b in enumerate(assembly.bodies) if b.model == number), -1)
    pose = editing.pose_of(session, name)
    angles = [math.degrees(angle) for angle in pose.rpy.tolist()]
    return body, [*pose.position.tolist(), *angles]


def _facts(session: Session, name: str) -> tuple[int, list[float], ObjectSpec | None]:
    body, fixed = facts_of_body(session, name)
    if editing.model_of(session, name) is not None:
        return body, fixed, None
    return body, fixed, editing.object_of(session, name)


def _shape(context: Context, item: ObjectSpec) -> None:
    shape = item.shape
    if shape is None:
        with section("Shape", "category"):
            fact("Parts", str(len(item.parts)))
        return
    with section("Shape", "category"):
        if isinstance(shape, MeshSpec):
            fact("Mesh", shape.file.rpartition("/")[2])
            return
        kinds = list(editing.PRIMITIVES)

        async def become(kind: str) -> str:
            return await _set(context, item, f"a {kind}", shape=editing.PRIMITIVES[kind])

        choice("Type", kinds, shape.type, become, read_only=context.read_only)
        with line():
            if isinstance(shape, BoxSpec):
                for axis, letter in enumerate("xyz"):
                    _edge(context, item, shape, axis, letter)
            else:
                for part in fields(shape):
                    if part.name != "type":
                        _figure(context, item, shape, part.name)


def _edge(context: Context, item: ObjectSpec, shape: BoxSpec, axis: int, letter: str) -> None:
    async def apply(value: float) -> str:
        if value <= 0:
            return f"a size must be above 0, got {value:g}"
        size = [*shape.size]
        size[axis] = value
        return await _set(context, item, "size", shape=BoxSpec(size=(size[0], size[1], size[2])))

    NumberField(f"size {letter}", shape.size[axis], apply, unit="m", read_only=context.read_only)


def _figure(context: Context, item: ObjectSpec, shape: ShapeSpec, name: str) -> None:
    async def apply(value: float) -> str:
        if value <= 0:
            return f"{name} must be above 0, got {value:g}"
        return await _set(context, item, name, shape=replace(shape, **{name: value}))  # type: ignore[arg-type]

    NumberField(name, getattr(shape, name), apply, unit="m", read_only=context.read_only)


def _body(context: Context, item: ObjectSpec) -> None:
    async def weigh(value: float) -> str:
        if value < 0:
            return f"a mass cannot be below 0, got {value:g}"
        return await _set(context, item, f"mass {value:g} kg", mass=value)

    async def of(material: str) -> str:
        return await _set(context, item, material, material=material)

    with section("Body", "fitness_center"):
        with line():
            NumberField("mass", item.mass, weigh, unit="kg", read_only=context.read_only)
            choice(
                "Material",
                sorted({*library_materials(), item.material}),
                item.material,
                of,
                read_only=context.read_only,
            )
        ui.label("A mass of 0 fixes it to the world; friction comes with the material.").classes(
            "or-hint"
        )


def _looks(context: Context, item: ObjectSpec) -> None:
    with section("Looks", "palette"):
        red, green, blue, _ = item.colour or (0.6, 0.6, 0.6, 1.0)
        shown = "#" + "".join(f"{round(255 * part):02x}" for part in (red, green, blue))

        async def paint(event: Any) -> None:
            text = str(event.value or "")
            if len(text) != 7 or text == shown:
                return
            parts = [int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)]
            await _set(context, item, text, colour=(parts[0], parts[1], parts[2], 1.0))

        picker = ui.color_input("colour", value=shown, on_change=paint)
        picker.props('dense outlined hide-bottom-space data-field="colour"').classes("or-choice")
        if context.read_only:
            picker.disable()


async def _set(context: Context, item: ObjectSpec, said: str, **values: object) -> str:
    session = context.desk.session
    return await context.change(
        lambda: session.apply(editing.with_object(session, item.name, **values)),
        f"{item.name}: {said}",
    )
