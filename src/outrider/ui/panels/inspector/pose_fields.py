"""A pose as six number fields that follow the object and can be edited."""

import math

import numpy as np
from nicegui import ui

from outrider.core.frames import rpy_from_quaternion
from outrider.ui import editing
from outrider.ui.editor_state import EditorState
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.section import line, section

_FIELDS = (
    (("x", "x", "m"), ("y", "y", "m"), ("z", "z", "m")),
    (("roll", "roll_deg", "°"), ("pitch", "pitch_deg", "°"), ("yaw", "yaw_deg", "°")),
)


class PoseFields:
    """The pose of a model; what the user types stays until it is applied."""

    def __init__(self, context: Context, name: str, body: int, fixed: list[float]) -> None:
        """``body`` is -1 for static objects: then the ``fixed`` values are shown."""
        self._context = context
        self._name = name
        self._body = body
        self._fields: dict[str, NumberField] = {}
        with section("Pose", "open_with"):
            for row in _FIELDS:
                with line():
                    for label, key, unit in row:
                        self._fields[key] = self._field(label, key, unit)
            if not context.read_only:
                ui.button(
                    "Drop to the ground", icon="vertical_align_bottom", on_click=self._drop
                ).props("flat dense no-caps size=sm").classes("or-small")
        for key, value in zip(self._fields, fixed, strict=True):
            self._fields[key].show(value)

    def refresh(self) -> None:
        """Show the current pose."""
        values = values_of(self._context.editor, self._body)
        if values is not None:
            for key, value in zip(self._fields, values, strict=True):
                self._fields[key].show(value)

    def _field(self, label: str, key: str, unit: str) -> NumberField:
        session = self._context.editor.session

        async def apply(value: float) -> str:
            return await self._context.apply(
                lambda: editing.moved(session, self._name, **{key: value}),
                f"{self._name}: {label} {value:g} {unit}",
            )

        return NumberField(label, 0.0, apply, unit=unit, read_only=self._context.read_only)

    async def _drop(self) -> None:
        session = self._context.editor.session
        await self._context.apply(
            lambda: editing.dropped(session, self._name),
            f"{self._name} on the ground",
        )


def values_of(editor: EditorState, body: int) -> list[float] | None:
    """Return x, y, z and angles in degrees from the last frame."""
    frame = editor.frame
    if frame is None or not 0 <= body < len(frame.poses):
        return None
    row = frame.poses[body].astype(np.float64)
    angles = rpy_from_quaternion(row[3:])
    return [*(round(float(v), 4) for v in row[:3]), *(round(math.degrees(a), 3) for a in angles)]
