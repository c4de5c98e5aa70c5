"""Add menu: shapes, props, robots, models, lights and sensors, placed in front of the robot."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from nicegui import ui

from outrider.loader.library import library_names
from outrider.props.registry import PROPS
from outrider.scenarios.session.changes import Change
from outrider.scenarios.session.session import Session
from outrider.ui import editing, world_settings
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.add_sensor import ask_for_sensor
from outrider.ui.panels.menus.item import item, submenu
from outrider.ui.workshop import files

Make: TypeAlias = Callable[[Session, str], Change]

_SHAPES = {
    "box": "check_box_outline_blank",
    "sphere": "circle",
    "cylinder": "view_day",
    "cone": "change_history",
}
_LAID = frozenset({"fence", "floor", "lane_track", "maze", "pipeline"})  # need points of their own


class AddMenu:
    """Everything that can be added to the world."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def fill(self) -> None:
        """Add the items."""
        for kind in editing.PRIMITIVES:
            self._row(kind.capitalize(), _SHAPES.get(kind, "category"), _shape(kind))
        ui.separator()
        with submenu("Robot", "precision_manufacturing"):
            for model in library_names("robots"):
                self._row(model, "precision_manufacturing", _robot(model))
            for path in files.robot_files(self._context.editor.options.projects):
                self._row(path.stem, "handyman", _robot(str(path)))
        with submenu("Thing", "forest"):
            for what in sorted(set(PROPS) - _LAID):
                self._row(what.replace("_", " "), "category", _thing(what))
        saved = files.model_files(self._context.editor.options.projects)
        if saved:
            with submenu("Model", "view_in_ar"):
                for path in saved:
                    self._row(path.stem, "view_in_ar", _model(path))
        self._row("Lamp", "light_mode", world_settings.added_light)
        item(
            "Sensor in the world ...",
            "sensors",
            lambda: ask_for_sensor(self._context, "", ""),
            disabled=self._context.read_only,
        )

    def _row(self, label: str, icon: str, make: Make) -> None:
        session = self._context.editor.session

        async def add() -> None:
            near = self._context.robot
            await self._context.apply(lambda: make(session, near), f"added a {label.lower()}")

        item(label, icon, add, disabled=self._context.read_only)


def _shape(kind: str) -> Make:
    return lambda session, near: editing.added_primitive(session, kind, near)


def _robot(model: str) -> Make:
    return lambda session, near: editing.added_robot(session, model, near)


def _thing(what: str) -> Make:
    return lambda session, near: world_settings.added_thing(session, what, near)[0]


def _model(path: Path) -> Make:
    return lambda session, near: editing.added_model(session, path, near)
