"""One visitor's page: hierarchy, scene, inspector and console."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from nicegui import ui

from outrider.core.structure import Data
from outrider.ui.driving import Driving
from outrider.ui.editing import shifted
from outrider.ui.editor_state import EditorState
from outrider.ui.layout import PANELS, Layout
from outrider.ui.outline import find, outline, owner
from outrider.ui.panels.context import Context
from outrider.ui.panels.dock.dock import Dock
from outrider.ui.panels.header import PageHeader
from outrider.ui.panels.inspector.inspector import Inspector
from outrider.ui.panels.menus.import_dialog import show_brought
from outrider.ui.panels.scene import ScenePanel
from outrider.ui.panels.tree import TreePanel
from outrider.ui.views.watching import Watching

_STYLE = (Path(__file__).parent / "style" / "editor.css").read_text()

# the scene is fetched while the page is still being put together
_EARLY = """<script>
  window.outriderEarly = fetch("/outrider/stage.json").then((answer) => answer.json());
</script>
<script type="module">
  import { preload } from "outrider-stage";
  window.outriderEarly.then(preload).catch(() => {});
</script>"""


def put_head() -> None:
    """Put on a page what is there before its panels: style, colours, and the scene's data."""
    ui.add_css(_STYLE)
    ui.add_head_html(_EARLY)
    ui.colors(primary="#ff8a3d", dark="#14171c", dark_page="#14171c")


class EditorPage:
    """Assembles the panels and connects their events."""

    def __init__(
        self, editor: EditorState, driving: Driving, watching: Watching, *, known: bool
    ) -> None:
        """``known``: it was opened with the token."""
        self._desk = editor
        self._driving = driving
        self._watching = watching
        self._known = known
        self._revision = -1
        self._next = editor.journal.next  # older warnings are not news

    async def build(self) -> None:
        """Build the page, under the head that ``put_head`` has put."""
        tree = await self._desk.between(lambda: outline(self._desk.session))
        self._context = Context(self._desk, self._driving, self._watching, tree, self._known)
        self._context.picked.append(self._selected)
        self._header = PageHeader(self._context)
        with ui.element("div").classes("or-body"):
            self._layout()
        self._header.wire(self._scene, self._dock, self._inspector)
        self._scene.element.when("picked", self._picked)
        self._scene.element.when("moved", self._moved)
        self._scene.element.when("brought", partial(show_brought, self._context))
        self._scene.element.when("ready", self._ready)
        self._scene.element.when("key", self._header.key)
        self._context.layout, self._context.arrange = self._now, self._arrange
        self._arrange_panels(self._desk.layout)
        self._revision = self._desk.revision
        ui.timer(0.25, self._refresh)

    def _layout(self) -> None:
        context = self._context
        with (
            ui.splitter(value=PANELS["tree"])
            .props("unit=px :limits=[0,600]")
            .classes("or-split") as left
        ):
            with left.before:
                self._tree = TreePanel(context)
            with (
                left.after,
                ui.splitter(value=PANELS["inspector"], reverse=True)
                .props("unit=px :limits=[0,700]")
                .classes("or-split") as right,
            ):
                with (
                    right.before,
                    ui.splitter(horizontal=True, value=PANELS["console"], reverse=True)
                    .props("unit=px :limits=[0,800]")
                    .classes("or-split") as middle,
                ):
                    with middle.before:
                        self._scene = ScenePanel(context)
                    with middle.after:
                        self._dock = Dock(context)
                with right.after:
                    self._inspector = Inspector(context)
        self._header.splitters = {"tree": left, "inspector": right, "console": middle}

    def _ready(self, event: Data) -> None:
        width, height = (float(side) for side in event.get("window", (1e4, 1e4)))
        self._header.fit(width, height)
        self._begin()

    def _begin(self) -> None:
        """Follow a robot once the scene is there."""
        layout = self._desk.layout
        robots = [entry.name for entry in self._desk.session.scenario.robots]
        self._scene.begin(layout.robot if layout.robot in robots else next(iter(robots), ""))
        self._scene.bring_back(layout)
        self._context.select(find(self._context.tree, layout.selected))

    async def _now(self) -> Layout:
        """Return how this page looks, to be saved."""
        context = self._context
        layout = replace(
            self._desk.layout,
            robot=context.robot,
            selected=context.selected.key if context.selected else "",
            tab=self._dock.tab,
            panels=self._header.sizes(),
            views=self._watching.kept(),
            plots=self._dock.plots.kept(),
        )
        return await self._scene.kept(layout)

    def _arrange(self, layout: Layout) -> None:
        """Look as a project did when it was saved."""
        self._arrange_panels(layout)
        self._begin()

    def _arrange_panels(self, layout: Layout) -> None:
        self._header.resize(layout.panels)
        self._dock.show(layout.tab)
        self._dock.plots.bring_back(layout.plots)

    async def _refresh(self) -> None:
        if self._revision != self._desk.revision:
            self._revision = self._desk.revision
            context = self._context
            context.tree = await self._desk.between(lambda: outline(self._desk.session))
            self._tree.refresh()
            await self._scene.renewed()
            self._dock.console.renewed()
            key = context.selected.key if context.selected else ""
            context.select(find(context.tree, key))
        self._warn()
        self._header.transport.refresh()
        self._scene.refresh()
        await self._dock.refresh()
        await self._inspector.refresh()

    def _warn(self) -> None:
        """Show warnings over the scene: the log may not be open."""
        for entry in self._desk.journal.since(self._next):
            self._next = entry.number + 1
            if entry.level == "warning":
                ui.notify(entry.text, type="warning", position="top", timeout=2500)

    def _picked(self, event: Data) -> None:
        name = str(event.get("name") or "")
        self._context.select(owner(self._context.tree, name) if name else None)

    async def _moved(self, event: Data) -> None:
        """Move a model to where its handles were released."""
        name, session = str(event.get("name")), self._desk.session
        x, y, z = (float(part) for part in event.get("shift", (0, 0, 0)))
        yaw = float(event.get("yaw", 0.0))
        await self._context.apply(lambda: shifted(session, name, (x, y, z), yaw), f"moved {name}")
        self._selected()

    def _selected(self) -> None:
        node = self._context.selected
        shown = node.name if node and node.kind not in ("world", "group", "light", "sensor") else ""
        if node and node.kind == "sensor":
            shown = node.model
        movable = node is not None and node.kind in ("robot", "object", "model", "link")
        self._scene.element.tell("setHandles", movable and not self._context.read_only)
        self._scene.element.tell("select", shown)
