"""Lane following by camera: bright marks on dark ground, steering to the middle between them."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from outrider.autonomy.component import Output, Silent
from outrider.autonomy.health import GOOD, Health, WarningLog
from outrider.autonomy.reactive.commands import drive
from outrider.autonomy.stereo.pictures import Picture, grey
from outrider.core.errors import AutonomyError
from outrider.core.structure import number
from outrider.messages.types import Message


@dataclass(frozen=True, slots=True)
class LaneSpec:
    """Where in the image marks are searched, and the steering gains."""

    type: Literal["lane"] = "lane"
    speed: float = number(0.4, above=0.0)
    gain: float = number(1.5, above=0.0)  # rad/s for a lane half an image off
    top: float = number(0.6, least=0.0, most=1.0)  # fraction of the image height
    bottom: float = number(0.8, least=0.0, most=1.0)
    lane_share: float = number(0.6, above=0.0)  # fraction of the image width between two markings
    contrast: float = number(40.0, above=0.0)  # grey values above the median
    side: Literal["left", "right"] = "right"  # which marking is followed if only one is seen
    patience: int = number(10, least=1)  # images without a marking before it stops


class Lane(Silent):
    """Steers to the middle between two marks, or keeps half a lane from one."""

    name = "lane"
    inputs: ClassVar[Mapping[str, str]] = {"image": "sensor_msgs/msg/Image"}
    outputs: ClassVar[Mapping[str, str]] = {"cmd_vel": "geometry_msgs/msg/Twist"}

    def __init__(self, spec: LaneSpec) -> None:
        self._spec = spec
        self._complaints = WarningLog(self.name)
        self._turn = 0.0
        self._missed = 0
        self.health = Health("starting", "waiting for an image")

    def take(self, _port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Answer an image with a command."""
        try:
            picture = grey(message)
        except AutonomyError as error:
            self._complaints.say("image", str(error))
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
