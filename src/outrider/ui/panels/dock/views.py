"""Sensor views: pictures that follow the simulation."""

from nicegui import ui

from outrider.ui.panels.context import Context
from outrider.ui.views.cards import CARDS
from outrider.ui.views.texts import TEXTS


class ViewsPanel:
    """One card per active view; any topic that can be displayed may be added."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._shown: list[str] | None = None
        with ui.scroll_area().classes("or-plots"), ui.row().classes("or-views-row"):
            with ui.column().classes("or-views-bar"):
                self._choice = ui.select(self._known(), label="Add a view", on_change=self._add)
                self._choice.props('dense outlined options-dense data-field="add view"')
                self._choice.classes("or-view-choice")
                self._hint = ui.label("Cameras, scans, GNSS fixes and text can be seen here.")
                self._hint.classes("or-hint")
            self._cards = ui.element("div").classes("or-views")

    def refresh(self) -> None:
        """Update the active cards."""
        watching, known = self._context.watching, self._known()
        if known != self._choice.options:
            self._choice.set_options(known)
        topics = [view.topic for view in watching.views.values() if view.card]
        if topics == self._shown:
            return
        self._shown = topics
        self._hint.visible = not topics
        self._cards.clear()
        with self._cards:
            for topic in topics:
                self._card(topic)

    def _known(self) -> list[str]:
        topics = self._context.editor.session.bus.topics()
        return [topic.name for topic in topics if topic.type in CARDS or topic.type in TEXTS]

    def _add(self) -> None:
        topic = self._choice.value
        if topic:
            self._context.watching.switch(str(topic), card=True)
            self._choice.value = None
            self.refresh()

    def _card(self, topic: str) -> None:
        with ui.element("div").classes("or-view"):
            with ui.row().classes("or-plot-head"):
                ui.label(topic)
                ui.button(
                    icon="close",
                    color=None,
                    on_click=lambda: self._context.watching.switch(topic, card=False),
                ).props("flat dense round size=xs").classes("or-tool")
            kind = self._context.watching.views[topic].type
            with ui.row().classes("or-view-body"):
                if kind in CARDS:
                    ui.element("img").props(f'data-view="{topic}"')
                if kind in TEXTS:
                    ui.element("pre").props(f'data-view="{topic}"')
