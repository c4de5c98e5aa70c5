"""A thumbnail as coloured text: two pixels in each character."""

from pathlib import Path

import numpy as np
from PIL import Image

_COLUMNS = 48


def picture_text(path: Path, columns: int = _COLUMNS) -> str:
    """Return an image of this width in characters, for terminals with 24-bit colours."""
    with Image.open(path) as image:
        rows = 2 * max(1, round(columns * image.height / image.width / 2))
        small = image.convert("RGB").resize((columns, rows), Image.Resampling.LANCZOS)
    pixels = np.asarray(small)
    return "\n".join(
        "".join(_cell(above, below) for above, below in zip(*pair, strict=True)) + "\x1b[0m"
        for pair in zip(pixels[::2], pixels[1::2], strict=True)
    )


def _cell(above: np.ndarray, below: np.ndarray) -> str:
    """Return an upper half block of one colour on the other."""
    front, back = (";".join(str(int(value)) for value in colour) for colour in (above, below))
    return f"\x1b[38;2;{front};48;2;{back}m\u2580"
