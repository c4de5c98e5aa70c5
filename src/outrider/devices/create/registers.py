"""Counters of distance and angle that every reading sets to zero."""

from dataclasses import dataclass

_LOWEST, _HIGHEST = -32768, 32767


@dataclass(slots=True)
class Register:
    """Sixteen bits that saturate."""

    value: int = 0

    def add(self, amount: int) -> None:
        """Count on."""
        self.value = max(_LOWEST, min(_HIGHEST, self.value + amount))

    def take(self) -> int:
        """Return the count since the last time."""
        value, self.value = self.value, 0
        return value
