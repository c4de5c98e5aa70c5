"""Opens a recording of any known kind."""

from collections.abc import Collection, Iterator
from typing import Protocol

from outrider.autonomy.pipeline import Incoming


class Source(Protocol):
    """What a recording offers."""

    @property
    def topics(self) -> dict[str, str]:
        """What was recorded: topic and type."""

    def messages(self, topics: Collection[str]) -> Iterator[Incoming]:
        """Go through the messages of some topics, in their order."""

    def close(self) -> None:
        """Let go of the files."""
