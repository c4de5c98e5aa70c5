"""What controllers on a 2D scan share: every scan is answered with a command."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from outrider.autonomy.component import Output, Silent
from outrider.autonomy.frame_tree import StaticFrames
from outrider.autonomy.health import GOOD, Health
from outrider.autonomy.scans import beams_on_robot
from outrider.autonomy.topics import ports
from outrider.core.frames import Array
from outrider.messages.types import Message


class ScanController(Silent):
    """Knows how the scanner is mounted; a controller defines ``command``."""

    inputs: ClassVar[Mapping[str, str]] = ports("tf_static", "scan")
    outputs: ClassVar[Mapping[str, str]] = ports("cmd_vel")

    def __init__(self, base: str) -> None:
        """Take the name of the robot's frame."""
        self._tree = StaticFrames(base)
        self.health = Health("starting", "waiting for a scan")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process frames; answer a scan with a command."""
        if port == "tf_static":
            self._tree.take(message)
            return ()
        angles, ranges = beams_on_robot(message, self._tree)
        self.health = GOOD
        return [self.command(angles, ranges)]

    def command(self, angles: Array, ranges: Array) -> Output:
        """Return the command for beams at angles from the robot's heading."""
        raise NotImplementedError
