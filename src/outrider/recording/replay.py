"""Plays a recording onto a bus: the same messages, stamps and order, at any speed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from outrider.bus.bus import Bus
from outrider.bus.channel import Channel
from outrider.bus.thinning import Thinning
from outrider.core.clock import to_ns, to_s
from outrider.core.errors import RecordingError
from outrider.core.structure import Data
from outrider.recording.selection import Selection
from outrider.recording.source import open_source
from outrider.recording.track import RecordedTrack, TrackEntry
from outrider.recording.transport import ReplayTransport


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """What of a recording is played, and how."""

    speed: float = 1.0  # times the speed it was recorded at; 0 is flat out
    start_s: float = 0.0  # from the recording's first message
    end_s: float | None = None
    loop: bool = False
    paused: bool = False  # wait for 'resume' before the first message
    topics: tuple[str, ...] = ()


class Replay:
    """A recording as a publisher. ``run`` plays it; ``services`` control it from other threads."""

    def __init__(self, path: Path | str, options: ReplayOptions | None = None) -> None:
        """Open the recording and declare its topics on a bus of its own."""
        self.options = options or ReplayOptions()
        self.source = open_source(Path(path))
        self.path = Path(path)
        self.bus = Bus()
        try:
            self._check()
        except RecordingError:
            self.source.close()
            raise
        self._selection = Selection.of(self.options.topics)
        self._selection.check((track.topic for track in self.source.tracks), str(path))
        self._tracks = [t for t in self.source.tracks if self._rate(t) is not None]
        self._channels = {track: self._declare(track) for track in self._tracks}
        self._thinned = {track: Thinning(self._rate(track) or 0.0) for track in self._tracks}
        first_ns = self.source.start_ns + to_ns(self.options.start_s)
        self.transport = ReplayTransport(first_ns, self.options.speed, self.options.paused)
        self.published = 0
        self.loops = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.source.close()

    @property
    def now_ns(self) -> int:
        """The time in the recording."""
        return self.transport.now_ns

    def run(self, watch: Callable[["Replay"], None] | None = None) -> None:
        """Play to the end (for ever in a loop), or until stopped."""
        self.transport.begin(self._start_ns)
        self._restore()
        while self._pass(watch) and not self.transport.stopped:
            pass

    def entries(self) -> Iterator[TrackEntry]:
        """Read the chosen messages without playing them."""
        return self._entries(self._start_ns)

    def services(self) -> dict[str, Callable[[Data], Data]]:
        """Return the services for other threads: those of a simulation, and ``seek``."""
        transport = self.transport
        return {
            "status": lambda _: self.status(),
            "pause": lambda _: self._told(transport.pause),
            "resume": lambda _: self._told(transport.resume),
            "reset": lambda _: self._told(lambda: transport.seek(self._start_ns)),
            "set_speed": lambda a: self._told(lambda: transport.set_speed(a.get("speed", 1.0))),
            "seek": lambda a: self._told(lambda: self._seek(a.get("time_s", 0.0))),
            "stop": lambda _: self._told(transport.stop),
        }

    def status(self) -> Data:
        """Return the current status."""
        return {
            "time_s": to_s(self.now_ns),
            "paused": self.transport.paused,
            "speed": self.transport.speed,
            "published": self.published,
            "loops": self.loops,
            "start_s": to_s(self._start_ns),
            "end_s": to_s(self._end_ns),
            "recorded_from_s": to_s(self.source.start_ns),  # what 'seek' counts from
        }

    @property
    def _start_ns(self) -> int:
        return self.source.start_ns + to_ns(self.options.start_s)

    @property
    def _end_ns(self) -> int:
        end_s = self.options.end_s
        last = self.source.end_ns
        return last if end_s is None else min(last, self.source.start_ns + to_ns(end_s))

    def _pass(self, watch: Callable[["Replay"], None] | None) -> bool:
        """Play from the transport's position to the end; return whether to continue."""
        transport = self.transport
        for entry in self._entries(transport.now_ns):
            while not transport.due(entry.log_ns):
                if watch is not None:
                    watch(self)
            if transport.stopped:
                return False
            if transport.sought:
                self._restore()
                return True
            self._publish(entry)
        if not self.options.loop:
            return False
        self.loops += 1
        transport.seek(self._start_ns)
        transport.take_seek()
        self._restore()
        return True

    def _restore(self) -> None:
        """Publish the last message of each latched topic before this time."""
        now_ns = self.transport.take_seek()
        latched = {track.topic for track in self._tracks if track.latched}
        if not latched or now_ns <= self.source.start_ns:
            return
        last = {e.track: e for e in self.source.entries(latched, self.source.start_ns, now_ns - 1)}
        for entry in last.values():
            self._publish(entry)

    def _publish(self, entry: TrackEntry) -> None:
        if self._thinned[entry.track].due(entry.log_ns):
            self._channels[entry.track].publish(entry.message, entry.measured_ns)
            self.published += 1

    def _entries(self, start_ns: int) -> Iterator[TrackEntry]:
        topics = {track.topic for track in self._tracks}
        return (
            e
            for e in self.source.entries(topics, start_ns, self._end_ns)
            if e.track in self._channels
        )

    def _seek(self, time_s: object) -> None:
        if isinstance(time_s, bool) or not isinstance(time_s, int | float):
            raise RecordingError(f"seek: time_s must be a number of seconds, got {time_s!r}")
        wanted = self.source.start_ns + to_ns(float(time_s))
        self.transport.seek(min(max(wanted, self.source.start_ns), self._end_ns))

    def _told(self, act: Callable[[], None]) -> Data:
        act()
        return self.status()

    def _rate(self, track: RecordedTrack) -> float | None:
        return self._selection.rate(track.topic)

    def _declare(self, track: RecordedTrack) -> Channel:
        return self.bus.declare(track.topic, track.type, latched=track.latched, kept="all")

    def _check(self) -> None:
        length_s = to_s(self.source.end_ns - self.source.start_ns)
        start_s, end_s = self.options.start_s, self.options.end_s
        if not self.source.tracks:
            why = "".join(f"; {note}" for note in self.source.notes[:1])
            raise RecordingError(f"{self.path}: holds no messages that can be replayed{why}")
        if not 0 <= start_s <= length_s:
            raise RecordingError(
                f"{self.path}: start must lie between 0 and its length,"
                f" {length_s:.3f} s, got {start_s}"
            )
        if end_s is not None and end_s < start_s:
            raise RecordingError(f"{self.path}: end ({end_s} s) lies before start ({start_s} s)")
