"""Messages as small pictures: camera images, scans from above, GNSS tracks."""

import io
import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from outrider.core.frames import AnyArray
from outrider.messages.types import Message
from outrider.ui.views.colours import coloured
from outrider.ui.views.tracks import track_with

Card: TypeAlias = Callable[[str, Message], bytes]

_WIDEST = 640
_SIDE = 300
_BACK, _LINE, _TEXT, _ACCENT = (12, 14, 17), (44, 51, 62), (139, 149, 163), (255, 138, 61)
_FONT = 15  # px: cards are shown at half their size
_CHANNELS = {"rgb8": "RGB", "bgr8": "BGR", "rgba8": "RGBA", "bgra8": "BGRA"}
_M_PER_DEGREE = 111_319.5


def image_card(_key: str, message: Message) -> bytes:
    """Return a camera's image as JPEG."""
    data = np.ascontiguousarray(message.data)
    height, width, encoding = message.height, message.width, message.encoding
    if encoding in _CHANNELS:
        depth = 4 if encoding.endswith("a8") else 3
        pixels = data.reshape(height, message.step)[:, : depth * width].reshape(
            height, width, depth
        )
        if encoding.startswith("bgr"):
            pixels = pixels[..., [2, 1, 0]]
        return _jpeg(Image.fromarray(np.ascontiguousarray(pixels[..., :3])))
    return _jpeg(Image.fromarray(_levels(data, message)))


def jpeg_card(_key: str, message: Message) -> bytes:
    """Return a compressed image as it is."""
    return np.ascontiguousarray(message.data).tobytes()


def scan_card(_key: str, message: Message) -> bytes:
    """Return a scan from above, the sensor in the middle, ahead is up."""
    ranges = np.asarray(message.ranges, np.float64)
    seen = np.isfinite(ranges) & (ranges >= message.range_min) & (ranges <= message.range_max)
    far = float(np.percentile(ranges[seen], 99)) if seen.any() else float(message.range_max)
    far = _round_up(max(far, 0.5))
    canvas, draw = _canvas()
    scale = 0.46 * _SIDE / far
    middle = _SIDE / 2
    for ring in (0.25, 0.5, 0.75, 1.0):
        r = ring * far * scale
        draw.ellipse((middle - r, middle - r, middle + r, middle + r), outline=_LINE)
        draw.text((middle + 3, middle - r), f"{ring * far:g} m", fill=_TEXT)
    draw.line((middle, 0, middle, _SIDE), fill=_LINE)
    draw.line((0, middle, _SIDE, middle), fill=_LINE)
    angle = message.angle_min + np.arange(len(ranges)) * message.angle_increment
    x = middle - ranges[seen] * np.sin(angle[seen]) * scale
    y = middle - ranges[seen] * np.cos(angle[seen]) * scale
    paint = coloured(ranges[seen], 0.0, far)
    for px, py, colour in zip(x.tolist(), y.tolist(), paint.tolist(), strict=True):
        draw.rectangle((px - 1, py - 1, px + 1, py + 1), fill=tuple(colour[:3]))
    draw.polygon((middle, middle - 8, middle - 5, middle + 6, middle + 5, middle + 6), fill=_ACCENT)
    return _jpeg(canvas)


def fix_card(key: str, message: Message) -> bytes:
    """Return the track of GNSS fixes, north up."""
    degrees = track_with(key, message)
    canvas, draw = _canvas()
    if not len(degrees):
        draw.text((10, 10), "no fix", fill=_TEXT)
        return _jpeg(canvas)
    latitude, longitude = degrees[-1, :2].tolist()
    east = (degrees[:, 1] - degrees[-1, 1]) * _M_PER_DEGREE * math.cos(math.radians(latitude))
    north = (degrees[:, 0] - degrees[-1, 0]) * _M_PER_DEGREE
    span = _round_up(max(2.0, float(np.abs(np.concatenate([east, north])).max())))
    scale = 0.42 * _SIDE / span
    middle = _SIDE / 2
    for step in (-1.0, -0.5, 0.0, 0.5, 1.0):
        at = middle + step * span * scale
        draw.line((at, 0, at, _SIDE), fill=_LINE)
        draw.line((0, at, _SIDE, at), fill=_LINE)
    way = list(
        zip((middle + east * scale).tolist(), (middle - north * scale).tolist(), strict=True)
    )
    if len(way) > 1:
        draw.line(way, fill=(79, 195, 247), width=2)
    draw.ellipse((middle - 4, middle - 4, middle + 4, middle + 4), fill=_ACCENT)
    draw.text(
        (8, 6),
        f"{latitude:.6f}°  {longitude:.6f}°",
        fill=(215, 220, 227),
    )
    draw.text((8, _SIDE - 24), f"squares of {span / 2:g} m, north is up", fill=_TEXT)
    return _jpeg(canvas)


CARDS: dict[str, Card] = {
    "sensor_msgs/msg/Image": image_card,
    "sensor_msgs/msg/CompressedImage": jpeg_card,
    "sensor_msgs/msg/LaserScan": scan_card,
    "sensor_msgs/msg/NavSatFix": fix_card,
}


def _levels(data: AnyArray, message: Message) -> AnyArray:
    """Return depths, labels and grey values as colour or grey levels."""
    kinds = {
        "mono8": np.uint8,
        "8UC1": np.uint8,
        "mono16": np.uint16,
        "16UC1": np.uint16,
        "32FC1": np.float32,
        "16SC1": np.int16,
        "32SC1": np.int32,
    }
    kind = np.dtype(kinds.get(message.encoding, np.uint8))
    rows = data.reshape(message.height, message.step)
    values = np.ascontiguousarray(rows[:, : message.width * kind.itemsize]).view(kind)
    if kind == np.uint8 and message.encoding == "mono8":
        return values
    known = np.isfinite(values) & (values != 0)
    low, high = np.percentile(values[known], (1, 99)) if known.any() else (0.0, 1.0)
    flat = coloured(values.reshape(-1).astype(np.float64), float(high), float(low))
    flat = coloured(-values.reshape(-1).astype(np.float64), -float(high), -float(low))
    flat[~known.reshape(-1)] = (12, 14, 17, 255)
    return flat[:, :3].reshape(message.height, message.width, 3)


def _canvas() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    canvas = Image.new("RGB", (_SIDE, _SIDE), _BACK)
    draw = ImageDraw.Draw(canvas)
    draw.font = ImageFont.load_default(_FONT)
    return canvas, draw


def _jpeg(image: Image.Image) -> bytes:
    if image.width > _WIDEST:
        image = image.resize((_WIDEST, round(_WIDEST * image.height / image.width)))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=82)
    return out.getvalue()


def _round_up(value: float) -> float:
    """Return the smallest of 1, 2 and 5 times powers of ten that is not below a value."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(float(step * power) for step in (1, 2, 5, 10) if step * power >= value * 0.999)
