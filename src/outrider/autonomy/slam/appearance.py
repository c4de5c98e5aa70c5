"""The appearance of a place to a stereo camera: corners with descriptors and positions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.extra import needed
from outrider.autonomy.odometry.camera_pose import find_pose, refine
from outrider.autonomy.odometry.features import Pixels, disparities
from outrider.autonomy.odometry.spec import FeatureSpec
from outrider.autonomy.stereo.images import Picture
from outrider.autonomy.stereo.pairs import Pair
from outrider.autonomy.stereo.rig import StereoRig
from outrider.core.frames import Array, Pose

_COUNT = 600  # corners per picture
_RATIO = 0.8  # of the distances to the best and the second best match
_ROWS = 2.0  # pixels between the rows of the two images
_FARTHEST = 25.0  # m: depth is too uncertain beyond


@dataclass(frozen=True, slots=True, eq=False)
class PlaceAppearance:
    """Corners in both images: descriptors (n, 32), left pixels and positions on the robot."""

    looks: NDArray[np.uint8]
    pixels: Pixels
    places: Array
    rig: StereoRig
    T_base_eye: Pose

    def __len__(self) -> int:
        return len(self.pixels)


def appearance_of(pair: Pair, T_base_eye: Pose) -> PlaceAppearance:
    """Return the appearance of a stereo pair."""
    (left, left_looks), (right, right_looks) = _corners(pair.left), _corners(pair.right)
    a, b = _matches(left_looks, right_looks)
    rough = (left[a, 0] - right[b, 0]).astype(np.float64)
    rows = a[(np.abs(left[a, 1] - right[b, 1]) < _ROWS) & (rough > 0.0)]
    rough = rough[np.isin(a, rows)]
    disparity, ok = disparities(pair.left, pair.right, left[rows], rough, FeatureSpec())
    ok &= disparity - pair.rig.disparity_offset() > pair.rig.focal * pair.rig.baseline / _FARTHEST
    rows, disparity = rows[ok], disparity[ok]
    points = pair.rig.points(left[rows].astype(np.float64), disparity)
    return PlaceAppearance(
        left_looks[rows], left[rows], T_base_eye.apply(points), pair.rig, T_base_eye
    )


def seen_again(
    old: PlaceAppearance, new: PlaceAppearance, guess: Pose, fewest: int
) -> tuple[Pose, int] | None:
    """Return the robot's pose relative to an old place, and the number of inliers.

    ``guess`` is where it is believed to stand. None if too few corners agree on one pose.
    """
    a, b = _matches(old.looks, new.looks)
    if len(a) < fewest:
        return None
    places, pixels = old.places[a], new.pixels[b]
    found = find_pose(places, pixels, new.rig, guess @ new.T_base_eye)
    if found is None or found[1].sum() < max(fewest, len(a) // 3):
        return None
    eye, agree = found
    unknown = np.full(int(agree.sum()), np.nan)
    eye, _ = refine(eye, places[agree], pixels[agree], unknown, new.rig)
    return eye @ new.T_base_eye.inverse(), int(agree.sum())


def _corners(picture: Picture) -> tuple[Pixels, NDArray[np.uint8]]:
    cv2 = needed("cv2")
    found, looks = cv2.ORB_create(_COUNT, fastThreshold=10).detectAndCompute(picture, None)
    if looks is None:
        return np.empty((0, 2), np.float32), np.empty((0, 32), np.uint8)
    return np.array([corner.pt for corner in found], np.float32), looks


def _matches(
    first: NDArray[np.uint8], second: NDArray[np.uint8]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return matching rows, by nearest neighbour and ratio test."""
    none = np.empty(0, np.intp)
    if len(first) < 2 or len(second) < 2:
        return none, none
    cv2 = needed("cv2")
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(first, second, k=2)
    kept = [best for best, other in pairs if best.distance < _RATIO * other.distance]
    return (
        np.array([match.queryIdx for match in kept], np.intp),
        np.array([match.trainIdx for match in kept], np.intp),
    )
