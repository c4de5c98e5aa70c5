"""Menu items and submenus."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from nicegui import ui
from nicegui.slot import Slot


def item(text: str, icon: str, act: Callable[[], object], *, disabled: bool = False) -> None:
    """Add a menu item."""
    menus = _around()

    async def chosen() -> None:
        for menu in menus:
            menu.close()
        done = act()
        if isinstance(done, Awaitable):
            await done

    with ui.menu_item(on_click=chosen).props(f'data-item="{text}"') as row:
        ui.icon(icon).classes("or-menu-icon")
        ui.label(text)
    if disabled:
        row.props("disable")


@contextmanager
def submenu(text: str, icon: str) -> Iterator[None]:
    """Add a submenu."""
    with ui.menu_item(auto_close=False).props(f'data-item="{text}"'):
        ui.icon(icon).classes("or-menu-icon")
        ui.label(text)
        ui.icon("chevron_right").classes("or-menu-more")
        with ui.menu().props('anchor="top end" self="top start"').classes("or-menu"):
            yield


def _around() -> list[ui.menu]:
    """Return the menus that contain an item, innermost first."""
    found: list[ui.menu] = []
    slot: Slot | None = ui.context.slot
    while slot is not None:
        if isinstance(slot.parent, ui.menu):
            found.append(slot.parent)
        slot = slot.parent.parent_slot
    return found
