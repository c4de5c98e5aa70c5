"""The local map of a stereo camera: corners of the newest images as 3D points."""

import numpy as np

from outrider.autonomy.odometry.camera_pose import find_pose, refine
from outrider.autonomy.odometry.features import Pixels, disparities, find, follow
from outrider.autonomy.odometry.landmarks import Landmarks
from outrider.autonomy.odometry.spec import FeatureSpec
from outrider.autonomy.stereo.images import Picture
from outrider.autonomy.stereo.pairs import Pair
from outrider.core.frames import Array, Pose

_FARTHEST = 120.0  # pixels between where a corner was and where it is looked for
_EDGE = 4  # pixels at the picture's rim that tell nothing
_USUAL = 4.0  # disparity from which the search for an unknown one begins


class VisualMap:
    """Finds the camera's pose in a new image; poses are ``T_odom_eye``."""

    def __init__(self, features: FeatureSpec, max_depth: float) -> None:
        self._features = features
        self._max_depth = max_depth
        self._marks = Landmarks()
        self._before: Picture | None = None  # the picture in which the marks were last seen
        self._disparity: Array = np.empty(0)  # of the marks, where both eyes looked just now

    @property
    def empty(self) -> bool:
        """Whether there are no points yet."""
        return self._before is None

    @property
    def count(self) -> int:
        """The number of tracked points."""
        return len(self._marks)

    def begin(self, pair: Pair, eye: Pose) -> None:
        """Start a new map from the current pair."""
        self._marks = Landmarks()
        self._before = pair.left
        self.refill(pair, eye)

    def locate(self, pair: Pair, guess: Pose, fewest: int) -> Pose | None:
        """Track the corners; return the pose, or None if there are too few inliers."""
        if self._before is None:
            return None
        marks = self._marks
        start = self._expected(pair, guess)
        pixels, ok = follow(self._before, pair.left, marks.pixels, start, self._features)
        h, w = pair.left.shape
        inside = (pixels >= _EDGE) & (pixels < [w - _EDGE, h - _EDGE])
        ok &= inside.all(axis=1)
        found = find_pose(marks.places[ok], pixels[ok], pair.rig, guess)
        if found is None or found[1].sum() < fewest:
            return None
        pose, agree = found
        mask = np.zeros(len(marks), np.bool_)
        mask[np.flatnonzero(ok)[agree]] = True
        marks.pixels = pixels
        marks.keep(mask)
        self._before = pair.left
        return pose

    def settle(self, pair: Pair, eye: Pose, both_eyes: bool) -> tuple[Pose, Array]:
        """Return the best pose and its information, from one or both images."""
        marks, rig = self._marks, pair.rig
        self._disparity = np.full(len(marks), np.nan)
        if both_eyes:
            _, expected = rig.project(eye.inverse().apply(marks.places))
            seen, ok = disparities(pair.left, pair.right, marks.pixels, expected, self._features)
            ok &= np.abs(seen - expected) < 3.0
            self._disparity = np.where(ok, seen, np.nan)
        return refine(eye, marks.places, marks.pixels, self._disparity, rig)

    def refill(self, pair: Pair, eye: Pose) -> None:
        """Correct known points from both images, and add new ones."""
        features, marks, rig = self._features, self._marks, pair.rig
        if len(marks) and len(self._disparity) == len(marks):
            rows = np.flatnonzero(np.isfinite(self._disparity))
            marks.see_again(rows, self._disparity[rows], rig, eye)
        new = find(pair.left, marks.pixels, features)
        guess = np.full(len(new), _USUAL)
        disparity, ok = disparities(pair.left, pair.right, new, guess, features)
        nearest = rig.focal * rig.baseline / self._max_depth
        ok &= disparity - rig.disparity_offset() > nearest
        marks.add(new[ok], disparity[ok], rig, eye)
        self._disparity = np.empty(0)

    def _expected(self, pair: Pair, guess: Pose) -> Pixels:
        """Return the predicted positions of the corners."""
        marks = self._marks
        local = guess.inverse().apply(marks.places)
        ahead = local[:, 2] > 0.1
        start, _ = pair.rig.project(np.where(ahead[:, None], local, [0.0, 0.0, 1.0]))
        near = ahead & (np.abs(start - marks.pixels).max(axis=1) < _FARTHEST)
        expected: Pixels = np.where(near[:, None], start, marks.pixels).astype(np.float32)
        return expected
