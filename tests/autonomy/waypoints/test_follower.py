"""One goal after another."""

import pytest

from outrider.autonomy.waypoints.follower import WaypointFollower
from outrider.autonomy.waypoints.spec import WaypointsSpec
from outrider.core.errors import AutonomyError
from outrider.messages import types as ros
from outrider.messages.types import message_class

S = 1_000_000_000


def good(follower: WaypointFollower) -> None:
    kind = message_class("outrider_msgs/msg/ComponentHealth")
    follower.take("health", kind(ros.header(0, ""), "odometry", "good", ""), 0)


def ended(follower: WaypointFollower, outcome: str, now_ns: int) -> None:
    pose = ros.Pose(ros.Point(0.0, 0.0, 0.0), ros.Quaternion(0.0, 0.0, 0.0, 1.0))
    kind = message_class("outrider_msgs/msg/GoalResult")
    follower.take("result", kind(ros.header(now_ns, "map"), outcome, "why", pose), now_ns)


def goals(follower: WaypointFollower, now_ns: int) -> list[tuple[float, float]]:
    found = [message.pose.position for _, message in follower.tick(now_ns)]
    return [(p.x, p.y) for p in found]


def test_goals_come_one_by_one_and_only_when_the_robot_knows_where_it_is() -> None:
    follower = WaypointFollower(WaypointsSpec(points=((1, 2), (3, 4, 90))))
    assert goals(follower, 0) == []
    good(follower)
    assert goals(follower, S) == [(1.0, 2.0)]
    assert goals(follower, 2 * S) == []
    ended(follower, "reached", 3 * S)
    ((_, message),) = follower.tick(3 * S)
    assert message.pose.orientation.z == pytest.approx(0.5**0.5)
    ended(follower, "failed", 4 * S)
    assert follower.finished
    assert [(r.outcome, r.seconds) for r in follower.results] == [("reached", 2.0), ("failed", 1.0)]


def test_a_goal_that_takes_too_long_is_left() -> None:
    follower = WaypointFollower(WaypointsSpec(points=((1, 2), (3, 4)), timeout_s=5.0))
    good(follower)
    assert goals(follower, 0) == [(1.0, 2.0)]
    assert goals(follower, 6 * S) == []
    assert follower.results[0].outcome == "time-out"
    assert goals(follower, 7 * S) == [(3.0, 4.0)]


def test_a_patrol_never_ends() -> None:
    follower = WaypointFollower(WaypointsSpec(points=((1, 2),), patrol=True))
    good(follower)
    for k in range(3):
        assert goals(follower, k * S) == [(1.0, 2.0)]
        ended(follower, "reached", k * S)
    assert not follower.finished


def test_points_and_a_file_together_are_refused() -> None:
    with pytest.raises(AutonomyError, match="not both"):
        WaypointFollower(WaypointsSpec(points=((1, 2),), file="x.csv"))


def test_points_that_were_not_tried_are_told() -> None:
    follower = WaypointFollower(WaypointsSpec(points=((1.0, 0.0), (2.0, 0.0))))
    assert [item.outcome for item in follower.outcomes] == ["not tried", "not tried"]
    assert [item.point.x for item in follower.outcomes] == [1.0, 2.0]
