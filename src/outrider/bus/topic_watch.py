"""Topics that appear, disappear and are renamed while a bridge is running."""

from outrider.bus.bus import Bus
from outrider.bus.channel import TopicInfo


class TopicWatch:
    """Reports what has changed on a bus since the last call; a new name is a new topic."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._revision = -1
        self.known: dict[str, TopicInfo] = {}

    def changes(self) -> tuple[list[TopicInfo], list[TopicInfo]]:
        """Return the topics that have appeared and those that have vanished."""
        revision = self._bus.revision
        if revision == self._revision:
            return [], []
        self._revision = revision
        now = {topic.name: topic for topic in self._bus.topics()}
        before, self.known = self.known, now
        gone = [topic for name, topic in before.items() if not _same(topic, now.get(name))]
        came = [topic for name, topic in now.items() if not _same(topic, before.get(name))]
        return came, gone


def _same(topic: TopicInfo, other: TopicInfo | None) -> bool:
    if other is None:
        return False
    return (topic.type, topic.direction, topic.latched) == (
        other.type,
        other.direction,
        other.latched,
    )
