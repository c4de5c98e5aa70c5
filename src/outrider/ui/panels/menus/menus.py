"""The menus: files, edits, things to add, worlds to go to."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from nicegui import ui

from outrider.core.errors import OutriderError
from outrider.loader.library import library_names
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.changes import Change, LoadWorld
from outrider.ui import editing, projects
from outrider.ui.panels.context import Context
from outrider.ui.panels.menus.import_dialog import ask_for_files


class Menus:
    """File, Edit, Add and World."""

    def __init__(self, context: Context) -> None:
        self._context = context
        with ui.row().classes("or-menus"):
            self._menu("File", self._file)
            self._menu("Edit", self._edit)
            self._menu("Add", self._add)
            self._menu("World", self._world)

    async def undo(self) -> None:
        """Take the last change back."""
        session = self._context.desk.session
        await self._context.change(session.undo, "undone")

    async def redo(self) -> None:
        """Make it again."""
        session = self._context.desk.session
        await self._context.change(session.redo, "done again")

    async def save(self) -> None:
        """Save the project under its name; ask for one if it has none."""
        desk = self._context.desk
        if desk.project is None:
            self.save_as()
        else:
            await self._save(desk.project)

    def save_as(self) -> None:
        """Ask for a name and save."""
        folder = self._context.desk.options.projects
        with ui.dialog() as dialog, ui.card().classes("or-dialog or-form"):
            ui.label("Save project as").classes("or-title")
            name = ui.input("Name").props('dense outlined autofocus data-field="project name"')
            ui.label(f"It becomes a folder in {folder}").classes("or-hint")
            wrong = ui.label("").classes("or-error")

            async def save() -> None:
                try:
                    root = projects.project_folder(folder, str(name.value or "").strip())
                except OutriderError as error:
                    wrong.text = str(error)
                    return
                wrong.text = await self._save(root)
                if not wrong.text:
                    dialog.close()

            name.on("keydown.enter", save)
            with ui.row():
                ui.button("Save", on_click=save).props('no-caps data-act="save now"')
                ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
        dialog.on("hide", dialog.delete)
        dialog.open()

    async def _save(self, root: Path) -> str:
        desk = self._context.desk
        scenario = await desk.between(lambda: desk.session.scenario)
        try:
            await asyncio.to_thread(projects.save_project, scenario, root)
        except (OutriderError, OSError) as error:
            desk.journal.write("error", f"not saved: {error}")
            return f"not saved: {error}"
        desk.project, desk.saved = root, scenario
        desk.journal.write("info", f"saved in {root}")
        ui.notify(f"Saved in {root}", type="positive", position="top")
        return ""

    def open(self) -> None:
        """Choose a saved project or a scenario of the library."""
        desk = self._context.desk
        with ui.dialog() as dialog, ui.card().classes("or-dialog or-form or-chooser"):
            ui.label("Open").classes("or-title")

            def row(name: str, hint: str, find: Callable[[], Scenario], root: Path | None) -> None:
                async def go() -> None:
                    dialog.close()
                    await self.go_to(find, name, root)

                with ui.row().classes("or-item").on("click", go).props(f'data-open="{name}"'):
                    ui.icon("folder" if root else "flag").classes("or-item-icon")
                    ui.label(name).classes("or-item-name")
                    ui.label(hint).classes("or-hint")

            with ui.scroll_area().classes("or-choices"):
                folder = desk.options.projects
                for name in projects.project_names(folder):
                    row(
                        name, "project", partial(projects.open_project, folder, name), folder / name
                    )
                for name in library_names("scenarios"):
                    row(name, "scenario", partial(projects.of_library, name), None)
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
        dialog.on("hide", dialog.delete)
        dialog.open()

    async def go_to(self, find: Callable[[], Scenario], name: str, root: Path | None) -> None:
        """Open a scenario, after asking whether changes may be lost."""
        desk = self._context.desk
        if desk.unsaved and not await sure("There are unsaved changes. Open anyway?", "Open"):
            return

        def work() -> None:
            desk.session.open(find())
            desk.project, desk.saved = root, desk.session.scenario

        note = ui.notification(f"Opening {name} ...", spinner=True, timeout=None)
        await self._context.change(work, f"opened {name}")
        note.dismiss()

    async def _apply(self, make: Callable[[], Change], said: str) -> None:
        session = self._context.desk.session
        await self._context.change(lambda: session.apply(make()), said)

    def _menu(self, title: str, fill: Callable[[], None]) -> None:
        with (
            ui.button(title, color=None).props(f'flat dense no-caps data-menu="{title}"'),
            ui.menu().classes("or-menu"),
        ):
            fill()

    def _file(self) -> None:
        fixed = self._context.read_only
        _item("Open ...", "folder_open", self.open, fixed)
        _item("Save (Ctrl+S)", "save", self.save, fixed)
        _item("Save as ...", "save_as", self.save_as, fixed)
        _item("Import a file ...", "upload_file", lambda: ask_for_files(self._context), fixed)
        _item("Download as zip", "download", self._download, fixed)

    def _edit(self) -> None:
        fixed = self._context.read_only
        _item("Undo (Ctrl+Z)", "undo", self.undo, fixed)
        _item("Redo (Ctrl+Shift+Z)", "redo", self.redo, fixed)

    def _add(self) -> None:
        session, fixed = self._context.desk.session, self._context.read_only
        for kind in editing.PRIMITIVES:

            async def add(kind: str = kind) -> None:
                near = self._context.robot
                await self._apply(
                    lambda: editing.added_primitive(session, kind, near), f"added a {kind}"
                )

            _item(kind.capitalize(), _SHAPES.get(kind, "category"), add, fixed)
        ui.separator()
        with ui.menu_item("Robot", auto_close=False):
            ui.item_section().props("side")
            with ui.menu().props('anchor="top end" self="top start"').classes("or-menu"):
                for model in library_names("robots"):

                    async def put(model: str = model) -> None:
                        near = self._context.robot
                        await self._apply(
                            lambda: editing.added_robot(session, model, near), f"added {model}"
                        )

                    _item(model, "precision_manufacturing", put, fixed)

    def _world(self) -> None:
        for name in library_names("worlds"):

            async def go(name: str = name) -> None:
                note = ui.notification(f"Going to {name} ...", spinner=True, timeout=None)
                await self._apply(lambda: LoadWorld(name), f"world {name}")
                note.dismiss()

            _item(name, "public", go, self._context.read_only)

    async def _download(self) -> None:
        from outrider.loader.project.archive import save_project as zipped

        desk = self._context.desk
        scenario = await desk.between(lambda: desk.session.scenario)

        def pack() -> bytes:
            import tempfile

            with tempfile.TemporaryDirectory() as place:
                root = projects.save_project(scenario, Path(place) / "project")
                zipped(root, Path(place) / "project.zip")
                return (Path(place) / "project.zip").read_bytes()

        try:
            ui.download.content(await asyncio.to_thread(pack), f"{scenario.name}.zip")
        except OutriderError as error:
            ui.notify(str(error), type="negative")


async def sure(question: str, yes: str) -> bool:
    """Ask before something is lost."""
    with ui.dialog() as dialog, ui.card().classes("or-dialog"):
        ui.label(question)
        with ui.row():
            ui.button(yes, on_click=lambda: dialog.submit(True)).props("no-caps")
            ui.button("Cancel", on_click=lambda: dialog.submit(False)).props("flat no-caps")
    answer = bool(await dialog)
    dialog.delete()
    return answer


_SHAPES = {
    "box": "check_box_outline_blank",
    "sphere": "circle",
    "cylinder": "view_day",
    "cone": "change_history",
}


def _item(text: str, icon: str, act: Callable[[], object], disabled: bool) -> None:
    with ui.menu_item(on_click=act).props(f'data-item="{text}"') as item:
        ui.icon(icon).classes("or-menu-icon")
        ui.label(text)
    if disabled:
        item.props("disable")
