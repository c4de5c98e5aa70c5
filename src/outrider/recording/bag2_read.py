"""Reading ROS 2 bags: folders with metadata.yaml, or their storage file alone."""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from pathlib import Path

from rosbags.interfaces import Connection, ConnectionExtRosbag2, MessageDefinitionFormat
from rosbags.rosbag2 import Reader

from outrider.core.errors import OutriderError
from outrider.recording.bag2_compression import bound_compression
from outrider.recording.decode import Decode, decoded, ros2_decoder
from outrider.recording.mcap_chunks import bound_chunks
from outrider.recording.qos import is_latched
from outrider.recording.source import reporting_damage
from outrider.recording.track import RecordedTrack, TrackEntry


class Bag2Source:
    """One bag, in one or several files."""

    def __init__(self, path: Path) -> None:
        bound_chunks()
        bound_compression()
        self._path = path
        self.notes: list[str] = []
        if path.is_file():
            self.notes.append("is truncated; it is read up to its last commit")
            _settle(path)
        self._reader = Reader(path)
        self._reader.open()
        self._known: dict[int, tuple[RecordedTrack, Decode]] = {}
        self._connections = list(self._reader.connections)
        for connection in self._connections:
            self._know(connection)
        self.tracks = {
            self._known[c.id][0]: c.msgcount for c in self._connections if c.id in self._known
        }
        empty = self._reader.message_count == 0
        self.start_ns = 0 if empty else self._reader.start_time
        self.end_ns = 0 if empty else self._reader.end_time - 1

    def entries(self, topics: Collection[str], start_ns: int, end_ns: int) -> Iterator[TrackEntry]:
        """Read messages in the order of their times."""
        chosen = [c for c in self._connections if c.id in self._known and c.topic in topics]
        if not chosen:
            return
        with reporting_damage(self._path):
            messages = self._reader.messages(chosen, start_ns, end_ns + 1)
            yield from decoded(messages, self._known)

    def close(self) -> None:
        """Close the files."""
        self._reader.close()

    def _know(self, connection: Connection) -> None:
        told = connection.msgdef
        definition = told.data if told.format == MessageDefinitionFormat.MSG else ""
        extra = connection.ext
        latched = isinstance(extra, ConnectionExtRosbag2) and is_latched(extra.offered_qos_profiles)
        try:
            decode = ros2_decoder(connection.msgtype, definition)
            track = RecordedTrack(connection.topic, connection.msgtype, latched)
            self._known[connection.id] = (track, decode)
        except OutriderError as error:
            self.notes.append(f"topic '{connection.topic}' is left out: {error}")


def _settle(path: Path) -> None:
    """Let sqlite3 roll back what a killed recorder had not committed."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as database:
        database.execute("SELECT count(*) FROM messages").fetchone()
