"""Parameters of navigation."""

from dataclasses import dataclass, field

from outrider.autonomy.mapping.spec import OddsSpec
from outrider.autonomy.planning.footprint import FootprintSpec
from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class InflationSpec:
    """The inflation radius beyond the robot's circumscribed radius, and its decay."""

    radius: float = number(0.2, least=0.0)
    fading: float = number(5.0, above=0.0)  # per metre, exponentially


@dataclass(frozen=True, slots=True)
class RecoverySpec:
    """Durations and distances of the attempts."""

    patience_s: float = number(1.5, above=0.0)  # s without a free command before it begins
    progress_m: float = number(0.15, above=0.0)  # of progress that must be made ...
    progress_s: float = number(12.0, above=0.0)  # ... within this time
    back_speed: float = number(0.15, above=0.0)
    back_m: float = number(0.35, above=0.0)
    turn_rate: float = number(0.6, above=0.0)
    rounds: int = number(3, least=1)  # rounds of attempts before the goal fails


@dataclass(frozen=True, slots=True)
class BumpSpec:
    """When a robot counts as blocked, and how far it backs up."""

    window_s: float = number(1.5, above=0.0)
    least_m: float = number(0.3, above=0.0)  # m that must have been commanded in that time
    share: float = number(0.3, above=0.0, most=1.0)  # fraction of it that must have been driven
    back_m: float = number(0.7, above=0.0)


@dataclass(frozen=True, slots=True)
class GlobalPlannerSpec:
    """Parameters of the search."""

    algorithm: str = "astar"  # or dijkstra: the same path, found more slowly
    margin: float = number(6.0, above=0.0)  # m around start, goal and map
    obstacle_price: float = number(20.0, least=0.0)  # cost of a metre next to an obstacle
    unknown_price: float = number(0.05, least=0.0)  # added cost of a metre of unknown ground
    goal_slack: float = number(0.6, least=0.0)  # m that a blocked goal may be moved


@dataclass(frozen=True, slots=True)
class LocalPlannerSpec:
    """Limits of the robot and weights; speeds as in Platt's experiments."""

    max_speed: float = number(0.25, above=0.0)
    max_yaw_rate: float = number(0.79, above=0.0)
    min_turn: float = number(0.3, least=0.0)  # rad/s, the slowest turn on the spot
    acceleration: float = number(1.0, above=0.0)
    yaw_acceleration: float = number(3.0, above=0.0)
    horizon_s: float = number(1.6, above=0.0)
    step_s: float = number(0.1, above=0.0)
    speeds: int = number(6, least=2, most=50)
    turns: int = number(21, least=3, most=201)
    lookahead: float = number(0.9, above=0.0)  # m along the plan
    turn_first_deg: float = number(50.0, above=0.0)  # at larger heading errors it turns on the spot
    path_weight: float = number(1.2, least=0.0)  # of the distance to the plan
    goal_weight: float = number(1.0, least=0.0)  # of the distance to the goal
    heading_weight: float = number(0.4, least=0.0)  # of the heading error
    obstacle_weight: float = number(0.5, least=0.0)  # of the cost map


@dataclass(frozen=True, slots=True)
class LocalMapSpec:
    """3 x 3 m of 0.01 m, as in Platt's experiments."""

    size: float = number(3.0, above=0.0, most=50.0)
    resolution: float = number(0.01, above=0.0)
    odds: OddsSpec = field(default_factory=lambda: OddsSpec(hit=1.2, miss=0.5, occupied=1.0))


@dataclass(frozen=True, slots=True)
class NavigationSpec:
    """Parameters of navigation."""

    rate_hz: float = number(10.0, above=0.0, most=100.0)
    tolerance: float = number(0.25, above=0.0)
    yaw_tolerance: float = number(0.157, above=0.0)
    replan_s: float = number(1.0, above=0.0)
    stale_s: float = number(0.6, above=0.0)  # s without odometry before it stops
    footprint: FootprintSpec = field(default_factory=FootprintSpec)
    inflation: InflationSpec = field(default_factory=InflationSpec)
    planner: GlobalPlannerSpec = field(default_factory=GlobalPlannerSpec)
    local_map: LocalMapSpec = field(default_factory=LocalMapSpec)
    local_planner: LocalPlannerSpec = field(default_factory=LocalPlannerSpec)
    recovery: RecoverySpec = field(default_factory=RecoverySpec)
    bump: BumpSpec = field(default_factory=BumpSpec)
