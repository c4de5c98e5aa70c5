"""State shared by the panels of one page: the editor, the selection, how to change things."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from nicegui import ui

from outrider.messages.services.reading import Arguments
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.changes import Change
from outrider.ui.driving import Driving
from outrider.ui.editor_state import EditorState
from outrider.ui.layout import Layout
from outrider.ui.outline import Node
from outrider.ui.panels.confirm import sure
from outrider.ui.stage.element import StageElement
from outrider.ui.views.watching import Watching


@dataclass(slots=True, eq=False)
class Context:
    """The state of one page; ``picked`` are called on every new selection."""

    editor: EditorState
    driving: Driving
    watching: Watching
    tree: Node
    known: bool = False  # the page was opened with the token
    stage: StageElement | None = None
    selected: Node | None = None
    robot: str = ""
    picked: list[Callable[[], None]] = field(default_factory=list)
    layout: Callable[[], Awaitable[Layout]] | None = None  # asks how this page looks now
    arrange: Callable[[Layout], None] | None = None  # makes this page look so
    plot: Callable[[str, str], None] | None = None  # plots a number of a topic

    @property
    def read_only(self) -> bool:
        """Whether this page may only look."""
        return self.editor.options.read_only

    @property
    def own_user(self) -> bool:
        """Whether it is the page of who started the run."""
        return self.known and not self.editor.options.open_to_others

    @property
    def no_code(self) -> str:
        """Why this page may not run code, or nothing if it may."""
        if self.read_only:
            return "read-only"
        if not self.known:
            return "open the address that 'outrider run' printed: its token allows code"
        if not self.own_user and not self.editor.options.allow_code:
            return "only runs that were started with --allow-code take code from other computers"
        return ""

    def select(self, node: Node | None) -> None:
        """Select an item in all panels."""
        self.selected = node
        for tell in self.picked:
            tell()

    async def change(self, work: Callable[[], object], done: str) -> str:
        """Do something quick between two steps; show and return the error, if any."""
        return await self._attempt(lambda: self.editor.between(work), done)

    async def apply(self, make: Callable[[], Change], done: str) -> str:
        """Make a change of the scenario; show and return the error, if any."""
        visiting = not self.own_user
        return await self._attempt(lambda: self.editor.apply(make, of_client=visiting), done)

    async def build(self, prepare: Callable[[], Callable[[], object]], done: str) -> str:
        """Build something beside the loop and put it in; show and return the error, if any."""
        return await self._attempt(lambda: self.editor.beside(prepare), done)

    async def call(self, service: str, arguments: Arguments, done: str) -> str:
        """Call a service; show and return the error, if any."""
        act = self.editor.run.runner.services("the editor")[service]
        return await self._attempt(lambda: asyncio.to_thread(act, arguments), done)

    async def _attempt(self, act: Callable[[], Awaitable[object]], done: str) -> str:
        if self.read_only:
            return "this page is read-only"
        wrong = await self.editor.attempt(act, done)
        if wrong:
            ui.notify(wrong, type="negative", position="top", timeout=6000)
        return wrong

    async def go_to(self, find: Callable[[], Scenario], name: str, root: Path | None) -> str:
        """Open a scenario, asking first if changes would be lost; return the error, if any."""
        editor = self.editor
        if editor.unsaved and not await sure("There are unsaved changes. Open anyway?", "Open"):
            return ""

        note = ui.notification(f"Opening {name} ...", spinner=True, timeout=None)
        wrong = await self.build(lambda: editor.session.prepared_open(find()), f"opened {name}")
        note.dismiss()
        if not wrong:
            await asyncio.to_thread(editor.opened, root)
            self.watching.bring_back(editor.layout.views)
            if root is not None and self.arrange is not None:
                self.arrange(editor.layout)
        return wrong
