"""LiDAR-inertial odometry in a yard that is made up, with all that may go wrong."""

import logging

import numpy as np
import pytest
import room

from outrider.autonomy.odometry.lidar_inertial import LidarInertialOdometry
from outrider.autonomy.odometry.spec import LidarInertialSpec
from outrider.core.frames import Pose, yaw_of
from outrider.messages.plain_values import pose_from

SPEED, RATE = 0.5, 0.3


def true_pose(t: float) -> Pose:
    """Stand for 1.5 s, then drive an arc."""
    t = max(0.0, t - 1.5)
    yaw = RATE * t
    return Pose.from_rpy(
        [SPEED / RATE * np.sin(yaw), SPEED / RATE * (1 - np.cos(yaw)), 0.0], [0, 0, yaw]
    )


def drive(seconds, blind=(9e9, 9e9), frame="lidar", spoil=None, offset=0.01):
    """Feed a drive; return the component and its poses by time."""
    odometry = LidarInertialOdometry(LidarInertialSpec(), ("odom", "base_link"))
    odometry.take("tf_static", room.frames_message(), 0)
    found = {}
    levels = []
    for k in range(round(seconds * 50)):
        t, now_ns = k / 50, k * 20_000_000
        moving = t > 1.5
        said = list(odometry.take("imu", room.imu_message(now_ns, moving * RATE + offset), now_ns))
        said += odometry.take("wheels", room.wheel_message(now_ns, moving * SPEED), now_ns)
        if k % 5 == 0 and not blind[0] <= t < blind[1]:
            xyz = room.scan_points(true_pose(t), seed=k)
            cloud = room.cloud_message(xyz, now_ns, frame)
            if spoil is not None:
                cloud = spoil(xyz, now_ns)
            said += odometry.take("points", cloud, now_ns)
        for port, message in said:
            if port == "odometry":
                found[t] = pose_from(message.pose.pose)
        levels.append((t, odometry.health.level))
    return odometry, found, levels


def worst(found, since=2.0):
    return max(
        float(np.linalg.norm(p.position - true_pose(t).position))
        for t, p in found.items()
        if t > since
    )


def test_an_arc_is_followed_to_centimetres() -> None:
    # scans of one moment: their stamp is their time
    odometry, found, _ = drive(7.0, spoil=lambda xyz, t: room.cloud_message(xyz, t, "lidar", False))
    assert odometry.health.level == "good"
    assert worst(found) < 0.06
    last = max(found)
    assert yaw_of(found[last].rotation) == pytest.approx(RATE * (last - 1.5), abs=0.01)


def test_two_blind_seconds_are_bridged_and_said() -> None:
    plain = lambda xyz, t: room.cloud_message(xyz, t, "lidar", False)  # noqa: E731
    odometry, found, levels = drive(7.0, blind=(3.0, 5.0), spoil=plain)
    assert {level for t, level in levels if 3.5 < t < 4.9} == {"poor"}
    assert odometry.health.level == "good"
    assert worst(found) < 0.15
    assert worst(found, 6.0) < 0.06


def test_the_same_messages_give_the_same_poses_to_the_last_bit() -> None:
    runs = [drive(3.0)[1] for _ in range(2)]
    assert all((runs[0][t].matrix == pose.matrix).all() for t, pose in runs[1].items())


def test_clouds_of_an_unknown_frame_are_refused_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        _, found, _ = drive(2.5, frame="nowhere")
    assert [r for r in caplog.records if "frame 'nowhere'" in r.getMessage()].__len__() == 1
    assert all(abs(p.position).max() < 1e-2 or t > 1.5 for t, p in found.items())


def test_clouds_without_times_without_points_and_with_nan_are_told_apart(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def spoiled(xyz, now_ns):
        if now_ns % 300_000_000 == 0:
            return room.cloud_message(xyz[:0], now_ns, "lidar")
        xyz = xyz.copy()
        xyz[::7] = np.nan
        return room.cloud_message(xyz, now_ns, "lidar", times=False)

    with caplog.at_level(logging.WARNING):
        _, found, _ = drive(4.0, spoil=spoiled)
    told = [r.getMessage() for r in caplog.records]
    assert sum("no time field" in text for text in told) == 1
    assert sum("0 points" in text for text in told) == 1
    assert worst(found) < 0.1


def test_scans_that_jump_in_time_keep_the_map_and_are_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    odometry, _, _ = drive(3.0)
    xyz = room.scan_points(true_pose(3.0), seed=1)
    with caplog.at_level(logging.WARNING):
        for now_ns in (500_000_000, 400_000_000):
            odometry.take("points", room.cloud_message(xyz, now_ns, "lidar"), now_ns)
    said = [r.getMessage() for r in caplog.records if "jumped in time" in r.getMessage()]
    assert len(said) == 1
    assert odometry.health.level == "good"  # the place is the same


def swinging(order):
    """Turn left and right on the spot, with the messages of one time in an order; return yaws."""
    odometry = LidarInertialOdometry(LidarInertialSpec(), ("odom", "base_link"))
    odometry.take("tf_static", room.frames_message(), 0)
    yaws = {}
    for k in range(200):
        t, now_ns = max(0.0, k / 50 - 1.5), k * 20_000_000
        yaw, rate = 0.4 * np.sin(2.0 * t), 0.8 * np.cos(2.0 * t) * (t > 0)
        messages = {
            "imu": room.imu_message(now_ns, rate),
            "wheels": room.wheel_message(now_ns, 0.0),
        }
        if k % 5 == 0:
            xyz = room.scan_points(Pose.from_rpy([0, 0, 0], [0, 0, yaw]), seed=k)
            messages["points"] = room.cloud_message(xyz, now_ns, "lidar", False)
        for port in (name for name in order if name in messages):
            for said, message in odometry.take(port, messages[port], now_ns):
                if said == "odometry":
                    yaws[k] = yaw_of(pose_from(message.pose.pose).rotation)
    return yaws


@pytest.mark.parametrize("order", [("wheels", "imu", "points"), ("points", "wheels", "imu")])
def test_messages_of_one_time_may_come_in_any_order(order) -> None:
    """A recording has another order than the live run; a robot's drivers have none at all."""
    live, other = swinging(("imu", "wheels", "points")), swinging(order)
    assert len(live) - len(other) in (0, 1)  # the scan of the moment in which the filter starts
    assert max(abs(other[k] - live[k]) for k in other) < 5e-4
