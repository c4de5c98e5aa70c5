"""What can be given to ``gymnasium.make``: frozen dataclasses, checked as files are."""

from dataclasses import dataclass
from typing import Any, TypeVar

from outrider.core.structure import from_data, number

T = TypeVar("T", bound="RobotOptions")


@dataclass(frozen=True, slots=True)
class RobotOptions:
    """The robot, where it drives, how it is commanded, and what it sees."""

    world: str = "playpen"  # anything that ``outrider run`` opens
    robot: str = "jackal"
    speed: float = number(1.0, above=0.0, most=20.0)  # m/s at an action of 1
    yaw_rate: float = number(1.5, above=0.0, most=10.0)  # rad/s at an action of 1; not for cars
    control_hz: float = number(10.0, least=1.0, most=50.0)  # actions and scans per second
    step_s: float = number(0.005, least=1e-4, most=0.02)  # of physics
    engine: str = "mujoco"
    rays: int = number(72, least=4, most=10_000)  # of a scan all around
    range_max: float = number(10.0, above=0.5, most=200.0)  # m
    range_noise: float = number(0.01, least=0.0, most=1.0)  # m, standard deviation
    scan_height: float = number(0.3, least=0.0, most=5.0)  # m above the robot's root link
    tip_deg: float = number(45.0, above=0.0, most=180.0)  # an episode ends beyond
    centre: tuple[float, float] | None = None  # m, of the area; None: the world's start
    area: float = number(9.5, above=1.0, most=500.0)  # m from its centre to its sides
    image_width: int = number(480, least=16, most=4096)
    image_height: int = number(320, least=16, most=4096)


@dataclass(frozen=True, slots=True)
class WaypointsOptions(RobotOptions):
    """Points to come to, one after the other."""

    waypoints: int = number(3, least=1, most=1000)
    nearest: float = number(2.0, least=0.5, most=100.0)  # m from one point to the next
    farthest: float = number(5.0, least=0.5, most=500.0)
    tolerance: float = number(0.5, above=0.0, most=10.0)  # m


@dataclass(frozen=True, slots=True)
class ExploreOptions(RobotOptions):
    """A place to be seen as a whole."""

    world: str = "maze"
    centre: tuple[float, float] | None = (0.0, 0.0)
    area: float = number(6.0, above=1.0, most=500.0)
    cell: float = number(0.25, least=0.05, most=2.0)  # m, of the map
    sight: float = number(3.0, above=0.1, most=100.0)  # m: farther off nothing counts as seen
    window: int = number(24, least=4, most=200)  # cells along a side of the observed map
    share: float = number(0.95, above=0.0, most=1.0)  # seen at the end


@dataclass(frozen=True, slots=True)
class AutoMinyOptions(RobotOptions):
    """Laps on the lane of the model car's lab."""

    world: str = "autominy-lab"
    robot: str = "autominy"
    step_s: float = number(0.0025, least=1e-4, most=0.02)
    range_max: float = number(8.0, above=0.5, most=200.0)
    scan_height: float = number(0.15, least=0.0, most=5.0)
    laps: float = number(1.0, above=0.0, most=1000.0)
    lane: str = "inner"
    off_lane: float = number(0.3, above=0.0, most=2.0)  # m from the lane's middle
    position_noise: float = number(0.005, least=0.0, most=1.0)  # m, of the cameras overhead
    yaw_noise_deg: float = number(0.5, least=0.0, most=90.0)


def read_options(kind: type[T], given: dict[str, Any], name: str) -> T:
    """Return the options of an environment; what is wrong is said in one sentence."""
    return from_data(kind, given, name)
