"""Messages as lines of text: what serial lines carry, and plain words."""

from collections import deque
from collections.abc import Callable
from typing import Any, TypeAlias

from outrider.devices.gps.sentences import epoch_of, gga, gll

Lines: TypeAlias = Callable[[Any], list[str]]

_KEPT = 12
_LONGEST = 200

TEXTS: dict[str, Lines] = {
    "sensor_msgs/msg/NavSatFix": lambda fix: [gga(epoch_of(fix)), gll(epoch_of(fix))],
    "nmea_msgs/msg/Sentence": lambda message: [message.sentence],
    "std_msgs/msg/String": lambda message: message.data.splitlines() or [""],
}


class Texts:
    """The last lines of every topic that is shown as text."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[str]] = {}

    def add(self, topic: str, kind: str, message: Any) -> str:
        """Take a message in; return what is to be shown of its topic, newest below."""
        lines = self._lines.setdefault(topic, deque(maxlen=_KEPT))
        lines.extend(str(line)[:_LONGEST] for line in TEXTS[kind](message)[-_KEPT:])
        return "\n".join(lines)

    def forget(self, topic: str) -> None:
        """Let the lines of a topic go."""
        self._lines.pop(topic, None)
