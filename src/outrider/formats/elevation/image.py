"""Height maps as images: 8 or 16 bits of grey, of any size."""

from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.textures import opened_image

_PNG_DEPTH, _PNG_KIND = 24, 25  # where a PNG's head says bits and colours


def read_height_image(path: Path) -> tuple[Array, list[str]]:
    """Return heights (rows, columns) from 0 at black to 1 at the most a pixel can hold.

    They are not stretched to what the image uses: a map up to 127 of 255 is half as high.
    """
    notes: list[str] = []
    with opened_image(path) as image:
        if image.mode == "F":
            raise FormatError(
                f"{path}: a floating-point image has no maximum; save it as 16-bit grey"
            )
        if image.mode.startswith("I"):
            levels = np.asarray(image, np.float64)
            if levels.min() < 0 or levels.max() > 65535:
                raise FormatError(f"{path}: expected 8 or 16 bits a pixel, got 32")
            return levels / 65535.0, notes
        if image.mode in ("L", "LA", "La", "1"):
            return np.asarray(image.convert("L"), np.float64) / 255.0, notes
        pixels = np.asarray(image.convert("RGB"))
    if (pixels != pixels[..., :1]).any():
        notes.append(f"{path}: a coloured image; its red was taken as the height")
    if _is_deep_png(path):
        notes.append(f"{path}: 16-bit colours are read with 8 bits; save it as 16-bit grey")
    return pixels[..., 0].astype(np.float64) / 255.0, notes


def _is_deep_png(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(32)
    return head[:4] == b"\x89PNG" and head[_PNG_DEPTH] == 16 and head[_PNG_KIND] in (2, 6)
