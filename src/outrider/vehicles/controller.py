"""From commands to joint set points, in every step."""

from outrider.core.errors import ConfigError
from outrider.core.state import State
from outrider.vehicles.command import CommandInput, DriveCommand
from outrider.vehicles.drivetrain import Drivetrain, Targets
from outrider.vehicles.limits import Limiter
from outrider.vehicles.spec import RobotSpec

_REST = DriveCommand()


class Controller:
    """Newest command, limits, drivetrain. Reuses its last result while nothing changes."""

    def __init__(self, spec: RobotSpec, drivetrain: Drivetrain) -> None:
        """Start at rest."""
        if drivetrain.steered and (spec.limits.yaw_rate or spec.limits.yaw_acceleration):
            raise ConfigError(
                f"{spec.name}: limits.yaw_rate and yaw_acceleration have no meaning for a car, "
                "which turns by steering: set drivetrain.max_steering_rad instead"
            )
        self.input = CommandInput(spec.command_timeout_s)
        self._drivetrain = drivetrain
        self._limiter = Limiter(spec.limits)
        self._released = True
        self._command: DriveCommand | None = None  # the command that `_wanted` was made from
        self._wanted = _REST
        self._targets = drivetrain.targets(_REST)

    def get_state(self) -> State:
        """Return the newest command and the limited one; set points follow from them."""
        return State(
            input=self.input.get_state(),
            limiter=self._limiter.get_state(),
            released=self._released,
            wanted=self._wanted.get_state(),
            source="rest" if self._command is _REST else self.input.source(self._command),
        )

    def set_state(self, state: State) -> None:
        """Restore that state."""
        self.input.set_state(state.part("input"))
        self._limiter.set_state(state.part("limiter"))
        self._released = state.flag("released")
        self._wanted = DriveCommand.of(state.part("wanted"))
        source = state.text("source")
        self._command = _REST if source == "rest" else self.input.from_source(source)
        self._targets = self._drivetrain.targets(self._allowed())

    def stop(self) -> None:
        """Stop immediately, regardless of limits, and ignore further commands."""
        self._released = False
        self._limiter.stop()

    def release(self) -> None:
        """Obey commands again after `stop`."""
        self._released = True

    def update(self, now_ns: int, dt_s: float) -> Targets:
        """Return the set points for a step of `dt_s` that begins now."""
        command = self.input.newest(now_ns) if self._released else _REST
        if command is not self._command:
            self._wanted = self._drivetrain.resolve(command, self._wanted)
            self._command = command
        elif self._limiter.settled:
            return self._targets
        return self._limit(dt_s)

    def _limit(self, dt_s: float) -> Targets:
        self._limiter.limit(self._wanted.speed, self._wanted.yaw_rate, dt_s)
        self._targets = self._drivetrain.targets(self._allowed())
        return self._targets

    def _allowed(self) -> DriveCommand:
        """Return what the limits leave of the command now."""
        return DriveCommand(self._limiter.speed, self._limiter.yaw_rate, self._wanted.steering)
