"""The menus: File, Edit, Add, Worlds."""

from collections.abc import Callable

from nicegui import ui

from outrider.loader.library import library_names
from outrider.scenarios.session.changes import LoadWorld
from outrider.ui.panels.confirm import sure
from outrider.ui.panels.context import Context
from outrider.ui.panels.menus.add_menu import AddMenu
from outrider.ui.panels.menus.file_menu import FileMenu
from outrider.ui.panels.menus.item import item


class Menus:
    """File, Edit, Add and World."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._file = FileMenu(context)
        with ui.row().classes("or-menus"):
            self._menu("File", self._file.fill)
            self._menu("Edit", self._edit)
            self._menu("Add", AddMenu(context).fill)
            self._menu("World", self._world)

    async def undo(self) -> None:
        """Undo the last change."""
        await self._context.build(self._context.editor.session.prepared_undo, "undone")

    async def redo(self) -> None:
        """Redo it."""
        await self._context.build(self._context.editor.session.prepared_redo, "done again")

    async def save(self) -> None:
        """Save the project."""
        await self._file.save()

    def _menu(self, title: str, fill: Callable[[], None]) -> None:
        with (
            ui.button(title, color=None).props(f'flat dense no-caps data-menu="{title}"'),
            ui.menu().classes("or-menu"),
        ):
            fill()

    def _edit(self) -> None:
        fixed = self._context.read_only
        item("Undo (Ctrl+Z)", "undo", self.undo, disabled=fixed)
        item("Redo (Ctrl+Shift+Z)", "redo", self.redo, disabled=fixed)

    def _world(self) -> None:
        for name in library_names("worlds"):

            async def go(name: str = name) -> None:
                await self._go_to(name)

            item(name, "public", go, disabled=self._context.read_only)

    async def _go_to(self, name: str) -> None:
        session = self._context.editor.session
        lost = len(session.scenario.obstacles)
        if lost and not await sure(
            f"{lost} object{'s' if lost > 1 else ''} of this world will be left behind. Go anyway?",
            "Go",
        ):
            return
        note = ui.notification(f"Going to {name} ...", spinner=True, timeout=None)
        await self._context.apply(lambda: LoadWorld(name), f"world {name}")
        note.dismiss()
