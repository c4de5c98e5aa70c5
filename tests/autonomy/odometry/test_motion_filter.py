"""The filter around scan registration."""

import numpy as np
import pytest

from outrider.autonomy.odometry.motion_filter import MotionFilter
from outrider.autonomy.odometry.spec import MotionSpec
from outrider.core.frames import Pose, yaw_of


def test_a_turn_and_a_speed_are_carried_on_exactly() -> None:
    motion = MotionFilter(MotionSpec(), Pose())
    motion.velocity = np.array([1.0, 0.0, 0.0])
    motion.predict(np.array([0.0, 0.0, 0.2]), 0.1)
    assert motion.pose.position == pytest.approx([0.1, 0.0, 0.0])
    assert yaw_of(motion.pose.rotation) == pytest.approx(0.2)
    # the speed stays what it is over ground: its axes have turned
    assert motion.velocity == pytest.approx([np.cos(0.2), -np.sin(0.2), 0.0])


def test_a_direction_that_a_scan_cannot_tell_is_left_to_the_wheels() -> None:
    motion = MotionFilter(MotionSpec(), Pose())
    for _ in range(50):
        motion.predict(np.zeros(3), 0.1)
        motion.measure_wheels(0.5)
        blind = np.diag([1e6, 1e6, 1e6, 0.0, 1e6, 1e6])  # a tunnel along x
        wrong = Pose([motion.pose.position[0] - 0.3, 0.0, 0.0])
        motion.measure_pose(wrong, blind)
    assert motion.pose.position[0] == pytest.approx(2.5, abs=0.1)


def test_a_sure_scan_is_believed() -> None:
    motion = MotionFilter(MotionSpec(), Pose())
    motion.predict(np.zeros(3), 0.1)
    motion.measure_pose(Pose([0.05, 0.0, 0.0]), np.eye(6) * 1e8)
    assert motion.pose.position == pytest.approx([0.05, 0.0, 0.0], abs=1e-3)
    assert motion.velocity[0] > 0.1


def test_the_offset_of_a_gyroscope_is_learned_from_scans() -> None:
    motion = MotionFilter(MotionSpec(gyro_noise=7e-4, gyro_offset=1e-3), Pose())
    offset = np.array([0.0, 0.0, 1.5e-3])
    for _ in range(300):  # half a minute at rest; scans tell the heading within a milliradian
        motion.predict((offset - motion.gyro_offset) * 0.1, 0.1)
        motion.measure_pose(Pose(), np.eye(6) * 1e6)
    assert motion.gyro_offset == pytest.approx(offset, abs=1e-4)


def test_the_offset_of_a_gyroscope_is_left_alone_unless_asked_for() -> None:
    motion = MotionFilter(MotionSpec(), Pose())
    motion.predict(np.array([0.0, 0.0, 0.1]), 0.1)
    motion.measure_pose(Pose(), np.eye(6) * 1e6)
    assert motion.gyro_offset.tolist() == [0.0, 0.0, 0.0]
