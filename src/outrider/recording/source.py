"""The protocol of every recording format that can be read."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from outrider.core.errors import OutriderError, RecordingError
from outrider.core.files.package_files import refuse_devices
from outrider.messages.types import Message
from outrider.recording.track import RecordedTrack, TrackEntry

MAGIC_MCAP = b"\x89MCAP0\r\n"
MAGIC_BAG = b"#ROSBAG V2.0\n"
_STORAGE = ("*.mcap", "*.db3")


class Source(Protocol):
    """A recording that can be read."""

    tracks: dict[RecordedTrack, int]  # with the number of their messages
    start_ns: int  # the first and the last message's time
    end_ns: int
    notes: list[str]  # what is missing, one sentence each

    def entries(self, topics: Collection[str], start_ns: int, end_ns: int) -> Iterator[TrackEntry]:
        """Read the messages of some topics, from one time to another (both included)."""

    def close(self) -> None:
        """Close its files."""


def open_source(path: Path) -> Source:
    """Return the recording at a path; its format is detected from its content."""
    if not path.exists():
        raise RecordingError(f"there is no recording '{path}'")
    try:
        return _open_folder(path) if path.is_dir() else _open_file(path)
    except RecordingError:
        raise
    except Exception as error:  # libraries end in many ways on files that are none
        reason = " ".join(str(error).split())  # they may use several lines
        raise RecordingError(f"{path}: cannot be read: {reason}") from None


@contextmanager
def reporting_damage(path: Path) -> Iterator[None]:
    """Turn whatever a library raises on a damaged file into one sentence that names the file."""
    try:
        yield
    except OutriderError as error:
        raise RecordingError(f"{path}: {error}") from None
    except Exception as error:
        raise RecordingError(f"{path}: is damaged: {error!r:.80}") from None


def measured_ns(message: Message, otherwise_ns: int) -> int:
    """Return when a message was measured: its stamp, if it has one."""
    header = getattr(message, "header", None)
    stamp = getattr(header, "stamp", None)
    if stamp is None:
        return otherwise_ns
    return int(stamp.sec) * 1_000_000_000 + int(stamp.nanosec)


def _open_file(path: Path) -> Source:
    refuse_devices(path, RecordingError)
    with path.open("rb") as file:
        start = file.read(16)
    if start.startswith(MAGIC_MCAP):
        from outrider.recording.mcap_read import McapSource

        return McapSource(path)
    if start.startswith(MAGIC_BAG):
        from outrider.recording.bag1_read import Bag1Source

        return Bag1Source(path)
    if path.suffix == ".db3":
        from outrider.recording.bag2_read import Bag2Source

        return Bag2Source(path)
    empty = "it is empty" if not start else "it is neither MCAP nor a ROS bag"
    raise RecordingError(f"{path}: is not a recording: {empty}")


def _open_folder(path: Path) -> Source:
    files = [file for pattern in _STORAGE for file in sorted(path.glob(pattern))]
    packed = any(path.glob("*.zstd"))  # read by metadata.yaml alone
    if (path / "metadata.yaml").is_file() and (files or packed):
        from outrider.recording.bag2_read import Bag2Source

        return Bag2Source(path)
    if len(files) == 1:  # a ROS 2 bag whose recorder was killed
        return _open_file(files[0])
    raise RecordingError(
        f"{path}: is not a ROS 2 bag: expected metadata.yaml and a .db3 or .mcap file in it"
        " (plain folders and KITTI's layout are for other programs, not for replay)"
    )
