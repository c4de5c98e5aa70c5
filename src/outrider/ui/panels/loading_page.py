"""The page while the world is still being built: it gets ready what the editor will need."""

from nicegui import ui
from nicegui.client import ClientConnectionTimeout

_PATIENCE_S = 60.0


async def shown_waiting() -> bool:
    """Show that something is coming; return whether a browser is there to see it."""
    with ui.row().classes("or-waiting"):
        ui.spinner()
        ui.icon("public")
        ui.label("The world is being built")
    with ui.element("div").style("display: none"):  # so that their code is there
        ui.input()
        ui.select([])
        ui.log()
        ui.html("", sanitize=False)
        ui.table(rows=[])
        ui.joystick()
    client = ui.context.client
    try:
        await client.connected(_PATIENCE_S)
    except ClientConnectionTimeout:  # a program that only fetched the text
        return False
    return not client.is_deleted
