"""A dialog with fields; errors are shown below them, and it stays open."""

from collections.abc import Awaitable, Callable, Sequence

from nicegui import ui

from outrider.core.errors import ConfigError, OutriderError
from outrider.ui.numbers import parsed


class Form:
    """Fields are added one below another; ``submit`` adds the buttons and opens it."""

    def __init__(self, title: str, hint: str = "") -> None:
        with ui.dialog() as self._dialog, ui.card().classes("or-dialog or-form"):
            ui.label(title).classes("or-title")
            if hint:
                ui.label(hint).classes("or-hint")
            self._fields = ui.column().classes("or-form-fields")
            self._wrong = ui.label("").classes("or-error")
            self._buttons = ui.row()
        self._dialog.on("hide", self._dialog.delete)

    def text(self, label: str, value: str = "") -> ui.input:
        """Add a text field."""
        with self._fields:
            box = ui.input(label, value=value).classes("or-wide")
        return box.props(f'dense outlined data-field="{label}"')

    def choice(self, label: str, options: Sequence[str], value: str) -> ui.select:
        """Add a list to choose from; typing filters it."""
        with self._fields:
            box = ui.select(list(options), label=label, value=value, with_input=len(options) > 9)
        return box.props(f'dense outlined options-dense data-field="{label}"').classes("or-wide")

    def switch(self, label: str, value: bool) -> ui.switch:
        """Add a switch."""
        with self._fields:
            return ui.switch(label, value=value).props(f'dense data-field="{label}"')

    def numbers(self, *rows: tuple[str, float, str]) -> Callable[[], list[float]]:
        """Add number fields with units side by side; return a function that reads them."""
        with self._fields, ui.row().classes("or-line"):
            boxes = {label: _number(label, value, unit) for label, value, unit in rows}

        def read() -> list[float]:
            return [_read(label, str(box.value)) for label, box in boxes.items()]

        return read

    def submit(self, word: str, act: Callable[[], Awaitable[str]]) -> None:
        """Add the buttons and open the dialog; ``act`` returns an error, or an empty text."""

        async def go() -> None:
            try:
                self._wrong.text = await act()
            except OutriderError as error:
                self._wrong.text = str(error)
            if not self._wrong.text:
                self._dialog.close()

        with self._buttons:
            ui.button(word, on_click=go).props(f'no-caps data-act="{word.lower()} now"')
            ui.button("Cancel", on_click=self._dialog.close).props("flat no-caps")
        self._fields.on("keydown.enter", go)
        self._dialog.open()


def _number(label: str, value: float, unit: str) -> ui.input:
    box = ui.input(label, value=f"{value:g}")
    return box.props(f'dense outlined suffix="{unit}" data-field="new {label}"')


def _read(label: str, text: str) -> float:
    number = parsed(text)
    if number is None:
        raise ConfigError(f"{label}: expected a number, got '{text[:20]}'")
    return number
