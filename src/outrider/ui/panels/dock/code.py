"""The program of a robot: edited, run and stopped, with its output."""

import asyncio

from nicegui import ui

from outrider.ui.panels.context import Context
from outrider.ui.programs import RobotProgram, namespace_of

_MOST_LINES = 300
_WRONG = "or-wrong-line"  # class of the line with an error


class CodePanel:
    """The text on the left, the program's output on the right."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._next = 0
        self._marked = 0
        self._program: RobotProgram | None = None
        self._place = ui.row().classes("or-code")
        self._built = False

    def _build(self) -> None:
        """Build it when it is seen first: its editor is large, and few open it."""
        self._built = True
        with self._place:
            with ui.column().classes("or-code-text"):
                self._bar()
                self._text = ui.codemirror(language="Python", theme="vscodeDark")
                self._text.classes("or-code-editor").on_value_change(self._typed)
            self._log = ui.log(max_lines=_MOST_LINES).classes("or-log or-code-log")
        for element in (self._text, self._run, self._stop):
            element.set_enabled(not self._context.no_code)

    def refresh(self) -> None:
        """Show the program of the robot that is driven, and its new output."""
        robot = self._context.robot
        if not robot:
            return
        if not self._built:
            self._build()
        program = self._context.editor.programs.of(robot)
        if program is not self._program:
            self._program, self._next = program, 0
            self._log.clear()
        program.reread()
        if self._text.value != program.text:
            self._text.value = program.text
        self._show(program)
        for entry in program.said.since(self._next):
            self._next = entry.number + 1
            self._log.push(entry.text, classes=f"or-{entry.level}")

    def _bar(self) -> None:
        with ui.row().classes("or-code-bar"):
            self._name = ui.label("").classes("or-item-name")
            self._state = ui.label("").props('data-live="code"').classes("or-hint")
            self._run = ui.button("Run", icon="play_arrow", color=None, on_click=self._start)
            self._stop = ui.button("Stop", icon="stop", color=None, on_click=self._end)
            for button, name in ((self._run, "run code"), (self._stop, "stop code")):
                button.props(f'flat dense no-caps size=sm data-act="{name}"').classes("or-tool")
            self._run.tooltip("Run it from the beginning")
            self._stop.tooltip("Stop it, and the robot")

    def _show(self, program: RobotProgram) -> None:
        self._name.text = f"{program.robot}: {program.file.name}"
        going = "error" if program.wrong_line else "running"
        state = self._context.no_code or (going if program.running else "not running")
        if self._state.text != state:
            self._state.text = state
        if self._marked != program.wrong_line:
            self._marked = program.wrong_line
            mark = {"kind": "line", "line": self._marked, "class": _WRONG}
            self._text.decorations = [mark] if self._marked else []

    def _typed(self) -> None:
        if self._program is not None and not self._context.no_code:
            self._program.text = str(self._text.value or "")

    async def _start(self) -> None:
        context, program = self._context, self._program
        if program is None or context.no_code:
            return
        session, robot = context.editor.session, program.robot
        namespace = await context.editor.between(
            lambda: namespace_of(session.simulation.robots[robot].topics)
        )
        await context.editor.between(lambda: context.driving.take_over(robot))
        await asyncio.to_thread(program.start, namespace)
        context.editor.journal.write("info", f"{robot}: its program runs")

    async def _end(self) -> None:
        context, program = self._context, self._program
        if program is None or context.no_code:
            return
        await asyncio.to_thread(program.stop)
        await context.change(
            lambda: context.driving.halt(program.robot), f"{program.robot}: its program has ended"
        )
