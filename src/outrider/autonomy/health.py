"""The health of a component, and warnings that are given once and then counted."""

import logging
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["starting", "good", "poor", "lost"]

_log = logging.getLogger("outrider.autonomy")


@dataclass(frozen=True, slots=True)
class Health:
    """``good`` can be relied on, ``poor`` with care, ``lost`` not at all."""

    level: Level = "starting"
    reason: str = ""

    @property
    def usable(self) -> bool:
        """Whether what the component says is worth acting on."""
        return self.level in ("good", "poor")


GOOD = Health("good")


@dataclass(slots=True)
class Complaints:
    """Says each kind of complaint once; how often it came is counted."""

    who: str
    counts: dict[str, int] = field(default_factory=dict)

    def say(self, kind: str, sentence: str) -> None:
        """Complain about bad input: the first time aloud, later only in the count."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.counts[kind] == 1:
            _log.warning("%s: %s", self.who, sentence)
