"""The scene as an element of a page."""

from collections.abc import Callable
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from outrider.core.structure import Data

_ = ui.scene  # brings three.js, under the name that our modules import

_ANSWER_S = 5.0


class StageElement(
    Element, component="web/component.js", esm={"outrider-stage": "web"}, default_classes="or-stage"
):
    """A canvas that draws the simulation; every viewer has a separate camera."""

    def tell(self, method: str, *arguments: object) -> None:
        """Call a method of the scene in the browser."""
        self.run_method(method, *arguments)

    async def ask(self, method: str) -> Any:
        """Call a method of the scene in the browser and await its result."""
        return await self.run_method(method, timeout=_ANSWER_S)

    def when(self, event: str, act: Callable[[Data], Any]) -> None:
        """Register a handler for an event of the scene."""

        def heard(event_: GenericEventArguments) -> Any:
            return act(event_.args if isinstance(event_.args, dict) else {})

        self.on(event, heard)
