"""Corner features: detected evenly, tracked over time and between the two cameras."""

import numpy as np
from numpy.typing import NDArray

from outrider.autonomy.extra import needed
from outrider.autonomy.odometry.spec import FeatureSpec
from outrider.autonomy.stereo.images import Picture
from outrider.core.frames import Array
from outrider.core.structure import Data

Pixels = NDArray[np.float32]  # (n, 2)
Mask = NDArray[np.bool_]


def find(picture: Picture, taken: Pixels, spec: FeatureSpec) -> Pixels:
    """Return new corners, away from existing ones."""
    cv2 = needed("cv2")
    wanted = spec.count - len(taken)
    if wanted <= 0:
        return np.empty((0, 2), np.float32)
    # corners need not be found to the pixel, only followed so: half the picture's size will do
    size = (picture.shape[1] // 2, picture.shape[0] // 2)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    mask = np.full(small.shape, 255, np.uint8)
    for x, y in (taken / 2).round().astype(int).tolist():
        cv2.circle(mask, (x, y), spec.distance // 2, 0, -1)
    corners = cv2.goodFeaturesToTrack(
        small, wanted, spec.quality, spec.distance / 2, mask=mask, blockSize=3
    )
    if corners is None:
        return np.empty((0, 2), np.float32)
    found: Pixels = corners.reshape(-1, 2).astype(np.float32) * 2 + 0.5
    return found


def follow(
    before: Picture, after: Picture, pixels: Pixels, guess: Pixels | None, spec: FeatureSpec
) -> tuple[Pixels, Mask]:
    """Return the positions of one image's corners in another, and which were found."""
    if not len(pixels):
        return pixels, np.zeros(0, np.bool_)
    cv2 = needed("cv2")
    common: Data = {
        "winSize": (spec.window, spec.window),
        "maxLevel": spec.levels,
        "criteria": (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.02),
    }
    start = pixels if guess is None else guess
    flags = cv2.OPTFLOW_USE_INITIAL_FLOW
    ahead, ok, _ = cv2.calcOpticalFlowPyrLK(
        before, after, pixels, start.copy(), flags=flags, **common
    )
    common["maxLevel"] = 0  # the way back begins where it should end
    back, ok_back, _ = cv2.calcOpticalFlowPyrLK(
        after, before, ahead, pixels.copy(), flags=flags, **common
    )
    near = np.abs(back - pixels).max(axis=1) < spec.back_error
    return ahead, (ok.ravel() > 0) & (ok_back.ravel() > 0) & near


def disparities(
    left: Picture,
    right: Picture,
    pixels: Pixels,
    guess: Array | None,
    spec: FeatureSpec,
) -> tuple[Array, Mask]:
    """Return the disparities of corners of the left image, and where they are known."""
    start = pixels.copy()
    if guess is not None:
        start[:, 0] -= guess.astype(np.float32)
    found, ok = follow(left, right, pixels, start, spec)
    rows = np.abs(found[:, 1] - pixels[:, 1]) < spec.row_error
    disparity = (pixels[:, 0] - found[:, 0]).astype(np.float64)
    return disparity, ok & rows & (disparity > 0.3)
