"""Messages as lines of text: serial data and plain strings."""

from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from outrider.devices.gps.sentences import epoch_of, gga, gll
from outrider.messages.types import Message

Lines: TypeAlias = Callable[[Message], list[str]]

_KEPT = 12
_LONGEST = 200

TEXTS: dict[str, Lines] = {
    "sensor_msgs/msg/NavSatFix": lambda fix: [gga(epoch_of(fix)), gll(epoch_of(fix))],
    "nmea_msgs/msg/Sentence": lambda message: [message.sentence],
    "std_msgs/msg/String": lambda message: message.data.splitlines() or [""],
}


class Texts:
    """The last lines of every topic shown as text."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[str]] = {}

    def add(self, topic: str, kind: str, message: Message) -> str:
        """Add a message; return its topic's text, newest below."""
        lines = self._lines.setdefault(topic, deque(maxlen=_KEPT))
        lines.extend(str(line)[:_LONGEST] for line in TEXTS[kind](message)[-_KEPT:])
        return "\n".join(lines)

    def forget(self, topic: str) -> None:
        """Drop the lines of a topic."""
        self._lines.pop(topic, None)
