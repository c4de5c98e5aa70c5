"""The formats of recordings: one table of names, suffixes and classes."""

import os
import shutil
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from outrider.core.errors import RecordingError, near_match
from outrider.core.files.atomic_file import remove_whole
from outrider.recording.writer import Writer

_MANIFEST = "recording.json"  # what plain folders of ours have


@dataclass(frozen=True, slots=True)
class Format:
    """One recording format."""

    name: str
    suffix: str  # empty: only by its name
    home: str  # module:Class of its writer
    description: str


_ROWS = (
    Format("mcap", ".mcap", "mcap_write:McapWriter", "MCAP as ROS 2 has it, zstd"),
    Format("mcap-ros1", ".ros1.mcap", "mcap_write:Ros1McapWriter", "MCAP as ROS 1 has it, zstd"),
    Format("rosbag1", ".bag", "bag1_write:Bag1Writer", "ROS 1 bag"),
    Format("rosbag2", ".rosbag2", "bag2_write:Sqlite3BagWriter", "ROS 2 bag: folder, sqlite3"),
    Format("rosbag2-mcap", ".rosbag2-mcap", "bag2_write:McapBagWriter", "ROS 2 bag: folder, MCAP"),
    Format("folder", "", "folder.writer:NpyFolderWriter", "PNG images, NPY clouds, CSV"),
    Format("folder-ply", "", "folder.writer:PlyFolderWriter", "PNG images, PLY clouds, CSV"),
    Format("kitti", ".kitti", "folder.kitti:KittiWriter", "layout of KITTI's odometry data"),
)

FORMATS = {row.name: row for row in _ROWS}


def recording_format(path: Path, name: str = "") -> Format:
    """Return the format of this name, or else the one that the file's suffix means."""
    if name:
        if name not in FORMATS:
            known = ", ".join(FORMATS)
            raise RecordingError(
                f"there is no format '{name}'{near_match(name, FORMATS)}; known: {known}"
            )
        return FORMATS[name]
    fitting = [row for row in _ROWS if row.suffix and path.name.lower().endswith(row.suffix)]
    if fitting:
        return max(fitting, key=lambda row: len(row.suffix))
    if not path.suffix:
        return FORMATS["folder"]
    known = ", ".join(row.suffix for row in _ROWS if row.suffix)
    raise RecordingError(
        f"{path}: no format of recordings has the suffix '{path.suffix}'"
        f"{near_match(path.suffix, [row.suffix for row in _ROWS])};"
        f" known: {known}, or none for a plain folder"
    )


def open_writer(path: Path, format_: Format) -> Writer:
    """Begin a recording where nothing is yet."""
    module, _, name = format_.home.partition(":")
    kind: type[Writer] = getattr(import_module(f"outrider.recording.{module}"), name)
    new = not os.path.lexists(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return kind(path)
    except OSError as error:
        if new:  # an empty recording would be in the way of the next
            remove_whole(path)
        raise RecordingError(f"{path}: cannot be written: {error.strerror or error}") from None


def make_room(path: Path, overwrite: bool) -> None:
    """Refuse a path that is taken; if it may be overwritten, remove the recording there."""
    if not path.exists():
        return
    if not overwrite:
        raise RecordingError(f"{path}: exists already; choose another name, or --overwrite")
    if path.is_file():
        path.unlink()
    elif _is_recording(path):
        shutil.rmtree(path)
    else:
        raise RecordingError(f"{path}: is a folder without a recording; it is not overwritten")


def part_path(path: Path, number: int, format_: Format) -> Path:
    """Return the path of a further part: ``drive.mcap``, then ``drive-2.mcap``."""
    if number == 1:
        return path
    end = format_.suffix if path.name.lower().endswith(format_.suffix or "\0") else ""
    stem = path.name[: len(path.name) - len(end)]
    return path.with_name(f"{stem}-{number}{path.name[len(stem) :]}")


def _is_recording(folder: Path) -> bool:
    marks = ("metadata.yaml", _MANIFEST, "sequences", "*.db3", "*.mcap")
    empty = not any(folder.iterdir())
    return empty or any(any(folder.glob(mark)) for mark in marks)
