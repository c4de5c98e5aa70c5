"""Confirmation before anything is lost."""

from nicegui import ui


async def sure(question: str, yes: str) -> bool:
    """Ask for confirmation."""
    page = ui.context.client.content  # who asks may be a dialog that closes itself
    with page, ui.dialog() as dialog, ui.card().classes("or-dialog"):
        ui.label(question)
        with ui.row():
            ui.button(yes, on_click=lambda: dialog.submit(True)).props('no-caps data-act="yes"')
            ui.button("Cancel", on_click=lambda: dialog.submit(False)).props("flat no-caps")
    answer = bool(await dialog)
    dialog.delete()
    return answer
