"""What a reader did that its file does not say: applied, guessed, left out, not found."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

NoteKind: TypeAlias = Literal["applied", "guessed", "ignored", "missing"]
MOST_NOTES = 1000


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence about a file; ``times`` is how often the same thing was met."""

    kind: NoteKind
    text: str
    times: int = 1

    def __str__(self) -> str:
        return self.text if self.times == 1 else f"{self.text} ({self.times} times)"


class Notes:
    """Sentences in the order they came; those with the same key are one, counted."""

    def __init__(self) -> None:
        self._found: dict[str, Note] = {}

    def add(self, kind: NoteKind, text: str, key: str = "") -> None:
        """Remember a sentence; of many with one key only the first is told."""
        name = key or text
        old = self._found.get(name)
        if old is not None:
            self._found[name] = Note(old.kind, old.text, old.times + 1)
        elif len(self._found) < MOST_NOTES:
            self._found[name] = Note(kind, text)

    def extend(self, kind: NoteKind, texts: Iterable[str], prefix: str = "") -> None:
        """Remember sentences that someone else found."""
        for text in texts:
            self.add(kind, f"{prefix}{text}")

    def all(self) -> tuple[Note, ...]:
        """Return every note."""
        return tuple(self._found.values())

    def texts(self) -> list[str]:
        """Return every note as people read it."""
        return [str(note) for note in self._found.values()]
