"""A plain folder: images as PNG, clouds as NPY or PLY, everything else as CSV."""

import json
import time
from collections import Counter
from pathlib import Path
from typing import ClassVar

from outrider.messages.types import CompressedImage, Image, Message, PointCloud2
from outrider.recording.folder.clouds import points, write_npy, write_ply
from outrider.recording.folder.images import pixels, write_image
from outrider.recording.folder.tables import CsvTable, rows
from outrider.recording.track import RecordedTrack, TrackEntry
from outrider.recording.writer import UnwritableError

MANIFEST = "recording.json"
_FLUSH_S = 1.0  # wall time
_SUFFIXES = {"jpeg": ".jpg", "jpg": ".jpg", "png": ".png"}


class NpyFolderWriter:
    """``/front/left/image_raw`` becomes front/left/image_raw.csv and a folder of its images."""

    cloud_file: ClassVar[str] = "npy"

    def __init__(self, path: Path) -> None:
        path.mkdir()
        self._root = path
        self._tables: dict[RecordedTrack, CsvTable] = {}
        self._counts: Counter[RecordedTrack] = Counter()
        self._file_bytes = 0
        self._flushed = time.monotonic()
        self._write_manifest(complete=False)

    @property
    def bytes_written(self) -> int:
        """The size of all files."""
        return self._file_bytes + sum(table.size for table in self._tables.values())

    def add(self, track: RecordedTrack) -> None:
        """Begin a topic's table."""
        self._tables[track] = CsvTable(self._root / f"{_place(track)}.csv")

    def write(self, entry: TrackEntry) -> None:
        """Write a message's file, if it has one, and its row."""
        if isinstance(entry.message, Image | PointCloud2 | CompressedImage):
            self._write_file(entry)
        else:
            for row in rows(entry.message):
                self._tables[entry.track].add(entry.measured_ns, entry.log_ns, row)
        self._counts[entry.track] += 1
        if time.monotonic() - self._flushed > _FLUSH_S:
            self.flush()

    def flush(self) -> None:
        """Hand all rows to the system."""
        for table in self._tables.values():
            table.flush()
        self._flushed = time.monotonic()

    def close(self) -> None:
        """Complete tables and manifest."""
        for table in self._tables.values():
            table.close()
        self._write_manifest(complete=True)

    def abandon(self) -> None:
        """Leave what is there: every file stands alone."""
        for table in self._tables.values():
            table.close()

    def _write_file(self, entry: TrackEntry) -> None:
        message = entry.message
        place = self._root / _place(entry.track) / f"{self._counts[entry.track]:06d}"
        place.parent.mkdir(parents=True, exist_ok=True)
        file = self._write_content(place, message)
        self._file_bytes += file.stat().st_size
        row = {
            "file": str(file.relative_to(self._root)),
            "frame_id": message.header.frame_id,
            "width": getattr(message, "width", ""),
            "height": getattr(message, "height", ""),
            "encoding": getattr(message, "encoding", getattr(message, "format", "")),
        }
        self._tables[entry.track].add(entry.measured_ns, entry.log_ns, row)

    def _write_content(self, place: Path, message: Message) -> Path:
        if isinstance(message, PointCloud2):
            write = write_ply if self.cloud_file == "ply" else write_npy
            return write(place, points(message))
        if isinstance(message, Image):
            return write_image(place, pixels(message))
        kind = next((s for word, s in _SUFFIXES.items() if word in message.format.lower()), "")
        if not kind:
            raise UnwritableError(f"compressed images of the format '{message.format}'")
        file = place.with_suffix(kind)
        file.write_bytes(message.data.tobytes())
        return file

    def _write_manifest(self, *, complete: bool) -> None:
        topics = [
            {"topic": track.topic, "type": track.type, "messages": count}
            for track, count in sorted(self._counts.items(), key=lambda item: item[0].topic)
        ]
        whole = {"recorded_by": "outrider", "complete": complete, "topics": topics}
        (self._root / MANIFEST).write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")


class PlyFolderWriter(NpyFolderWriter):
    """The same with clouds as PLY."""

    cloud_file: ClassVar[str] = "ply"


def _place(track: RecordedTrack) -> str:
    return track.topic.strip("/")
