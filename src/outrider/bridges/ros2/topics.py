"""Topics of the bus on ROS 2: each is one publisher or one subscription of serialised bytes."""

import threading
from collections.abc import Callable

from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros2 import qos
from outrider.bridges.ros2.commands import best, conversion
from outrider.bridges.ros2.types import ros_class
from outrider.bus.bus import Bus
from outrider.bus.channel import TopicInfo
from outrider.bus.mailbox import Subscription
from outrider.bus.thinning import Thinning
from outrider.core.untyped import RosEntity, RosNode
from outrider.messages.store import store
from outrider.messages.types import Message

_DEPTH = 200  # messages that wait to be published; an image may have megabytes
_BATCH = 50


class PublishedTopic:
    """A topic that we publish; messages are created only for subscribers or if it is latched."""

    def __init__(
        self, node: RosNode, topic: TopicInfo, name: str, reliable: bool, middleware: str
    ) -> None:
        self._node = node
        self._topic = topic
        self._publisher = node.create_publisher(
            ros_class(topic.type, middleware),
            name,
            qos.published(topic, reliable),
            event_callbacks=quiet("Publisher"),
        )
        self._box: Subscription | None = None
        self._serialize = store().serialize_cdr
        self._thinning = Thinning(0.0)

    def thin(self, rate_hz: float) -> None:
        """Publish at a maximum rate in simulated time; 0 is every message."""
        self._thinning = Thinning(rate_hz)

    def listen(self, bus: Bus, wake: threading.Event) -> None:
        """Take messages from the bus if anybody wants them."""
        wanted = self._topic.latched or self._publisher.get_subscription_count() > 0
        if wanted and self._box is None:
            self._box = bus.subscribe(self._topic.name, kept="all", depth=_DEPTH, wake=wake)
        elif not wanted and self._box is not None:
            self._box.close()
            self._box = None

    def drain(self) -> bool:
        """Publish what has arrived; return whether there is more."""
        if self._box is None:
            return False
        for _ in range(_BATCH):
            item = self._box.poll()
            if item is None:
                return False
            if self._thinning.due(item[0]):
                self._publisher.publish(bytes(self._serialize(item[1], self._topic.type)))
        return True

    @property
    def dropped(self) -> int:
        """Messages that newer ones pushed out before they were published."""
        return 0 if self._box is None else self._box.dropped

    def close(self) -> None:
        """Take the topic off ROS."""
        if self._box is not None:
            self._box.close()
        self._node.destroy_publisher(self._publisher)


class SubscribedTopic:
    """A topic that ROS publishes to; it accepts whichever similar type is published."""

    def __init__(
        self,
        node: RosNode,
        topic: TopicInfo,
        name: str,
        take: Callable[[str, Message], None],
        peer_errors: PeerErrors,
        middleware: str,
    ) -> None:
        self._node = node
        self._topic = topic
        self._name = name
        self._take = take
        self._peer_errors = peer_errors
        self._middleware = middleware
        self._type = topic.type
        self._subscription: RosEntity = None
        self._listen(topic.type)

    def follow(self) -> None:
        """Change to the type that is published, if ours is not."""
        if self._subscription is None:
            self._listen(self._type)
            return
        found = self._node.get_publishers_info_by_topic(self._name)
        wanted = best((info.topic_type for info in found), self._topic.type)
        if found and wanted != self._type:
            # The new one is made at the next look: a name has one type at a time, and the thread
            # that waits for messages gives the old one up only when it wakes.
            self.close()
            self._type = wanted

    def close(self) -> None:
        """Stop listening."""
        if self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None

    def _listen(self, type_name: str) -> None:
        convert = conversion(type_name, self._topic.type)
        assert convert is not None

        def receive(data: bytes) -> None:
            try:
                message = convert(store().deserialize_cdr(data, type_name))
                self._take(self._topic.name, message)
            except Exception as error:  # bytes that are no such message end in many ways
                text = f"ros2: a message on {self._name} is not a {type_name}: {error}"
                self._peer_errors.note("bad messages", text)

        self._subscription = self._node.create_subscription(
            ros_class(type_name, self._middleware),
            self._name,
            receive,
            qos.received(),
            event_callbacks=quiet("Subscription"),
            raw=True,
        )


def quiet(kind: str) -> RosEntity:
    """Return what leaves out rclpy's warners: every one costs time at every message that comes."""
    from rclpy import event_handler

    return getattr(event_handler, f"{kind}EventCallbacks")(use_default_callbacks=False)
