"""Topics of the bus as Foxglove channels: CDR, with the ROS 2 definition."""

import threading
from types import ModuleType
from typing import TYPE_CHECKING

from outrider.bus.bus import Bus
from outrider.bus.channel import TopicInfo
from outrider.bus.mailbox import Stamped, Subscription
from outrider.messages.store import store
from outrider.messages.topics import Kept
from outrider.messages.types import String

if TYPE_CHECKING:
    import foxglove

_DEPTH = 100  # messages of one topic that may wait
_LARGE = ("sensor_msgs/msg/Image", "sensor_msgs/msg/PointCloud2")  # who is slow sees the newest


class FoxgloveChannel:
    """One topic; it is read only while a client shows it, or if it is latched."""

    def __init__(self, sdk: ModuleType, context: "foxglove.Context", topic: TopicInfo) -> None:
        self._topic = topic
        self._channel = channel(sdk, context, topic.name, topic.type)
        self._box: Subscription | None = None
        self._last: Stamped | None = None  # of a latched topic
        self._again = threading.Event()

    @property
    def dropped(self) -> int:
        """Messages that newer ones pushed out."""
        return 0 if self._box is None or self._topic.type in _LARGE else self._box.dropped

    def listen(self, bus: Bus, wake: threading.Event) -> None:
        """Take messages from the bus if anybody wants them."""
        wanted = self._topic.latched or self._channel.has_sinks()
        if wanted and self._box is None:
            kept: Kept = "latest" if self._topic.type in _LARGE else "all"
            self._box = bus.subscribe(self._topic.name, kept=kept, depth=_DEPTH, wake=wake)
        elif not wanted and self._box is not None:
            self._box.close()
            self._box = None

    def drain(self) -> None:
        """Send what has come."""
        if self._again.is_set() and self._last is not None:
            self._again.clear()
            self._send(self._last)
        for _ in range(_DEPTH):
            item = None if self._box is None else self._box.poll()
            if item is None:
                return
            if self._topic.latched:
                self._last = item
            self._send(item)

    def resend(self) -> None:
        """Say what was said last again, if the topic is latched."""
        if self._topic.latched:
            self._again.set()

    def close(self) -> None:
        """Take the channel off."""
        if self._box is not None:
            self._box.close()
        self._channel.close()

    def _send(self, item: Stamped) -> None:
        data = bytes(store().serialize_cdr(item[1], self._topic.type))
        self._channel.log(data, log_time=item[0])


class Latched:
    """A string that every client gets, even a late one: a robot's description."""

    def __init__(self, sdk: ModuleType, context: "foxglove.Context", topic: str) -> None:
        self._channel = channel(sdk, context, topic, String.__msgtype__)
        self._text = ""
        self._again = threading.Event()

    def say(self, text: str) -> None:
        """Change the text."""
        if text != self._text:
            self._text = text
            self._again.set()

    def resend(self) -> None:
        """Say it again."""
        self._again.set()

    def look(self, now_ns: int) -> None:
        """Send it, if it is due."""
        if self._again.is_set() and self._channel.has_sinks():
            self._again.clear()
            data = bytes(store().serialize_cdr(String(self._text), String.__msgtype__))
            self._channel.log(data, log_time=now_ns)


def channel(
    sdk: ModuleType, context: "foxglove.Context", topic: str, type_name: str
) -> "foxglove.Channel":
    """Return a channel with a type's definition."""
    text = store().generate_msgdef(type_name, ros_version=2)[0]
    schema = sdk.Schema(name=type_name, encoding="ros2msg", data=text.encode())
    return sdk.Channel(topic, schema=schema, message_encoding="cdr", context=context)
