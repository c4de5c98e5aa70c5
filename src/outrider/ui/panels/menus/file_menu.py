"""File menu: open, save, download, import, and the user's own robots and models."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from nicegui import ui

from outrider.core.errors import OutriderError
from outrider.core.files.scratch import scratch_folder
from outrider.loader.library import library_names
from outrider.loader.project.archive import save_project as zipped
from outrider.scenarios.load import dump
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.ui import projects
from outrider.ui.layout import Layout
from outrider.ui.panels.context import Context
from outrider.ui.panels.form import Form
from outrider.ui.panels.menus.import_dialog import ask_for_files
from outrider.ui.panels.menus.item import item, submenu
from outrider.ui.workshop import files, opening


class FileMenu:
    """The actions of the File menu and its shortcuts."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def fill(self) -> None:
        """Add the items."""
        fixed = self._context.read_only
        item("Open ...", "folder_open", self.open, disabled=fixed)
        item("Save (Ctrl+S)", "save", self.save, disabled=fixed)
        item("Save as ...", "save_as", self.save_as, disabled=fixed)
        ui.separator()
        with submenu("Workshop", "handyman"):
            item("New robot ...", "add", self._new_robot, disabled=fixed)
            item("New model ...", "add", self._new_model, disabled=fixed)
            item("A robot alone ...", "precision_manufacturing", self._robot, disabled=fixed)
        item(
            "Import a file ...", "upload_file", lambda: ask_for_files(self._context), disabled=fixed
        )
        ui.separator()
        item("Download as zip", "download", self._download, disabled=fixed)
        item("Download the scenario", "description", self._download_scenario, disabled=fixed)

    async def save(self) -> None:
        """Save the project under its name; ask for one if it has none."""
        editor = self._context.editor
        if editor.project is None:
            self.save_as()
        else:
            await self._save(editor.project)

    def save_as(self) -> None:
        """Ask for a name and save."""
        folder = self._context.editor.options.projects
        form = Form("Save project as", f"It becomes a folder in {folder}")
        name = form.text("project name")

        async def save() -> str:
            return await self._save(projects.project_folder(folder, str(name.value or "").strip()))

        form.submit("Save", save)

    async def _save(self, root: Path) -> str:
        editor = self._context.editor
        scenario, layout = await self._scenario(), await self._layout()
        try:
            await asyncio.to_thread(editor.kept, root, scenario, layout)
        except (OutriderError, OSError) as error:
            editor.journal.write("error", f"not saved: {error}")
            return f"not saved: {error}"
        editor.journal.write("info", f"saved in {root}")
        ui.notify(f"Saved in {root}", type="positive", position="top")
        return ""

    def open(self) -> None:
        """Choose a saved project or a scenario of the library."""
        folder, page = self._context.editor.options.projects, ui.context.client.content
        with ui.dialog() as dialog, ui.card().classes("or-dialog or-form or-chooser"):
            ui.label("Open").classes("or-title")

            def row(name: str, hint: str, find: Callable[[], Scenario], root: Path | None) -> None:
                async def go() -> None:
                    dialog.close()
                    with page:
                        await self._context.go_to(find, name, root)

                with ui.row().classes("or-item").on("click", go).props(f'data-open="{name}"'):
                    ui.icon("folder" if root else "flag").classes("or-item-icon")
                    ui.label(name).classes("or-item-name")
                    ui.label(hint).classes("or-hint")

            with ui.scroll_area().classes("or-choices"):
                for name in projects.project_names(folder):
                    find = partial(projects.open_project, folder, name)
                    row(name, "project", find, folder / name)
                for name in library_names("scenarios"):
                    row(name, "scenario", partial(projects.of_library, name), None)
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
        dialog.on("hide", dialog.delete)
        dialog.open()

    def _new_robot(self) -> None:
        form = Form("New robot", "A chassis on wheels on a plain floor, ready to be extended.")
        name = form.text("robot name", "rover")
        drive = form.choice("drive", opening.DRIVES, opening.DRIVES[0])

        async def make() -> str:
            text = str(name.value or "").strip()
            scenario = opening.new_robot(text, drive.value or opening.DRIVES[0])
            return await self._context.go_to(lambda: scenario, text, None)

        form.submit("Make", make)

    def _new_model(self) -> None:
        form = Form("New model", "One box on a plain floor, ready to be extended.")
        name = form.text("model name", "model")

        async def make() -> str:
            text = str(name.value or "").strip()
            scenario = opening.new_model(text)
            return await self._context.go_to(lambda: scenario, text, None)

        form.submit("Make", make)

    def _robot(self) -> None:
        saved = {
            path.stem: str(path)
            for path in files.robot_files(self._context.editor.options.projects)
        }
        known = {**{name: name for name in library_names("robots")}, **saved}
        form = Form("A robot alone", "On a plain floor, to be inspected and changed.")
        which = form.choice("robot model", list(known), next(iter(known)))

        async def show() -> str:
            name = str(which.value)
            entry = RobotEntry(model=known[name], name=name.replace("-", "_"))
            return await self._context.go_to(lambda: opening.robot_alone(entry), name, None)

        form.submit("Open", show)

    def _import(self) -> None:
        ask_for_files(self._context)

    async def _download(self) -> None:
        scenario, layout = await self._scenario(), await self._layout()
        editor = self._context.editor
        texts, scenario = editor.programs.texts(), editor.with_speed(scenario)

        def pack() -> bytes:
            with scratch_folder() as place:
                root = projects.save_project(scenario, place / "project", layout, texts)
                zipped(root, place / "project.zip")
                return (place / "project.zip").read_bytes()

        try:
            ui.download.content(await asyncio.to_thread(pack), f"{scenario.name}.zip")
        except OutriderError as error:
            ui.notify(str(error), type="negative")

    async def _download_scenario(self) -> None:
        scenario = await self._scenario()
        ui.download.content(dump(scenario).encode(), f"{scenario.name}.yaml")

    async def _scenario(self) -> Scenario:
        editor = self._context.editor
        return await editor.between(lambda: editor.session.scenario)

    async def _layout(self) -> Layout:
        ask = self._context.layout
        return self._context.editor.layout if ask is None else await ask()
