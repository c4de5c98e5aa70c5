"""A text field that is applied at once; if refused, the reason is shown and the value reset."""

from collections.abc import Awaitable, Callable

from nicegui import ui


def text_field(
    label: str,
    value: str,
    apply: Callable[[str], Awaitable[str]],
    *,
    read_only: bool = False,
) -> None:
    """Show a text; Enter or leaving the field applies it."""
    held = value

    async def try_it() -> None:
        nonlocal held
        text = str(box.value or "").strip()
        if text == held:
            return
        wrong = await apply(text)
        if wrong:
            box.value = held
        else:
            held = text
        box.error = wrong or None  # last: a new value clears it

    box = ui.input(label, value=value).props("dense outlined hide-bottom-space")
    box.props(f'data-field="{label}"').classes("or-choice")
    if read_only:
        box.props("readonly")
    else:
        box.on("keydown.enter", try_it).on("blur", try_it)
