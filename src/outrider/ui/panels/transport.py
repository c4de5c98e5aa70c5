"""Play, pause, step, reset and speed, with the clock."""

from typing import Any

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from outrider.ui.panels.context import Context
from outrider.ui.services import services_of

SPEEDS = {
    0.1: "0.1×",
    0.25: "0.25×",
    0.5: "0.5×",
    1.0: "1×",
    2.0: "2×",
    5.0: "5×",
    10.0: "10×",
    0.0: "Max",
}


class Transport:
    """The bar in the middle of the header."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._services = services_of(context.desk.run.runner)
        with ui.row().classes("or-transport"):
            self._button("replay", "Reset to the start (Enter)", "reset")
            self._button("play_arrow", "Play (P)", "resume", "or-play")
            self._button("pause", "Pause (P)", "pause", "or-pause")
            self._button("skip_next", "Step while paused (.)", "step")
            self._count = (
                ui.number(value=1, min=1, max=100000, precision=0, format="%d")
                .props('dense borderless data-field="steps"')
                .classes("or-steps")
            )
            self._count.tooltip("Steps to take at once")
            speed = context.desk.run.runner.pacer.speed
            self._speed = (
                ui.select(
                    SPEEDS, value=speed if speed in SPEEDS else 1.0, on_change=self._set_speed
                )
                .props('dense borderless options-dense data-field="speed"')
                .classes("or-speed")
            )
            self._speed.tooltip("Speed: times real time, or as fast as possible")
        with ui.row().classes("or-clock"):
            _figure("time", "00:00.00", "Simulated time", "or-time")
            _figure("rtf", "-", "Real-time factor: simulated over wall time")
            _figure("lag", "-", "How late the simulation is behind the wall clock")
            _figure("fps", "-", "Pictures per second in this browser")
        if context.read_only:
            self._speed.disable()
            self._count.disable()

    async def toggle(self) -> None:
        """Pause, or go on."""
        await self.call("resume" if self._context.desk.run.runner.paused else "pause")

    async def call(self, name: str) -> None:
        """Carry out one of the buttons."""
        context = self._context
        if context.read_only:
            return
        steps = int(self._count.value or 1)
        if name == "step" and not context.desk.run.runner.paused:
            await context.change(lambda: self._services["pause"]({}), "paused")
        arguments: dict[str, Any] = {"steps": steps} if name == "step" else {}
        await context.change(lambda: self._services[name](arguments), _said(name, steps))

    async def _set_speed(self, event: ValueChangeEventArguments[Any]) -> None:
        speed = float(event.value)
        await self._context.change(
            lambda: self._services["set_speed"]({"speed": speed}), f"speed {SPEEDS[speed]}"
        )

    def _button(self, icon: str, tip: str, name: str, classes: str = "") -> None:
        button = ui.button(icon=icon, color=None, on_click=lambda: self.call(name))
        button.props(f'flat dense round data-act="{name}"').classes(f"or-act {classes}").tooltip(
            tip
        )
        if self._context.read_only:
            button.disable()


def _said(name: str, steps: int) -> str:
    words = {"reset": "reset to the start", "resume": "running", "pause": "paused"}
    return words.get(name) or f"{steps} step{'s' if steps > 1 else ''}"


def _figure(name: str, text: str, tip: str, classes: str = "") -> None:
    ui.label(text).props(f'data-live="{name}"').classes(f"or-figure {classes}").tooltip(tip)
