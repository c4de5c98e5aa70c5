"""Height fields as 16-bit grey images, the way SDF height maps are read: row 0 is north."""

import struct
import zlib

import numpy as np

from outrider.core.frames import Array
from outrider.world.shapes import HeightField

FULL = 65535


def heights_png(field: HeightField) -> bytes:
    """Return a PNG whose black is the lowest height and whose white is the highest."""
    return grey_png(_levels(field.heights))


def image_error(field: HeightField) -> float:
    """Return by how much a height may change, in metres, when it is kept as an image."""
    return float(np.ptp(field.heights)) / FULL / 2


def grey_png(levels: Array) -> bytes:
    """Return whole numbers (rows, columns) from 0 to 65535 as a PNG."""
    rows, columns = levels.shape
    lines = np.zeros((rows, 1 + 2 * columns), np.uint8)  # each line begins with its filter: none
    numbers = np.ascontiguousarray(levels).astype(">u2", order="C")
    lines[:, 1:] = numbers.view(np.uint8).reshape(rows, -1)
    head = struct.pack(">IIBBBBB", columns, rows, 16, 0, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _levels(heights: Array) -> Array:
    low, span = heights.min(), max(float(np.ptp(heights)), 1e-300)
    levels: Array = np.round((heights - low) / span * FULL)
    return levels.T[::-1]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
