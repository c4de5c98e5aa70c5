"""Recordings as MCAP, in the profiles of ROS 2 and ROS 1."""

import time
from pathlib import Path
from typing import ClassVar, cast

from mcap.records import Message

from outrider.recording.mcap_file import McapFile
from outrider.recording.qos import OFFERED_QOS, qos_text
from outrider.recording.track import RecordedTrack, TrackEntry
from outrider.recording.wire import Profile, Ros1Profile, Ros2Profile, encoded, prepare

_CHUNK = 4 * 1024 * 1024  # bytes before compression
_CHUNK_S = 1.0  # a chunk is closed at least this often, in wall time


class McapWriter:
    """Writes the ROS 2 profile."""

    wire: ClassVar[Profile] = Ros2Profile()

    def __init__(self, path: Path) -> None:
        self._file = McapFile(path, self.wire.profile)
        self._schemas: dict[str, int] = {}
        self._channels: dict[RecordedTrack, int] = {}
        self._counts: dict[RecordedTrack, int] = {}
        self._chunk_began = time.monotonic()

    @property
    def bytes_written(self) -> int:
        """The size of the file."""
        return self._file.size

    def add(self, track: RecordedTrack) -> None:
        """Describe a topic."""
        wire = self.wire
        if track.type not in self._schemas:
            name, text = wire.describe(track.type)
            self._schemas[track.type] = self._file.add_schema(name, wire.schema_encoding, text)
        self._channels[track] = self._file.add_channel(
            track.topic, wire.encoding, self._schemas[track.type], self._metadata(track)
        )
        self._counts[track] = 0
        prepare(wire, track)

    def write(self, entry: TrackEntry) -> None:
        """Add a message to the open chunk."""
        data = encoded(self.wire, entry)
        self._counts[entry.track] += 1
        self._file.add_message(
            Message(
                channel_id=self._channels[entry.track],
                log_time=entry.log_ns,
                data=cast(bytes, data),
                publish_time=max(0, entry.measured_ns),
                sequence=self._counts[entry.track],
            )
        )
        if self._file.pending > _CHUNK or time.monotonic() - self._chunk_began > _CHUNK_S:
            self.flush()

    def flush(self) -> None:
        """Close the open chunk: it is whole in the file."""
        self._file.flush()
        self._chunk_began = time.monotonic()

    def close(self) -> None:
        """Write index and statistics."""
        self._file.close()

    def abandon(self) -> None:
        """Leave what is whole."""
        self._file.abandon()

    def _metadata(self, track: RecordedTrack) -> dict[str, str]:
        return {OFFERED_QOS: qos_text(track.latched)}


class Ros1McapWriter(McapWriter):
    """Writes the ROS 1 profile."""

    wire: ClassVar[Profile] = Ros1Profile()

    def _metadata(self, track: RecordedTrack) -> dict[str, str]:
        return {"latching": "1"} if track.latched else {}
