"""The scenario: a tree of frozen dataclasses that is also the file format."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from outrider.actors.spec import ActorSpec
from outrider.core.structure import Data, Later, number
from outrider.specs.component import OnFault
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import ObjectSpec, PoseSpec, WorldSpec
from outrider.weather.spec import WeatherSpec
from outrider.world.model import Light

if TYPE_CHECKING:
    from outrider.autonomy.spec import AutonomySpec
else:  # many classes, for the few scenarios that have a stack
    AutonomySpec = Annotated[object, Later("outrider.autonomy.spec", "AutonomySpec")]


@dataclass(frozen=True, slots=True)
class Drive:
    """Drive at a constant speed and yaw rate; both zero parks the robot.

    Motions of one robot follow one another: ``start_s`` counts from the end of the one before.
    """

    type: Literal["drive"] = "drive"
    speed: float = 0.0  # m/s
    yaw_rate_deg: float = 0.0
    start_s: float = number(0.0, least=0.0)
    duration_s: float = number(1e9, above=0.0)


@dataclass(frozen=True, slots=True)
class Steer:
    """Drive a car at a constant speed and steering angle (positive to the left)."""

    type: Literal["steer"] = "steer"
    speed: float = 0.0  # m/s
    steering_deg: float = number(0.0, least=-80.0, most=80.0)
    start_s: float = number(0.0, least=0.0)
    duration_s: float = number(1e9, above=0.0)


@dataclass(frozen=True, slots=True)
class Waypoints:
    """Drive from point to point by ground truth."""

    type: Literal["waypoints"] = "waypoints"
    points: tuple[tuple[float, float], ...] = ()  # x, y in m
    speed: float = number(0.5, above=0.0)  # m/s
    tolerance: float = number(0.25, above=0.0)  # m
    loop: bool = False
    start_s: float = number(0.0, least=0.0)
    duration_s: float = number(1e9, above=0.0)


Motion: TypeAlias = Drive | Steer | Waypoints


@dataclass(frozen=True, slots=True)
class RobotEntry:
    """A robot of the scenario. Several of one model have names, or are numbered."""

    model: str = "jackal"
    name: str = ""
    pose: PoseSpec | None = None  # None: the world's start pose
    namespace: str | None = None  # None: empty for one robot, the name for several
    motion: Motion | tuple[Motion, ...] = ()
    stop_on_collision: bool = False
    sensors: tuple[SensorEntry, ...] = ()  # in addition to those of the robot's file
    topics: dict[str, str] = field(default_factory=dict)  # key of the topic table -> name
    rates: dict[str, float] = field(default_factory=dict)  # key of the topic table -> Hz
    curves: dict[str, str] = field(default_factory=dict)  # a car's command -> calibration curve
    publish_tf: bool | None = None  # the odometry frame on /tf; None: as in the robot's file
    args: dict[str, str] = field(default_factory=dict)  # for xacro
    search: tuple[str, ...] = ()  # folders with its packages and meshes
    robot: str = ""  # which one of a world file of another program; empty: its first
    lamps: tuple[Light, ...] = ()  # in addition to those of its file
    components: tuple[Data, ...] = ()  # in addition to those of the robot's file


@dataclass(frozen=True, slots=True)
class PhysicsSpec:
    """The physics engine and its step."""

    engine: str = "mujoco"
    step_s: float = number(0.0025, least=1e-5, most=0.05)


@dataclass(frozen=True, slots=True)
class PacingSpec:
    """How simulated time follows the wall clock. Speed 0 runs flat out."""

    speed: float = number(1.0, least=0.0, most=1e4)  # times real time; 0: as fast as possible
    mode: Literal["catch-up", "constant"] = "catch-up"
    max_lag_s: float = number(0.1, above=0.0)


@dataclass(frozen=True, slots=True)
class ReachGoal:
    """End when a robot (without a name: any) comes within a distance of a point."""

    type: Literal["reach"] = "reach"
    robot: str = ""
    x: float = 0.0  # m
    y: float = 0.0  # m
    tolerance: float = number(0.3, above=0.0)  # m
    success: bool = True


@dataclass(frozen=True, slots=True)
class Collides:
    """End when a robot (without a name: any) touches anything but the ground."""

    type: Literal["collision"] = "collision"
    robot: str = ""
    success: bool = False


@dataclass(frozen=True, slots=True)
class TipsOver:
    """End when a robot (without a name: any) leans by more than an angle."""

    type: Literal["tip"] = "tip"
    robot: str = ""
    angle_deg: float = number(60.0, above=0.0, most=180.0)
    success: bool = False


Condition: TypeAlias = ReachGoal | Collides | TipsOver


@dataclass(frozen=True, slots=True)
class Expect:
    """A figure of the result that must lie between bounds for the run to count as completed."""

    figure: (
        str  # one of run_metrics.FIGURES, or of expectations.RUN_FIGURES by its path in the result
    )
    robot: str = ""  # empty: every robot; not for figures of the run
    least: float = -1e300  # in the figure's unit
    most: float = 1e300  # in the figure's unit


@dataclass(frozen=True, slots=True)
class Scenario:
    """One run, from its world to its end."""

    name: str = "scenario"
    description: str = ""
    world: str | WorldSpec = "empty"
    robots: tuple[RobotEntry, ...] = (RobotEntry(),)
    obstacles: tuple[ObjectSpec, ...] = ()
    actors: tuple[ActorSpec, ...] = ()  # people, cars and animals, in addition to the world's
    sensors: tuple[SensorEntry, ...] = ()  # fixed in the world, at their pose
    duration_s: float | None = number(10.0, above=0.0, most=1e7)  # None: until stopped
    seed: int = number(1, least=0)
    physics: PhysicsSpec = PhysicsSpec()
    pacing: PacingSpec = PacingSpec()
    end: tuple[Condition, ...] = ()
    expect: tuple[Expect, ...] = ()
    bridges: tuple[str, ...] = ()  # as for --bridge: "ros1:master=own"
    autonomy: AutonomySpec | None = None  # the default autonomy stack, for one robot
    weather: WeatherSpec | None = None  # replaces the world's
    components: tuple[Data, ...] = ()  # besides the world's and robots'; see docs/components.md
    on_fault: OnFault = "continue"  # what a run does when a component fails
