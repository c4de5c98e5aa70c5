"""One topic of a recording, and one message of it."""

from dataclasses import dataclass
from typing import NamedTuple

from outrider.messages.types import Message


@dataclass(frozen=True, slots=True)
class RecordedTrack:
    """A topic of a recording."""

    topic: str
    type: str  # package/msg/Name
    latched: bool = False


class TrackEntry(NamedTuple):
    """A message with both of its times, in simulated nanoseconds."""

    track: RecordedTrack
    log_ns: int  # when it was published: after its sensor's latency
    measured_ns: int  # when it was measured: what its stamp says, if it has one
    message: Message
