"""The dock below: log and commands, topics, plots."""

from nicegui import ui

from outrider.ui.journal import Entry
from outrider.ui.panels.context import Context


class ConsolePanel:
    """The log, newest below, and a line for commands."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._next = 0
        with ui.column().classes("or-panel or-dock"):
            with ui.tabs().props("dense no-caps align=left").classes("or-tabs") as tabs:
                console = ui.tab("Console", icon="terminal")
            with ui.tab_panels(tabs, value=console).classes("or-tab-panels"):
                with ui.tab_panel(console).classes("or-tab"):
                    self._log = ui.log(max_lines=500).classes("or-log")
                    self._line = ui.input(placeholder="command").props("dense borderless")

    def focus(self) -> None:
        """Go to the command line."""
        self._line.run_method("focus")

    def refresh(self) -> None:
        """Show what was written since."""
        for entry in self._context.desk.journal.since(self._next):
            self._next = entry.number + 1
            self._log.push(_text(entry), classes=f"or-{entry.level}")


def _text(entry: Entry) -> str:
    return entry.text
