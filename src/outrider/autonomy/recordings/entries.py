"""An MCAP or ROS recording, opened by its reader, as messages for a pipeline."""

from collections.abc import Collection, Iterator
from typing import Protocol

from outrider.autonomy.pipeline import Incoming
from outrider.messages.types import Message


class RecordedTopic(Protocol):
    """A topic of a recording."""

    @property
    def topic(self) -> str:
        """Its name."""

    @property
    def type(self) -> str:
        """Its message type."""


class RecordedEntry(Protocol):
    """A message of a recording."""

    @property
    def track(self) -> RecordedTopic:
        """Its topic."""

    @property
    def log_ns(self) -> int:
        """When it was published."""

    @property
    def message(self) -> Message:
        """The message itself."""


class OpenedRecording(Protocol):
    """A recording that can be read."""

    start_ns: int
    end_ns: int

    @property
    def tracks(self) -> Collection[RecordedTopic]:
        """Its topics."""

    def entries(
        self, topics: Collection[str], start_ns: int, end_ns: int
    ) -> Iterator[RecordedEntry]:
        """Read the messages of some topics, from one time to another."""

    def close(self) -> None:
        """Close its files."""


class Entries:
    """The messages of an opened recording, in the order they were published."""

    def __init__(self, opened: OpenedRecording) -> None:
        self._opened = opened

    @property
    def topics(self) -> dict[str, str]:
        """The recorded topics and their types."""
        return {track.topic: track.type for track in self._opened.tracks}

    def messages(self, topics: Collection[str]) -> Iterator[Incoming]:
        """Yield the messages of some topics."""
        opened = self._opened
        known = [name for name in self.topics if name in topics]
        for entry in opened.entries(known, opened.start_ns, opened.end_ns):
            yield entry.track.topic, entry.message, entry.log_ns

    def close(self) -> None:
        """Close the file."""
        self._opened.close()
