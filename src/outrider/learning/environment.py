"""One robot in one world as a Gymnasium environment; tasks add what it is rewarded for."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import LearningError, UnstableError
from outrider.learning.episode_camera import EpisodeCamera
from outrider.learning.extra import gymnasium
from outrider.learning.observation import Floats, RobotObservation
from outrider.learning.options import RobotOptions, read_options
from outrider.learning.shared_world import ROBOT, SharedWorld
from outrider.learning.termination import Termination
from outrider.scenarios.session.placing import place, robot_pose
from outrider.specs.world import PoseSpec
from outrider.vehicles.ackermann import AckermannSpec

Observation: TypeAlias = dict[str, Floats]
Info: TypeAlias = dict[str, Any]
Start: TypeAlias = tuple[float, float, float]  # x, y (m) and heading (rad)
Step: TypeAlias = tuple[Observation, float, bool, bool, Info]
GOAL = "goal"  # the outcome that is a success


class RobotEnvironment(gymnasium.Env[Any, Any]):
    """Actions are two numbers from -1 to 1: speed, and yaw rate or (of a car) steering angle."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012 - as Gymnasium has it
    name: ClassVar[str]
    Options: ClassVar[type[RobotOptions]]

    def __init__(
        self,
        render_mode: str | None = None,
        shared: SharedWorld | None = None,
        **options: Any,
    ) -> None:
        """``options`` are fields of ``Options``; environments with one ``shared`` share a scene."""
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise LearningError(
                f"{self.name}: render_mode: expected None or 'rgb_array', got '{render_mode}'"
            )
        self.render_mode = render_mode
        read = read_options(self.Options, options, self.name)
        self.shared = SharedWorld(read) if shared is None else shared
        self.simulation = self.shared.simulation()
        self._robot = self.simulation.robots[ROBOT]
        self._ends = Termination(self.simulation, read.tip_deg, self.shared.region)
        self.observation = RobotObservation(self.simulation, read.range_max, read.range_noise)
        self._period_s = 1.0 / read.control_hz
        self._film = EpisodeCamera(
            self.simulation, read.image_width, read.image_height, self.shared.radius
        )
        self._over = True
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (2,), np.float32)
        self.observation_space = gymnasium.spaces.Dict(self._spaces())
        drive = self.shared.robot.spec.drivetrain
        self._most_steering = drive.max_steering_rad if isinstance(drive, AckermannSpec) else None

    @property
    def options(self) -> Any:
        """What it was made with."""
        return self.shared.options

    @abstractmethod
    def _spaces(self) -> dict[str, gymnasium.Space[Any]]:
        """Return the space of each part of an observation."""

    @abstractmethod
    def _begin(self) -> Start:
        """Draw a new episode from ``np_random`` and return where the robot starts."""

    @abstractmethod
    def _observe(self) -> Observation:
        """Return what the robot knows now."""

    @abstractmethod
    def _judge(self) -> tuple[float, str]:
        """Return the reward of the last step, and how the task has ended (empty: not yet)."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin an episode: the same seed gives the same one, in a used and in a new environment.

        The robot stands still for one period, until its first scan is complete.
        """
        super().reset(seed=seed)
        if options:
            raise LearningError(f"{self.name}: reset: there are no options, got {options}")
        x, y, heading = self._begin()
        at = PoseSpec(x=x, y=y, yaw_deg=math.degrees(heading))
        self.simulation.reset(
            lambda: place(self.simulation, ROBOT, robot_pose(self.simulation, ROBOT, at))
        )
        self._ends.clear()
        self.simulation.run(self._period_s)
        self._over = False
        return self._observe(), {}

    def step(self, action: Floats) -> Step:
        """Drive for one period of control."""
        if self._over:
            raise LearningError(f"{self.name}: step: the episode is over, call reset() first")
        self._drive(*self._checked(action))
        self._run()
        reward, outcome = self._judge()
        outcome = self._ends.outcome or outcome
        info: Info = {"outcome": outcome, "is_success": outcome == GOAL} if outcome else {}
        self._over = bool(outcome)
        return self._observe(), reward + self._ends.penalty, self._over, False, info

    def _run(self) -> None:
        try:
            self.simulation.run(self._period_s)
        except UnstableError:
            self._ends.outcome = "unstable"

    def _checked(self, action: Sequence[float] | NDArray[Any]) -> tuple[float, float]:
        """Return two finite numbers, limited to -1 and 1; anything else is refused."""
        try:
            values = np.asarray(action, np.float64)
        except (TypeError, ValueError):
            values = np.zeros(0)
        if values.shape != (2,) or not np.isfinite(values).all():
            raise LearningError(
                f"{self.name}: step: expected an action of two finite numbers between -1 and 1,"
                f" got {np.array2string(np.asarray(action), threshold=8)}"
            )
        first, second = np.clip(values, -1.0, 1.0).tolist()
        return first, second

    def _drive(self, first: float, second: float) -> None:
        speed = first * self.options.speed
        if self._most_steering is not None:
            self._robot.steer(speed, second * self._most_steering)
        else:
            self._robot.drive(speed, second * self.options.yaw_rate)

    def render(self) -> NDArray[np.uint8] | None:
        """Return an image of the robot from behind, if that is its render mode."""
        return None if self.render_mode is None else self._film.image(self._marks())

    def _marks(self) -> list[tuple[float, float]]:
        """Return places to be marked in images."""
        return []

    def close(self) -> None:
        """Release what images are drawn with."""
        self._film.close()
