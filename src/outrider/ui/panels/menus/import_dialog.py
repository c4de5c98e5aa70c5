"""Import of other programs' files: dropped or chosen, with a report, placed in the world."""

import asyncio

from nicegui import ui
from nicegui.events import MultiUploadEventArguments

from outrider.core.errors import OutriderError
from outrider.core.structure import Data
from outrider.ui import uploads
from outrider.ui.panels.context import Context


def ask_for_files(context: Context) -> None:
    """Ask for a robot, model or mesh with all files that belong to it."""
    with ui.dialog() as dialog, ui.card().classes("or-dialog or-form"):
        ui.label("Import a robot, model or mesh").classes("or-title")
        ui.label(
            "URDF, xacro, SDF, MJCF, Collada, OBJ, STL, glTF, PLY: drop the file together with its "
            "meshes and textures, or a whole folder."
        ).classes("or-hint")
        report = ui.column().classes("or-report")

        async def came(event: MultiUploadEventArguments) -> None:
            files = {file.name: await file.read() for file in event.files}
            report.clear()
            with report:
                await _take(context, files)

        def refused() -> None:
            report.clear()
            with report:
                most = uploads.MOST_BYTES / 1e6
                ui.label(f"Refused: at most {most:.0f} MB in all.").classes("or-error")

        upload = ui.upload(
            multiple=True,
            auto_upload=True,
            max_total_size=uploads.MOST_BYTES,
            max_files=uploads.MOST_FILES,
            on_multi_upload=came,
            on_rejected=refused,
        )
        upload.classes("or-upload").props('flat bordered label="Drop files here"')
        ui.button("Close", on_click=dialog.close).props("flat no-caps")
    dialog.on("hide", dialog.delete)
    dialog.open()


async def _take(context: Context, files: dict[str, bytes]) -> None:
    """Import the files; report what was found or the error."""
    journal = context.editor.journal
    try:
        found = await asyncio.to_thread(uploads.examined, files)
    except OutriderError as error:
        journal.write("error", f"import: {error}")
        ui.label(str(error)).classes("or-error")
        return
    except Exception as error:  # whatever a reader of a foreign format throws
        journal.write("error", f"import: {error!r:.200}")
        ui.label(f"It could not be read: {error!r:.200}").classes("or-error")
        return
    await _put_in(context, found)


async def show_brought(context: Context, event: Data) -> None:
    """Show the result of files that were dropped on the scene."""
    found = context.editor.recall(str(event.get("key", "")))
    wrong = str(event.get("error", ""))[:400]
    with ui.dialog() as dialog, ui.card().classes("or-dialog or-form"):
        ui.label("Import").classes("or-title")
        with ui.column().classes("or-report"):
            if found is not None and not context.read_only:
                await _put_in(context, found)
            else:
                said = wrong or "nothing was taken"
                context.editor.journal.write("error", f"import: {said}")
                ui.label(said).classes("or-error")
        ui.button("Close", on_click=dialog.close).props("flat no-caps")
    dialog.on("hide", dialog.delete)
    dialog.open()


async def _put_in(context: Context, found: uploads.Uploaded) -> None:
    """Show an import's report and add the result to the world."""
    for line in found.report:
        ui.label(line).classes("or-hint")
    session, near = context.editor.session, context.robot
    wrong = await context.build(
        lambda: uploads.prepared(session, found.file, near), f"imported {found.file.name}"
    )
    said = ui.label(wrong or f"{found.file.name} is in the world.")
    said.classes("or-error" if wrong else "or-good")
