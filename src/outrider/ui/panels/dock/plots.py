"""Live plots of any number of any message."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from nicegui import ui

from outrider.bus.mailbox import Subscription
from outrider.ui.layout import Plot
from outrider.ui.panels.context import Context
from outrider.ui.views.values import number_at

_KEPT = 600  # points of a line
_SPAN_S = 20.0
_MOST = 12
_COLOURS = ("#ff8a3d", "#4fc3f7", "#81c784", "#e57373", "#ba68c8", "#ffd54f")


@dataclass(slots=True, eq=False)
class _Line:
    topic: str
    path: str
    box: Subscription
    points: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=_KEPT))

    def read(self) -> bool:
        """Take new messages; return whether there were any."""
        came = False
        while (item := self.box.poll()) is not None:
            value = number_at(item[1], self.path)
            if value is not None:
                time_s = round(item[0] * 1e-9, 4)
                if self.points and time_s < self.points[-1][0]:
                    self.points.clear()  # it was set back
                self.points.append((time_s, value))
                came = True
        return came


class Plots:
    """One chart per value."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._lines: list[tuple[_Line, ui.echart, ui.element]] = []
        with ui.scroll_area().classes("or-plots"):
            self._empty = ui.label(
                "No plots yet: choose a topic, then the chart icon next to a number."
            ).classes("or-hint or-empty")
            self._grid = ui.element("div").classes("or-plot-grid")
        ui.context.client.on_disconnect(self._close)

    def add(self, topic: str, path: str) -> None:
        """Plot another value."""
        if len(self._lines) >= _MOST or any(
            (line.topic, line.path) == (topic, path) for line, _, _ in self._lines
        ):
            return
        box = self._context.editor.session.bus.subscribe(topic, kept="all", depth=2000)
        line = _Line(topic, path, box)
        self._empty.visible = False
        colour = _COLOURS[len(self._lines) % len(_COLOURS)]
        with self._grid, ui.element("div").classes("or-plot") as card:
            with ui.row().classes("or-plot-head"):
                ui.label(f"{topic}  {path}")
                ui.button(icon="close", color=None, on_click=lambda: self._remove(line)).props(
                    "flat dense round size=xs"
                ).classes("or-tool")
            chart = ui.echart(_options(colour)).classes("or-chart")
        self._lines.append((line, chart, card))

    def kept(self) -> tuple[Plot, ...]:
        """Return what is plotted, to be saved."""
        return tuple(Plot(line.topic, line.path) for line, _, _ in self._lines)

    def bring_back(self, plots: Iterable[Plot]) -> None:
        """Restore saved plots only; topics that no longer exist are left out."""
        for line, _, _ in list(self._lines):
            self._remove(line)
        known = {topic.name for topic in self._context.editor.session.bus.topics()}
        for plot in plots:
            if plot.topic in known:
                self.add(plot.topic, plot.path)

    def refresh(self) -> None:
        """Draw new values."""
        for line, chart, _ in self._lines:
            if line.read() and line.points:
                last = line.points[-1][0]
                shown = [list(point) for point in line.points if point[0] >= last - _SPAN_S]
                chart.run_chart_method(
                    "setOption",
                    {
                        "series": [{"data": shown}],
                        "xAxis": {"min": round(max(shown[0][0], last - _SPAN_S), 1), "max": last},
                    },
                )

    def _remove(self, line: _Line) -> None:
        for row in self._lines:
            if row[0] is line:
                line.box.close()
                row[2].delete()
        self._lines = [row for row in self._lines if row[0] is not line]
        self._empty.visible = not self._lines

    def _close(self) -> None:
        for line, _, _ in self._lines:
            line.box.close()


def _options(colour: str) -> dict[str, object]:
    axis = {
        "axisLabel": {"color": "#8b95a3", "fontSize": 10},
        "splitLine": {"lineStyle": {"color": "#2c333e"}},
    }
    return {
        "animation": False,
        "backgroundColor": "transparent",
        "grid": {"left": 52, "right": 12, "top": 8, "bottom": 22},
        "xAxis": {"type": "value", **axis},
        "yAxis": {"type": "value", "scale": True, **axis},
        "series": [
            {
                "type": "line",
                "showSymbol": False,
                "data": [],
                "lineStyle": {"color": colour, "width": 1.6},
            }
        ],
    }
