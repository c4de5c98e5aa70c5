"""The protocol of every recording format that can be written."""

from pathlib import Path
from typing import Protocol

from outrider.core.errors import RecordingError
from outrider.recording.track import RecordedTrack, TrackEntry


class UnwritableError(RecordingError):
    """A message that cannot be written; the recording continues without it."""


class Writer(Protocol):
    """One running recording, used by one thread."""

    bytes_written: int

    def __init__(self, path: Path) -> None:
        """Begin a recording at a path where nothing exists."""

    def add(self, track: RecordedTrack) -> None:
        """Add a topic, before its first message."""

    def write(self, entry: TrackEntry) -> None:
        """Add a message; UnwritableError concerns it alone, other errors end the recording."""

    def flush(self) -> None:
        """Hand everything so far to the operating system: it survives the end of this process."""

    def close(self) -> None:
        """Complete the recording."""

    def abandon(self) -> None:
        """End after a failed write: what was flushed before stays readable."""
