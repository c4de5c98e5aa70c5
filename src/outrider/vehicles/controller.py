"""From commands to joint set points, once a step."""

from outrider.core.errors import ConfigError
from outrider.specs.robot import RobotSpec
from outrider.vehicles.command import CommandInput, DriveCommand
from outrider.vehicles.drivetrain import Drivetrain, Targets
from outrider.vehicles.limits import Limiter

_REST = DriveCommand()


class Controller:
    """Newest command, limits, drivetrain. Repeats its last answer while nothing changes."""

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
        self.reset()

    @property
    def released(self) -> bool:
        """Whether commands reach the wheels: false from `stop` to `reset`."""
        return self._released

    def reset(self) -> None:
        """Forget all commands and let the robot drive again."""
        self._released = True
        self.input.reset()
        self._limiter.reset()
        self._command: DriveCommand | None = None  # the command that `_wanted` was made from
        self._wanted = _REST
        self._targets = self._drivetrain.targets(_REST)

    def stop(self) -> None:
        """Stop at once, whatever the limits, and ignore commands until `reset`."""
        self._released = False
        self._limiter.reset()

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
        wanted = self._wanted
        speed, yaw_rate = self._limiter.limit(wanted.speed, wanted.yaw_rate, dt_s)
        allowed = DriveCommand(speed, yaw_rate, wanted.steering)
        self._targets = self._drivetrain.targets(allowed)
        return self._targets
