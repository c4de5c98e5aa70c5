"""Opens a recording of any known kind."""

from collections.abc import Collection, Iterator
from typing import Protocol

from outrider.autonomy.pipeline import Incoming


class RecordingSource(Protocol):
    """A readable recording."""

    @property
    def topics(self) -> dict[str, str]:
        """The recorded topics and their types."""

    def messages(self, topics: Collection[str]) -> Iterator[Incoming]:
        """Yield the messages of some topics, in order."""

    def close(self) -> None:
        """Close the files."""
