"""Records a bus to a file: publishers hand messages over, a separate thread writes them."""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from outrider.bus.bus import Bus
from outrider.bus.channel import TopicInfo
from outrider.bus.mailbox import Subscription
from outrider.bus.thinning import Thinning
from outrider.bus.topic_watch import TopicWatch
from outrider.core.process.shutdown import close_before_sudden_end
from outrider.messages.types import Message, String
from outrider.recording.backlog import Backlog
from outrider.recording.formats import make_room, open_writer, part_path, recording_format
from outrider.recording.selection import Selection
from outrider.recording.source import measured_ns
from outrider.recording.track import RecordedTrack, TrackEntry
from outrider.recording.writer import UnwritableError, Writer

MOST_BYTES = 256 * 1024 * 1024  # that may wait to be written
_COMPRESSED = "/compressed"
_LOOK_S = 0.1  # between looks at topics that come and go
_SETTLED_S = 0.5  # after topics have changed, until robots are described anew
_AGAIN_S = 5.0  # a robot's topics may come long before it takes part: it is built beside the loop
_REST_S = 0.01  # between batches: waking for every small message would take the interpreter


@dataclass(frozen=True, slots=True)
class RecordingOptions:
    """What is recorded, where, and how."""

    path: Path
    topics: tuple[str, ...] = ()  # names or patterns, each with @HZ if it has a limit
    format: str = ""  # one of FORMATS; empty: by the suffix
    overwrite: bool = False
    lossless: bool | None = None  # None: if the simulation runs flat out
    most_bytes: int = MOST_BYTES


@dataclass(slots=True)
class Report:
    """The outcome of a recording."""

    files: list[Path] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)  # messages written, by topic
    dropped: Counter[str] = field(default_factory=Counter)  # not written, by topic
    bytes_written: int = 0
    failure: str = ""  # why it ended early

    @property
    def messages(self) -> int:
        """All messages written."""
        return self.counts.total()

    def sentence(self) -> str:
        """Return a summary in one line."""
        names = ", ".join(str(file) for file in self.files)
        most = "up to " if self.failure else ""  # the last ones may not have fitted
        size = f"{self.bytes_written / 1e6:.1f} MB"
        text = f"recorded {most}{self.messages} messages, {size}: {names}"
        if self.dropped:
            worst, lost = self.dropped.most_common(1)[0]
            text += f"; {self.dropped.total()} messages were not written ({lost} of {worst})"
        return f"{text}; {self.failure}" if self.failure else text


