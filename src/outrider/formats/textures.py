"""Images for surfaces: their size, and their pixels as red, green, blue and opacity."""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from outrider.core.errors import FormatError
from outrider.formats.picture import EncodedPicture

MAX_SIDE = 20_000  # pixels
FORMATS = ("PNG", "JPEG", "BMP", "TGA", "TIFF", "GIF", "WEBP", "PPM")
WITH_OPACITY = ("RGBA", "LA", "PA", "P", "RGBa", "La")  # modes of pictures that may have holes
_GONE, _WHOLE = 12, 243  # opacities of a texel between which it is seen through
_LOCK = threading.Lock()
_DEEP = ("I;16", "I;16B", "I;16L", "I;16N", "I", "F")


class TextureInfo(NamedTuple):
    """The size of an image in pixels, and what a pixel holds (``RGB``, ``RGBA``, ``L``, ...)."""

    width: int
    height: int
    mode: str


def texture_info(path: Path | str) -> TextureInfo:
    """Return an image's size without reading its pixels."""
    with opened_image(path) as image:
        return TextureInfo(image.width, image.height, image.mode)


def load_texture(path: Path | str) -> NDArray[np.uint8]:
    """Return the pixels (height, width, 4), top row first, colours as they are stored."""
    with opened_image(path) as image:
        if image.mode in _DEEP:
            grey = np.rint(grey_levels(image) * 255.0).astype(np.uint8)
            opaque = np.full_like(grey, 255)
            return np.stack([grey, grey, grey, opaque], axis=-1)
        return np.array(image.convert("RGBA"), np.uint8)


def is_translucent(pixels: NDArray[np.uint8]) -> bool:
    """Return whether one sees a little through most of an image: a veil, not a leaf with holes."""
    opacity = pixels[..., 3]
    return bool(((opacity > _GONE) & (opacity < _WHOLE)).mean() > 0.5)


def alpha_mode(path: str, encoded: EncodedPicture) -> str:
    """Return how an image is laid over what is behind it, as glTF calls it.

    ``OPAQUE``, ``MASK`` (there or not, cut at one half) or ``BLEND``: as renderers do.
    """
    if not encoded.cut_out:
        return "OPAQUE"
    try:
        return "BLEND" if is_translucent(load_texture(path)) else "MASK"
    except FormatError:  # half a file: whoever shows it says so
        return "MASK"


def grey_levels(image: Image.Image) -> NDArray[np.float64]:
    """Return a deep grey image from 0 (black) to 1 (white): 16 bits, 32 bits or fractions."""
    values = np.asarray(image, np.float64)
    if not np.isfinite(values).all():
        values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    if image.mode == "F":
        white = 1.0 if values.max() <= 1.0 else 255.0 if values.max() <= 255.0 else values.max()
    else:
        white = 65535.0 if values.max() <= 65535.0 else float(2**31 - 1)
    return np.clip(values / white, 0.0, 1.0)


@contextmanager
def opened_image(path: Path | str) -> Iterator[Image.Image]:
    """Open an image for reading; whatever is wrong with it ends in one sentence."""
    try:
        with _quiet(), _opened(path) as image:
            if max(image.size) > MAX_SIDE:
                raise FormatError(
                    f"{path}: an image of {image.width} x {image.height} pixels is larger than "
                    f"{MAX_SIDE} x {MAX_SIDE}"
                )
            yield image
    except FormatError:
        raise
    except FileNotFoundError:
        raise FormatError(f"{path}: there is no such image") from None
    except UnidentifiedImageError:
        kinds = ", ".join(FORMATS)
        raise FormatError(f"{path}: not an image that is read here ({kinds})") from None
    except Exception as error:  # decoders of damaged files throw nearly everything
        raise FormatError(f"{path}: the image cannot be read: {str(error)[:200]}") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Pillow from talking: what is wrong with an image ends in one sentence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _opened(path: Path | str) -> Image.Image:
    """Open without Pillow's own limit, which is one number for the whole program."""
    with _LOCK:
        kept, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
        try:
            return Image.open(path, formats=FORMATS)
        finally:
            Image.MAX_IMAGE_PIXELS = kept
