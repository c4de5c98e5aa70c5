"""Stereo visual odometry: corners followed by KLT, poses by PnP against a local map of points."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from outrider.autonomy.component import Output, Silent
from outrider.autonomy.frame_tree import FrameTree
from outrider.autonomy.health import GOOD, Complaints, Health
from outrider.autonomy.odometry.camera_pose import find_pose, refine
from outrider.autonomy.odometry.drift import Drift
from outrider.autonomy.odometry.features import (
    FeatureSpec,
    Pixels,
    disparities,
    find,
    follow,
)
from outrider.autonomy.odometry.landmarks import Landmarks
from outrider.autonomy.poses import odometry_message, rotation_vector, transform_message
from outrider.autonomy.stereo.pairs import INPUTS, Pair, Pairing
from outrider.autonomy.stereo.pictures import Picture
from outrider.core.clock import NS_PER_S
from outrider.core.frames import Array, Pose
from outrider.core.structure import number
from outrider.messages.types import Message


@dataclass(frozen=True, slots=True)
class VisualSpec:
    """Parameters of the stereo odometry."""

    type: Literal["stereo"] = "stereo"
    min_inliers: int = number(15, least=6)
    refill: float = number(0.7, above=0.0, most=1.0)  # share of corners below which new are found
    key_m: float = number(0.3, above=0.0)  # metres and degrees after which new ones are found, too
    key_deg: float = number(10.0, above=0.0)
    max_depth: float = number(40.0, above=0.0)
    given_up_s: float = number(3.0, above=0.0)  # without a pose: the map begins anew
    features: FeatureSpec = field(default_factory=FeatureSpec)


class VisualOdometry(Silent):
    """Follows the left eye; the right one tells depth."""

    name = "visual odometry"
    inputs: ClassVar[Mapping[str, str]] = INPUTS
    outputs: ClassVar[Mapping[str, str]] = {
        "tf": "tf2_msgs/msg/TFMessage",
        "odometry": "nav_msgs/msg/Odometry",
    }

    def __init__(
        self, spec: VisualSpec, frames: tuple[str, str], T_odom_start: Pose | None = None
    ) -> None:
        """``frames`` are those of odometry and robot; ``T_odom_start`` is where it begins."""
        self._spec = spec
        self._frames = frames
        self._complaints = Complaints(self.name)
        self._tree = FrameTree(frames[1])
        self._pairing = Pairing(self._complaints)
        self._marks = Landmarks()
        self._before: Picture | None = None  # the picture in which the marks were last seen
        self._pose = T_odom_start or Pose()  # T_odom_base
        self._step = Pose()  # the motion between the two newest pairs
        self._time_ns = 0
        self._key = self._pose
        self._drift = Drift(0.01, 0.01)
        self.health = Health("starting", "waiting for a pair of images")

    def take(self, port: str, message: Message, time_ns: int) -> Iterable[Output]:  # noqa: ARG002
        """Take frames, CameraInfo and images."""
        if port == "tf_static":
            self._tree.take(message)
            return ()
        pair = self._pairing.take(port, message)
        if pair is None:
            if self._pairing.problem:
                self.health = Health("lost", self._pairing.problem)
            return ()
        T_base_eye = self._tree.T_base(pair.frame_id)
        if T_base_eye is None:
            sentence = f"nobody on /tf_static says where frame '{pair.frame_id}' is"
            self._complaints.say("frame", sentence)
            self.health = Health("lost", sentence)
            return ()
        return self._advance(pair, T_base_eye)

    def _advance(self, pair: Pair, T_base_eye: Pose) -> list[Output]:
        features = self._spec.features
        left = pair.left
        if self._before is None or pair.stamp_ns < self._time_ns:
            self._time_ns = pair.stamp_ns
            self._begin(pair, left, T_base_eye)
            return self._say(pair.stamp_ns, Pose(), 0.0)
        dt = (pair.stamp_ns - self._time_ns) / NS_PER_S
        guess = self._pose @ self._step
        found = self._locate(pair, left, guess, T_base_eye)
        if found is None:
            return self._lose(pair, left, dt, T_base_eye)
        step = self._pose.inverse() @ found
        self._pose, self._step, self._time_ns = found, step, pair.stamp_ns
        self._before = left
        few = len(self._marks) < self._spec.refill * features.count
        if few or self._moved():
            self._refill(pair, left, T_base_eye)
        self.health = GOOD
        return self._say(pair.stamp_ns, step, dt)

    def _locate(self, pair: Pair, left: Picture, guess: Pose, T_base_eye: Pose) -> Pose | None:
        marks, rig, before = self._marks, pair.rig, self._before
        if before is None:
            return None
        expected = (guess @ T_base_eye).inverse().apply(marks.places)
        ahead = expected[:, 2] > 0.1
        start, _ = rig.project(np.where(ahead[:, None], expected, [0.0, 0.0, 1.0]))
        near = ahead & (np.abs(start - marks.pixels).max(axis=1) < 120)
        guessed: Pixels = np.where(near[:, None], start, marks.pixels).astype(np.float32)
        pixels, ok = follow(before, left, marks.pixels, guessed, self._spec.features)
        h, w = pair.left.shape
        ok &= (pixels > 3).all(axis=1) & (pixels[:, 0] < w - 4) & (pixels[:, 1] < h - 4)
        found = find_pose(marks.places[ok], pixels[ok], rig, guess @ T_base_eye)
        if found is None or found[1].sum() < self._spec.min_inliers:
            return None
        pose, inliers = found
        kept = np.flatnonzero(ok)[inliers]
        mask = np.zeros(len(marks), np.bool_)
        mask[kept] = True
        marks.pixels = pixels
        marks.keep(mask)
        unknown = np.full(len(marks), np.nan)
        refined = refine(pose, marks.places, marks.pixels, unknown, rig)
        return refined @ T_base_eye.inverse()

    def _moved(self) -> bool:
        way = self._key.inverse() @ self._pose
        turned = np.degrees(np.linalg.norm(rotation_vector(way.rotation)))
        return bool(np.linalg.norm(way.position) > self._spec.key_m or turned > self._spec.key_deg)

    def _begin(self, pair: Pair, left: Picture, T_base_eye: Pose) -> None:
        """Start a new map here."""
        self._marks = Landmarks()
        self._before = left
        self._step = Pose()
        self._refill(pair, left, T_base_eye)

    def _refill(self, pair: Pair, left: Picture, T_base_eye: Pose) -> None:
        """Look at known points again with both eyes, and take new ones in."""
        features, marks, rig = self._spec.features, self._marks, pair.rig
        right = pair.right
        T_odom_eye = self._pose @ T_base_eye
        if len(marks):
            local = T_odom_eye.inverse().apply(marks.places)
            _, expected = rig.project(local)
            disparity, ok = disparities(left, right, marks.pixels, expected, features)
            ok &= np.abs(disparity - expected) < 3.0
            known = np.where(ok, disparity, np.nan)
            eye = refine(T_odom_eye, marks.places, marks.pixels, known, rig)
            self._pose, T_odom_eye = eye @ T_base_eye.inverse(), eye
            marks.see_again(np.flatnonzero(ok), disparity[ok], rig, T_odom_eye)
        new = find(pair.left, marks.pixels, features)
        disparity, ok = disparities(left, right, new, self._usual(new), features)
        nearest = rig.focal * rig.baseline / self._spec.max_depth
        ok &= disparity - rig.disparity_offset() > nearest
        marks.add(new[ok], disparity[ok], rig, T_odom_eye)
        self._key = self._pose

    def _usual(self, pixels: Pixels) -> Array | None:
        return None if not len(pixels) else np.full(len(pixels), 4.0)

    def _lose(self, pair: Pair, left: Picture, dt: float, T_base_eye: Pose) -> list[Output]:
        """Keep the last good picture for a while: the robot may see the same again."""
        reason = f"too few corners are found again for {dt:.1f} s"
        self.health = Health("lost", reason)
        self._complaints.say("lost", reason)
        self._step = Pose()
        if dt > self._spec.given_up_s:
            self._complaints.say("anew", "the local map begins anew at the last known pose")
            self._time_ns = pair.stamp_ns
            self._begin(pair, left, T_base_eye)
        return []

    def _say(self, now_ns: int, step: Pose, dt: float) -> list[Output]:
        self._drift.move(step)
        twist = None
        if dt > 0.0:
            twist = (step.position / dt, rotation_vector(step.rotation) / dt)
        message = odometry_message(self._pose, self._drift.covariance, now_ns, self._frames, twist)
        return [("odometry", message), ("tf", transform_message(self._pose, now_ns, self._frames))]
