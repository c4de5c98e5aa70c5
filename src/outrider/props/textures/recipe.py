"""Recipes of images: functions that draw from a random stream with a name of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, ParamSpec

from outrider.props.textures.tiling import Image

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Recipe(Generic[P]):
    """Draws an image. The name of its stream decides the picture: it stays when a file moves."""

    stream: str
    draw: Callable[P, Image]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Image:
        """Draw with a generator of the caller's."""
        return self.draw(*args, **kwargs)


def recipe(stream: str) -> Callable[[Callable[P, Image]], Recipe[P]]:
    """Make a function ``draw(random, ...)`` a recipe."""
    return lambda draw: Recipe(stream, draw)
