"""Reading MCAP, complete or truncated."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path

from mcap.reader import SeekingReader
from mcap.records import Channel, Header, Message, Schema
from mcap.stream_reader import StreamReader
from mcap.summary import Summary

from outrider.core.errors import OutriderError, RecordingError
from outrider.recording.decode import Decode, ros1_decoder, ros2_decoder
from outrider.recording.mcap_chunks import bound_chunks
from outrider.recording.mcap_file import LIBRARY
from outrider.recording.qos import OFFERED_QOS, text_is_latched
from outrider.recording.source import measured_ns, reporting_damage
from outrider.recording.track import RecordedTrack, TrackEntry

_MOST_BYTES = 2**30  # of one record: a broken length must not take all memory


class McapSource:
    """A file with a summary is read by it; a truncated one, from its start to the end."""

    def __init__(self, path: Path) -> None:
        bound_chunks()
        self._path = path
        self._file = path.open("rb")
        self.notes: list[str] = []
        self.start_ns = self.end_ns = 0
        self._channels: dict[int, tuple[RecordedTrack, Decode]] = {}
        self._ours = _library(path) == LIBRARY
        counts: Counter[int] = Counter()
        summary = self._summary()
        self._whole = summary is not None and summary.statistics is not None
        if summary is not None and summary.statistics is not None:
            counts.update(summary.statistics.channel_message_counts)
            self.start_ns = summary.statistics.message_start_time
            self.end_ns = summary.statistics.message_end_time
            for channel in summary.channels.values():
                self._know(channel, summary.schemas.get(channel.schema_id))
        else:
            self._scan(counts)
        self.tracks = {track: counts[number] for number, (track, _) in self._channels.items()}

    def entries(self, topics: Collection[str], start_ns: int, end_ns: int) -> Iterator[TrackEntry]:
        """Read messages in the order of their times."""
        messages = self._indexed(topics, start_ns, end_ns) if self._whole else self._in_a_row()
        for message in messages:
            known = self._channels.get(message.channel_id)
            if known is None or known[0].topic not in topics:
                continue
            if start_ns <= message.log_time <= end_ns:
                track, decode = known
                with reporting_damage(self._path):
                    value = decode(message.data)
                # what others wrote there may be of any clock
                measured = (
                    message.publish_time if self._ours else measured_ns(value, message.log_time)
                )
                yield TrackEntry(track, message.log_time, measured, value)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _summary(self) -> Summary | None:
        with suppress(Exception):  # cut off: the end of the file is not there
            self._file.seek(0)
            return SeekingReader(self._file, record_size_limit=_MOST_BYTES).get_summary()
        self.notes.append("is truncated; it is read up to its last complete chunk")
        return None

    def _indexed(self, topics: Collection[str], start_ns: int, end_ns: int) -> Iterator[Message]:
        self._file.seek(0)
        reader = SeekingReader(self._file, validate_crcs=True, record_size_limit=_MOST_BYTES)
        with reporting_damage(self._path):
            found = reader.iter_messages(
                list(topics), starting_at=start_ns, ending_before=end_ns + 1
            )
            for _, _, message in found:
                yield message

    def _in_a_row(
        self, know: Callable[[Channel | Schema | Header], None] = lambda _: None
    ) -> Iterator[Message]:
        self._file.seek(0)
        records = StreamReader(
            self._file, validate_crcs=True, record_size_limit=_MOST_BYTES
        ).records
        with suppress(Exception):  # here it was cut off
            for record in records:
                if isinstance(record, Message):
                    yield record
                elif isinstance(record, Channel | Schema | Header):
                    know(record)

    def _scan(self, counts: Counter[int]) -> None:
        """Find out what is in a file without a summary."""
        schemas: dict[int, Schema] = {}

        def know(record: Channel | Schema | Header) -> None:
            if isinstance(record, Schema):
                schemas[record.id] = record
            elif isinstance(record, Channel) and record.id not in self._channels:
                self._know(record, schemas.get(record.schema_id))

        for message in self._in_a_row(know):
            if not counts:
                self.start_ns = message.log_time
            counts[message.channel_id] += 1
            self.start_ns = min(self.start_ns, message.log_time)
            self.end_ns = max(self.end_ns, message.log_time)

    def _know(self, channel: Channel, schema: Schema | None) -> None:
        try:
            self._channels[channel.id] = _known(channel, schema)
        except OutriderError as error:
            self.notes.append(f"topic '{channel.topic}' is left out: {error}")


def _library(path: Path) -> str:
    """Return what wrote a file."""
    with path.open("rb") as file, suppress(Exception):  # its first record is not whole
        return str(SeekingReader(file, record_size_limit=_MOST_BYTES).get_header().library)
    return ""


def _known(channel: Channel, schema: Schema | None) -> tuple[RecordedTrack, Decode]:
    if schema is None:
        raise RecordingError("it has no schema")
    text = schema.data.decode("utf-8", "replace")
    parts = schema.name.split("/")
    full = f"{parts[0]}/msg/{parts[-1]}"
    if channel.message_encoding == "cdr":
        definition = text if schema.encoding == "ros2msg" else ""
        decode = ros2_decoder(full, definition)
        latched = text_is_latched(channel.metadata.get(OFFERED_QOS, ""))
    elif channel.message_encoding == "ros1":
        decode = ros1_decoder(full, text)
        latched = channel.metadata.get("latching") == "1"
    else:
        raise RecordingError(f"its messages are '{channel.message_encoding}', not cdr or ros1")
    return RecordedTrack(channel.topic, full, latched), decode
