"""The position and speed of a replay, controlled from any thread."""

import threading
import time

from outrider.core.errors import RecordingError

_LOOK_S = 0.1  # a waiting replay looks up this often


class ReplayTransport:
    """Play, pause, speed and seek; the replay waits in ``due``."""

    def __init__(self, now_ns: int, speed: float, paused: bool = False) -> None:
        self._changed = threading.Condition()
        self.now_ns = now_ns
        self.speed = 0.0
        self.paused = paused
        self.stopped = False
        self._sought: int | None = None
        self._wall_s = 0.0  # wall time that belongs to ...
        self._at_ns = now_ns  # ... this time of the recording
        self.set_speed(speed)

    @property
    def sought(self) -> bool:
        """Whether a seek is pending."""
        return self._sought is not None

    def begin(self, now_ns: int) -> None:
        """Start at a time; the wall clock counts from now."""
        with self._changed:
            self.now_ns = now_ns
            self._count_anew()

    def due(self, time_ns: int) -> bool:
        """Wait a while for a message's time; return whether it is due or something has changed."""
        with self._changed:
            if self.stopped or self._sought is not None:
                return True
            if self.paused:
                self._changed.wait(_LOOK_S)
                self._count_anew()
                return False
            late_s = self._late_s(time_ns)
            if late_s < 0:
                self._changed.wait(min(-late_s, _LOOK_S))
                return False
            self.now_ns = max(self.now_ns, time_ns)
            return True

    def pause(self) -> None:
        """Pause the replay."""
        self._change(paused=True)

    def resume(self) -> None:
        """Resume the replay."""
        self._change(paused=False)

    def stop(self) -> None:
        """End the replay."""
        self._change(stopped=True)

    def set_speed(self, speed: object) -> None:
        """Set the speed as a multiple of real time; 0 is as fast as possible."""
        if isinstance(speed, bool) or not isinstance(speed, int | float) or not 0 <= speed <= 1e4:
            raise RecordingError(f"speed must lie between 0 (flat out) and 10000, got {speed!r}")
        self._change(speed=float(speed))

    def seek(self, time_ns: int) -> None:
        """Continue from another time of the recording."""
        with self._changed:
            self._sought = time_ns
            self._changed.notify_all()

    def take_seek(self) -> int:
        """Carry out a seek, and return its time."""
        with self._changed:
            if self._sought is not None:
                self.now_ns, self._sought = self._sought, None
            self._count_anew()
            return self.now_ns

    def _change(self, **values: object) -> None:
        with self._changed:
            for name, value in values.items():
                setattr(self, name, value)
            self._count_anew()
            self._changed.notify_all()

    def _late_s(self, time_ns: int) -> float:
        if not self.speed:
            return 0.0
        due_s = self._wall_s + (time_ns - self._at_ns) * 1e-9 / self.speed
        return time.perf_counter() - due_s

    def _count_anew(self) -> None:
        self._wall_s, self._at_ns = time.perf_counter(), self.now_ns
