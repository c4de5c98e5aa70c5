"""Messages as bytes, serialised for ROS 1 or ROS 2."""

from typing import ClassVar, Protocol

from outrider.messages.convert import from_dict
from outrider.messages.ros1.convert import to_ros1
from outrider.messages.ros1.types import ros1_type, written
from outrider.messages.store import store
from outrider.messages.types import Message
from outrider.recording.track import RecordedTrack, TrackEntry
from outrider.recording.writer import UnwritableError


class Profile(Protocol):
    """A profile of MCAP: how types are named and described, and messages written."""

    profile: ClassVar[str]
    encoding: ClassVar[str]  # of messages
    schema_encoding: ClassVar[str]

    def describe(self, type_name: str) -> tuple[str, str]:
        """Return a type's name and its whole definition."""

    def encode(self, type_name: str, message: Message) -> bytes | memoryview:
        """Return a message's bytes."""


class Ros2Profile:
    """CDR, the serialisation of ROS 2."""

    profile: ClassVar[str] = "ros2"
    encoding: ClassVar[str] = "cdr"
    schema_encoding: ClassVar[str] = "ros2msg"

    def describe(self, type_name: str) -> tuple[str, str]:
        """Return ``package/msg/Name`` and its definition."""
        return type_name, store().generate_msgdef(type_name, ros_version=2)[0]

    def encode(self, type_name: str, message: Message) -> bytes | memoryview:
        """Return a message's bytes."""
        return store().serialize_cdr(message, type_name)


class Ros1Profile:
    """ROS 1's own serialisation."""

    profile: ClassVar[str] = "ros1"
    encoding: ClassVar[str] = "ros1"
    schema_encoding: ClassVar[str] = "ros1msg"

    def describe(self, type_name: str) -> tuple[str, str]:
        """Return ``package/Name`` and its definition."""
        kind = ros1_type(type_name)
        return kind.name, kind.definition

    def encode(self, type_name: str, message: Message) -> bytes | memoryview:
        """Return a message's bytes."""
        return written(to_ros1(type_name)(message), type_name)


def prepare(wire: Profile, track: RecordedTrack) -> None:
    """Generate the serialiser of a type now, not at its first message."""
    wire.encode(track.type, from_dict(track.type, {}))


def encoded(wire: Profile, entry: TrackEntry) -> bytes | memoryview:
    """Return the bytes of a recorded message; UnwritableError for bad values."""
    try:
        return wire.encode(entry.track.type, entry.message)
    except Exception as error:  # whatever a bad value makes of a serialiser
        raise UnwritableError(f"{error!r:.80}") from None
