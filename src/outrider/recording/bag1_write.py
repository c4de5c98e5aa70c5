"""ROS 1 bags, as rosbag reads and plays them."""

import struct
import time
from pathlib import Path
from typing import BinaryIO, cast

import lz4.frame
from rosbags.interfaces import Connection
from rosbags.rosbag1 import Writer as BagWriter

from outrider.messages.ros1.types import ros1_type
from outrider.recording.appended_file import AppendedFile
from outrider.recording.track import RecordedTrack, TrackEntry
from outrider.recording.wire import Ros1Profile, encoded, prepare

_CHUNK = 4 * 1024 * 1024  # bytes before compression
_CHUNK_S = 1.0  # wall time
_MAGIC = len("#ROSBAG V2.0\n")
_LENGTHS = 8  # bytes of a record's two lengths


class Bag1Writer:
    """lz4-compressed chunks; the index comes last, 'rosbag reindex' rebuilds a missing one."""

    def __init__(self, path: Path) -> None:
        self._writer = BagWriter(path)
        self._writer.set_compression(BagWriter.CompressionFormat.LZ4)
        self._writer.compressor = _compressed
        self._writer.chunk_threshold = _CHUNK
        self._writer.open()
        assert self._writer.bio is not None
        self._writer.bio.close()
        with path.open("ab") as file:
            file.write(b" " * _LENGTHS)
        _widen_header(path)
        self._path = path
        self._file = AppendedFile(path, new=False)
        self._writer.bio = cast(BinaryIO, self._file)
        self._connections: dict[RecordedTrack, Connection] = {}
        self._chunks = 1
        self._chunk_began = time.monotonic()

    @property
    def bytes_written(self) -> int:
        """The size of the file."""
        return self._file.size

    def add(self, track: RecordedTrack) -> None:
        """Describe a topic."""
        kind = ros1_type(track.type)
        self._connections[track] = self._writer.add_connection(
            track.topic,
            track.type,
            msgdef=kind.definition,
            md5sum=kind.md5sum,
            callerid="/outrider",
            latching=int(track.latched),
        )
        prepare(Ros1Profile(), track)

    def write(self, entry: TrackEntry) -> None:
        """Add a message to the open chunk."""
        data = encoded(Ros1Profile(), entry)
        self._writer.write(self._connections[entry.track], entry.log_ns, data)
        if len(self._writer.chunks) != self._chunks:
            self._mark()
        elif time.monotonic() - self._chunk_began > _CHUNK_S:
            self.flush()

    def flush(self) -> None:
        """Close the open chunk and write it to the file."""
        if self._writer.chunks[-1].connections:
            self._writer.write_chunk(self._writer.chunks[-1])
        self._mark()

    def close(self) -> None:
        """Write the index."""
        self._writer.close()
        _widen_header(self._path)

    def abandon(self) -> None:
        """Cut a half-written chunk off, and write the index of the others if there is room."""
        try:
            self._file.roll_back()
            # without the chunk that failed, and the open one
            self._writer.chunks = [
                chunk
                for chunk in self._writer.chunks
                if chunk.pos != -1 and chunk.pos < self._file.tell()
            ]
            self.close()
        finally:
            self._file.close()

    def _mark(self) -> None:
        self._file.mark()
        self._chunks = len(self._writer.chunks)
        self._chunk_began = time.monotonic()


def _compressed(data: bytes) -> bytes:
    """Return the one kind of LZ4 frame that ROS's own roslz4 reads."""
    packed: bytes = lz4.frame.compress(
        data,
        block_size=lz4.frame.BLOCKSIZE_MAX1MB,
        block_linked=False,
        content_checksum=True,
        store_size=False,
    )
    return packed


def _widen_header(path: Path) -> None:
    """Have the padding of the first record as ROS has it, so that its tools can write it anew.

    ROS pads header and data to 4096 bytes; the library counts their two lengths in as well.
    """
    with path.open("r+b") as file:
        file.seek(_MAGIC)
        (header,) = struct.unpack("<I", file.read(4))
        place = _MAGIC + 4 + header
        file.seek(place)
        (padding,) = struct.unpack("<I", file.read(4))
        file.seek(place)
        file.write(struct.pack("<I", padding + _LENGTHS))
