"""Positions reported by GNSS, fix after fix."""

import math
from collections import deque

import numpy as np

from outrider.core.frames import Array
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import Message

_KEPT = 3000
_tracks: dict[str, tuple[int, deque[tuple[float, float, float]]]] = {}


def track_with(topic: str, message: Message) -> Array:
    """Add a fix, once; return all fixes of its topic: latitude, longitude, height (n, 3)."""
    stamp = stamp_ns(message)
    last, track = _tracks.get(topic, (-1, deque(maxlen=_KEPT)))
    if stamp < last:
        track.clear()  # it was set back
    fix = (float(message.latitude), float(message.longitude), float(message.altitude))
    if stamp != last and all(map(math.isfinite, fix)):
        track.append(fix)
    _tracks[topic] = stamp, track
    return np.array(track).reshape(-1, 3)
