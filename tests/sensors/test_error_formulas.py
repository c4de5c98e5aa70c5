"""Compiled errors against the same formulas in numpy, as they were computed before."""

import math

import numpy as np
import pytest
from body_bench import DOWN, Bench

from outrider.core.frames import Array, Pose, matrix_from_quaternion, multiply
from outrider.sensors.imu.attitude import AttitudeSpec
from outrider.sensors.imu.imu import Imu, ImuParameters
from outrider.sensors.noise import (
    Bias,
    Chain,
    Distortion,
    ErrorModel,
    GaussMarkov,
    HectorDrift,
    Quantisation,
    RandomWalk,
    Saturation,
    Stream,
    White,
)
from outrider.sensors.triad import Triad

DT = 0.02
FULL = Triad(
    noise_density=0.01,
    noise_sigma=0.02,
    offset=(0.1, 0.0, -0.3),
    turn_on_sigma=0.1,
    random_walk=0.01,
    drift_sigma=0.1,
    drift_time_s=5.0,
    scale_sigma=0.01,
    misalignment_deg=1.0,
    limit=8.0,
)


class InNumpy:
    """The errors of a chain of the same seed, one vector operation after the other."""

    def __init__(self, chain: Chain) -> None:
        self._errors = chain.errors
        self._biases = [None if e.bias is None else e.bias.copy() for e in chain.errors]
        self._streams = [_twin(e.stream) for e in chain.errors]

    def apply(self, value: Array, dt: float) -> Array:
        for i, error in enumerate(self._errors):
            keep, gain = error.gains(dt)
            match error:
                case Distortion(matrix=matrix):
                    value = matrix @ value
                case Bias(bias=bias):
                    value = value + bias
                case GaussMarkov() | RandomWalk() | HectorDrift():
                    self._biases[i] = keep * self._biases[i] + gain * self._streams[i].normal()
                    value = value + self._biases[i]
                case White():
                    value = value + gain * self._streams[i].normal()
                case Saturation():
                    value = np.minimum(np.maximum(value, -gain), gain)
                case Quantisation():
                    value = gain * np.rint(value / gain)
        return value

    @property
    def bias(self) -> Array:
        return sum((b for b in self._biases if b is not None), np.zeros(3))


def _twin(stream: Stream | None) -> Stream | None:
    if stream is None:
        return None
    twin = Stream(np.random.default_rng(0), stream.numbers.shape[1])
    twin.set_state(stream.get_state())
    return twin


def _one_of_each(random: np.random.Generator, size: int) -> list[ErrorModel]:
    return [
        Bias(random, size, 0.3, 0.1),
        White(random, size, 0.1, 0.02),
        RandomWalk(random, size, 0.1),
        GaussMarkov(random, size, 0.2, 3.0),
        HectorDrift(random, size, 0.2, 3.0),
        Saturation(1.0),
        Quantisation(0.01),
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_error_has_the_bytes_of_its_formula(size: int) -> None:
    random = np.random.default_rng(3)
    for error in _one_of_each(random, size):
        chain = Chain([error])
        plain = InNumpy(chain)
        for k in range(200):
            value, dt = random.normal(size=size), (0.02, 0.0175)[k % 7 == 0]
            assert chain.apply(value, dt).tobytes() == plain.apply(value, dt).tobytes(), error


@pytest.mark.parametrize("size", [1, 2, 3])
def test_mixed_axes_differ_by_rounding_alone(size: int) -> None:
    """A library's product of matrices rounds as the processor's instructions do; ours does not."""
    chain = FULL.errors(np.random.default_rng(3), size)
    plain = InNumpy(chain)
    for value in np.random.default_rng(4).normal(scale=5.0, size=(200, size)):
        assert chain.apply(value, 0.02) == pytest.approx(plain.apply(value, 0.02), abs=1e-12)


def test_a_value_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="different sizes"):
        White(np.random.default_rng(1), 3, 1.0).apply(np.zeros(2), 0.1)


def test_what_is_not_a_number_stays_so() -> None:
    assert np.isnan(Saturation(1.0).apply(np.array([math.nan]), 0.1)).all()


@pytest.mark.parametrize("mode", ["ahrs", "true", "none"])
def test_an_imu_shows_its_motion_with_these_errors(mode: str) -> None:
    bench = Bench(step_s=0.0025)
    mount = Pose.from_rpy([0.4, -0.3, 0.2], [0.3, 0.7, -1.1])
    wander = Triad(drift_sigma=0.05, drift_time_s=3.0, noise_sigma=0.01)
    spec = AttitudeSpec(mode, wander, wander)  # type: ignore[arg-type]
    imu = bench.mount(Imu, ImuParameters(FULL, FULL, spec), pose=mount, rate_hz=50.0)
    parts = [imu._accelerometer, imu._gyroscope, imu._attitude.yaw, imu._attitude.tilt]
    accelerometer, gyroscope, yaw, tilt = (InNumpy(part) for part in parts)

    def push(time_s: float) -> None:
        load = bench.engine.loads.bodies[0]
        load["force"] = (4 * math.sin(3 * time_s), 3.0, 20.0)
        load["torque"] = (0.2, -0.3 * math.cos(time_s), 0.5)

    bench.push = push

    def off(sensor: Imu) -> float:
        shown = np.array([*sensor.force, *sensor.rate, *sensor.attitude])
        force = accelerometer.apply(sensor._motion.force, DT)
        rate = gyroscope.apply(sensor._motion.rate, DT)
        attitude = multiply(bench.body["rotation"], mount.rotation)
        if mode == "none":
            attitude = np.array([0.0, 0.0, 0.0, 1.0])
        elif mode == "ahrs":
            wrong = yaw.apply(np.zeros(1), DT), tilt.apply(np.zeros(2), DT)
            attitude = _misread(attitude, *wrong, accelerometer.bias)
        return float(np.abs(shown - [*force, *rate, *attitude]).max())

    assert max(bench.run(imu, 2.0, off)) < 1e-12


def _misread(rotation: Array, yaw: Array, tilt: Array, bias: Array) -> Array:
    """Turn an attitude by yaw and small tilts about the world's axes."""
    lean = matrix_from_quaternion(rotation) @ bias / -DOWN[2]
    small = np.array([(tilt[0] + lean[1]) / 2, (tilt[1] - lean[0]) / 2, 0.0, 1.0])
    about = np.array([0.0, 0.0, math.sin(yaw[0] / 2), math.cos(yaw[0] / 2)])
    return multiply(multiply(about, small / np.linalg.norm(small)), rotation)
