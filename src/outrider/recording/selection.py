"""Which topics are recorded or replayed, and at which maximum rate."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from outrider.core.errors import RecordingError, near_match


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """A topic's name, or a pattern with ``*`` and ``?``; a rate of 0 has no limit."""

    pattern: str
    most_hz: float = 0.0

    def matches(self, topic: str) -> bool:
        """Return whether it matches a topic."""
        return fnmatchcase(topic, self.pattern)


@dataclass(frozen=True, slots=True)
class Selection:
    """Choices in order: the first match decides. No choices mean every topic."""

    choices: tuple[TopicChoice, ...] = ()

    @classmethod
    def of(cls, texts: Iterable[str] | None) -> "Selection":
        """Read texts like ``/imu/data``, ``/front/*`` or ``/mid/points@5`` (at most 5 Hz)."""
        return cls(tuple(_choice(text) for text in texts or ()))

    def rate(self, topic: str) -> float | None:
        """Return the most messages per second wanted of a topic (0: all), or None for no topic."""
        if not self.choices:
            return 0.0
        return next((c.most_hz for c in self.choices if c.matches(topic)), None)

    def check(self, topics: Iterable[str], where: str) -> None:
        """Refuse choices that match no existing topic."""
        known = list(topics)
        for choice in self.choices:
            if not any(choice.matches(topic) for topic in known):
                hint = near_match(choice.pattern, known)
                raise RecordingError(f"{where}: there is no topic '{choice.pattern}'{hint}")


def _choice(text: str) -> TopicChoice:
    pattern, at, rate = text.strip().partition("@")
    if not pattern:
        raise RecordingError(f"topics: expected a name or a pattern, got '{text}'")
    slashed = pattern if pattern.startswith(("/", "*", "?", "[")) else f"/{pattern}"
    return TopicChoice(slashed, _rate(rate, text) if at else 0.0)


def _rate(text: str, whole: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not 0 < rate < 1e6:
        raise RecordingError(f"topics: '{whole}' must have a rate in Hz after its @, as @10")
    return rate
