"""The class that a component is derived from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, dataclass_transform

if TYPE_CHECKING:
    from outrider.components.canvas import Canvas
    from outrider.components.handle import Handle


@dataclass_transform(frozen_default=True)
class Component:
    """Behaviour attached to the world, a model, a link, a joint or a sensor.

    A subclass becomes a frozen dataclass: its annotated names are its parameters, which do not
    change. What changes is kept in ``me.state``. It overrides any of the four methods.
    """

    def __init_subclass__(cls, **more: object) -> None:
        super().__init_subclass__(**more)
        dataclass(frozen=True)(cls)

    def start(self, me: "Handle") -> None:
        """Begin: called once, before the first step, and again after every reset."""

    def step(self, me: "Handle") -> None:
        """Act: called in every step (or at ``rate_hz``), before physics."""

    def draw(self, me: "Handle", canvas: "Canvas") -> None:
        """Draw for viewers, ten times a simulated second if there is one; change nothing."""

    def reset(self, me: "Handle") -> None:
        """Clean up: called when the simulation returns to its start, before ``start``."""

    @classmethod
    def has(cls, hook: str) -> bool:
        """Return whether it overrides one of the methods."""
        return getattr(cls, hook) is not getattr(Component, hook)
