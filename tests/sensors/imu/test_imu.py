import math
from typing import Any

import numpy as np
import pytest
from body_bench import DOWN, Bench, G, inertial_reading

from outrider.core.errors import ConfigError
from outrider.core.frames import Array, Pose, matrix_from_quaternion, multiply
from outrider.sensors.imu.attitude import AttitudeSpec
from outrider.sensors.imu.imu import Imu, ImuParameters
from outrider.sensors.triad import Triad
from outrider.world.state import BODY

TRUE = ImuParameters(attitude=AttitudeSpec(mode="true"))
ATTITUDES = [
    (0.0, 0.0, 0.0),
    (0.3, 0.0, 0.0),
    (0.0, -0.4, 1.0),
    (math.pi, 0.0, 0.0),
    (0.0, -math.pi / 2, math.pi),
]


def hold_up(bench: Bench) -> None:
    """Carry the body's weight, so that it stays where it is."""

    def push(_time_s: float) -> None:
        bench.engine.loads.bodies["force"][0] = (0.0, 0.0, 2.0 * G)

    bench.push = push


@pytest.mark.parametrize("rpy", ATTITUDES)
@pytest.mark.parametrize("mounted", ATTITUDES)
def test_at_rest_it_reads_one_g_upward(rpy: Any, mounted: Any) -> None:
    bench = Bench(pose=Pose.from_rpy([1, 2, 3], rpy))
    hold_up(bench)
    mount = Pose.from_rpy([0.3, -0.2, 0.1], mounted)
    imu = bench.mount(Imu, TRUE, pose=mount)
    force, rate = np.hsplit(bench.run(imu, 0.1, inertial_reading)[-1], 2)
    up = matrix_from_quaternion(multiply(Pose.from_rpy([0, 0, 0], rpy).rotation, mount.rotation)).T
    assert force == pytest.approx(up[:, 2] * G, abs=1e-9)
    assert rate == pytest.approx(np.zeros(3), abs=1e-9)


def test_level_means_plus_z_and_upside_down_minus_z() -> None:
    for roll, expected in ((0.0, 9.80665), (math.pi, -9.80665)):
        bench = Bench(mobility="scripted")
        imu = bench.mount(Imu, TRUE, pose=Pose.from_rpy([0, 0, 0], [roll, 0, 0]))
        assert bench.run(imu, 0.1, inertial_reading)[-1][2] == pytest.approx(expected, abs=1e-9)


def test_a_standing_one_reads_the_same_without_a_body() -> None:
    bench = Bench()
    imu = bench.mount(Imu, TRUE, pose=Pose.from_rpy([0, 0, 1], [0.5, 0, 0]), standing=True)
    reading = bench.run(imu, 0.1, inertial_reading)[-1]
    assert reading == pytest.approx([0, G * math.sin(0.5), G * math.cos(0.5), 0, 0, 0], abs=1e-9)


def test_in_free_fall_it_feels_nothing() -> None:
    bench = Bench()
    imu = bench.mount(Imu, TRUE, pose=Pose(np.array([0.3, 0.1, 0.2])))
    assert np.abs(bench.run(imu, 0.5, inertial_reading)).max() < 1e-9


@pytest.mark.parametrize("step_s", [0.001, 0.0025, 0.01])
def test_turning_it_feels_the_centripetal_term_at_its_arm(step_s: float) -> None:
    bench = Bench(mobility="scripted", step_s=step_s)
    bench.engine.place(0, Pose(), np.zeros(3), np.array([0.0, 0.0, 2.0]))
    bench.history.forget()
    imu = bench.mount(Imu, TRUE, pose=Pose.from_rpy([0.5, 0.0, 0.0], [0, 0, math.pi / 2]))
    readings = bench.run(imu, 1.0, inertial_reading)
    # towards the axis is -x of the body, which is +y of the sensor: w^2 r = 2 m/s^2
    assert readings[:, :3] == pytest.approx(np.tile([0, 2.0, G], (len(readings), 1)), abs=2e-4)
    assert readings[:, 3:] == pytest.approx(np.tile([0, 0, 2.0], (len(readings), 1)), abs=1e-9)


