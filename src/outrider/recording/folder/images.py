"""Images of messages as arrays, and in files."""

from pathlib import Path

import numpy as np
from PIL import Image as Picture

from outrider.core.frames import AnyArray
from outrider.messages.types import Message
from outrider.recording.writer import UnwritableError

_LAYOUTS: dict[str, tuple[type[np.generic], int]] = {
    "mono8": (np.uint8, 1),
    "8UC1": (np.uint8, 1),
    "rgb8": (np.uint8, 3),
    "bgr8": (np.uint8, 3),
    "8UC3": (np.uint8, 3),
    "rgba8": (np.uint8, 4),
    "bgra8": (np.uint8, 4),
    "mono16": (np.uint16, 1),
    "16UC1": (np.uint16, 1),
    "32FC1": (np.float32, 1),
    "64FC1": (np.float64, 1),
}
_QUICK = 1  # zlib's level: noise leaves little to gain by more


def pixels(message: Message) -> AnyArray:
    """Return an Image's pixels, (height, width) or (height, width, channels), colours as RGB."""
    if message.encoding not in _LAYOUTS:
        raise UnwritableError(f"images of the encoding '{message.encoding}' have no file format")
    kind, channels = _LAYOUTS[message.encoding]
    dtype = np.dtype(kind).newbyteorder(">" if message.is_bigendian else "<")
    rows = np.ascontiguousarray(message.data).reshape(message.height, message.step)
    used = rows[:, : message.width * channels * dtype.itemsize]
    values = np.ascontiguousarray(used).view(dtype)
    if channels == 1:
        return values
    colours = values.reshape(message.height, message.width, channels)
    if message.encoding.startswith("bgr"):
        order = [2, 1, 0, 3][:channels]
        colours = colours[:, :, order]
    return colours


def write_image(path: Path, values: AnyArray) -> Path:
    """Write pixels as PNG, or as NPY if they are not integers; return the file."""
    if values.dtype.kind == "f":
        file = path.with_suffix(".npy")
        np.save(file, values)
        return file
    file = path.with_suffix(".png")
    Picture.fromarray(np.ascontiguousarray(values)).save(file, compress_level=_QUICK)
    return file


def grey(values: AnyArray) -> bool:
    """Return whether an image is greyscale."""
    return values.ndim == 2
