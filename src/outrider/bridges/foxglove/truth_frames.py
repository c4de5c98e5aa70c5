"""Where the robots' frames truly stand in the world, so that the scene has its place among them."""

import threading
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

from outrider.bridges.foxglove.sdk import sdk
from outrider.bus.bus import Bus
from outrider.bus.channel import TopicInfo
from outrider.bus.mailbox import Subscription
from outrider.core.clock import NS_PER_S
from outrider.core.frames import Pose
from outrider.messages.frame_tree import FrameTree
from outrider.messages.plain_values import pose_from, stamp_ns
from outrider.messages.topics import WORLD_FRAME
from outrider.messages.types import Message, Odometry, TFMessage

if TYPE_CHECKING:
    from foxglove.messages import FrameTransform

_DEPTH = 100  # messages of one topic that may wait
_KEPT = 64  # true poses of one robot, to find the one of a transform's moment


class TruthFrames:
    """Says where ``odom`` truly is in ``map``; a localisation that says it itself is left to it."""

    topic = "/tf_truth"

    def __init__(self, context: object, bus: Bus, wake: threading.Event) -> None:
        self._channel = sdk().channels.FrameTransformsChannel(self.topic, context=context)
        self._bus, self._wake = bus, wake
        self._names: dict[str, str] = {}  # of the topics that are read, with their types
        self._boxes: dict[str, Subscription] = {}
        self.forget()

    def forget(self) -> None:
        """Begin anew: what was said is of another past."""
        self._tree = FrameTree()
        self._moved_ns: dict[str, int] = {}  # when each frame was told last
        self._truths: dict[str, deque[tuple[int, Pose]]] = {}  # by the frame of a robot's root
        self._said_ns: dict[str, int] = {}

    def follow(self, topics: Iterable[TopicInfo]) -> None:
        """Read the transforms and true poses among these topics, while somebody shows them."""
        self._names = {t.name: t.type for t in topics if t.direction == "out" and _is_read(t)}
        wanted = set(self._names) if self._channel.has_sinks() else set()
        for name in set(self._boxes) - wanted:
            self._boxes.pop(name).close()
        for name in wanted - set(self._boxes):
            self._boxes[name] = self._bus.subscribe(name, kept="all", depth=_DEPTH, wake=self._wake)

    def drain(self) -> None:
        """Say where the robots' frames are now."""
        for name, box in self._boxes.items():
            while (item := box.poll()) is not None:
                self._take(self._names[name], item[1])
        said = [found for frame in self._truths if (found := self._root_of(frame)) is not None]
        if said:
            self._channel.log(
                sdk().messages.FrameTransforms(transforms=said),
                log_time=max(self._said_ns.values()),
            )

    def _take(self, kind: str, message: Message) -> None:
        if kind == TFMessage.__msgtype__:
            self._tree.add(message)
            for item in message.transforms:
                self._moved_ns[item.child_frame_id] = stamp_ns(item)
            return
        kept = self._truths.setdefault(message.child_frame_id, deque(maxlen=_KEPT))
        kept.append((stamp_ns(message), pose_from(message.pose.pose)))

    def _root_of(self, frame: str) -> "FrameTransform | None":
        """Return the transform from the world to the root of a robot's frames, if it is news."""
        T_root_frame, root = self._tree.from_root(frame)
        newest_ns = self._truths[frame][-1][0]
        now_ns = self._moved_ns.get(frame, newest_ns)
        if root == WORLD_FRAME or now_ns > newest_ns or self._said_ns.get(root) == now_ns:
            return None
        _, T_map_frame = min(self._truths[frame], key=lambda truth: abs(truth[0] - now_ns))
        self._said_ns[root] = now_ns
        return _transform(now_ns, root, T_map_frame @ T_root_frame.inverse())


def _is_read(topic: TopicInfo) -> bool:
    truth = topic.type == Odometry.__msgtype__ and "ground_truth" in topic.name
    return truth or topic.type == TFMessage.__msgtype__


def _transform(now_ns: int, child: str, T_map_child: Pose) -> "FrameTransform":
    kinds = sdk().messages
    x, y, z = T_map_child.position.tolist()
    qx, qy, qz, qw = T_map_child.rotation.tolist()
    return kinds.FrameTransform(
        timestamp=kinds.Timestamp(*divmod(now_ns, NS_PER_S)),
        parent_frame_id=WORLD_FRAME,
        child_frame_id=child,
        translation=kinds.Vector3(x=x, y=y, z=z),
        rotation=kinds.Quaternion(x=qx, y=qy, z=qz, w=qw),
    )
