"""A made-up LiDAR in a made-up yard: walls, posts and level ground, seen without a simulator."""

import numpy as np

from outrider.autonomy.odometry.spec import WheelImuSpec
from outrider.autonomy.spec import AutonomySpec
from outrider.core.frames import Pose
from outrider.messages import types as ros

DEAD_RECKONING = AutonomySpec(  # wheels and IMU, nothing else
    odometry=WheelImuSpec(heading=False),
    segmentation=None,
    slam=None,
    mapping=None,
    navigation=None,
    topics={"wheels": "/wheels", "imu": "/imu"},
)

RINGS = np.radians(np.arange(-15.0, 16.0, 2.0))
COLUMNS = 360
SENSOR_Z = 0.3
WALLS = ((-8.0, "x"), (10.0, "x"), (-6.0, "y"), (7.0, "y"))
POSTS = np.array([[3.0, 2.0], [-2.0, 4.0], [5.0, -3.0], [-4.0, -2.5], [1.0, -4.0]])
POST_RADIUS = 0.25
GROUND_Z = -0.06


def scan_points(pose: Pose, seed: int = 0, sigma: float = 0.005) -> np.ndarray:
    """Return the points (n, 3) of a scan in the sensor's frame, taken at once from a pose."""
    azimuth = np.linspace(np.pi, -np.pi, COLUMNS, endpoint=False)
    a, e = np.meshgrid(azimuth, RINGS)
    rays = np.stack([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)], -1).reshape(-1, 3)
    T = pose @ Pose([0.0, 0.0, SENSOR_Z])
    world = T.apply(rays) - T.position
    far = _distances(T.position, world)
    noise = np.random.default_rng(seed).normal(0.0, sigma, len(far))
    good = (far > 0.5) & (far < 40.0)
    return rays[good] * (far + noise)[good, None]


def _distances(eye: np.ndarray, rays: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(rays[:, 2] < 0, (GROUND_Z - eye[2]) / rays[:, 2], np.inf)
        for place, axis in WALLS:
            i = "xy".index(axis)
            t = (place - eye[i]) / rays[:, i]
            far = np.minimum(far, np.where(t > 0, t, np.inf))
    a = (rays[:, :2] ** 2).sum(1)
    for post in POSTS:
        d = eye[:2] - post
        b, c = rays[:, :2] @ d, d @ d - POST_RADIUS**2
        root = b * b - a * c
        t = np.where(root > 0, (-b - np.sqrt(np.maximum(root, 0))) / a, np.inf)
        far = np.minimum(far, np.where(t > 0, t, np.inf))
    return far


def cloud_message(
    xyz: np.ndarray, stamp_ns: int, frame: str, times: bool = True
) -> ros.PointCloud2:
    """Return points as a Velodyne driver packs them; their times are all zero."""
    names = ["x", "y", "z", "time"] if times else ["x", "y", "z"]
    data = np.zeros((len(xyz), len(names)), np.float32)
    data[:, :3] = xyz
    fields = [ros.PointField(name, 4 * i, 7, 1) for i, name in enumerate(names)]
    step = 4 * len(names)
    return ros.PointCloud2(
        ros.header(stamp_ns, frame),
        1,
        len(xyz),
        fields,
        False,
        step,
        step * len(xyz),
        data.reshape(-1).view(np.uint8),
        True,
    )


def frames_message() -> ros.TFMessage:
    """Return where the sensors sit: the LiDAR above the robot's middle, the IMU in it."""
    none = ros.Quaternion(0.0, 0.0, 0.0, 1.0)

    def frame(name: str, z: float) -> ros.TransformStamped:
        transform = ros.Transform(ros.Vector3(0.0, 0.0, z), none)
        return ros.TransformStamped(ros.header(0, "base_link"), name, transform)

    return ros.TFMessage([frame("lidar", SENSOR_Z), frame("imu", 0.0)])


def imu_message(stamp_ns: int, yaw_rate: float = 0.0) -> ros.Imu:
    """Return a reading of a level IMU that turns."""
    zeros = np.zeros(9)
    return ros.Imu(
        ros.header(stamp_ns, "imu"),
        ros.Quaternion(0.0, 0.0, 0.0, 1.0),
        zeros,
        ros.Vector3(0.0, 0.0, yaw_rate),
        zeros,
        ros.Vector3(0.0, 0.0, 9.81),
        zeros,
    )


def wheel_message(stamp_ns: int, speed: float, yaw_rate: float = 0.0) -> ros.Odometry:
    """Return what wheels say."""
    pose = ros.Pose(ros.Point(0.0, 0.0, 0.0), ros.Quaternion(0.0, 0.0, 0.0, 1.0))
    twist = ros.Twist(ros.Vector3(speed, 0.0, 0.0), ros.Vector3(0.0, 0.0, yaw_rate))
    return ros.Odometry(
        ros.header(stamp_ns, "odom"),
        "base_link",
        ros.PoseWithCovariance(pose, np.zeros(36)),
        ros.TwistWithCovariance(twist, np.zeros(36)),
    )
