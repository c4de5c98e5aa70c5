"""The list of topics that a simulator sends to its peers, and the definitions of their types."""

from collections.abc import Iterable

from outrider.bridges.udp.table import MessageTable
from outrider.bridges.udp.wire import definition
from outrider.bus.channel import TopicInfo
from outrider.messages.store import message_class
from outrider.messages.types import Message


def directory(topics: Iterable[TopicInfo], table: MessageTable) -> Message:
    """Return the message that lists topics whose types have a number."""
    one, kind, whole = (
        message_class(f"outrider_msgs/msg/{name}") for name in ("UdpTopic", "UdpType", "UdpTopics")
    )
    rows = [
        one(
            name=topic.name,
            type=_short(topic.type),
            number=number,
            command=topic.direction == "in",
            latched=topic.latched,
            rate_hz=topic.rate_hz,
        )
        for topic in topics
        if (number := table.number(topic.type)) is not None
    ]
    types = [kind(n, _short(name), definition(name)) for n, name in table.own().items()]
    return whole(rows, types)


def _short(name: str) -> str:
    return name.replace("/msg/", "/")
