"""Key frames as recognisable places: a thinned cloud and its descriptor."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from outrider.autonomy.extra import needed
from outrider.autonomy.slam.scan_context import describe
from outrider.core.frames import Array, Pose, yaw_of

if TYPE_CHECKING:
    import small_gicp

_SPACING = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class KeyFrame:
    """A key frame: its time, odometry pose and cloud in the robot's frame."""

    stamp_ns: int
    T_odom_base: Pose
    xyz: Array
    prepared: "small_gicp.PointCloud"  # for registration
    descriptor: Array


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The relative pose of two places, and their overlap."""

    pose: Pose
    share: float


def make_key_frame(stamp_ns: int, T_odom_base: Pose, xyz: Array) -> KeyFrame:
    """Return the key frame of a cloud in the robot's frame."""
    library = needed("small_gicp")
    prepared = library.preprocess_points(xyz, _SPACING, 15, 1)[0]
    thin = np.asarray(prepared.points())[:, :3]
    yaw = yaw_of(T_odom_base.rotation)
    level = Pose.from_rpy([0, 0, 0], [0, 0, -yaw]) @ Pose(rotation=T_odom_base.rotation)
    return KeyFrame(stamp_ns, T_odom_base, thin, prepared, describe(level.apply(thin)))


def register(target: list[tuple[Pose, KeyFrame]], source: KeyFrame, guess: Pose) -> Fit | None:
    """Register a place to several others with poses in a common frame, that of the guess."""
    library = needed("small_gicp")
    around = library.GaussianVoxelMap(0.5)
    for pose, place in target:
        around.insert(place.prepared, pose.matrix)
    coarse = library.GaussianVoxelMap(1.5)
    for pose, place in target:
        coarse.insert(place.prepared, pose.matrix)
    first = library.align(coarse, source.prepared, guess.matrix, 2.0, 1, 30)
    found = library.align(around, source.prepared, first.T_target_source, 1.0, 1, 40)
    T = np.asarray(found.T_target_source)
    if not found.converged or not np.isfinite(T).all():
        return None
    return Fit(Pose.from_matrix(T), found.num_inliers / max(1, source.prepared.size()))
