"""Switches that show a sensor's data in the scene or as a card."""

from collections.abc import Callable

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from outrider.core.structure import with_fields
from outrider.sim.mounting import Mounted
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.section import section
from outrider.ui.views.cards import CARDS
from outrider.ui.views.drawn import DRAWERS, ViewStyle
from outrider.ui.views.texts import TEXTS
from outrider.ui.views.watching import WatchedTopic

_STYLES = ("points", "lines", "mesh")
_COLOURS = ("range", "intensity", "ring", "height")
_PLOTTED = {
    "sensor_msgs/msg/Imu": ("angular_velocity.z", "linear_acceleration.x", "linear_acceleration.z"),
    "sensor_msgs/msg/Range": ("range",),
    "sensor_msgs/msg/MagneticField": ("magnetic_field.x", "magnetic_field.y"),
    "std_msgs/msg/Float64": ("data",),
    "std_msgs/msg/Float32": ("data",),
    "std_msgs/msg/Int16": ("data",),
}  # what is worth a plot
_HIT = "hit"  # the output of distance sensors that says where a beam was thrown back
_CLOUDS = ("sensor_msgs/msg/PointCloud2", "sensor_msgs/msg/LaserScan")


def view_switches(context: Context, mounted: Mounted) -> None:
    """Offer the views of a sensor, one row per topic that can be displayed."""
    kinds = mounted.plan.kind.types
    rows = {out: t for out, t in mounted.topics.items() if _can_be_seen(kinds[out])}
    hit = rows.pop(_HIT, "") if len(rows) > 1 else ""  # drawn together with its beam
    if not rows:
        return
    with section("Views", "visibility"):
        for out, topic in rows.items():
            _row(context, topic, kinds[out], hit)


def _can_be_seen(kind: str) -> bool:
    return any(kind in known for known in (CARDS, TEXTS, DRAWERS, _PLOTTED))


def _row(context: Context, topic: str, kind: str, hit: str) -> None:
    watching = context.watching

    def draw(on: bool) -> None:
        for name in filter(None, (topic, hit)):
            watching.switch(name, drawn=on)

    view = watching.views.get(topic) or WatchedTopic(topic, kind)
    ui.label(topic).classes("or-hint")
    with ui.row().classes("or-line"):
        if kind in DRAWERS:
            _switch("In the scene", view.drawn, f"draw {topic}", draw)
        if kind in CARDS or kind in TEXTS:
            _switch(
                "As a card", view.card, f"card {topic}", lambda on: watching.switch(topic, card=on)
            )
        if kind in _PLOTTED:
            _plot_button(context, topic, kind)
    if kind in _CLOUDS:
        _manner(context, topic, view.manner)


def _plot_button(context: Context, topic: str, kind: str) -> None:
    def plot() -> None:
        for path in _PLOTTED[kind]:
            if context.plot is not None:
                context.plot(topic, path)

    button = ui.button("Plot", icon="show_chart", color=None, on_click=plot)
    button.props(f'flat dense no-caps size=sm data-act="plot {topic}"').classes("or-tool")


def _switch(label: str, on: bool, field: str, act: Callable[..., None]) -> None:
    def flipped(event: ValueChangeEventArguments[bool | None]) -> None:
        act(bool(event.value))

    ui.switch(label, value=on, on_change=flipped).props(f'dense data-field="{field}"')


def _manner(context: Context, topic: str, manner: ViewStyle) -> None:
    held = manner

    def set_(**values: object) -> None:
        nonlocal held
        held = with_fields(held, **values)
        context.watching.switch(topic, manner=held)

    with ui.row().classes("or-line"):
        style = ui.select(list(_STYLES), label="As", value=manner.style)
        style.on_value_change(lambda e: set_(style=e.value))
        colour = ui.select(list(_COLOURS), label="Coloured by", value=manner.colour)
        colour.on_value_change(lambda e: set_(colour=e.value))
        for box in (style, colour):
            box.props("dense outlined options-dense").classes("or-choice")