def test_constant_acceleration_adds_to_weight() -> None:
    bench = Bench(pose=Pose.from_rpy([0, 0, 0], [0, 0, math.pi / 2]))

    def push(_time_s: float) -> None:
        bench.engine.loads.bodies["force"][0] = (2.0 * 3.0, 0.0, 2.0 * G)

    bench.push = push
    imu = bench.mount(Imu, TRUE)
    readings = bench.run(imu, 0.5, inertial_reading)
    expected = np.tile([0.0, -3.0, G, 0, 0, 0], (len(readings), 1))  # east is to its right
    assert readings == pytest.approx(expected, abs=1e-9)


def swing(bench: Bench) -> None:
    """Push and twist a body about: smooth, in all axes."""

    def push(time_s: float) -> None:
        load = bench.engine.loads.bodies[0]
        s, c = math.sin(3 * time_s), math.cos(2 * time_s)
        load["force"] = (4 * s, 3 * c, 2 * G + 2 * s * c)
        load["torque"] = (0.2 * c, -0.3 * s, 0.5 * c)

    bench.push = push


ARM = Pose.from_rpy([0.4, -0.3, 0.2], [0.3, 0.7, -1.1])


def known_motion(t: float) -> tuple[Pose, Array, Array, Array]:
    """Return pose, velocity, rate and acceleration of a body that swings, pitches and yaws."""
    yaw, yaw_rate = 1.5 * math.sin(2 * t), 3.0 * math.cos(2 * t)
    pitch, pitch_rate = 0.4 * math.cos(3 * t), -1.2 * math.sin(3 * t)
    place = np.array([math.sin(4 * t), 2 * t + math.cos(3 * t), 0.5 * math.sin(5 * t)])
    speed = np.array([4 * math.cos(4 * t), 2 - 3 * math.sin(3 * t), 2.5 * math.cos(5 * t)])
    gain = np.array([-16 * math.sin(4 * t), -9 * math.cos(3 * t), -12.5 * math.sin(5 * t)])
    rate = np.array([-math.sin(yaw) * pitch_rate, math.cos(yaw) * pitch_rate, yaw_rate])
    return Pose.from_rpy(place, [0, pitch, yaw]), speed, rate, gain


def felt(t: float, arm: Pose) -> Array:
    """Return specific force and rate at a place of that body, from first principles."""
    eps = 1e-5
    points = [known_motion(t + d)[0].apply(arm.position) for d in (-eps, 0.0, eps)]
    gain = (points[0] - 2 * points[1] + points[2]) / eps**2
    pose, _, rate, _ = known_motion(t)
    back = (pose @ Pose(rotation=arm.rotation)).inverse().rotation
    R = matrix_from_quaternion(back)
    return np.concatenate([R @ (gain - np.array(DOWN)), R @ rate])


@pytest.mark.parametrize(("step_s", "worst"), [(0.001, 0.002), (0.0025, 0.01), (0.01, 0.15)])
def test_a_known_motion_is_felt_as_calculus_says_at_any_step(step_s: float, worst: float) -> None:
    bench = Bench(step_s=step_s)
    imu = bench.mount(Imu, TRUE, pose=ARM)
    state = bench.engine.state
    errors = []
    for k in range(round(1.0 / step_s) + 1):
        pose, speed, rate, _ = known_motion(k * step_s)
        state.time_ns = k * bench.step_ns
        state.bodies[0] = (pose.position, pose.rotation, speed, rate)
        bench.history.record()
        if bench.schedule.due(state.time_ns):
            imu.sample(state.time_ns)
            times = k * step_s - 0.02 + 0.02 * (np.arange(8) + 0.5) / 8
            mean = np.mean([felt(t, ARM) for t in times], axis=0)
            errors.append(np.abs(inertial_reading(imu) - mean).max())
    assert len(errors) == 50
    assert max(errors[1:]) < worst  # of up to 30 m/s^2


