"""Decodes the bytes of a recording into bus messages."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from rosbags.interfaces import Connection

from outrider.core.errors import BusError, OutriderError, RecordingError
from outrider.messages.ros1.convert import from_ros1
from outrider.messages.ros1.types import deserialize, ros1_type
from outrider.messages.store import full_name, parsed_types, register_whole, store
from outrider.messages.types import Message
from outrider.recording.source import measured_ns
from outrider.recording.track import RecordedTrack, TrackEntry

Decode: TypeAlias = Callable[[bytes], Message]


def decoded(
    messages: Iterable[tuple[Connection, int, bytes]],
    known: Mapping[int, tuple[RecordedTrack, Decode]],
) -> Iterator[TrackEntry]:
    """Decode the messages of a ROS bag; ``known`` has a track and a decoder per connection."""
    for connection, log_ns, data in messages:
        track, decode = known[connection.id]
        message = decode(data)
        yield TrackEntry(track, log_ns, measured_ns(message, log_ns), message)


def ros2_decoder(type_name: str, definition: str) -> Decode:
    """Return a decoder of CDR; an unknown type is made from its definition."""
    full = full_name(type_name)
    if full not in store().fielddefs:
        _learn(full, definition)
    elif definition:
        _compare(full, definition)
    return lambda data: _checked(full, lambda: store().deserialize_cdr(data, full))


def ros1_decoder(type_name: str, definition: str, md5sum: str = "") -> Decode:
    """Return a decoder of ROS 1 bytes into bus messages."""
    full = full_name(type_name)
    if full not in store().fielddefs:
        _learn(full, definition)
    kind = ros1_type(full)
    if md5sum not in ("", "*", kind.md5sum):
        raise RecordingError(f"its {kind.name} has other fields than ours")
    convert = from_ros1(full)
    return lambda data: _checked(full, lambda: convert(deserialize(data, full)))


def _learn(full: str, definition: str) -> None:
    if not definition:
        raise RecordingError(f"there is no definition of {full}")
    register_whole(full, definition)


def _compare(full: str, definition: str) -> None:
    """Refuse a type with the name of one of ours but other fields."""
    try:
        theirs = parsed_types(full, definition)
    except BusError:
        return  # another language, such as IDL: the name must do
    ours = store().fielddefs
    for name, (_, fields) in theirs.items():
        if name in ours and list(ours[name][1]) != list(fields):
            raise RecordingError(f"its {name} has other fields than ours")


def _checked(full: str, read: Callable[[], Message]) -> Message:
    try:
        return read()
    except OutriderError:
        raise
    except Exception as error:  # bytes that are no such message end in many ways
        raise RecordingError(f"this is not a valid {full}: {error!r:.60}") from None
