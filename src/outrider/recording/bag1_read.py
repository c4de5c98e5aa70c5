"""Reading ROS 1 bags, with or without an index."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from rosbags.interfaces import Connection, ConnectionExtRosbag1
from rosbags.rosbag1.reader import IndexData, Reader

from outrider.core.errors import OutriderError
from outrider.recording.bag1_chunks import bounded
from outrider.recording.bag1_reindex import reindex
from outrider.recording.decode import Decode, decoded, ros1_decoder
from outrider.recording.source import reporting_damage
from outrider.recording.track import RecordedTrack, TrackEntry

_ALL = -1  # the number of a connection that stands for all chosen ones


class Bag1Source:
    """One bag; if its recorder was killed, the index is rebuilt."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.notes: list[str] = []
        self._reader = Reader(path)
        try:
            self._open()
        except BaseException:
            with suppress(Exception):  # it may not even have been opened
                self._reader.bio.close()  # type: ignore[union-attr]
            raise

    def _open(self) -> None:
        try:
            self._reader.open()
        except Exception:  # no index, or a broken one
            self.notes.append("is truncated; it is read up to its last complete chunk")
            reindex(self._reader)
        bounded(self._reader)
        self._known: dict[int, tuple[RecordedTrack, Decode]] = {}
        for connection in self._reader.connections:
            self._know(connection)
        self.tracks = {
            track: len(self._reader.indexes[number]) for number, (track, _) in self._known.items()
        }
        self.start_ns = self._reader.start_time if self._reader.chunk_infos else 0
        self.end_ns = max(0, self._reader.end_time - 1)

    def entries(self, topics: Collection[str], start_ns: int, end_ns: int) -> Iterator[TrackEntry]:
        """Read messages in the order in which they were written."""
        chosen = [number for number, (track, _) in self._known.items() if track.topic in topics]
        if not chosen:
            return
        # the reader's own merging forgets which of two messages of one time came first
        merged: list[IndexData] = [item for n in chosen for item in self._reader.indexes[n]]
        merged.sort(key=lambda item: (item.time, item.chunk_pos, item.offset))
        self._reader.indexes[_ALL] = merged
        everything = self._reader.connections[0]._replace(id=_ALL)
        with reporting_damage(self._path):
            messages = self._reader.messages([everything], start_ns, end_ns + 1)
            yield from decoded(messages, self._known)

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def _know(self, connection: Connection) -> None:
        extra = connection.ext
        latched = isinstance(extra, ConnectionExtRosbag1) and bool(extra.latching)
        try:
            decode = ros1_decoder(connection.msgtype, connection.msgdef.data, connection.digest)
            track = RecordedTrack(connection.topic, connection.msgtype, latched)
            self._known[connection.id] = (track, decode)
        except OutriderError as error:
            self.notes.append(f"topic '{connection.topic}' is left out: {error}")
