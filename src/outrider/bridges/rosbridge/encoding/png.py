"""JSON as the pixels of a PNG image, which compresses it: rosbridge's ``png``."""

import io
import math
from base64 import b64decode, b64encode

from PIL import Image

from outrider.core.errors import BridgeError


def wrapped(text: bytes) -> str:
    """Return text as base64 of a PNG, filled up with line feeds."""
    pixels = len(text) / 3
    width = max(1, math.floor(math.sqrt(pixels)))
    height = max(1, math.ceil(pixels / width))
    data = text.ljust(width * height * 3, b"\n")
    out = io.BytesIO()
    Image.frombytes("RGB", (width, height), data).save(out, "PNG", compress_level=1)
    return b64encode(out.getvalue()).decode("ascii")


def unwrapped(data: str, most: int) -> bytes:
    """Return the text in such a picture, of at most so many bytes."""
    try:
        with Image.open(io.BytesIO(b64decode(data, validate=True)), formats=["PNG"]) as picture:
            if picture.mode != "RGB" or picture.width * picture.height * 3 > most:
                raise BridgeError(
                    f"png: expected RGB pixels of at most {most} bytes, got {picture.mode}"
                    f" {picture.width}x{picture.height}"
                )
            return picture.tobytes().replace(b"\n", b"")
    except (ValueError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise BridgeError(f"png: the data is not a PNG: {error!r:.80}") from None
