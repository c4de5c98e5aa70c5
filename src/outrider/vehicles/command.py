"""The newest command for one robot, whoever sent it, and its age."""

import math
from dataclasses import dataclass

from outrider.core.clock import to_ns
from outrider.core.process.notices import say_once
from outrider.core.state import State

_NEVER_NS = 2**63 - 1


@dataclass(frozen=True, slots=True)
class DriveCommand:
    """A speed (m/s), and a yaw rate (rad/s) or a steering angle (rad); positive is left."""

    speed: float = 0.0
    yaw_rate: float = 0.0
    steering: float | None = None  # None: turn by the yaw rate

    def get_state(self) -> State:
        """Return it as plain data."""
        return State(speed=self.speed, yaw_rate=self.yaw_rate, steering=self.steering)

    @classmethod
    def of(cls, state: State) -> "DriveCommand":
        """Return the command of a state."""
        steering = state.number("steering") if state.has("steering") else None
        return cls(state.number("speed"), state.number("yaw_rate"), steering)


class CommandInput:
    """Keeps the newest command and drops its speed after a timeout (zero seconds: never)."""

    def __init__(self, timeout_s: float) -> None:
        """Start at rest."""
        self._timeout_ns = to_ns(timeout_s)
        self.ignored = 0  # commands with a value that is not a finite number
        self._deadline_ns = _NEVER_NS
        self._set(DriveCommand())

    def get_state(self) -> State:
        """Return the newest command, and until when it holds."""
        return State(
            command=self._command.get_state(), deadline_ns=self._deadline_ns, ignored=self.ignored
        )

    def set_state(self, state: State) -> None:
        """Take that command as the newest."""
        self._set(DriveCommand.of(state.part("command")))
        self._deadline_ns, self.ignored = state.integer("deadline_ns"), state.integer("ignored")

    def twist(self, linear_x: float, angular_z: float, now_ns: int) -> None:
        """Take a speed and a yaw rate; a steering angle given before no longer holds."""
        if self._finite(linear_x, angular_z):
            self._renew(now_ns)
            self._set(DriveCommand(float(linear_x), float(angular_z)))

    def steering(self, value: float, _now_ns: int) -> None:
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

    def source(self, command: DriveCommand | None) -> str:
        """Return what a command taken from here is: newest, expired or neither."""
        if command is self._command:
            return "newest"
        return "expired" if command is self._expired else ""

    def from_source(self, source: str) -> DriveCommand | None:
        """Return the same object that ``source`` described; None for neither."""
        return {"newest": self._command, "expired": self._expired}.get(source)

    def _set(self, command: DriveCommand) -> None:
        self._command = command
        self._expired = DriveCommand(0.0, 0.0, command.steering)

    def _renew(self, now_ns: int) -> None:
        self._deadline_ns = now_ns + self._timeout_ns if self._timeout_ns else _NEVER_NS

    def _finite(self, *values: float) -> bool:
        if all(map(math.isfinite, values)):
            return True
        say_once(
            "a command with a number that is not finite was ignored; a robot's ignored_commands"
            " counts them"
        )
        self.ignored += 1
        return False
