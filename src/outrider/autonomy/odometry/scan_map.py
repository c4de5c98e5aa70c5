"""Registration of scans to a local map of Gaussian voxels: VGICP of small_gicp."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from outrider.autonomy.extra import needed
from outrider.autonomy.odometry.spec import RegistrationSpec
from outrider.core.frames import Array, Pose

if TYPE_CHECKING:
    import small_gicp

_LEAST_BELIEVED = 0.05  # of the information in a direction


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A scan's registered pose, its information (rotation, translation), and its overlap."""

    pose: Pose
    information: Array  # (6, 6)
    share: float


class ScanMap:
    """The local map. One thread and fixed order: the same scans give the same poses."""

    def __init__(self, spec: RegistrationSpec) -> None:
        self._spec = spec
        self._library = needed("small_gicp")
        self._map: small_gicp.GaussianVoxelMap = self._library.GaussianVoxelMap(spec.voxel_size)
        self._map.set_lru(spec.memory, 50)
        self._empty = True

    def prepare(self, xyz: Array) -> "small_gicp.PointCloud":
        """Return a downsampled scan with surface normals."""
        spec = self._spec
        return self._library.preprocess_points(xyz, spec.point_spacing, spec.neighbours, 1)[0]

    def match(self, scan: "small_gicp.PointCloud", guess: Pose) -> Match | None:
        """Register a prepared scan; None if the map is empty or there is no match."""
        if self._empty or scan.size() < 10:
            return None
        spec = self._spec
        found = self._library.align(
            self._map, scan, guess.matrix, spec.farthest_match, 1, spec.iterations
        )
        T = np.asarray(found.T_target_source)
        if not np.isfinite(T).all():
            return None
        share = found.num_inliers / scan.size()
        known = believed(np.asarray(found.H), spec.normal_error_deg)
        return Match(Pose.from_matrix(T), known, float(share))

    def insert(self, scan: object, pose: Pose) -> None:
        """Add a prepared scan at a pose."""
        self._map.insert(scan, pose.matrix)
        self._empty = False


def believed(information: Array, normal_error_deg: float) -> Array:
    """Return a registration's information (6, 6) without what noisy normals only pretend to know.

    On a plane nothing tells motion along it, but its points' normals, each a little off, seem to.
    """
    values, axes = np.linalg.eigh(information[3:, 3:])
    if values[0] <= 0.0:
        return information
    pretended = math.sin(math.radians(normal_error_deg)) ** 2 * values[-1]
    left = np.maximum(values - pretended, _LEAST_BELIEVED * values)
    scale = np.eye(6)
    scale[3:, 3:] = (axes * np.sqrt(left / values)) @ axes.T
    return scale @ information @ scale
