"""Image messages as greyscale or colour arrays."""

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.extra import needed
from outrider.core.errors import AutonomyError
from outrider.messages.types import Image

Picture = NDArray[np.uint8]

_CHANNELS = {"mono8": 1, "8UC1": 1, "rgb8": 3, "bgr8": 3, "8UC3": 3, "rgba8": 4, "bgra8": 4}
_BAYER = {"bayer_rggb8": "BG", "bayer_bggr8": "RG", "bayer_gbrg8": "GR", "bayer_grbg8": "GB"}
_GREY = {
    "rgb8": "COLOR_RGB2GRAY",
    "bgr8": "COLOR_BGR2GRAY",
    "8UC3": "COLOR_BGR2GRAY",
    "rgba8": "COLOR_RGBA2GRAY",
    "bgra8": "COLOR_BGRA2GRAY",
}


def grey(message: Image) -> Picture:
    """Return an image as grey values (height, width)."""
    picture, cv2 = _raw(message), needed("cv2")
    if message.encoding in _BAYER:
        code = getattr(cv2, f"COLOR_Bayer{_BAYER[message.encoding]}2GRAY")
        picture = cv2.cvtColor(picture, code)
    elif message.encoding in _GREY:
        picture = cv2.cvtColor(picture, getattr(cv2, _GREY[message.encoding]))
    return picture


def _raw(message: Image) -> Picture:
    channels = 1 if message.encoding in _BAYER else _CHANNELS.get(message.encoding)
    if channels is None:
        known = ", ".join([*_CHANNELS, *_BAYER])
        raise AutonomyError(f"images of encoding '{message.encoding}' are not read; known: {known}")
    height, width, step = int(message.height), int(message.width), int(message.step)
    data = np.asarray(message.data, np.uint8)
    if step < width * channels or len(data) < step * height or not height * width:
        raise AutonomyError(
            f"an image of {width} x {height} {message.encoding} does not fit {len(data)} bytes"
        )
    rows = data[: step * height].reshape(height, step)[:, : width * channels]
    picture = np.ascontiguousarray(rows)
    return picture if channels == 1 else picture.reshape(height, width, channels)
