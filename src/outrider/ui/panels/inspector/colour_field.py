"""A colour field with a picker."""

import re
from collections.abc import Awaitable, Callable, Sequence

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from outrider.specs.world import RGBA

_HEX = re.compile(r"#[0-9a-fA-F]{6}")


def colour_field(
    colour: Sequence[float],
    apply: Callable[[RGBA, str], Awaitable[str]],
    *,
    label: str = "colour",
    read_only: bool = False,
) -> None:
    """Show a colour; ``apply`` gets the new one and its name."""
    shown = hex_of(colour)

    async def paint(event: ValueChangeEventArguments[str | None]) -> None:
        text = str(event.value or "")
        if text == shown or not _HEX.fullmatch(text):
            return
        red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
        await apply((red, green, blue, 1.0), f"{label} {text}")

    picker = ui.color_input(label, value=shown, on_change=paint)
    picker.props(f'dense outlined hide-bottom-space data-field="{label}"').classes("or-choice")
    if read_only:
        picker.disable()


def hex_of(colour: Sequence[float]) -> str:
    """Return a colour as CSS writes it."""
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in colour[:3])
