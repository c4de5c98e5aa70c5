"""Files of other programs: uploaded, imported with a report, put into the world."""

from nicegui import ui

from outrider.ui.panels.context import Context


def ask_for_files(context: Context) -> None:
    """Ask for files."""
    del context
    ui.notify("not yet")
