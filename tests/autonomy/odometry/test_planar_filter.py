"""The wheel and IMU filter against motions that are known."""

import math

import numpy as np
import pytest

from outrider.autonomy.odometry.planar_filter import OFFSET, SPEED, YAW, PlanarFilter
from outrider.autonomy.odometry.spec import FilterSpec

DT = 0.02


def drive(seed: int, seconds: float = 12.0) -> tuple[PlanarFilter, np.ndarray]:
    """Drive a slalom with noise exactly as the filter believes it; return it and the truth."""
    spec = FilterSpec()
    random = np.random.default_rng(seed)
    true = np.zeros(6)
    true[OFFSET] = random.normal(0.0, spec.first_offset)
    found = PlanarFilter(spec)
    for k in range(round(seconds / DT)):
        rate = 0.5 * math.sin(0.3 * k * DT)
        true[SPEED] += random.normal(0.0, spec.acceleration * math.sqrt(DT))
        heading = true[YAW] + 0.5 * rate * DT
        slip = random.normal(0.0, spec.side_slip * math.sqrt(DT), 3)
        true[:3] += [true[SPEED] * DT * math.cos(heading), true[SPEED] * DT * math.sin(heading), 0]
        true[:3] += slip * min(1.0, abs(true[SPEED]) / 0.1) ** 0.5
        true[YAW] += rate * DT
        true[OFFSET] += random.normal(0.0, spec.gyro_drift * math.sqrt(DT))
        gyro = rate + true[OFFSET] + random.normal(0.0, spec.gyro_noise)
        found.predict(gyro, 0.0, 0.0, DT)
        found.measure_speed(true[SPEED] + random.normal(0.0, spec.wheel_speed))
        if k % 5 == 0:
            found.measure_heading(true[YAW] + random.normal(0.0, spec.heading))
    return found, true


def test_errors_are_as_large_as_the_filter_says() -> None:
    values = []
    for seed in range(16):
        found, true = drive(seed)
        error = found.state - true
        error[YAW] = math.remainder(error[YAW], 2 * math.pi)
        values.append(error @ np.linalg.solve(found.covariance, error))
    # the mean of 16 chi-square values of 6 degrees lies between 4.0 and 8.4 in 99 of 100 cases
    assert 4.0 < float(np.mean(values)) < 8.4


def test_a_straight_way_is_as_long_as_the_wheels_say() -> None:
    found = PlanarFilter(FilterSpec())
    for _ in range(500):
        found.predict(0.0, 0.0, 0.0, DT)
        found.measure_speed(0.5)
    assert found.state[0] == pytest.approx(5.0, abs=0.05)
    assert abs(found.state[1]) < 1e-9


def test_a_way_uphill_is_shorter_on_the_map() -> None:
    found = PlanarFilter(FilterSpec())
    for _ in range(500):
        found.predict(0.0, 0.0, -math.radians(30), DT)  # nose up
        found.measure_speed(1.0)
    assert found.state[0] == pytest.approx(10 * math.cos(math.radians(30)), abs=0.1)
    assert found.state[2] == pytest.approx(10 * math.sin(math.radians(30)), abs=0.1)


def test_standing_still_shows_the_offset_of_the_gyroscope() -> None:
    found = PlanarFilter(FilterSpec())
    for _ in range(200):
        found.predict(0.013, 0.0, 0.0, DT)
        found.measure_rest(0.013)
    assert found.state[OFFSET] == pytest.approx(0.013, abs=1e-4)