@pytest.mark.parametrize("rate_hz", [400.0, 50.0, 30.0, 77.7])
def test_adding_readings_up_gives_the_velocity_gained(rate_hz: float) -> None:
    bench = Bench(step_s=0.0025)
    swing(bench)
    imu = bench.mount(Imu, TRUE, rate_hz=rate_hz)
    gained, turned, last = np.zeros(3), Pose(), 0
    there = np.zeros((), BODY)  # how the body was at the last reading

    def integrate(sensor: Any) -> int:
        nonlocal gained, turned, last
        now = bench.engine.state.time_ns
        dt, last = (now - last) * 1e-9, now
        half = Pose(rotation=_turn(sensor.rate * dt / 2))
        middle = turned @ half
        gained = gained + (middle.apply(sensor.force) + DOWN) * dt
        turned = middle @ half
        there[()] = bench.body
        return now

    stamps = bench.run(imu, 2.0, integrate)
    assert np.diff(stamps).mean() == pytest.approx(1e9 / rate_hz, rel=0.01)
    speed = 0.01 if rate_hz >= 50 else 0.02  # the mean of a turning frame is not exact
    assert gained == pytest.approx(there["velocity"], abs=speed)
    off = turned.inverse() @ Pose(rotation=there["rotation"])
    assert off.rpy == pytest.approx(np.zeros(3), abs=0.005)


def _turn(vector: Array) -> Array:
    angle = float(np.linalg.norm(vector)) or 1e-12
    return np.array([*(vector / angle * math.sin(angle / 2)), math.cos(angle / 2)])


def test_a_push_between_samples_is_not_lost_nor_exaggerated() -> None:
    bench = Bench(step_s=0.0025)

    def push(time_s: float) -> None:
        kick = 400.0 if abs(time_s - 0.105) < 1e-6 else 0.0  # one step: 1 N s, so 0.5 m/s
        bench.engine.loads.bodies["force"][0] = (kick, 0.0, 2.0 * G)

    bench.push = push
    imu = bench.mount(Imu, TRUE, rate_hz=50.0)
    forward = bench.run(imu, 0.2, inertial_reading)[:, 0]
    assert forward.max() == pytest.approx(0.5 / 0.02, rel=1e-6)
    assert forward.sum() * 0.02 == pytest.approx(0.5, rel=1e-6)


def test_being_put_elsewhere_is_not_felt() -> None:
    bench = Bench()
    moves = {
        0.05: Pose.from_rpy([5, 0, 0], [0, 0, 1.0]),
        0.1: Pose.from_rpy([5, 0, 0], [0, 0.3, 1.0]),
    }

    def push(time_s: float) -> None:
        for when, pose in moves.items():
            if abs(time_s - when) < 1e-6:
                bench.engine.place(0, pose, np.array([3.0, 0, 0]), np.zeros(3))
        bench.engine.loads.bodies["force"][0] = (0.0, 0.0, 2.0 * G)

    bench.push = push
    for rate_hz in (50.0, 400.0):
        imu = bench.mount(Imu, TRUE, rate_hz=rate_hz)
        parts = bench.parts(imu)
        start = parts.get_state()
        readings = bench.run(imu, 0.2, inertial_reading)
        assert np.linalg.norm(readings[:, :3], axis=1) == pytest.approx(G, abs=0.01)
        assert np.abs(readings[:, 3:]).max() < 1e-6
        parts.set_state(start)


def noisy() -> ImuParameters:
    accelerometer = Triad(noise_density=0.004, turn_on_sigma=0.2, random_walk=0.006, limit=20.0)
    gyroscope = Triad(noise_density=3e-4, drift_sigma=0.01, drift_time_s=50.0, scale_sigma=0.01)
    yaw = Triad(drift_sigma=0.02, drift_time_s=100.0)
    return ImuParameters(accelerometer, gyroscope, AttitudeSpec("ahrs", yaw))


def everything(sensor: Any) -> Array:
    return np.array([*sensor.force, *sensor.rate, *sensor.attitude])


def test_the_same_seed_reads_the_same_and_a_state_repeats_it() -> None:
    runs = []
    for seed in (1, 1, 2):
        bench = Bench()
        swing(bench)
        imu = bench.mount(Imu, noisy(), pose=ARM, seed=seed)
        parts = bench.parts(imu)
        start = parts.get_state()
        runs.append(bench.run(imu, 0.5, everything))
        parts.set_state(start)
        assert (bench.run(imu, 0.5, everything) == runs[-1]).all()
    assert (runs[0] == runs[1]).all()
    assert (runs[0] != runs[2]).any()


