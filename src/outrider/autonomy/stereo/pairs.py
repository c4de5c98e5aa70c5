"""Stereo pairs: two images of the same time, rectified, with the geometry of their CameraInfo."""

from dataclasses import dataclass

from outrider.autonomy.health import WarningLog
from outrider.autonomy.stereo.images import Picture, grey
from outrider.autonomy.stereo.rig import StereoRig
from outrider.autonomy.topics import ports
from outrider.core.errors import AutonomyError
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import CameraInfo, Image, Message

INPUTS = ports("tf_static", "left_info", "right_info", "left", "right")
_TOGETHER_NS = 2_000_000  # images of one pair differ by no more


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A rectified greyscale pair."""

    stamp_ns: int
    frame_id: str
    left: Picture
    right: Picture
    rig: StereoRig


class StereoPairing:
    """Collects images and CameraInfo until a pair is complete."""

    def __init__(self, warnings: WarningLog) -> None:
        self._warnings = warnings
        self._infos: dict[str, CameraInfo] = {}
        self._rig: StereoRig | None = None
        self._held: dict[str, Image] = {}
        self._bare = 0  # pairs without CameraInfo
        self.problem = ""
        self.not_before_ns = 0  # pairs older than that are not wanted

    def take(self, port: str, message: Message) -> Pair | None:
        """Add a message; return the pair that it completes, if any."""
        if port.endswith("_info"):
            self._take_info(port, message)
            return None
        self._held[port] = message
        other = self._held.get("right" if port == "left" else "left")
        if other is None or abs(stamp_ns(other) - stamp_ns(message)) > _TOGETHER_NS:
            return None
        left, right = self._held.pop("left"), self._held.pop("right")
        return self._whole(left, right) if stamp_ns(left) >= self.not_before_ns else None

    def _take_info(self, port: str, message: CameraInfo) -> None:
        before = self._infos.get(port)
        self._infos[port] = message
        same = before is not None and all(
            a.tobytes() == b.tobytes()
            for a, b in ((before.k, message.k), (before.p, message.p), (before.d, message.d))
        )
        if not same:
            self._rig = None

    def _whole(self, left: Image, right: Image) -> Pair | None:
        self.problem = ""
        try:
            rig = self._known_rig()
            if rig is None:
                self._bare += 1
                if self._bare > 1:  # the first may be a moment ahead of its CameraInfo
                    self._refuse("info", "images come without CameraInfo: they are not used")
                return None
            first, second = rig.rectify(grey(left), 0), rig.rectify(grey(right), 1)
        except AutonomyError as error:
            self._refuse("image", str(error))
            return None
        return Pair(stamp_ns(left), left.header.frame_id, first, second, rig)

    def _known_rig(self) -> StereoRig | None:
        if self._rig is None and len(self._infos) == 2:
            self._rig = StereoRig.of(self._infos["left_info"], self._infos["right_info"])
        return self._rig

    def _refuse(self, kind: str, sentence: str) -> None:
        self.problem = sentence
        self._warnings.say(kind, sentence)
