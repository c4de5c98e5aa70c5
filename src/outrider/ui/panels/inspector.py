"""The inspector: what is selected, and its values."""

from nicegui import ui

from outrider.ui.panels.context import Context


class Inspector:
    """The right side of the page."""

    def __init__(self, context: Context) -> None:
        self._context = context
        with ui.column().classes("or-panel"):
            with ui.row().classes("or-panel-head"):
                ui.icon("tune")
                ui.label("Inspector")
            self._body = ui.column().classes("or-inspect")
        context.picked.append(self._show)

    async def refresh(self) -> None:
        """Show values as they are now."""

    def _show(self) -> None:
        self._body.clear()
        node = self._context.selected
        with self._body:
            ui.label(node.label if node else "Nothing selected")
