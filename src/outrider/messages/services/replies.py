"""The reply of each service."""

from dataclasses import dataclass

from outrider.messages.services.requests import Quaternion, Vector


@dataclass(frozen=True, slots=True)
class RunStatus:
    """The status of the run."""

    time_s: float
    steps: int
    paused: bool
    speed: float
    real_time_factor: float
    dropped_time_s: float
    state_hash: str


@dataclass(frozen=True, slots=True)
class DoneAt:
    """When it was done, in simulated seconds."""

    time_s: float


@dataclass(frozen=True, slots=True)
class ModelNames:
    """Names of models."""

    models: list[str]


@dataclass(frozen=True, slots=True)
class MotionState:
    """A pose and velocities."""

    position: Vector
    orientation: Quaternion
    velocity: Vector
    angular_velocity: Vector


@dataclass(frozen=True, slots=True)
class StateNow(MotionState):
    """The same, with its time."""

    time_s: float


@dataclass(frozen=True, slots=True)
class StatesNow:
    """All models and all links, by name."""

    time_s: float
    models: dict[str, MotionState]
    links: dict[str, MotionState]


@dataclass(frozen=True, slots=True)
class Pushed:
    """Start and end of a push; null for no end."""

    start_s: float
    end_s: float | None


@dataclass(frozen=True, slots=True)
class Cleared:
    """How many pushes were cleared."""

    cleared: int


@dataclass(frozen=True, slots=True)
class Spawned:
    """The result of spawning a description."""

    name: str
    kind: str  # robot or model
    time_s: float


@dataclass(frozen=True, slots=True)
class ModelProperties:
    """The links, joints and colliders of a model."""

    links: list[str]
    joints: list[str]
    colliders: list[str]
    static: bool


@dataclass(frozen=True, slots=True)
class WorldProperties:
    """The contents of the world."""

    time_s: float
    world: str
    models: list[str]


@dataclass(frozen=True, slots=True)
class PhysicsProperties:
    """The physics settings."""

    step_s: float
    gravity: Vector
    engine: str


@dataclass(frozen=True, slots=True)
class Registered:
    """A message type's full name."""

    type: str


@dataclass(frozen=True, slots=True)
class FileWritten:
    """The file that was written."""

    file: str


@dataclass(frozen=True, slots=True)
class ComponentStatus:
    """A component: its class, what it is on, and why it takes no part any more."""

    name: str
    kind: str
    on: str
    fault: str


@dataclass(frozen=True, slots=True)
class ComponentList:
    """All components, in the order in which they act."""

    components: list[ComponentStatus]


@dataclass(frozen=True, slots=True)
class Reloaded:
    """The components that have new code, and when, in simulated seconds."""

    names: list[str]
    time_s: float
