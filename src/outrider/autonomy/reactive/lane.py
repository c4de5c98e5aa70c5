"""Lane following by camera: bright marks on dark ground, steering to the middle between them."""

import math
from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from outrider.autonomy.component import Output, Silent
from outrider.autonomy.health import GOOD, Health, WarningLog
from outrider.autonomy.reactive.commands import drive
from outrider.autonomy.reactive.spec import LaneSpec
from outrider.autonomy.stereo.images import Picture, grey
from outrider.autonomy.topics import ports
from outrider.core.errors import AutonomyError
from outrider.messages.types import Message


class LaneKeeper(Silent):
    """Steers to the middle between two marks, or keeps half a lane from one."""

    name = "lane"
    inputs: ClassVar[Mapping[str, str]] = ports("image")
    outputs: ClassVar[Mapping[str, str]] = ports("cmd_vel")

    def __init__(self, spec: LaneSpec) -> None:
        self._spec = spec
        self._warnings = WarningLog(self.name)
        self._turn = 0.0
        self._missed = 0
        self.health = Health("starting", "waiting for an image")

    def take(self, _port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Answer an image with a command."""
        try:
            picture = grey(message)
        except AutonomyError as error:
            self._warnings.say("image", str(error))
            return ()
        off = lane_offset(picture, self._spec)
        if off is None:
            self._missed += 1
            if self._missed > self._spec.patience:
                self.health = Health("lost", "no lane marking in sight: the robot waits")
                return [drive(0.0, 0.0)]
        else:
            self._missed = 0
            self._turn = -self._spec.gain * off
            self.health = GOOD
        slow = 1.0 - 0.5 * min(1.0, abs(self._turn) / self._spec.gain)
        return [drive(self._spec.speed * slow, self._turn)]


def lane_offset(picture: Picture, spec: LaneSpec) -> float | None:
    """Return the lane's offset right of the image centre (-1 to 1), or None."""
    height, width = picture.shape
    band = picture[int(spec.top * height) : max(int(spec.bottom * height), 1)].astype(np.float64)
    if not band.size:
        return None
    bright = band > np.median(band) + spec.contrast
    hits = bright.mean(axis=0)
    columns = np.flatnonzero(hits > 0.1)
    if not len(columns):
        return None
    weights = hits[columns]
    middle = width / 2
    left, right = columns < middle, columns >= middle
    half = spec.lane_share * width / 2
    if left.any() and right.any():
        a = np.average(columns[left], weights=weights[left])
        b = np.average(columns[right], weights=weights[right])
        if b - a > half:
            return float(((a + b) / 2 - middle) / middle)
    mark = float(np.average(columns, weights=weights))
    sign = -1.0 if (spec.side == "right" or mark > middle) and mark >= middle * 0.6 else 1.0
    off = (mark + sign * half - middle) / middle
    return float(math.copysign(min(1.0, abs(off)), off))
