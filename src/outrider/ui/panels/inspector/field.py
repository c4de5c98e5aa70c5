"""A number field that is applied at once; if refused, the reason is shown and the value reset."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from nicegui import ui

from outrider.ui.numbers import parsed, shown

Apply: TypeAlias = Callable[[float], Awaitable[str]]


class NumberField:
    """A number with its unit; Enter or leaving the field applies it."""

    def __init__(
        self, label: str, value: float, apply: Apply, *, unit: str = "", read_only: bool = False
    ) -> None:
        self._value = value
        self._apply = apply
        self._editing = False
        self._tried = ""  # what is being tried, by Enter, when the field is left as well
        self.input = (
            ui.input(label, value=shown(value))
            .props("dense outlined hide-bottom-space")
            .classes("or-number")
            .props(f'data-field="{label}"')
        )
        if unit:
            self.input.props(f'suffix="{unit}"')
        if read_only:
            self.input.props("readonly")
            return
        self.input.on("keydown.enter", self._try)
        self.input.on("blur", self._leave)
        self.input.on("focus", self._begin)

    def show(self, value: float) -> None:
        """Show another value, unless the user is typing."""
        self._value = value
        if not self._editing and self.input.value != shown(value):
            self.input.value = shown(value)

    def _begin(self) -> None:
        self._editing = True

    async def _leave(self) -> None:
        await self._try()
        self._editing = False

    async def _try(self) -> None:
        text = str(self.input.value or "").strip()
        if text in (shown(self._value), self._tried):
            return
        value = parsed(text)
        if value is None:
            self._complain(f"expected a number, got '{text[:20]}'")
            return
        self._tried = text
        wrong = await self._apply(value)
        self._tried = ""
        self._complain(wrong)
        if not wrong:
            self._value = value

    def _complain(self, wrong: str) -> None:
        """Show the error next to the field; the old value is kept."""
        if wrong:
            self.input.value = shown(self._value)
        self.input.error = wrong or None  # last: a new value clears it
