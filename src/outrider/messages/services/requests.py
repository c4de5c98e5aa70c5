"""The request of each service. Positions are in m, orientations x y z w."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from outrider.core.errors import ConfigError
from outrider.core.structure import number

MOST_STEPS = 1_000_000

Vector: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Nothing:
    """No arguments."""


@dataclass(frozen=True, slots=True)
class Steps:
    """A number of steps or a duration; without either, one step."""

    steps: int | None = number(None, least=1, most=MOST_STEPS)
    duration_s: float | None = number(None, above=0.0, most=1e6)

    def __post_init__(self) -> None:
        """Refuse both."""
        if self.steps is not None and self.duration_s is not None:
            raise ValueError("expected steps or duration_s, got both")

    def count(self, step_s: float) -> int:
        """Return how many steps that is, where one takes ``step_s``."""
        if self.duration_s is None:
            return self.steps or 1
        count = max(1, round(self.duration_s / step_s))
        if count > MOST_STEPS:
            longest_s = MOST_STEPS * step_s
            raise ConfigError(
                f"step: duration_s: must be at most {longest_s:g}, got {self.duration_s}"
            )
        return count


@dataclass(frozen=True, slots=True)
class SpeedFactor:
    """Multiple of real time; 0 is flat out."""

    speed: float = number(1.0, least=0.0, most=1e4)


@dataclass(frozen=True, slots=True)
class LockstepTerms:
    """The period at which to wait for a command, and the timeout; a period of 0 ends it."""

    period_s: float = number(0.0, least=0.0, most=1e6)
    timeout_s: float = number(10.0, above=0.0, most=3600.0)


@dataclass(frozen=True, slots=True)
class RobotName:
    """A robot; without a name, all of them."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class ThingName:
    """A model, or a link as ``model/link``."""

    name: str


@dataclass(frozen=True, slots=True)
class StateQuery:
    """A model or a link, relative to ``frame`` (another one) or to the world."""

    name: str
    frame: str = ""


@dataclass(frozen=True, slots=True)
class StateChange:
    """A model or a link and its new state, in ``frame`` or in the world; the rest stays."""

    name: str
    position: Vector | None = None
    orientation: Quaternion | None = None
    velocity: Vector | None = None
    angular_velocity: Vector | None = None
    frame: str = ""


@dataclass(frozen=True, slots=True)
class JointAngles:
    """Joints of a model with angles (rad) or lengths (m)."""

    model: str
    joints: dict[str, float]

    def __post_init__(self) -> None:
        """Refuse an empty mapping."""
        if not self.joints:
            raise ValueError("joints: expected names with angles, got none")


@dataclass(frozen=True, slots=True)
class WrenchFor:
    """A push on a link, in the axes of ``frame`` or of the world; a negative duration: no end."""

    body: str
    force: Vector = (0.0, 0.0, 0.0)
    torque: Vector = (0.0, 0.0, 0.0)
    point: Vector | None = None  # on the link; None is its centre of mass
    frame: str = ""
    start_s: float = 0.0
    duration_s: float = -1.0


@dataclass(frozen=True, slots=True)
class BodyName:
    """A link, or a model for its root link; empty is all of them."""

    body: str = ""


@dataclass(frozen=True, slots=True)
class NewPose:
    """A robot or an object and its new pose; without ``z`` on the ground."""

    name: str
    x: float = 0.0
    y: float = 0.0
    z: float | None = None
    roll_deg: float = 0.0
    pitch_deg: float = 0.0
    yaw_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class ScenarioKeys:
    """Keys as in a scenario file, read where that format is known."""

    keys: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewObject(ScenarioKeys):
    """One entry of a scenario's ``obstacles``."""


@dataclass(frozen=True, slots=True)
class NewActor(ScenarioKeys):
    """One entry of a scenario's ``actors``."""


@dataclass(frozen=True, slots=True)
class NewRobot(ScenarioKeys):
    """One entry of a scenario's ``robots``."""


@dataclass(frozen=True, slots=True)
class NewSensor(ScenarioKeys):
    """One entry of a robot's ``sensors``; without a robot it is in the world."""

    robot: str = ""


@dataclass(frozen=True, slots=True)
class SensorName:
    """A sensor that the scenario added to a robot or to the world."""

    name: str
    robot: str = ""


@dataclass(frozen=True, slots=True)
class TopicRename:
    """A robot's topic by its key in the topic table, and its new name."""

    robot: str
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class ModelText:
    """A robot or a model as URDF or SDF text (without ``format`` it is guessed), and its pose.

    ``pose`` is as in files; or use ``position`` and ``orientation``.
    """

    name: str
    text: str
    format: Literal["urdf", "sdf"] | None = None
    namespace: str = ""
    pose: dict[str, object] | None = None
    position: Vector | None = None
    orientation: Quaternion | None = None


@dataclass(frozen=True, slots=True)
class TypeText:
    """A message type and the text of its ``.msg`` file."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class WorldName:
    """A world of the library, or its file."""

    world: str


@dataclass(frozen=True, slots=True)
class FileName:
    """A file."""

    file: str
