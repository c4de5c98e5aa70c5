"""SLAM with a stereo camera: loops found by appearance, verified by geometry."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from outrider.autonomy.component import Output
from outrider.autonomy.frame_tree import StaticFrames
from outrider.autonomy.health import WarningLog
from outrider.autonomy.slam.appearance import PlaceAppearance, appearance_of, seen_again
from outrider.autonomy.slam.key_frames import KeyFrame
from outrider.autonomy.slam.slam import Slam
from outrider.autonomy.slam.spec import SlamSpec
from outrider.autonomy.stereo.pairs import INPUTS, StereoPairing
from outrider.autonomy.topics import ports
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import Message

_TRIED = 4  # old places that are compared with a new one


class VisualSlam(Slam):
    """Keeps each key frame's appearance; if none matches, LiDAR scans are tried."""

    inputs: ClassVar[Mapping[str, str]] = {**INPUTS, **ports()}

    def __init__(
        self, spec: SlamSpec, frames: tuple[str, str, str], *, shapes: bool = False
    ) -> None:
        """``frames`` are those of map, odometry and robot; ``shapes`` if clouds are a LiDAR's.

        Those of a stereo camera are too narrow: level ground fits everywhere.
        """
        super().__init__(spec, frames[:2])
        self._tree = StaticFrames(frames[2])
        self._shapes = shapes
        self._pairing = StereoPairing(WarningLog(self.name))
        self._images: dict[str, Message] = {}  # the newest of each eye
        self._looks: list[PlaceAppearance | None] = []  # of each key frame

    def take(self, port: str, message: Message, time_ns: int) -> Iterable[Output]:
        """Process frames, CameraInfo, images, poses and clouds."""
        if port == "tf_static":
            self._tree.take(message)
        elif port in ("left_info", "right_info"):
            self._pairing.take(port, message)
        elif port in ("left", "right"):
            self._images[port] = message
        else:
            return super().take(port, message, time_ns)
        return ()

    def _add(self, place: KeyFrame) -> None:
        super()._add(place)
        self._looks.append(self._appearance(place.stamp_ns))

    def _appearance(self, now_ns: int) -> PlaceAppearance | None:
        """Return the appearance of the newest pair, if it is of this time."""
        images = self._images
        if len(images) < 2 or any(stamp_ns(image) != now_ns for image in images.values()):
            return None
        self._pairing.take("left", images["left"])
        pair = self._pairing.take("right", images["right"])
        T_base_eye = None if pair is None else self._tree.T_base(pair.frame_id)
        if pair is None or T_base_eye is None:
            return None
        return appearance_of(pair, T_base_eye)

    def _close(self, place: KeyFrame) -> bool:
        newest = len(self._places) - 1
        new, spec, poses = self._looks[newest], self._spec, self._graph.poses
        if new is None or not self._may_close(newest):
            return False
        for other in self._nearest(newest):
            old = self._looks[other]
            guess = poses[other].inverse() @ poses[newest]
            found = None if old is None else seen_again(old, new, guess, spec.least_corners)
            known = (spec.seen_m, spec.seen_deg)
            if found is not None and self._accept(other, newest, found[0], known):
                return True
        return self._shapes and super()._close(place)

    def _nearest(self, newest: int) -> list[int]:
        """Return nearby old key frames, nearest first."""
        far, reach = self._distances(newest)
        order = np.argsort(far, kind="stable")
        return [int(i) for i in order if far[i] < reach[i]][:_TRIED]
