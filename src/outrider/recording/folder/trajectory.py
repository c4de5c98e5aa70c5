"""True poses over time, with interpolation."""

from bisect import bisect_right

from outrider.core.frames import Array, Pose, unit
from outrider.messages.plain_values import pose_from
from outrider.messages.types import Message


class TrueTrajectory:
    """Poses of one body in the world, interpolated linearly between samples."""

    def __init__(self) -> None:
        self._times_ns: list[int] = []
        self._poses: list[Pose] = []
        self.frame = ""  # of the body

    def __bool__(self) -> bool:
        return bool(self._poses)

    def add(self, time_ns: int, odometry: Message) -> None:
        """Take an Odometry in."""
        self._times_ns.append(time_ns)
        self._poses.append(pose_from(odometry.pose.pose))
        self.frame = odometry.child_frame_id

    def at(self, time_ns: int) -> Pose:
        """Return the pose at a time; before the first and after the last, those."""
        after = bisect_right(self._times_ns, time_ns)
        if after == 0:
            return self._poses[0]
        if after == len(self._times_ns):
            return self._poses[-1]
        t0, t1 = self._times_ns[after - 1], self._times_ns[after]
        return _between(self._poses[after - 1], self._poses[after], (time_ns - t0) / (t1 - t0))


def _between(one: Pose, other: Pose, share: float) -> Pose:
    turned = other.rotation if one.rotation @ other.rotation >= 0 else -other.rotation
    position: Array = one.position + share * (other.position - one.position)
    # Poses are milliseconds apart: along the chord is along the arc
    return Pose(position, unit(one.rotation + share * (turned - one.rotation)))
