import math

import numpy as np
import pytest
from body_bench import Bench

from outrider.core.frames import Pose
from outrider.sensors.gnss.pose_gps import PoseGps, PoseParameters


def found(parameters: PoseParameters) -> tuple[np.ndarray, float]:  # type: ignore[type-arg]
    bench = Bench(pose=Pose.from_rpy([3.0, 1.0, 0.2], [0, 0, 0.5]))
    sensor = bench.mount(PoseGps, parameters)
    sensor.sample(0)
    pose = sensor.message(0).pose.pose
    q = pose.orientation
    place = np.array([pose.position.x, pose.position.y, pose.position.z])
    return place, Pose(rotation=(q.x, q.y, q.z, q.w)).rpy[2]


def test_it_gives_the_pose_in_the_worlds_axes() -> None:
    place, yaw = found(PoseParameters())
    assert place == pytest.approx([3.0, 1.0, 0.2])
    assert yaw == pytest.approx(0.5)


def test_its_axes_may_be_shifted_and_turned() -> None:
    place, yaw = found(PoseParameters(origin=(1.0, 1.0, 0.0), turn_deg=90.0))
    assert place == pytest.approx([0.0, -2.0, 0.2])  # two metres east are behind north as left
    assert yaw == pytest.approx(0.5 - math.pi / 2)


def test_unity_axes_leave_the_heading_half_a_turn_off() -> None:
    """AutoModelCar_Simulator: position (-z, x, y) of Unity's axes, attitude that of (z, -x, y)."""
    unity_x, unity_z, unity_yaw_clockwise = 0.7, -3.0, 30.0
    bench = Bench(
        pose=Pose.from_rpy([3.0, 0.7, 0.0], [0, 0, math.radians(180 - unity_yaw_clockwise)])
    )
    sensor = bench.mount(PoseGps, PoseParameters(yaw_turn_deg=180.0))
    sensor.sample(0)
    assert sensor.position[:2] == pytest.approx([-unity_z, unity_x])
    half = math.radians(unity_yaw_clockwise) / 2
    theirs = np.array([0.0, 0.0, -math.sin(half), math.cos(half)])  # (-z, x, -y, w) of Unity's
    assert abs(float(theirs @ sensor.rotation)) == pytest.approx(1.0)


def test_its_errors_are_as_stated_and_repeat_from_its_state() -> None:
    bench = Bench()
    sensor = bench.mount(PoseGps, PoseParameters(position_sigma=0.02, yaw_sigma_deg=1.0))
    start = sensor.get_state()
    rows = []
    for _ in range(3000):
        sensor.sample(0)
        rows.append([*sensor.position, Pose(rotation=sensor.rotation).rpy[2]])
    spread = np.std(rows, axis=0)
    assert spread == pytest.approx([0.02, 0.02, 0.02, math.radians(1.0)], rel=0.06)
    covariance = sensor.message(0).pose.covariance.reshape(6, 6)
    assert np.diag(covariance)[[0, 5]] == pytest.approx(spread[[0, 3]] ** 2, rel=0.1)
    sensor.set_state(start)
    sensor.sample(0)
    assert sensor.position == pytest.approx(rows[0][:3], abs=0)
