"""Obstacle segmentation: surfaces steeper than 45 degrees, in clusters of 20 points or more."""

import math
from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.clouds import read_cloud, write_cloud
from outrider.autonomy.component import Output, Silent
from outrider.autonomy.health import GOOD, Health, WarningLog
from outrider.autonomy.segmentation.bumps import bumps
from outrider.autonomy.segmentation.ground_kernels import GROUND, OBSTACLE, cluster_sizes, walk
from outrider.autonomy.segmentation.range_image import arrange
from outrider.autonomy.segmentation.spec import SegmentationSpec
from outrider.autonomy.topics import ports
from outrider.core.errors import AutonomyError
from outrider.core.frames import Array, Pose
from outrider.messages.plain_values import pose_from, stamp_ns
from outrider.messages.types import Message, PointCloud2

_WIDTH = 1 << 20  # cells along an axis of the clustering grid


def segment(xyz: Array, tilt: Pose, spec: SegmentationSpec) -> tuple[Array, Array]:
    """Return obstacle and ground points of a cloud in the robot's frame; ``tilt`` levels it."""
    xyz = xyz[(xyz * xyz).sum(axis=1) < spec.max_range**2]
    seen_from = np.array([0.0, 0.0, spec.sensor_z])
    span = (math.radians(spec.low_deg), math.radians(spec.high_deg))
    image = arrange(xyz - seen_from, spec.rows, spec.columns, span)
    labels = np.zeros(len(xyz), np.uint8)
    level = tilt.apply(xyz)
    slope = math.tan(math.radians(spec.max_slope_deg))
    walk(image, level, labels, spec.ground_z, slope, spec.step)
    if spec.bump > 0.0:
        ground = np.flatnonzero(labels == GROUND)
        labels[ground[bumps(level[ground], spec.bump, spec.bump_range)]] = OBSTACLE
    blocking = (labels == OBSTACLE) & (level[:, 2] < spec.max_height)
    obstacles = xyz[blocking]
    return obstacles[_crowded(obstacles, spec)], xyz[labels == GROUND]


def _crowded(points: Array, spec: SegmentationSpec) -> NDArray[np.bool_]:
    """Return which points belong to clusters that are large enough."""
    if not len(points):
        return np.zeros(0, np.bool_)
    cells = np.floor(points / spec.cluster_radius).astype(np.int64) + _WIDTH // 2
    keys = (cells[:, 0] * _WIDTH + cells[:, 1]) * _WIDTH + cells[:, 2]
    unique, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    sizes = cluster_sizes(unique, counts, _WIDTH)
    large: NDArray[np.bool_] = sizes[inverse] >= spec.min_cluster
    return large


class ObstacleSegmentation(Silent):
    """Divides every cloud into ground and obstacles."""

    name = "obstacle segmentation"
    inputs: ClassVar[Mapping[str, str]] = ports("odometry", "cloud")
    outputs: ClassVar[Mapping[str, str]] = ports("obstacles", "ground")

    def __init__(self, spec: SegmentationSpec) -> None:
        self._spec = spec
        self._tilt = Pose()
        self._warnings = WarningLog(self.name)
        self.health = Health("starting", "waiting for a cloud")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process poses, for the vertical, and clouds."""
        if port == "odometry":
            roll, pitch, _ = pose_from(message.pose.pose).rpy.tolist()
            self._tilt = Pose.from_rpy([0.0, 0.0, 0.0], [roll, pitch, 0.0])
            return ()
        return self._part(message)

    def _part(self, message: PointCloud2) -> Iterable[Output]:
        try:
            xyz = read_cloud(message).xyz
        except AutonomyError as error:
            self._warnings.say("layout", str(error))
            self.health = Health("lost", str(error))
            return ()
        obstacles, ground = segment(xyz, self._tilt, self._spec)
        self.health = GOOD
        now_ns, frame = stamp_ns(message), message.header.frame_id
        return [
            ("ground", write_cloud(ground, now_ns, frame)),
            ("obstacles", write_cloud(obstacles, now_ns, frame)),
        ]
