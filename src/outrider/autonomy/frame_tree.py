"""The robot's static frames, from /tf_static."""

from outrider.core.frames import Pose
from outrider.messages.plain_values import pose_of
from outrider.messages.types import TFMessage

_DEEPEST = 64


class StaticFrames:
    """The pose of each sensor on the robot, once it has been published."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._parents: dict[str, tuple[str, Pose]] = {}

    def take(self, message: TFMessage) -> None:
        """Add the frames of a message."""
        for item in message.transforms:
            parent = item.header.frame_id.lstrip("/")
            self._parents[item.child_frame_id.lstrip("/")] = (parent, pose_of(item.transform))

    def T_base(self, frame: str) -> Pose | None:
        """Return ``T_base_frame``; None if it is not known."""
        frame, pose = frame.lstrip("/"), Pose()
        for _ in range(_DEEPEST):
            if frame == self.base:
                return pose
            if frame not in self._parents:
                return None
            frame, T_parent_frame = self._parents[frame]
            pose = T_parent_frame @ pose
        return None
