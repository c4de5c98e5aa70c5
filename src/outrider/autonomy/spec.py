"""The stack in a scenario file: its components and their parameters."""

from dataclasses import dataclass, field

from outrider.autonomy.mapping.spec import MappingSpec, ScanViewSpec
from outrider.autonomy.odometry.spec import (
    LidarCloudSpec,
    LidarInertialSpec,
    LidarSpec,
    VisualSpec,
    WheelImuSpec,
)
from outrider.autonomy.planning.spec import NavigationSpec
from outrider.autonomy.reactive.spec import AvoidSpec, LaneSpec, WallSpec
from outrider.autonomy.segmentation.spec import SegmentationSpec
from outrider.autonomy.slam.spec import SlamSpec
from outrider.autonomy.stereo.spec import DepthSpec
from outrider.autonomy.waypoints.spec import WaypointsSpec

ReactiveSpec = AvoidSpec | WallSpec | LaneSpec
OdometrySpec = LidarInertialSpec | LidarSpec | VisualSpec | WheelImuSpec


@dataclass(frozen=True, slots=True)
class AutonomySpec:
    """One robot's autonomy stack. Parts set to null are left out; others may replace them."""

    robot: str = ""  # empty: the only one
    odometry: OdometrySpec | None = field(default_factory=LidarInertialSpec)
    stereo: DepthSpec | None = None  # depth from two cameras; mapping then uses that
    lidar_cloud: LidarCloudSpec | None = None  # a LiDAR for mapping, besides the odometry's
    scan: ScanViewSpec | None = None  # a 2D LiDAR in place of clouds: no segmentation, no SLAM
    segmentation: SegmentationSpec | None = field(default_factory=SegmentationSpec)
    slam: SlamSpec | None = field(default_factory=SlamSpec)
    mapping: MappingSpec | None = field(default_factory=MappingSpec)
    navigation: NavigationSpec | None = field(default_factory=NavigationSpec)
    waypoints: WaypointsSpec | None = None
    reactive: ReactiveSpec | None = None  # a reactive controller instead of all of these
    start: tuple[float, float, float] | None = None  # x, y, yaw_deg in the map; None: as placed
    topics: dict[str, str] = field(default_factory=dict)  # port -> topic
