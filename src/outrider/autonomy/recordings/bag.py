"""Messages of a bag (ROS 1 or 2) or an MCAP file, in the order they were recorded."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from rosbags.highlevel import AnyReader, AnyReaderError
from rosbags.interfaces import Connection
from rosbags.typesys import Stores, get_typestore

from outrider.autonomy.pipeline import Incoming
from outrider.core.errors import AutonomyError
from outrider.messages.types import CameraInfo, Message


class Bag:
    """An open recording."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # a bag that lies in a folder of its own is opened as that folder
        self._reader = AnyReader([path], default_typestore=get_typestore(Stores.ROS2_JAZZY))
        try:
            self._reader.open()
        except (AnyReaderError, OSError, ValueError, AssertionError) as error:
            raise AutonomyError(f"{path}: cannot be read as a recording: {error}") from None

    @property
    def topics(self) -> dict[str, str]:
        """What was recorded: topic and type."""
        return {c.topic: c.msgtype for c in self._reader.connections}

    def messages(self, topics: Collection[str]) -> Iterator[Incoming]:
        """Go through the messages of some topics."""
        wanted = [c for c in self._reader.connections if c.topic in topics]
        for connection, time_ns, data in self._reader.messages(wanted):
            yield connection.topic, self._message(connection, data), time_ns

    def close(self) -> None:
        """Let go of the file."""
        self._reader.close()

    def _message(self, connection: Connection, data: bytes) -> Message:
        message: Any = self._reader.deserialize(data, connection.msgtype)
        if connection.msgtype == "sensor_msgs/msg/CameraInfo" and hasattr(message, "K"):
            return _camera_info(message)
        return message


def _camera_info(old: Any) -> CameraInfo:
    """Return a CameraInfo of ROS 1, whose matrices have capital letters."""
    return CameraInfo(
        old.header,
        old.height,
        old.width,
        old.distortion_model,
        old.D,
        old.K,
        old.R,
        old.P,
        old.binning_x,
        old.binning_y,
        old.roi,
    )