class Recorder:
    """A running recording; ``close`` completes the file. Methods may be called from any thread."""

    def __init__(
        self,
        bus: Bus,
        options: RecordingOptions,
        *,
        now_ns: Callable[[], int],
        unpaced: Callable[[], bool] = lambda: False,
        texts: Callable[[], Mapping[str, str]] = dict,
        tell: Callable[[str], object] = lambda text: sys.stderr.write(f"recording: {text}\n"),
    ) -> None:
        """Begin at once; ``unpaced`` tells whether the simulation runs flat out now.

        ``texts`` are written at the start of every file, and when they change: the robots'
        descriptions by their topics, which no bus carries.
        """
        self._bus = bus
        self._options = options
        self._tell = tell
        self._texts = texts
        self._written: dict[str, str] = {}  # texts that the open file has
        self._texts_due_s = 0.0  # when they are looked at next
        self._selection = Selection.of(options.topics)
        known = (*texts(), *(topic.name for topic in bus.topics()))
        self._selection.check(known, str(options.path))
        self._format = recording_format(options.path, options.format)
        self._unpaced = unpaced if options.lossless is None else lambda: bool(options.lossless)
        self.report = Report()
        self._backlog = Backlog(options.most_bytes, now_ns)
        self._watch = TopicWatch(bus)
        self._taps: dict[str, Subscription] = {}
        self._known: list[RecordedTrack] = []  # all that were ever listened to
        self._tracks: set[RecordedTrack] = set()  # that the open file knows
        self._last_ns = 0
        self._earlier_bytes = 0  # of parts before the open one
        self._writer = self._open(1)
        self._closing = False
        self._lock = threading.Lock()
        self._follow()
        for track in sorted(self._known, key=lambda known: known.topic):
            self._describe(track)  # now: what its type needs is made before the loop begins
        self._thread = threading.Thread(target=self._run, name="outrider-record", daemon=True)
        self._thread.start()
        close_before_sudden_end(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> Report:
        """Write what is queued, complete the file, and return a summary."""
        with self._lock:
            if not self._closing:
                self._closing = True
                self._detach()
                self._backlog.close()
                self._thread.join()
        return self.report

    def _run(self) -> None:
        try:
            while self._round():
                pass
            self._write_texts(self._last_ns)
            self._writer.close()
            self._count_bytes()
        except Exception as error:  # the disk is full, or gone
            self._fail(error)

    def _round(self) -> bool:
        """Write one batch; return whether there may be more."""
        batch = self._backlog.take(_LOOK_S)
        if not self._closing:
            self._follow()
        for entry in batch:
            self._write(entry)
            self._backlog.written(entry)
        self._count_bytes()
        if not self._closing:
            time.sleep(_REST_S)
        return bool(batch) or not self._closing

    def _write(self, entry: TrackEntry) -> None:
        if entry.log_ns < self._last_ns:
            self._next_part()
        self._last_ns = entry.log_ns
        if time.monotonic() >= self._texts_due_s:
            self._texts_due_s = time.monotonic() + _AGAIN_S
            self._write_texts(entry.log_ns)
        track = entry.track
        try:
            self._describe(track)
            self._writer.write(entry)
            self.report.counts[track.topic] += 1
        except UnwritableError as error:
            self._drop(track, f"a message of '{track.topic}' cannot be written: {error}")

    def _write_texts(self, now_ns: int) -> None:
        for topic, text in self._texts().items():
            if self._selection.rate(topic) is not None and self._written.get(topic) != text:
                self._written[topic] = text
                track = RecordedTrack(topic, String.__msgtype__, True)
                self._write(TrackEntry(track, now_ns, now_ns, String(text)))

    def _describe(self, track: RecordedTrack) -> None:
        if track not in self._tracks:
            self._writer.add(track)
            self._tracks.add(track)

    def _next_part(self) -> None:
        """Start a new file: time has gone back, by a reset or an undo."""
        self._writer.close()
        self._count_bytes()
        self._earlier_bytes = self.report.bytes_written
        self._writer = self._open(len(self.report.files) + 1)
        self._tracks.clear()
        self._written.clear()
        self._texts_due_s = 0.0

    def _open(self, number: int) -> Writer:
        path = part_path(self._options.path, number, self._format)
        make_room(path, self._options.overwrite)
        self.report.files.append(path)
        return open_writer(path, self._format)

    def _count_bytes(self) -> None:
        self.report.bytes_written = self._earlier_bytes + self._writer.bytes_written

    def _fail(self, error: Exception) -> None:
        """Give up the recording; the simulation continues."""
        reason = getattr(error, "strerror", None) or str(error) or repr(error)
        self.report.failure = f"the recording ended early: {reason}"
        self._backlog.close()
        self._detach()
        try:
            self._writer.abandon()
        except Exception as second:  # it is as readable as it can be
            self.report.failure += f" ({second})"
        self._tell(f"{self.report.files[-1]}: {self.report.failure}; the simulation goes on")

    def _follow(self) -> None:
        """Subscribe to new topics, and unsubscribe from those that are gone."""
        came, gone = self._watch.changes()
        if (came or gone) and self._known:  # robots come with their topics
            self._texts_due_s = time.monotonic() + _SETTLED_S
        for topic in came:
            rate = self._selection.rate(topic.name)
            if rate is not None and not self._is_twin(topic.name):
                self._attach(topic, rate)
        for topic in gone:
            if topic not in came and (tap := self._taps.pop(topic.name, None)):
                tap.close()

    def _is_twin(self, name: str) -> bool:
        """Return whether another topic has these images uncompressed, and not both were chosen."""
        whole = name.removesuffix(_COMPRESSED)
        known = self._watch.known
        return not self._selection.choices and whole != name and whole in known

    def _attach(self, topic: TopicInfo, most_hz: float) -> None:
        if topic.name in self._taps:
            self._taps[topic.name].close()
        track = RecordedTrack(topic.name, topic.type, topic.latched)
        self._known.append(track)
        thinning = Thinning(most_hz)

        def take(time_ns: int, message: Message) -> None:
            if not thinning.due(time_ns):
                return
            # of a scan the bus has the end, the stamp is what its points' times count from
            stamp_ns = measured_ns(message, time_ns)
            put = self._backlog.put(track, stamp_ns, message, self._unpaced)
            if not put and not self.report.failure and not self._closing:
                self._drop(
                    track,
                    f"some messages on '{track.topic}' arrived faster than they can be written",
                )

        self._taps[topic.name] = self._bus.tap(topic.name, take)

    def _detach(self) -> None:
        for tap in list(self._taps.values()):
            tap.close()

    def _drop(self, track: RecordedTrack, sentence: str) -> None:
        self.report.dropped[track.topic] += 1
        if self.report.dropped.total() == 1:
            self._tell(sentence)


def check_options(options: RecordingOptions) -> None:
    """Refuse what can be refused before anything is built."""
    Selection.of(options.topics)
    recording_format(options.path, options.format)
    if not options.overwrite:
        make_room(options.path, overwrite=False)