def test_its_range_ends_where_the_maker_says() -> None:
    bench = Bench(mobility="scripted")
    bench.engine.place(0, Pose(), np.zeros(3), np.array([0.0, 0.0, 9.0]))
    bench.history.forget()
    parameters = ImuParameters(Triad(limit=5.0), Triad(limit=4.0), AttitudeSpec("none"))
    imu = bench.mount(Imu, parameters)
    assert bench.run(imu, 0.1, inertial_reading)[-1] == pytest.approx([0, 0, 5.0, 0, 0, 4.0])


def test_an_accelerometers_bias_tilts_the_attitude_by_bias_over_g() -> None:
    accelerometer = Triad(offset=(0.1, 0.2, 0.0))
    bench = Bench(mobility="scripted")
    imu = bench.mount(Imu, ImuParameters(accelerometer, Triad(), AttitudeSpec("ahrs")))
    bench.run(imu, 0.1, everything)
    roll, pitch, yaw = Pose(rotation=imu.attitude).rpy
    assert roll == pytest.approx(0.2 / G, rel=1e-3)  # a filter that trusts (bx, by, g) as upward
    assert pitch == pytest.approx(-0.1 / G, rel=1e-3)
    assert yaw == pytest.approx(0.0, abs=1e-3)
    level = Pose(rotation=imu.attitude).apply(np.array([0.1, 0.2, G]))
    assert level[:2] == pytest.approx([0, 0], abs=1e-4)


def test_yaw_wanders_as_stated_and_tilt_does_not() -> None:
    found = []
    for seed in range(150):
        bench = Bench(mobility="scripted", pose=Pose.from_rpy([0, 0, 0], [0.2, 0.1, 1.0]))
        yaw = Triad(drift_sigma=0.03, drift_time_s=100.0)
        imu = bench.mount(Imu, ImuParameters(attitude=AttitudeSpec("ahrs", yaw)), seed=seed)
        bench.run(imu, 0.02, everything)
        found.append(Pose(rotation=imu.attitude).rpy)
    errors = np.array(found) - [0.2, 0.1, 1.0]
    assert errors[:, 2].std() == pytest.approx(0.03, rel=0.2)
    assert np.abs(errors[:, :2]).max() < 1e-9


def test_the_message_carries_frame_stamp_and_covariances() -> None:
    bench = Bench(mobility="scripted")
    imu = bench.mount(Imu, noisy(), rate_hz=100.0)
    bench.run(imu, 0.1, everything)
    message = imu.outputs["data"](123_000_000_456)
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (123, 456)
    assert message.header.frame_id == "frame"
    assert message.linear_acceleration_covariance[[0, 4, 8]] == pytest.approx(0.04**2)
    assert message.angular_velocity_covariance[[0, 4, 8]] == pytest.approx(0.003**2)
    tilt, _, yaw = message.orientation_covariance[[0, 4, 8]]
    assert (tilt, yaw) == pytest.approx(((0.2 / G) ** 2, 0.02**2))
    parts = {"accelerometer": "linear_acceleration", "gyroscope": "angular_velocity"}
    for output, vector in parts.items():
        assert imu.outputs[output](0).vector == getattr(message, vector)


def test_without_an_attitude_the_message_says_so() -> None:
    bench = Bench()
    imu = bench.mount(Imu, ImuParameters(attitude=AttitudeSpec("none")))
    message = imu.message(0)
    assert message.orientation_covariance[0] == -1
    assert message.orientation.w == 1.0


def test_measured_noise_matches_the_covariance() -> None:
    bench = Bench(mobility="scripted")
    parameters = ImuParameters(Triad(noise_density=0.004), Triad(noise_density=3e-4))
    imu = bench.mount(Imu, parameters, rate_hz=400.0)
    readings = bench.run(imu, 5.0, inertial_reading)
    message = imu.message(0)
    force, rate = np.split(readings.var(axis=0), 2)
    assert force.mean() == pytest.approx(message.linear_acceleration_covariance[0], rel=0.1)
    assert rate.mean() == pytest.approx(message.angular_velocity_covariance[0], rel=0.1)


def test_a_rate_above_the_engines_is_refused_in_one_sentence() -> None:
    with pytest.raises(ConfigError, match="400 Hz here, not 1000; lower rate_hz or the step"):
        Bench(step_s=0.0025).mount(Imu, TRUE, rate_hz=1000.0)
    Bench(step_s=0.0025).mount(Imu, TRUE, rate_hz=400.0)
