"""Stereo visual odometry: corners tracked by KLT, poses by least squares against a local map."""

import math
from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal

import numpy as np

from outrider.autonomy.component import Output, Silent
from outrider.autonomy.frame_tree import StaticFrames
from outrider.autonomy.health import GOOD, Health, WarningLog
from outrider.autonomy.odometry.camera_pose import information_on_robot
from outrider.autonomy.odometry.drift import Drift
from outrider.autonomy.odometry.motion_filter import MotionFilter
from outrider.autonomy.odometry.robot_imu import RobotImu
from outrider.autonomy.odometry.spec import MotionSpec, VisualSpec
from outrider.autonomy.odometry.visual_map import VisualMap
from outrider.autonomy.poses import odometry_message, transform_message
from outrider.autonomy.stereo.pairs import INPUTS, Pair, StereoPairing
from outrider.autonomy.topics import ports
from outrider.core.clock import NS_PER_S
from outrider.core.frames import Array, Pose, rotation_vector
from outrider.messages.types import Imu, Message, Odometry

_FREE = MotionSpec(gyro_noise=0.5, acceleration=5.0)  # how a camera alone may move
_SILENT_S = 0.3  # without images before gyroscope and wheels speak in their place


class VisualOdometry(Silent):
    """Tracks the left image; the right one gives depth; in the dark, gyroscope and wheels go on."""

    name = "visual odometry"
    inputs: ClassVar[Mapping[str, str]] = {**INPUTS, **ports("imu", "wheels")}
    outputs: ClassVar[Mapping[str, str]] = ports("tf", "odometry")

    def __init__(
        self, spec: VisualSpec, frames: tuple[str, str], T_odom_start: Pose | None = None
    ) -> None:
        """``frames`` are those of odometry and robot; ``T_odom_start`` is the initial pose."""
        self._spec = spec
        self._frames = frames
        self._start = T_odom_start or Pose()
        self._warnings = WarningLog(self.name)
        self._tree = StaticFrames(frames[1])
        self._pairing = StereoPairing(self._warnings)
        self._inertia = RobotImu(self._tree, self._warnings, spec.standstill)
        self._map = VisualMap(spec.features, spec.max_depth)
        self._filter = None if spec.inertial else MotionFilter(_FREE, self._start)
        self._turn_rate = np.zeros(3)
        self._wheel_speed: float | None = None
        self._now_ns = 0  # of the filter
        self._pair_ns = 0  # of the newest pair
        self._seen_ns = 0  # of the newest pair that told a pose
        self._key = self._start
        self._drift = Drift(0.01, 0.01)
        self.health = Health("starting", "waiting for a pair of images")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process frames, IMU readings, wheel speeds, CameraInfo and images."""
        if port == "tf_static":
            self._tree.take(message)
        elif port == "imu":
            return self._take_imu(message) if self._spec.inertial else ()
        elif port == "wheels":
            self._take_wheels(message)
        else:
            return self._take_picture(port, message)
        return ()

    def _take_imu(self, message: Imu) -> Iterable[Output]:
        now_ns = self._inertia.take(message)
        if now_ns is None:
            return ()
        if self._filter is not None:
            return self._without_images(now_ns, self._filter)
        pose = self._inertia.level(self._start)
        if pose is not None:
            self._filter = MotionFilter(self._spec.motion, pose)
        return ()

    def _take_wheels(self, message: Odometry) -> None:
        speed = float(message.twist.twist.linear.x)
        if math.isfinite(speed):
            self._wheel_speed = speed
        else:
            self._warnings.say("wheels", "a wheel speed is not a number; left out")

    def _take_picture(self, port: str, message: Message) -> Iterable[Output]:
        pair = self._pairing.take(port, message)
        if pair is None:
            if self._pairing.problem:
                self.health = Health("lost", self._pairing.problem)
            return ()
        T_base_eye = self._tree.T_base(pair.frame_id)
        if T_base_eye is None:
            sentence = f"/tf_static has no frame '{pair.frame_id}'"
            self._warnings.say("frame", sentence)
            self.health = Health("lost", sentence)
            return ()
        if self._filter is None:
            self.health = Health("starting", "waiting for the IMU to be at rest")
            return ()
        return self._advance(pair, T_base_eye, self._filter)

    def _advance(self, pair: Pair, T_base_eye: Pose, motion: MotionFilter) -> list[Output]:
        if self._map.empty or pair.stamp_ns < self._seen_ns:
            return self._begin(pair, T_base_eye, motion)
        self._pair_ns = pair.stamp_ns
        before, dt = motion.pose, (pair.stamp_ns - self._now_ns) / NS_PER_S
        self._predict(pair.stamp_ns, motion)
        found = self._map.locate(pair, motion.pose @ T_base_eye, self._spec.min_inliers)
        if found is None:
            return self._lose(pair, T_base_eye, motion)
        key = self._is_key(found @ T_base_eye.inverse())
        eye, information = self._map.settle(pair, found, both_eyes=key)
        self._measure(eye @ T_base_eye.inverse(), information, T_base_eye, motion)
        if dt > 0.0:
            step = before.inverse() @ motion.pose
            self._turn_rate = rotation_vector(step.rotation) / dt
            self._drift.move(step)
        if key:
            self._map.refill(pair, motion.pose @ T_base_eye)
            self._key = motion.pose
        self._seen_ns = pair.stamp_ns
        self.health = GOOD
        return self._say(pair.stamp_ns, motion)

    def _begin(self, pair: Pair, T_base_eye: Pose, motion: MotionFilter) -> list[Output]:
        """Start a new map here."""
        if pair.stamp_ns < self._seen_ns:
            self._warnings.say("jump", "images jumped back in time; the local map is restarted")
        self._now_ns = self._seen_ns = self._pair_ns = pair.stamp_ns
        self._map.begin(pair, motion.pose @ T_base_eye)
        self._key = motion.pose
        return self._say(pair.stamp_ns, motion)

    def _predict(self, to_ns: int, motion: MotionFilter) -> None:
        dt = (to_ns - self._now_ns) / NS_PER_S
        if dt <= 0.0:
            return
        turn = self._turn_rate * dt
        if self._spec.inertial:
            turn = -self._inertia.gyro.turns(self._now_ns, to_ns)[1][0]
        motion.predict(turn, dt)
        if self._wheel_speed is not None and self._spec.inertial:
            motion.measure_wheels(self._wheel_speed)
        self._now_ns = to_ns

    def _measure(
        self, pose: Pose, information: Array, T_base_eye: Pose, motion: MotionFilter
    ) -> None:
        known = information_on_robot(information, T_base_eye) / self._spec.pixel_noise**2
        motion.measure_pose(pose, known)

    def _is_key(self, pose: Pose) -> bool:
        """Return whether a key frame is due: both images, and new corners."""
        spec, way = self._spec, self._key.inverse() @ pose
        turned = math.degrees(float(np.linalg.norm(rotation_vector(way.rotation))))
        moved = float(np.linalg.norm(way.position)) > spec.key_m or turned > spec.key_deg
        return moved or self._map.count < spec.refill * spec.features.count

    def _lose(self, pair: Pair, T_base_eye: Pose, motion: MotionFilter) -> list[Output]:
        """Keep the last good image for a while: the robot may see the same again."""
        gap_s = (pair.stamp_ns - self._seen_ns) / NS_PER_S
        reason = f"too few corners tracked for {gap_s:.1f} s"
        self._warnings.say("lost", reason)
        said = self._dead_reckoned(reason, gap_s, motion)
        self._turn_rate = np.zeros(3)
        if not self._spec.inertial:
            motion.velocity = np.zeros(3)
        if gap_s > self._spec.given_up_s:
            self._warnings.say("anew", "the local map is restarted at the estimated pose")
            self._map.begin(pair, motion.pose @ T_base_eye)
            self._key = motion.pose
        return said

    def _without_images(self, now_ns: int, motion: MotionFilter) -> Iterable[Output]:
        """Continue by gyroscope and wheels when no images arrive."""
        silent_s = (now_ns - self._seen_ns) / NS_PER_S
        if self._map.empty or now_ns - self._pair_ns < _SILENT_S * NS_PER_S:
            return ()
        self._predict(now_ns, motion)
        return self._dead_reckoned(f"no images for {silent_s:.1f} s", silent_s, motion)

    def _dead_reckoned(self, reason: str, gap_s: float, motion: MotionFilter) -> list[Output]:
        if not self._spec.inertial:
            self.health = Health("lost", reason)
            return []
        level: Literal["poor", "lost"] = "lost" if gap_s > self._spec.longest_gap_s else "poor"
        self.health = Health(level, f"{reason}: by gyroscope and wheels")
        return self._say(self._now_ns, motion)

    def _say(self, now_ns: int, motion: MotionFilter) -> list[Output]:
        twist = (motion.velocity, self._turn_rate)
        pose, covariance = motion.pose, self._drift.covariance
        message = odometry_message(pose, covariance, now_ns, self._frames, twist)
        return [("odometry", message), ("tf", transform_message(pose, now_ns, self._frames))]
