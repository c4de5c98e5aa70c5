"""What messages say, as the program's own values: times in nanoseconds, poses."""

import numpy as np

from outrider.core.clock import NS_PER_S
from outrider.core.frames import Pose
from outrider.messages import types as ros
from outrider.messages.types import Message


def stamp_ns(message: Message) -> int:
    """Return when a message with a header was measured."""
    stamp = message.header.stamp
    return int(stamp.sec) * NS_PER_S + int(stamp.nanosec)


def pose_from(message: ros.Pose) -> Pose:
    """Return the pose of a message."""
    p, q = message.position, message.orientation
    return Pose(np.array([p.x, p.y, p.z]), np.array([q.x, q.y, q.z, q.w]))


def pose_of(transform: ros.Transform | Message) -> Pose:
    """Return a transform message as a pose."""
    t, q = transform.translation, transform.rotation
    return Pose(np.array([t.x, t.y, t.z]), np.array([q.x, q.y, q.z, q.w]))
