"""The health of a component, and warnings that are given once and then counted."""

import logging
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["starting", "good", "poor", "lost"]

_log = logging.getLogger("outrider.autonomy")


@dataclass(frozen=True, slots=True)
class Health:
    """``good`` is reliable, ``poor`` to be used with care, ``lost`` not at all."""

    level: Level = "starting"
    reason: str = ""

    @property
    def usable(self) -> bool:
        """Whether the component's output can be acted on."""
        return self.level in ("good", "poor")


GOOD = Health("good")


@dataclass(slots=True)
class WarningLog:
    """Logs each kind of warning once and counts repetitions."""

    who: str
    counts: dict[str, int] = field(default_factory=dict)

    def say(self, kind: str, sentence: str) -> None:
        """Warn about bad input: logged the first time, later only counted."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.counts[kind] == 1:
            _log.warning("%s: %s", self.who, sentence)
