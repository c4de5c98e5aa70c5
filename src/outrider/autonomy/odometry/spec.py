"""Parameters of odometry."""

from dataclasses import dataclass, field
from typing import Literal

from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class StandstillSpec:
    """When an IMU counts as at rest."""

    duration_s: float = 1.0
    gyro_spread: float = 0.03  # rad/s, standard deviation
    accel_spread: float = 0.15  # m/s^2
    longest_wait_s: float = 5.0


@dataclass(frozen=True, slots=True)
class RegistrationSpec:
    """How scans are downsampled, and how long the local map keeps them."""

    voxel_size: float = number(0.5, above=0.0)  # m, of the map
    point_spacing: float = number(0.25, above=0.0)  # m, of the scan
    neighbours: int = number(15, least=5)  # points that determine a surface normal
    iterations: int = number(30, least=1)
    farthest_match: float = number(1.0, above=0.0)  # m
    normal_error_deg: float = number(3.1, least=0.0, most=30.0)  # of a surface normal
    memory: int = number(600, least=10)  # scans after which unseen voxels are forgotten


@dataclass(frozen=True, slots=True)
class MotionSpec:
    """How much a robot may move between two scans (standard deviations)."""

    gyro_noise: float = number(0.02, above=0.0)  # rad/sqrt(s)
    gyro_offset: float = number(0.0, least=0.0)  # rad/s, left after a standstill; 0: not estimated
    offset_drift: float = number(1e-5, least=0.0)  # rad/s/sqrt(s)
    acceleration: float = number(1.0, above=0.0)  # m/s^2
    wheel_speed: float = number(0.06, above=0.0)  # m/s, including slip
    side_speed: float = number(0.06, above=0.0)  # m/s, lateral and vertical
    scan_trust: float = number(1.0, above=0.0)  # factor on the information of a scan match


@dataclass(frozen=True, slots=True)
class FilterSpec:
    """Process and measurement noise (standard deviations)."""

    gyro_noise: float = number(0.005, above=0.0)  # rad/s of a reading
    gyro_drift: float = number(1e-4, above=0.0)  # rad/s/sqrt(s)
    acceleration: float = number(1.0, above=0.0)  # m/s^2: how fast the speed may change
    side_slip: float = number(0.02, above=0.0)  # m/sqrt(s), lateral and vertical
    wheel_speed: float = number(0.02, above=0.0)  # m/s
    heading: float = number(0.03, above=0.0)  # rad, of an attitude estimate
    first_offset: float = number(0.02, above=0.0)  # rad/s, before it is known


@dataclass(frozen=True, slots=True)
class FeatureSpec:
    """How corners are detected and tracked."""

    count: int = number(400, least=20, most=5000)
    distance: int = number(18, least=3)  # pixels between two
    quality: float = number(0.005, above=0.0, most=1.0)  # of the best corner's strength
    window: int = number(15, least=5, most=61)
    levels: int = number(3, least=0, most=6)
    back_error: float = number(0.7, above=0.0)  # pixels, after tracking forward and backward
    row_error: float = number(1.0, above=0.0)  # pixels between the rows of the two images


@dataclass(frozen=True, slots=True)
class LidarSpec:
    """Parameters; rotations are predicted from the last one, with little confidence."""

    type: Literal["lidar"] = "lidar"
    min_range: float = number(0.9, least=0.0)
    max_range: float = number(80.0, above=0.0)
    cloud_range: float = number(30.0, above=0.0)
    scan_period_s: float = number(0.1, above=0.0)
    least_share: float = number(0.35, least=0.0, most=1.0)  # of a scan that must match the map
    deskew: bool = True  # with the previous motion: helps in turns, harms on rough ground
    registration: RegistrationSpec = field(default_factory=RegistrationSpec)
    motion: MotionSpec = field(default_factory=lambda: MotionSpec(gyro_noise=0.3, acceleration=3.0))


@dataclass(frozen=True, slots=True)
class LidarCloudSpec:
    """Which points are passed on, and how long a scan waits for a pose."""

    min_range: float = number(0.9, least=0.0)
    max_range: float = number(30.0, above=0.0)
    scan_period_s: float = number(0.1, above=0.0)
    patience_s: float = number(0.3, above=0.0)


# Rad per root second, that of an ordinary IMU: open ground tells the heading worse than that.
_GYRO_NOISE = 7e-4
_GYRO_OFFSET = 7e-4  # rad/s that a second of rest leaves unknown of it
_MOTION = MotionSpec(gyro_noise=_GYRO_NOISE, gyro_offset=_GYRO_OFFSET)


@dataclass(frozen=True, slots=True)
class LidarInertialSpec:
    """Parameters of the LiDAR-inertial odometry."""

    type: Literal["lidar-inertial"] = "lidar-inertial"
    min_range: float = number(0.9, least=0.0)
    max_range: float = number(80.0, above=0.0)
    cloud_range: float = number(30.0, above=0.0)  # what is passed on to mapping
    scan_period_s: float = number(0.1, above=0.0)
    wheels: bool = True  # use the wheels' speed
    least_share: float = number(0.35, least=0.0, most=1.0)  # of a scan that must match the map
    longest_gap_s: float = number(5.0, above=0.0)  # s without scans before it is lost
    registration: RegistrationSpec = field(default_factory=RegistrationSpec)
    motion: MotionSpec = field(default_factory=lambda: _MOTION)
    standstill: StandstillSpec = field(default_factory=StandstillSpec)


@dataclass(frozen=True, slots=True)
class VisualSpec:
    """Parameters of the stereo odometry."""

    type: Literal["stereo"] = "stereo"
    inertial: bool = True  # aided by gyroscope and wheels; false for a camera alone
    min_inliers: int = number(15, least=6)
    refill: float = number(0.6, above=0.0, most=1.0)  # fraction left before new ones are detected
    key_m: float = number(0.3, above=0.0)  # m and degrees after which new ones are detected
    key_deg: float = number(10.0, above=0.0)
    max_depth: float = number(40.0, above=0.0)
    given_up_s: float = number(3.0, above=0.0)  # s without a pose before the map is started anew
    longest_gap_s: float = number(5.0, above=0.0)  # s without images before it is lost
    pixel_noise: float = number(0.5, above=0.0)  # standard deviation of a corner's position
    features: FeatureSpec = field(default_factory=FeatureSpec)
    motion: MotionSpec = field(default_factory=MotionSpec)
    standstill: StandstillSpec = field(default_factory=StandstillSpec)


@dataclass(frozen=True, slots=True)
class WheelImuSpec:
    """Which readings are used, and their noise."""

    type: Literal["wheel-imu"] = "wheel-imu"
    heading: bool = True  # use the heading of the IMU's own attitude estimate
    longest_gap_s: float = number(0.5, above=0.0)
    rest_s: float = number(0.3, above=0.0)  # of rest before the gyroscope's offset is measured
    filter: FilterSpec = field(default_factory=FilterSpec)
