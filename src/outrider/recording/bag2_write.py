"""ROS 2 bags: a folder with metadata.yaml and its messages in sqlite3 or MCAP."""

import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, ClassVar, cast

import zstandard
from rosbags.interfaces import Connection
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as BagWriter
from rosbags.rosbag2.enums import CompressionFormat, CompressionMode
from rosbags.rosbag2.storage_mcap import McapWriter as McapStorage
from rosbags.rosbag2.storage_sqlite3 import Sqlite3Writer as Sqlite3Storage

from outrider.messages.store import store
from outrider.recording.appended_file import AppendedFile
from outrider.recording.mcap_file import abandon
from outrider.recording.qos import offered
from outrider.recording.track import RecordedTrack, TrackEntry
from outrider.recording.wire import Ros2Profile, encoded, prepare

_COMMIT_S = 1.0  # wall time


class _BagWriter:
    """What both storages share."""

    storage: ClassVar[StoragePlugin]

    def __init__(self, path: Path) -> None:
        self._writer = BagWriter(path, version=8, storage_plugin=self.storage)
        if self.storage == StoragePlugin.MCAP:
            self._writer.set_compression(CompressionMode.STORAGE, CompressionFormat.ZSTD)
        self._writer.open()
        self._connections: dict[RecordedTrack, Connection] = {}
        self._last_flush = time.monotonic()
        self.bytes_written = 0

    def add(self, track: RecordedTrack) -> None:
        """Describe a topic."""
        self._connections[track] = self._writer.add_connection(
            track.topic,
            track.type,
            typestore=store(),
            offered_qos_profiles=[offered(track.latched)],
        )
        prepare(Ros2Profile(), track)

    def write(self, entry: TrackEntry) -> None:
        """Add a message."""
        data = encoded(Ros2Profile(), entry)
        self._writer.write(self._connections[entry.track], entry.log_ns, data)
        self.bytes_written += len(data)
        if time.monotonic() - self._last_flush > _COMMIT_S:
            self.flush()

    def flush(self) -> None:
        """Hand everything written so far to the operating system."""
        self._last_flush = time.monotonic()

    def close(self) -> None:
        """Write index and metadata.yaml."""
        self._writer.close()


class Sqlite3BagWriter(_BagWriter):
    """Messages in sqlite3, the default storage of older ROS 2."""

    storage: ClassVar[StoragePlugin] = StoragePlugin.SQLITE3

    def __init__(self, path: Path) -> None:
        try:
            super().__init__(path)
        except sqlite3.Error as error:  # the disk is full
            raise OSError(str(error)) from None
        storage = cast(Sqlite3Storage, self._writer.storage)
        storage.conn.close()  # it would be this thread's alone; the writer has another
        storage.conn = sqlite3.connect(storage.path, check_same_thread=False)
        storage.cursor = storage.conn.cursor()

    def flush(self) -> None:
        """End the transaction."""
        cast(Sqlite3Storage, self._writer.storage).conn.commit()
        super().flush()

    def abandon(self) -> None:
        """Roll the open transaction back, and write the metadata if there is room."""
        storage = cast(Sqlite3Storage, self._writer.storage)
        with suppress(Exception):  # the failed write may have taken it back already
            storage.conn.rollback()
        try:
            self._writer.close()
        except Exception:  # the messages are there, only what describes them is not
            with suppress(Exception):
                storage.conn.close()


class McapBagWriter(_BagWriter):
    """Messages in MCAP, the default storage of newer ROS 2."""

    storage: ClassVar[StoragePlugin] = StoragePlugin.MCAP

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        storage = cast(McapStorage, self._writer.storage)
        storage.bio.close()
        self._file = AppendedFile(storage.path, new=False)
        storage.bio = cast(BinaryIO, self._file)  # type: ignore[assignment]
        storage.compressor = zstandard.ZstdCompressor(level=1).compress  # 7 times as fast as 3
        self._chunks = 0

    def write(self, entry: TrackEntry) -> None:
        """Add a message; remember where each chunk ends."""
        super().write(entry)
        storage = cast(McapStorage, self._writer.storage)
        if len(storage.chunks) != self._chunks:
            self._chunks = len(storage.chunks)
            self._file.mark()

    def flush(self) -> None:
        """Close the open chunk."""
        storage = cast(McapStorage, self._writer.storage)
        if storage.chunk.msgs:
            storage.close_chunk()
            self._chunks = len(storage.chunks)
        self._file.mark()
        super().flush()

    def abandon(self) -> None:
        """Cut a half-written chunk off; the rest stays valid without an index."""
        abandon(self._file)
