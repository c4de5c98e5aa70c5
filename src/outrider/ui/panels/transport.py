"""Transport controls: reset, stop, play, pause, step, speed, record, and the clock."""

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from outrider.core.structure import Data
from outrider.ui.panels.context import Context
from outrider.ui.panels.record_button import RecordButton

SPEEDS = (0.1, 0.2, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 0.0)  # 0: flat out


class Transport:
    """The transport bar in the header."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._shown = -1.0
        with ui.row().classes("or-transport"):
            self._button("replay", "Reset and continue (Enter)", "reset")
            self._button("stop", "Stop: reset and pause", "stop", "or-stop")
            self._button("play_arrow", "Play (P)", "resume", "or-play")
            self._button("pause", "Pause (P)", "pause", "or-pause")
            self._button("skip_next", "Step while paused (.)", "step")
            self._count = (
                ui.number(value=1, min=1, max=100000, precision=0, format="%d")
                .props('dense borderless data-field="steps"')
                .classes("or-steps")
            )
            self._count.tooltip("Steps to take at once")
            self._speed_slider()
            self._record = RecordButton(context)
        with ui.row().classes("or-clock"):
            _figure("time", "00:00.00", "Simulated time", "or-time")
            _figure("rtf", "-", "Real-time factor: simulated over wall time")
            _figure("lag", "-", "Lag behind the wall clock")
            _figure("fps", "-", "Frames per second in this browser")
        if context.read_only:
            self._speed.disable()
            self._count.disable()

    def refresh(self) -> None:
        """Show the current speed and recording, whoever set them."""
        speed = self._context.editor.run.runner.pacer.speed
        if speed != self._shown:
            self._shown = speed
            self._speed.value = place_of(speed)
            self._label.text = speed_text(speed)
        self._record.refresh()

    async def toggle(self) -> None:
        """Pause or resume."""
        await self.call("resume" if self._context.editor.run.runner.paused else "pause")

    async def call(self, name: str) -> None:
        """Carry out a button's action."""
        context = self._context
        if context.read_only:
            return
        steps = int(self._count.value or 1)
        if name == "stop" or (name == "step" and not context.editor.run.runner.paused):
            await context.call("pause", {}, "paused")
        arguments: Data = {"steps": steps} if name == "step" else {}
        service = "reset" if name == "stop" else name
        await context.call(service, arguments, _said(name, steps))

    def _speed_slider(self) -> None:
        self._speed = ui.slider(min=0, max=len(SPEEDS) - 1, step=1, value=place_of(1.0))
        self._speed.props('dense data-field="speed"').classes("or-speed")
        self._speed.on_value_change(self._set_speed)
        self._speed.tooltip("Speed as a multiple of real time; far right: as fast as possible")
        self._label = ui.label("1×").props('data-live="speed"').classes("or-speed-text")

    async def _set_speed(self, event: ValueChangeEventArguments[float | None]) -> None:
        speed = SPEEDS[int(event.value or 0)]
        if speed == self._shown or place_of(self._shown) == int(event.value or 0):
            return
        self._shown = speed
        self._label.text = speed_text(speed)
        await self._context.call("set_speed", {"speed": speed}, f"speed {speed_text(speed)}")

    def _button(self, icon: str, tip: str, name: str, classes: str = "") -> None:
        button = ui.button(icon=icon, color=None, on_click=lambda: self.call(name))
        button.props(f'flat dense round data-act="{name}"').classes(f"or-act {classes}").tooltip(
            tip
        )
        if self._context.read_only:
            button.disable()


def place_of(speed: float) -> int:
    """Return the slider position nearest to a speed."""
    if speed <= 0:
        return len(SPEEDS) - 1
    return min(range(len(SPEEDS) - 1), key=lambda i: abs(SPEEDS[i] - speed) / SPEEDS[i])


def speed_text(speed: float) -> str:
    """Return a speed formatted for display."""
    return f"{speed:g}×" if speed > 0 else "max"


def _said(name: str, steps: int) -> str:
    words = {
        "reset": "reset to the start",
        "stop": "stopped, and reset to the start",
        "resume": "running",
        "pause": "paused",
    }
    return words.get(name) or f"{steps} step{'s' if steps > 1 else ''}"


def _figure(name: str, text: str, tip: str, classes: str = "") -> None:
    ui.label(text).props(f'data-live="{name}"').classes(f"or-figure {classes}").tooltip(tip)
