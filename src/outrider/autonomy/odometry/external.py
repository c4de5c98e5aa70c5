"""Odometry of another program, which publishes the robot's pose on its topic."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from outrider.autonomy.component import Output, Silent
from outrider.autonomy.health import GOOD, Health, WarningLog
from outrider.autonomy.topics import ports
from outrider.messages.plain_values import pose_from
from outrider.messages.types import Message


class ExternalOdometry(Silent):
    """Publishes nothing itself; it reports whether poses arrive."""

    name = "odometry"
    inputs: ClassVar[Mapping[str, str]] = ports("odometry")
    outputs: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        self._warnings = WarningLog(self.name)
        self.health = Health("starting", "waiting for another program's odometry")

    def take(self, _port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Take a pose from another program."""
        pose = pose_from(message.pose.pose)
        if np.isfinite([*pose.position, *pose.rotation]).all():
            self.health = GOOD
        else:
            sentence = "a pose of another program is not a number"
            self._warnings.say("number", sentence)
            self.health = Health("lost", sentence)
        return ()
