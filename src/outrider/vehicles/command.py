"""The newest wish for one robot: who sent it does not matter, how old it is does."""

import math
from dataclasses import dataclass

from outrider.core.clock import to_ns

_NEVER_NS = 2**63 - 1


@dataclass(frozen=True, slots=True)
class DriveCommand:
    """A speed (m/s), and a yaw rate (rad/s) or a steering angle (rad); positive is left."""

    speed: float = 0.0
    yaw_rate: float = 0.0
    steering: float | None = None  # None: turn by the yaw rate


class CommandInput:
    """Keeps the newest command and forgets its speed after a time-out (zero seconds: never)."""

    def __init__(self, timeout_s: float) -> None:
        """Start at rest."""
        self._timeout_ns = to_ns(timeout_s)
        self.ignored = 0  # commands with a value that is not a finite number
        self.reset()

    def reset(self) -> None:
        """Forget all commands; the count of ignored ones stays."""
        self._deadline_ns = _NEVER_NS
        self._set(DriveCommand())

    def twist(self, linear_x: float, angular_z: float, now_ns: int) -> None:
        """Take a speed and a yaw rate; a steering angle given before no longer holds."""
        if self._finite(linear_x, angular_z):
            self._renew(now_ns)
            self._set(DriveCommand(float(linear_x), float(angular_z)))

    def steering(self, value: float, now_ns: int) -> None:  # noqa: ARG002  one shape for all three
        """Take a steering angle; it stays until the next, for a servo holds its place."""
        if self._finite(value):
            self._set(DriveCommand(self._command.speed, 0.0, float(value)))

    def speed(self, value: float, now_ns: int) -> None:
        """Take a speed; how the robot turns stays as it was."""
        if self._finite(value):
            self._renew(now_ns)
            old = self._command
            self._set(DriveCommand(float(value), old.yaw_rate, old.steering))

    def newest(self, now_ns: int) -> DriveCommand:
        """Return the command that holds now: the same object until something changes."""
        return self._command if now_ns <= self._deadline_ns else self._expired

    def _set(self, command: DriveCommand) -> None:
        self._command = command
        self._expired = DriveCommand(0.0, 0.0, command.steering)

    def _renew(self, now_ns: int) -> None:
        self._deadline_ns = now_ns + self._timeout_ns if self._timeout_ns else _NEVER_NS

    def _finite(self, *values: float) -> bool:
        if all(map(math.isfinite, values)):
            return True
        self.ignored += 1
        return False
