"""Stereo depth: disparity by semi-global matching, as a cloud in the robot's frame."""

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.component import Output, Silent
from outrider.autonomy.extra import needed
from outrider.autonomy.frame_tree import StaticFrames
from outrider.autonomy.health import GOOD, Health, WarningLog
from outrider.autonomy.stereo.images import Picture
from outrider.autonomy.stereo.pairs import INPUTS, Pair, StereoPairing
from outrider.autonomy.stereo.spec import DepthSpec
from outrider.autonomy.topics import ports
from outrider.core.clock import to_ns
from outrider.core.frames import Array
from outrider.messages.types import Message

if TYPE_CHECKING:
    import cv2


class StereoDepth(Silent):
    """Makes a cloud of every n-th pair."""

    name = "stereo depth"
    inputs: ClassVar[Mapping[str, str]] = INPUTS
    outputs: ClassVar[Mapping[str, str]] = ports("stereo_cloud")

    def __init__(self, spec: DepthSpec, base: str) -> None:
        self._spec = spec
        self._warnings = WarningLog(self.name)
        self._tree = StaticFrames(base)
        self._pairing = StereoPairing(self._warnings)
        self._matcher: cv2.StereoSGBM | None = None
        self.health = Health("starting", "waiting for a pair of images")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process frames, CameraInfo and images."""
        if port == "tf_static":
            self._tree.take(message)
            return ()
        pair = self._pairing.take(port, message)
        if pair is None:
            return ()
        T_base_eye = self._tree.T_base(pair.frame_id)
        if T_base_eye is None:
            self._warnings.say("frame", f"/tf has no frame '{pair.frame_id}'")
            return ()
        self._pairing.not_before_ns = pair.stamp_ns + to_ns(self._spec.period_s) - 1_000_000
        self.health = GOOD
        points = T_base_eye.apply(self._points(pair))
        return [("stereo_cloud", write_cloud(points, pair.stamp_ns, self._tree.base))]

    def _points(self, pair: Pair) -> Array:
        spec = self._spec
        disparity = self.disparity(pair.left, pair.right)[:: spec.every, :: spec.every]
        down, along = (np.arange(n) * spec.every * spec.shrink for n in disparity.shape)
        rows, columns = np.meshgrid(down, along, indexing="ij")
        half = (spec.shrink - 1) / 2
        least = pair.rig.focal * pair.rig.baseline / spec.max_depth + pair.rig.disparity_offset()
        good = disparity > least
        pixels = np.stack([columns[good] + half, rows[good] + half], axis=1).astype(np.float64)
        return pair.rig.points(pixels, disparity[good])

    def disparity(self, left: Picture, right: Picture) -> Array:
        """Return disparities in full-resolution pixels, negative where unknown."""
        cv2, spec = needed("cv2"), self._spec
        if self._matcher is None:
            self._matcher = _matcher(cv2, spec)
        if spec.shrink > 1:
            size = (left.shape[1] // spec.shrink, left.shape[0] // spec.shrink)
            left, right = (cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in (left, right))
        raw = cv2.medianBlur(self._matcher.compute(left, right), 5)
        found: Array = raw.astype(np.float64) * (spec.shrink / 16.0)
        found[~_structured(cv2, left, spec)] = -1.0
        return found


def _structured(cv2: ModuleType, picture: Picture, spec: DepthSpec) -> NDArray[np.bool_]:
    """Return where an image has enough texture to be matched: noise matches everywhere."""
    side = 2 * spec.block + 1
    steps = cv2.absdiff(picture[:, 2:], picture[:, :-2])
    steps = cv2.copyMakeBorder(steps, 0, 0, 1, 1, cv2.BORDER_REPLICATE)
    mean: NDArray[np.uint8] = cv2.boxFilter(steps, cv2.CV_32F, (side, side))
    return mean > spec.contrast


def _matcher(opencv: ModuleType, spec: DepthSpec) -> "cv2.StereoSGBM":
    count = max(16, spec.disparities // 16 * 16)
    area = spec.block * spec.block
    made: cv2.StereoSGBM = opencv.StereoSGBM_create(
        minDisparity=0,
        numDisparities=count,
        blockSize=spec.block,
        P1=8 * area,
        P2=32 * area,
        disp12MaxDiff=1,
        uniquenessRatio=15,
        speckleWindowSize=150,
        speckleRange=2,
        mode=opencv.STEREO_SGBM_MODE_SGBM_3WAY,
    )
    return made
