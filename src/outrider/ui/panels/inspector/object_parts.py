"""The parts of an object, one below another, each with its shape, pose and colour."""

from collections.abc import Callable

from nicegui import ui

from outrider.scenarios.session.changes import Change
from outrider.specs.world import RGBA, ObjectSpec, PartSpec, PoseSpec, ShapeSpec
from outrider.ui.editing import PRIMITIVES
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.colour_field import colour_field
from outrider.ui.panels.inspector.pose_grid import pose_grid
from outrider.ui.panels.inspector.section import section
from outrider.ui.panels.inspector.size_fields import size_fields
from outrider.ui.workshop.model_parts import (
    with_object_part,
    with_part_values,
    without_object_part,
)
from outrider.ui.world_settings import seen_colour

_SHOWN = 30


def object_parts(context: Context, item: ObjectSpec) -> None:
    """Show an object's parts, and a button for one more."""
    for number, part in enumerate(item.parts[:_SHOWN]):
        _PartFields(context, item, number, part).build()
    if len(item.parts) > _SHOWN:
        ui.label(f"and {len(item.parts) - _SHOWN} more").classes("or-hint")
    if not context.read_only:
        _add(context, item.name)


def _add(context: Context, name: str) -> None:
    session = context.editor.session
    button = ui.button("Add a part", icon="add")
    button.props('flat dense no-caps size=sm data-act="add object part"').classes("or-small")
    with button, ui.menu().classes("or-menu"):
        for kind in PRIMITIVES:

            async def put(kind: str = kind) -> None:
                await context.apply(
                    lambda: with_object_part(session, name, kind),
                    f"{name}: one more {kind}",
                )

            ui.menu_item(kind.capitalize(), on_click=put).props(f'data-item="part {kind}"')


class _PartFields:
    """One part's fields."""

    def __init__(self, context: Context, item: ObjectSpec, number: int, part: PartSpec) -> None:
        self._context = context
        self._item = item
        self._name = item.name
        self._number = number
        self._part = part

    def build(self) -> None:
        """Show them, folded."""
        part, fixed = self._part, self._context.read_only
        with section(f"Part {self._number + 1}: {part.shape.type}", "", opened=False):
            size_fields(part.shape, self._size, read_only=fixed)
            pose_grid(part.pose, self._place, read_only=fixed)
            seen = seen_colour(self._context.editor.session, self._item, part)
            colour_field(seen, self._paint, read_only=fixed)
            if not fixed:
                away = ui.button("Take it away", icon="delete", color=None, on_click=self._away)
                away.props('flat dense no-caps size=sm data-act="remove object part"')

    async def _size(self, shape: ShapeSpec, said: str) -> str:
        return await self._set(said, shape=shape)

    async def _place(self, pose: PoseSpec, said: str) -> str:
        return await self._set(said, pose=pose)

    async def _paint(self, colour: RGBA, said: str) -> str:
        return await self._set(said, colour=colour)

    async def _set(self, said: str, **values: object) -> str:
        session = self._context.editor.session
        return await self._change(
            lambda: with_part_values(session, self._name, self._number, **values), said
        )

    async def _away(self) -> None:
        session = self._context.editor.session
        await self._change(
            lambda: without_object_part(session, self._name, self._number), "taken away"
        )

    async def _change(self, make: Callable[[], Change], said: str) -> str:
        return await self._context.apply(make, f"{self._name}: part {self._number + 1}: {said}")
