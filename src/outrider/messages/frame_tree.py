"""Where frames stand against each other, from the transforms that were told."""

from outrider.core.frames import Pose
from outrider.messages.plain_values import pose_of
from outrider.messages.types import Message


class FrameTree:
    """Knows each frame's parent, as it was told last."""

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, Pose]] = {}

    def add(self, message: Message) -> None:
        """Take the transforms of a TFMessage in."""
        for item in message.transforms:
            self._parents[item.child_frame_id] = (item.header.frame_id, pose_of(item.transform))

    def between(self, base: str, frame: str) -> Pose | None:
        """Return T_base_frame; None if no frames lead from one to the other."""
        T_root_base, root = self.from_root(base)
        T_root_frame, other = self.from_root(frame)
        return T_root_base.inverse() @ T_root_frame if root == other else None

    def from_root(self, frame: str) -> tuple[Pose, str]:
        """Return T_root_frame, and the root's name: a frame without a parent is its own."""
        T_root_frame = Pose()
        seen = set()
        while frame in self._parents and frame not in seen:
            seen.add(frame)
            frame, T_parent_frame = self._parents[frame]
            T_root_frame = T_parent_frame @ T_root_frame
        return T_root_frame, frame
