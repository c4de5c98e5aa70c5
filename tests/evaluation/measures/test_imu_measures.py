import numpy as np
import pytest

from outrider.core.errors import EvaluationError
from outrider.evaluation.measures.imu import axis_figures, imu_error
from outrider.evaluation.measures.spectrum import centroid_hz, power_density


def test_range_is_the_mean_of_the_top_percent_less_that_of_the_bottom_percent():
    samples = np.arange(1000.0)[::-1, None] * [1.0, -2.0, 0.0]
    figures = axis_figures(samples)
    assert figures.mean == pytest.approx([499.5, -999.0, 0.0])
    assert figures.range == pytest.approx([990.0, 1980.0, 0.0])  # means of ten, 9 apart from ends
    error = imu_error(figures, axis_figures(np.zeros((5, 3))))
    assert error.total == pytest.approx(990 + 1980 + 499.5 + 999)
    with pytest.raises(EvaluationError, match="no IMU samples"):
        axis_figures(np.zeros((0, 3)))


def test_a_sine_has_its_power_at_its_frequency_and_scipy_agrees():
    signal = pytest.importorskip("scipy.signal")
    time = np.arange(4096) / 100.0
    samples = 3.0 * np.sin(2 * np.pi * 12.5 * time)
    f, power = power_density(samples, 100.0)
    assert f[np.argmax(power)] == pytest.approx(12.5)
    assert power.sum() * f[1] == pytest.approx(4.5, rel=1e-3)  # the variance of the sine
    assert centroid_hz(f, power) == pytest.approx(12.5, abs=1e-6)
    noise = np.random.default_rng(1).normal(size=3000)
    ours, theirs = power_density(noise, 50.0), signal.welch(noise, 50.0, nperseg=256)
    assert ours[0] == pytest.approx(theirs[0])
    assert ours[1] == pytest.approx(theirs[1], rel=1e-9)
    with pytest.raises(EvaluationError, match="at least 8 samples, got 3"):
        power_density(noise[:3], 50.0)
