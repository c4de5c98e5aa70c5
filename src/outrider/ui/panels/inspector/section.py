"""The building blocks of the inspector: sections, facts, choices."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from nicegui import ui


class Refreshable(Protocol):
    """A panel part whose values change by themselves."""

    def refresh(self) -> None:
        """Show the current values."""


@contextmanager
def section(title: str, icon: str = "", *, opened: bool = True) -> Iterator[None]:
    """Put the content under a collapsible heading."""
    with (
        ui.expansion(title, icon=icon or None, value=opened)
        .props("dense dense-toggle switch-toggle-side")
        .classes("or-section") as fold,
        ui.column().classes("or-section-body"),
    ):
        fold.props(f'data-section="{title}"')
        yield


@contextmanager
def line() -> Iterator[None]:
    """Put fields side by side."""
    with ui.row().classes("or-line"):
        yield


def fact(name: str, value: str) -> ui.label:
    """Show a read-only value."""
    with ui.row().classes("or-fact"):
        ui.label(name).classes("or-fact-name")
        return ui.label(value).classes("or-fact-value")


def choice(
    label: str,
    options: Sequence[str],
    value: str,
    apply: Callable[[str], Awaitable[str]],
    *,
    read_only: bool = False,
) -> ui.select:
    """Show a value from a list; a refused choice is reset."""
    held = value

    async def chosen() -> None:
        nonlocal held
        picked = str(box.value)
        if picked == held:
            return
        if await apply(picked):
            box.value = held
        else:
            held = picked

    box = ui.select(list(options), label=label, value=value, on_change=chosen)
    box.props(f'dense outlined options-dense hide-bottom-space data-field="{label}"')
    box.classes("or-choice")
    if read_only:
        box.props("readonly")
    return box
