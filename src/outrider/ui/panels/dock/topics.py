"""The topics: type, rate, count, and the last message of one of them."""

from collections.abc import Callable

from nicegui import ui
from nicegui.events import GenericEventArguments

from outrider.bus.channel import TopicInfo
from outrider.bus.mailbox import Subscription
from outrider.core.structure import Data
from outrider.messages.convert import to_dict
from outrider.ui.panels.context import Context
from outrider.ui.views.sizes import Sizes, size_text
from outrider.ui.views.values import rows_of

_COLUMNS: list[Data] = [
    {"name": "name", "label": "Topic", "field": "name", "align": "left", "sortable": True},
    {"name": "rate", "label": "Rate (Hz)", "field": "rate", "align": "right"},
    {"name": "size", "label": "Size", "field": "size", "align": "right"},
    {"name": "value", "label": "Last value", "field": "value", "align": "left"},
    {"name": "count", "label": "Messages", "field": "count", "align": "right"},
    {"name": "type", "label": "Type", "field": "type", "align": "left", "sortable": True},
    {"name": "readers", "label": "Readers", "field": "readers", "align": "right"},
    {"name": "way", "label": "", "field": "way", "align": "left"},
]
_LONGEST = 64


class Topics:
    """A table on the left, the selected topic's last message on the right."""

    def __init__(self, context: Context, plot: Callable[[str, str], None]) -> None:
        self._context = context
        self._plot = plot
        self._counts: dict[str, int] = {}
        self._since_s = -1.0
        self._rates: dict[str, float] = {}
        self._chosen = ""
        self._box: Subscription | None = None
        self._seen: int | None = None
        self._sizes = Sizes(context.editor.session.bus)
        with ui.row().classes("or-topics"):
            self._table = ui.table(
                columns=_COLUMNS,
                rows=[],
                row_key="name",
                selection="single",
            )
            self._table.on("rowClick", self._clicked, [[], ["name"], None])
            self._table.props(
                "dense flat hide-pagination hide-selected-banner :rows-per-page-options=[0]"
            )
            self._table.classes("or-table")
            with ui.scroll_area().classes("or-message") as self._panel:
                with ui.row().classes("or-plot-head"):
                    self._title = ui.label("")
                    ui.button(icon="close", color=None, on_click=lambda: self.choose("")).props(
                        "flat dense round size=xs"
                    ).classes("or-tool").tooltip("Close")
                self._rows = ui.column().classes("or-values")
        self._panel.visible = False
        ui.context.client.on_disconnect(self._close)
        ui.context.client.on_disconnect(self._sizes.close)

    def choose(self, name: str) -> None:
        """Subscribe to a topic."""
        self._close()
        self._chosen = name
        self._seen = None
        self._rows.clear()
        self._title.text = name
        self._panel.visible = bool(name)
        self._table.selected = [row for row in self._table.rows if row["name"] == name]
        if name:
            self._box = self._context.editor.session.bus.subscribe(name, kept="latest")

    def _clicked(self, event: GenericEventArguments) -> None:
        self.choose(str(event.args[1].get("name", "")))

    def rest(self) -> None:
        """Keep only the selected topic's subscription while the table is hidden."""
        self._sizes.close()

    async def refresh(self) -> None:
        """Update rates and the last message."""
        editor = self._context.editor
        now_s = editor.session.simulation.time_s
        topics = editor.session.bus.topics()
        await self._sizes.look([(topic.name, topic.type) for topic in topics])
        if abs(now_s - self._since_s) > 0.9 or self._since_s < 0:
            self._measure(topics, now_s)
        self._message()

    def _measure(self, topics: list[TopicInfo], now_s: float) -> None:
        passed = now_s - self._since_s
        for topic in topics:
            before = self._counts.get(topic.name)
            if before is not None and passed > 0:
                self._rates[topic.name] = (topic.count - before) / passed
            self._counts[topic.name] = topic.count
        self._since_s = now_s
        self._table.rows = [self._row(topic) for topic in topics]

    def _row(self, topic: TopicInfo) -> Data:
        rate = self._rates.get(topic.name)
        sample = self._sizes.known.get(topic.name)
        return {
            "name": topic.name,
            "type": topic.type.replace("/msg/", "/"),
            "rate": "-" if rate is None else f"{rate:.1f}",
            "size": size_text(sample.octets) if sample else "-",
            "value": sample.words if sample else "",
            "count": topic.count,
            "readers": topic.subscribers,
            "way": "to the robot" if topic.direction == "in" else "",
        }

    def _message(self) -> None:
        item = self._box.latest if self._box is not None else None
        if item is None or item[0] == self._seen:
            return
        self._seen = item[0]
        self._rows.clear()
        with self._rows:
            for path, text, numeric in rows_of(to_dict(item[1], longest=_LONGEST)):
                with ui.row().classes("or-value"):
                    ui.label(path).classes("or-fact-name")
                    ui.label(text).classes("or-fact-value")
                    if numeric:
                        ui.button(
                            icon="show_chart", color=None, on_click=lambda p=path: self._draw(p)
                        ).props("flat dense round size=xs").classes("or-tool").tooltip("Plot it")

    def _draw(self, path: str) -> None:
        self._plot(self._chosen, path)

    def _close(self) -> None:
        if self._box is not None:
            self._box.close()
            self._box = None
