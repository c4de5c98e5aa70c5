"""The console: the log with its levels, and a line for commands with history and completion."""

import asyncio
import time
from collections.abc import Awaitable

from nicegui import ui
from nicegui.events import GenericEventArguments

from outrider.core.errors import OutriderError
from outrider.ui.commands import Commands
from outrider.ui.console_log import Entry, Level
from outrider.ui.panels.context import Context

_MOST_LINES = 400
_LEVELS: dict[str, tuple[Level, ...]] = {
    "All": ("info", "warning", "error", "command", "answer"),
    "Commands": ("command", "answer", "error"),
    "Errors": ("warning", "error"),
}


class Console:
    """The log, newest below, and the command line."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._next = 0
        self._commands = Commands(context.editor, own_user=context.own_user)
        self._history: list[str] = []
        self._back = 0
        with ui.column().classes("or-console"):
            self._log = ui.log(max_lines=_MOST_LINES).classes("or-log")
            with ui.row().classes("or-prompt"):
                ui.icon("chevron_right").classes("or-prompt-icon")
                self._line = ui.input(
                    placeholder="help, spawn box, move jackal 1 2, set jackal/imu rate_hz 20",
                    autocomplete=self._commands.completions(),
                )
                self._line.props('dense borderless data-field="command"').classes("or-command-line")
                self._level = ui.select(list(_LEVELS), value="All", on_change=self._again)
                self._level.props("dense borderless options-dense").classes("or-level")
        self._line.on("keydown.enter", self._enter)
        self._line.on("keydown.up", lambda _: self._recall(1))
        self._line.on("keydown.down", lambda _: self._recall(-1))
        if context.read_only:
            self._line.disable()

    def focus(self) -> None:
        """Focus the command line."""
        self._line.run_method("focus")

    def refresh(self) -> None:
        """Show new lines."""
        for entry in self._context.editor.journal.since(self._next):
            self._next = entry.number + 1
            if entry.level in _LEVELS[str(self._level.value)]:
                self._log.push(_text(entry), classes=f"or-{entry.level}")

    def renewed(self) -> None:
        """Update the completions."""
        self._line.set_autocomplete(self._commands.completions())

    def _again(self) -> None:
        self._log.clear()
        self._next = 0
        self.refresh()

    def _enter(self, _event: GenericEventArguments) -> Awaitable[None] | None:
        """Take the line at once, before the next key is pressed; carry it out by and by."""
        text = str(self._line.value or "").strip()
        if not text:
            return None
        self._line.value = ""
        self._history.append(text)
        self._back = 0
        return self._carry_out(text)

    async def _carry_out(self, text: str) -> None:
        journal = self._context.editor.journal
        journal.write("command", text)
        try:
            answer = await asyncio.to_thread(self._commands.run, text)
        except OutriderError as error:
            journal.write("error", str(error))
        except TimeoutError:
            journal.write("error", "the simulation did not answer in time")
        except Exception as error:  # whatever it is, the console goes on and says so
            journal.write("error", f"it failed: {error!r:.300}")
        else:
            if answer:
                journal.write("answer", answer)
        self.refresh()

    def _recall(self, way: int) -> None:
        self._back = max(0, min(len(self._history), self._back + way))
        self._line.value = self._history[-self._back] if self._back else ""


def _text(entry: Entry) -> str:
    clock = time.strftime("%H:%M:%S", time.localtime(entry.wall_s))
    mark = {"command": "› ", "error": "✗ ", "warning": "! "}.get(entry.level, "")
    return f"{clock}  {mark}{entry.text}"
