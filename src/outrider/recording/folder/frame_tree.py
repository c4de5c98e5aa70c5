"""Frames that never move against each other, from /tf_static."""

import numpy as np

from outrider.core.errors import RecordingError
from outrider.core.frames import Pose
from outrider.messages.types import Message


class FrameTree:
    """Knows each frame's parent; frames on moving joints are not in it."""

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, Pose]] = {}

    def add(self, message: Message) -> None:
        """Take the transforms of a TFMessage in."""
        for item in message.transforms:
            move, turn = item.transform.translation, item.transform.rotation
            pose = Pose(
                np.array([move.x, move.y, move.z]), np.array([turn.x, turn.y, turn.z, turn.w])
            )
            self._parents[item.child_frame_id] = (item.header.frame_id, pose)

    def between(self, base: str, frame: str) -> Pose:
        """Return T_base_frame."""
        T_root_base, root = self._from_root(base)
        T_root_frame, other = self._from_root(frame)
        if root != other:
            raise RecordingError(f"no fixed frames lead from '{base}' to '{frame}'")
        return T_root_base.inverse() @ T_root_frame

    def _from_root(self, frame: str) -> tuple[Pose, str]:
        T_root_frame = Pose()
        seen = set()
        while frame in self._parents and frame not in seen:
            seen.add(frame)
            frame, T_parent_frame = self._parents[frame]
            T_root_frame = T_parent_frame @ T_root_frame
        return T_root_frame, frame
