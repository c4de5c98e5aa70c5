"""The page while the world is still being built: it fetches what the editor will need."""

from nicegui import ui
from nicegui.client import ClientConnectionTimeout

_PATIENCE_S = 60.0


async def shown_waiting() -> bool:
    """Show that something is coming; return whether a browser is there to see it."""
    with ui.column().classes("or-waiting"):
        ui.spinner(size="lg")
        ui.label("The world is being built")
    client = ui.context.client
    try:
        await client.connected(_PATIENCE_S)
    except ClientConnectionTimeout:  # a program that only fetched the text
        return False
    return not client.is_deleted
