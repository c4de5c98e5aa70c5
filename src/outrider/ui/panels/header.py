"""The bar on top: menus, transport, panels, help."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from nicegui import ui

from outrider.core.structure import Data
from outrider.ui.layout import PANELS, fitted
from outrider.ui.panels.context import Context
from outrider.ui.panels.menus.help import show_help
from outrider.ui.panels.menus.menus import Menus
from outrider.ui.panels.transport import Transport

if TYPE_CHECKING:
    from outrider.ui.panels.dock.dock import Dock
    from outrider.ui.panels.inspector.inspector import Inspector
    from outrider.ui.panels.scene import ScenePanel

_PANELS = {
    "tree": ("account_tree", "Hierarchy"),
    "console": ("terminal", "Console, topics and plots"),
    "inspector": ("tune", "Inspector"),
}


class PageHeader:
    """The menus, the transport bar, and the actions of keyboard shortcuts."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.splitters: dict[str, ui.splitter] = {}
        self._buttons: dict[str, ui.button] = {}
        self._window = (1e4, 1e4)  # pixels, until the browser has told its size
        with ui.element("header").classes("or-header"):
            with ui.row().classes("or-brand"):
                ui.html(_LOGO, sanitize=False)
                ui.label("Outrider").classes("or-name")
            self._menus = Menus(context)
            self.transport = Transport(context)
            with ui.row().classes("or-right"):
                if context.read_only:
                    ui.badge("read-only", color="grey-8").classes("or-badge")
                for name, (icon, tip) in _PANELS.items():
                    button = ui.button(
                        icon=icon, color=None, on_click=lambda n=name: self._toggle(n)
                    )
                    button.props(f'flat dense data-panel="{name}"').classes("or-tool or-on")
                    button.tooltip(f"Show or hide: {tip}")
                    self._buttons[name] = button
                ui.button(icon="help_outline", color=None, on_click=show_help).props(
                    "flat dense"
                ).classes("or-tool").tooltip("Keys and help (F1)")

    def wire(self, scene: "ScenePanel", dock: "Dock", inspector: "Inspector") -> None:
        """Set the panels that keys act on."""
        self._scene, self._dock, self._inspector = scene, dock, inspector

    async def key(self, event: Data) -> None:
        """Carry out a key press forwarded by the scene."""
        name = str(event.get("name"))
        acts: dict[str, Callable[[], Awaitable[None] | None]] = {
            "reset": lambda: self.transport.call("reset"),
            "pause": self.transport.toggle,
            "step": lambda: self.transport.call("step"),
            "wireframe": lambda: self._scene.view("wireframe"),
            "grid": lambda: self._scene.view("showGrid"),
            "console": self._dock.focus,
            "help": show_help,
            "escape": lambda: self._context.select(None),
            "focus": self._look,
            "delete": self._inspector.delete,
            "duplicate": self._inspector.duplicate,
            "undo": self._menus.undo,
            "redo": self._menus.redo,
            "save": self._menus.save,
        }
        if name in ("follow", "orbit", "chase", "first", "top", "fly"):
            self._scene.camera(name)
        elif name in acts:
            done = acts[name]()
            if done is not None:
                await done

    def _look(self) -> None:
        node = self._context.selected
        if node is not None:
            self._scene.element.tell("focus", node.name)

    def sizes(self) -> dict[str, float]:
        """Return the sizes of the panels; 0 is hidden."""
        return {name: float(splitter.value or 0.0) for name, splitter in self.splitters.items()}

    def fit(self, width: float, height: float) -> None:
        """Hide the panels that a window of this size has no room for."""
        self._window = (width, height)
        self.resize(self.sizes())

    def resize(self, sizes: Mapping[str, float], asked: str = "") -> None:
        """Set the sizes of panels, as far as the window has room for them."""
        for name, size in fitted({**self.sizes(), **sizes}, self._window, asked).items():
            if name in self.splitters:
                self.splitters[name].value = size
                add, remove = ("or-on", "") if size else ("", "or-on")
                self._buttons[name].classes(add=add, remove=remove)

    def _toggle(self, name: str) -> None:
        if self.splitters[name].value:
            self.resize({name: 0.0})
        else:
            self.resize({name: PANELS[name]}, asked=name)


_LOGO = """<svg width="26" height="26" viewBox="0 0 32 32"><path d="M5 20 L9 12 H21 L27 17 V20 Z"
 fill="#ff8a3d"/><circle cx="10" cy="22" r="4" fill="#d7dce3"/><circle cx="22" cy="22" r="4"
 fill="#d7dce3"/><circle cx="10" cy="22" r="1.6" fill="#1b1f26"/><circle cx="22" cy="22" r="1.6"
 fill="#1b1f26"/></svg>"""
