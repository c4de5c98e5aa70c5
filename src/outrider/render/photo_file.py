"""Images as files."""

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.core.errors import RenderError
from outrider.core.files.atomic_file import write_whole
from outrider.render.picture import Picture
from outrider.specs.file_kinds import written

_SUFFIXES = {
    "colour": written("image"),
    "depth": (".png", ".npy"),
    "labels": (".png", ".npy"),
}
_MOST_MM = 65535
_GOLDEN = 0.618034  # steps of hue: neighbours in number are far apart in colour


def check_picture_name(path: Path, what: str) -> None:
    """Refuse a file name that cannot hold such a picture, before any work is done."""
    known = _SUFFIXES[what]
    if path.suffix.lower() not in known:
        raise RenderError(f"{path}: an image of {what} is written as {' or '.join(known)}")
    if not path.resolve().parent.is_dir():
        raise RenderError(f"{path}: there is no folder '{path.resolve().parent}'")


def save_photo(picture: Picture, path: Path) -> None:
    """Write the one thing that a picture holds."""
    for what in ("colour", "depth", "labels"):
        pixels = getattr(picture, what)
        if pixels is not None:
            check_picture_name(path, what)
            write_whole(path, _bytes(what, pixels, path.suffix.lower()))
            return


def _bytes(what: str, pixels: NDArray[np.generic], suffix: str) -> bytes:
    out = io.BytesIO()
    if suffix == ".npy":
        np.save(out, pixels)
    else:
        _image(what, pixels).save(out, Image.registered_extensions()[suffix])
    return out.getvalue()


def _image(what: str, pixels: NDArray[np.generic]) -> Image.Image:
    if what == "depth":
        metres = np.where(np.isfinite(pixels), pixels, 0.0)
        mm = np.rint(metres * 1000)
        return Image.fromarray(np.where(mm <= _MOST_MM, mm, 0).astype(np.uint16))
    if what == "labels":
        image = Image.fromarray((pixels % 256).astype(np.uint8), "P")
        image.putpalette(_palette())
        return image
    return Image.fromarray(pixels)


def _palette() -> bytes:
    """Return 256 different colours; 0, which is nothing, is black."""
    hue = (np.arange(256) * _GOLDEN) % 1.0
    wheel = np.abs((hue[:, None] * 6 + np.array([0, 4, 2])) % 6 - 3) - 1
    colours = np.clip(wheel, 0.0, 1.0) * 0.75 + 0.2
    colours[0] = 0.0
    return bytes((colours * 255).astype(np.uint8).tobytes())
