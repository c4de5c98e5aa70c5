"""The inspector: the selected item and its values, editable while the simulation runs."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from nicegui import ui

from outrider.core.errors import OutriderError
from outrider.ui import editing
from outrider.ui.outline import ICONS, Kind, Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.actor import inspect_actor
from outrider.ui.panels.inspector.components import KINDS, inspect_components
from outrider.ui.panels.inspector.file_actions import FileActions
from outrider.ui.panels.inspector.light import inspect_light
from outrider.ui.panels.inspector.link import inspect_link
from outrider.ui.panels.inspector.object import inspect_object
from outrider.ui.panels.inspector.robot import inspect_robot
from outrider.ui.panels.inspector.scenery import inspect_scenery
from outrider.ui.panels.inspector.section import Refreshable
from outrider.ui.panels.inspector.sensor import inspect_sensor
from outrider.ui.panels.inspector.world import inspect_world

_MOVABLE = ("robot", "object", "model")

Builder: TypeAlias = Callable[[Context, Node], Awaitable[list[Refreshable]]]

_BUILDERS: dict[Kind, Builder] = {
    "world": inspect_world,
    "robot": inspect_robot,
    "object": inspect_object,
    "model": inspect_object,
    "actor": inspect_actor,
    "scenery": inspect_scenery,
    "link": inspect_link,
    "sensor": inspect_sensor,
    "light": inspect_light,
}


class Inspector:
    """The right side of the page."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._live: list[Refreshable] = []
        self._shown: tuple[str, int] | None = None
        with ui.column().classes("or-panel or-inspector"):
            with ui.row().classes("or-panel-head"):
                ui.icon("tune")
                ui.label("Inspector")
            with ui.scroll_area().classes("or-scroll"):
                self._body = ui.column().classes("or-inspect")
        context.picked.append(self._pick)
        self._pick()

    async def refresh(self) -> None:
        """Update values; rebuild what changed."""
        context = self._context
        node = context.selected or context.tree
        wanted = node.key, context.editor.revision
        if wanted != self._shown:
            self._shown = wanted
            await self._build(node)
        for part in self._live:
            part.refresh()

    def _pick(self) -> None:
        self._shown = None

    async def _build(self, node: Node) -> None:
        self._live = []
        self._body.clear()
        with self._body:
            self._head(node)
            builder = _BUILDERS.get(node.kind)
            if builder is None:
                return
            try:
                self._live = await builder(self._context, node)
                if node.kind in KINDS:
                    await inspect_components(self._context, node)
            except OutriderError as error:
                ui.label(str(error)).classes("or-error")

    def _head(self, node: Node) -> None:
        with ui.row().classes("or-inspect-head"):
            ui.icon(ICONS[node.kind]).classes("or-inspect-icon")
            with ui.column().classes("or-inspect-title"):
                ui.label(node.label).classes("or-title")
                ui.label(node.kind).classes("or-hint")
            if node.kind in ("robot", "object") and not self._context.read_only:
                files = FileActions(self._context, node)
                self._act("handyman", "Open it alone, to work on it", "alone", files.alone)
                self._act("save_as", f"Save as a {files.word}'s file", "save part", files.save)
            if node.kind in _MOVABLE and not self._context.read_only:
                self._act("content_copy", "Duplicate (Ctrl+D)", "duplicate", self.duplicate)
                self._act("delete", "Delete (Del)", "delete", self.delete)

    def _act(self, icon: str, tip: str, name: str, act: Callable[[], Awaitable[None]]) -> None:
        button = ui.button(icon=icon, color=None, on_click=act).tooltip(tip)
        button.props(f'flat dense round size=sm data-act="{name}"').classes("or-tool")

    async def duplicate(self) -> None:
        """Duplicate the selection."""
        node, session = self._context.selected, self._context.editor.session
        if node is not None and node.kind in _MOVABLE:
            await self._context.apply(
                lambda: editing.duplicated(session, node.name),
                f"duplicated {node.name}",
            )

    async def delete(self) -> None:
        """Delete the selection."""
        node = self._context.selected
        if node is not None and node.kind in _MOVABLE:
            wrong = await self._context.apply(
                lambda: editing.removed(node.name), f"deleted {node.name}"
            )
            if not wrong:
                self._context.select(None)
