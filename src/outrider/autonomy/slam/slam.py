"""SLAM: key frames along the trajectory, loop closures at known places, pose graph optimisation."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from outrider.autonomy.clouds import read_cloud
from outrider.autonomy.component import Output, Silent
from outrider.autonomy.health import GOOD, Health
from outrider.autonomy.poses import path_message, pose_message, transform_message
from outrider.autonomy.slam.key_frames import Fit, KeyFrame, make_key_frame, register
from outrider.autonomy.slam.pose_graph import PoseGraph
from outrider.autonomy.slam.scan_context import distance
from outrider.autonomy.slam.spec import SlamSpec
from outrider.autonomy.topics import ports
from outrider.core.frames import Array, Pose, multiply, rotation_vector
from outrider.messages import types as ros
from outrider.messages.plain_values import pose_from, stamp_ns
from outrider.messages.types import Message, Odometry, PointCloud2

_AROUND = 2  # key frames on either side that a loop is registered to
_SOON = 6  # key frames within which a large correction must be found again


class Slam(Silent):
    """Corrects odometry: ``map -> odom``. Works on the deskewed clouds of a LiDAR or of stereo."""

    name = "slam"
    inputs: ClassVar[Mapping[str, str]] = ports("odometry", "cloud")
    outputs: ClassVar[Mapping[str, str]] = ports("tf", "corrected", "trajectory")

    def __init__(self, spec: SlamSpec, frames: tuple[str, str] = ("map", "odom")) -> None:
        self._spec = spec
        self._frames = frames
        self._graph = PoseGraph()
        self._places: list[KeyFrame] = []
        self._odometry: Odometry | None = None
        self._way = [0.0]  # metres to each key frame
        self._closed_at = -(10**9)
        self._doubted: tuple[int, Pose] | None = None  # key frame and a correction found only once
        self.loops: list[tuple[int, int]] = []
        self.T_map_odom = Pose()
        self.health = Health("starting", "waiting for a cloud")

    def take(self, port: str, message: Message, _time_ns: int) -> Iterable[Output]:
        """Process poses and clouds of the same time."""
        if port == "odometry":
            self._odometry = message
            now_ns = stamp_ns(message)
            return [("tf", transform_message(self.T_map_odom, now_ns, self._frames))]
        if self._odometry is None or stamp_ns(self._odometry) != stamp_ns(message):
            return ()
        return self._look(message, pose_from(self._odometry.pose.pose))

    @property
    def trajectory(self) -> list[tuple[int, Pose]]:
        """The corrected key frames: stamp and pose in the map."""
        return [
            (place.stamp_ns, pose)
            for place, pose in zip(self._places, self._graph.poses, strict=True)
        ]

    def _look(self, message: PointCloud2, T_odom_base: Pose) -> Iterable[Output]:
        if self._places and not self._moved(T_odom_base):
            return ()
        xyz = read_cloud(message).xyz
        if len(xyz) < 50:
            return ()
        place = make_key_frame(stamp_ns(message), T_odom_base, xyz)
        self._add(place)
        self.health = GOOD
        if not (self._spec.loops and self._close(place)):
            return ()
        self._graph.solve()
        newest = self._graph.poses[-1]
        self.T_map_odom = newest @ T_odom_base.inverse()
        return self._say(place.stamp_ns)

    def _moved(self, T_odom_base: Pose) -> bool:
        step = self._places[-1].T_odom_base.inverse() @ T_odom_base
        turned = np.degrees(np.linalg.norm(rotation_vector(step.rotation)))
        far = np.linalg.norm(step.position) > self._spec.key_m
        return bool(far or turned > self._spec.key_deg)

    def _add(self, place: KeyFrame) -> None:
        spec = self._spec
        if not self._places:
            self._graph.add_first(self.T_map_odom @ place.T_odom_base)
        else:
            step = self._places[-1].T_odom_base.inverse() @ place.T_odom_base
            self._graph.add_step(step, spec.odometry_m, spec.odometry_deg)
            self._way.append(self._way[-1] + float(np.linalg.norm(step.position)))
        self._places.append(place)

    def _close(self, place: KeyFrame) -> bool:
        """Search for a loop closure; return whether one was accepted."""
        newest = len(self._places) - 1
        candidate = self._candidate(newest)
        if candidate is None:
            return False
        other, turned = candidate
        fit = self._fit(other, place, newest, turned)
        spec = self._spec
        if fit is None or fit.share < spec.least_share:
            return False
        found = self._graph.poses[other].inverse() @ fit.pose
        return self._accept(other, newest, found, (spec.loop_m, spec.loop_deg))

    def _accept(
        self, other: int, newest: int, T_other_new: Pose, known: tuple[float, float]
    ) -> bool:
        """Add a loop to the graph if it is believed; ``known`` is how exactly (m, degrees)."""
        poses = self._graph.poses
        correction = poses[other] @ T_other_new @ poses[newest].inverse()
        off = float(
            np.linalg.norm(correction.apply(poses[newest].position) - poses[newest].position)
        )
        if off > self._spec.most_off or not self._confirmed(other, newest, correction, off):
            return False
        self._graph.add_loop(other, newest, T_other_new, *known)
        self.loops.append((other, newest))
        self._closed_at = newest
        return True

    def _confirmed(self, other: int, newest: int, correction: Pose, off: float) -> bool:
        """Return whether a correction is small for the way since, or was found twice in a row."""
        spec = self._spec
        if off < spec.sure_m + spec.sure_share * (self._way[newest] - self._way[other]):
            return True
        before, self._doubted = self._doubted, (newest, correction)
        if before is None or newest - before[0] > _SOON:
            return False
        here = self._graph.poses[newest].position
        apart = float(np.linalg.norm(before[1].apply(here) - correction.apply(here)))
        return apart < spec.sure_m + 0.1 * off

    def _may_close(self, newest: int) -> bool:
        """Return whether enough time has passed since the last loop, and there are candidates."""
        return newest >= self._spec.apart and newest - self._closed_at >= 3

    def _distances(self, newest: int) -> tuple[Array, Array]:
        """Return the distances of old key frames, and their uncertainty."""
        spec, poses = self._spec, self._graph.poses
        old = newest - spec.apart + 1
        here = poses[newest].position
        far = np.array([np.linalg.norm(poses[i].position - here) for i in range(old)])
        way = self._way[newest] - np.array(self._way[:old])
        return far, spec.search_m + spec.search_share * way

    def _candidate(self, newest: int) -> tuple[int, float | None] | None:
        """Return the old key frame to try, and the yaw if only its descriptor gives one."""
        spec = self._spec
        if not self._may_close(newest):
            return None
        far, reach = self._distances(newest)
        best = int(np.argmin(far))
        if far[best] < min(spec.search_m, reach[best]):
            return best, None
        looks = [
            (distance(self._places[i].descriptor, self._places[newest].descriptor), i)
            for i in np.flatnonzero(far < reach).tolist()
        ]
        if not looks:
            return None
        (unlike, turned), index = min(looks)
        return (index, turned) if unlike < spec.descriptor_distance else None

    def _fit(self, other: int, place: KeyFrame, newest: int, turned: float | None) -> Fit | None:
        poses = self._graph.poses
        low, high = max(0, other - _AROUND), min(newest - self._spec.apart, other + _AROUND)
        target = [(poses[i], self._places[i]) for i in range(low, high + 1)]
        guess = poses[newest]
        if turned is not None:
            yaw = Pose.from_rpy([0, 0, 0], [0, 0, turned]).rotation
            guess = Pose(poses[other].position, multiply(yaw, poses[other].rotation))
        return register(target, place, guess)

    def _say(self, now_ns: int) -> list[Output]:
        corrections = [
            pose @ place.T_odom_base.inverse()
            for place, pose in zip(self._places, self._graph.poses, strict=True)
        ]
        corrected = ros.Path(
            ros.header(now_ns, self._frames[0]),
            [
                ros.PoseStamped(ros.header(place.stamp_ns, self._frames[1]), pose_message(pose))
                for place, pose in zip(self._places, corrections, strict=True)
            ],
        )
        path = path_message(list(self._graph.poses), now_ns, self._frames[0])
        return [
            ("tf", transform_message(self.T_map_odom, now_ns, self._frames)),
            ("corrected", corrected),
            ("trajectory", path),
        ]
