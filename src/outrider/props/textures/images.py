"""Procedural images, cached as files under the hash of their recipe."""

import inspect
import sys
from functools import lru_cache
from pathlib import Path

from PIL import Image as Pictures

from outrider.core.cache import content_key
from outrider.core.cache_folder import cache_dir, temporary_cache
from outrider.core.files.atomic_file import replacing
from outrider.core.seeds import generator
from outrider.props.textures import tiling
from outrider.props.textures.recipe import Recipe
from outrider.props.textures.tiling import Image


def texture(recipe: Recipe[...], *arguments: object, seed: int = 0) -> str:
    """Return the path of the image that ``recipe(random, *arguments)`` draws, drawn once."""
    texts = _source(recipe.draw.__module__), _source(tiling.__name__)
    key = content_key(*texts, recipe.stream, arguments, seed)
    path = cache_dir() / "textures" / f"{key}.png"
    if path.is_file():
        return str(path)
    pixels = recipe(generator(seed, recipe.stream), *arguments)
    try:
        _write(path, pixels)
    except OSError:  # a cache that cannot be written: kept for as long as the machine runs
        path = temporary_cache() / "textures" / path.name
        _write(path, pixels)
    return str(path)


@lru_cache
def _source(module: str) -> str:
    """Return a module's text: a recipe that changes draws a new image."""
    return inspect.getsource(sys.modules[module])


def _write(path: Path, pixels: Image) -> None:
    """Write beside the target and rename, so that a reader never sees half an image."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        Pictures.fromarray(pixels).save(file, "PNG", compress_level=1)
