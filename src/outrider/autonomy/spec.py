"""The stack as a scenario's file has it: which components, with which parameters."""

from dataclasses import dataclass, field

from outrider.autonomy.mapping.mapper import MappingSpec
from outrider.autonomy.odometry.lidar import LidarSpec
from outrider.autonomy.odometry.lidar_inertial import LidarInertialSpec
from outrider.autonomy.odometry.visual import VisualSpec
from outrider.autonomy.odometry.wheel_imu import WheelImuSpec
from outrider.autonomy.planning.navigator import NavigationSpec
from outrider.autonomy.segmentation.obstacles import SegmentationSpec
from outrider.autonomy.slam.spec import SlamSpec
from outrider.autonomy.stereo.depth import DepthSpec
from outrider.autonomy.waypoints.follower import WaypointsSpec

OdometrySpec = LidarInertialSpec | LidarSpec | VisualSpec | WheelImuSpec


@dataclass(frozen=True, slots=True)
class AutonomySpec:
    """One robot's brain. Parts set to null are left out: others may take their place."""

    robot: str = ""  # empty: the only one
    odometry: OdometrySpec = LidarInertialSpec()
    stereo: DepthSpec | None = None  # depth from two cameras; mapping then uses that
    segmentation: SegmentationSpec | None = SegmentationSpec()
    slam: SlamSpec | None = SlamSpec()
    mapping: MappingSpec | None = MappingSpec()
    navigation: NavigationSpec | None = NavigationSpec()
    waypoints: WaypointsSpec | None = None
    start: tuple[float, float, float] | None = None  # x, y, yaw_deg in the map; None: as placed
    topics: dict[str, str] = field(default_factory=dict)  # port -> topic
