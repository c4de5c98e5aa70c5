import math
from fractions import Fraction

import numpy as np
import pytest
from sensor_stand import drive, heard, listen, sensor_of, simulate

from outrider.core.counter import Counter16
from outrider.core.errors import ConfigError
from outrider.sensors.wheels.encoders import count
from outrider.specs.sensor import SensorEntry

AGAINST_WALL = {
    "ground": {"type": "flat", "material": "ice"},
    "objects": [
        {"name": "wall", "shape": {"type": "box", "size": [1.0, 6.0, 2.0]}, "pose": {"x": 1.0}}
    ],
}


def exact_ticks(angle_rad: float, per_radian: float) -> int:
    """Whole ticks by exact rational arithmetic on the very same doubles."""
    return math.floor(Fraction(angle_rad) * Fraction(per_radian) + Fraction(1, 2))


def turned(sim, sensor, angles) -> None:
    """Put the wheels of a sensor at angles and let it measure."""
    sim.state.joints["position"][sensor._joints] = angles
    sensor.sample(sim.time_ns)


@pytest.mark.parametrize("scale", [1.0, 1e3, 1e6])
def test_counters_are_exact_in_both_directions_and_far_beyond_31_bits(scale: float) -> None:
    sim = simulate("husky", SensorEntry("ticks", "husky-encoders"))
    sensor = sensor_of(sim, "ticks")
    assert sensor.ticks_per_radian == pytest.approx(78000 * 0.1651)
    angles = np.random.default_rng(3).uniform(-scale, scale, 4)
    turned(sim, sensor, angles)
    wanted = [exact_ticks(angle, sensor.ticks_per_radian) for angle in angles.tolist()]
    assert sensor.ticks.tolist() == wanted
    assert scale < 1e6 or max(abs(ticks) for ticks in wanted) > 2**31


def test_one_tick_more_or_less_is_seen_at_five_thousand_million_ticks() -> None:
    per_radian = 78000 * 0.1651
    ticks = np.array([5_000_000_000, 5_000_000_001, -5_000_000_000, -5_000_000_001])
    assert count(ticks / per_radian, per_radian).tolist() == ticks.tolist()


def test_a_wheel_at_rest_does_not_flicker_between_two_counts() -> None:
    shaking = 1e-6 * np.random.default_rng(1).standard_normal(1000)
    assert not count(shaking, 78000 * 0.1651).any()


def test_the_creates_counters_roll_over_at_16_bits_and_keep_their_angle() -> None:
    sim = simulate("create", SensorEntry("ticks", "create-encoders"))
    sensor = sensor_of(sim, "ticks")
    tick = 2 * math.pi / 508.8
    turned(sim, sensor, [65535 * tick, -1 * tick])
    assert sensor.ticks.tolist() == [65535, 65535]
    turned(sim, sensor, [65536 * tick, -65537 * tick])
    assert sensor.ticks.tolist() == [0, 65535]
    message = sensor.message(0)
    assert message.positions == pytest.approx([65536 * tick, -65537 * tick])
    assert message.ticks.dtype == np.int64


def test_messages_agree_with_the_joints_while_driving() -> None:
    sim = simulate("jackal", SensorEntry("ticks", "jackal-encoders"))
    encoders, joints = listen(sim, "/wheel_encoders"), listen(sim, "/joint_states")
    drive(sim, 0.6, 0.8, 2.0)
    joints = {(m.header.stamp.sec, m.header.stamp.nanosec): m for m in heard(joints)}
    messages = heard(encoders)
    assert len(messages) == 100
    for message in messages:
        stamp = message.header.stamp
        state = joints[stamp.sec, stamp.nanosec]
        true = dict(zip(state.name, state.position, strict=True))
        angles = np.array([true[name] for name in message.names])
        assert message.ticks.tolist() == np.floor(angles * 10000 / (2 * np.pi) + 0.5).tolist()
    assert messages[-1].names == [
        "front_left_wheel",
        "rear_left_wheel",
        "front_right_wheel",
        "rear_right_wheel",
    ]
    left, _, right, _ = np.mean([message.velocities for message in messages[50:]], axis=0)
    half = 0.5 * 0.8 * 0.37559 * 1.5
    assert left == pytest.approx((0.6 - half) / 0.098, rel=0.05)
    assert right == pytest.approx((0.6 + half) / 0.098, rel=0.05)


def test_a_robot_held_by_a_wall_on_ice_counts_on_but_stays() -> None:
    sim = simulate("jackal", SensorEntry("ticks", "jackal-encoders"), world=AGAINST_WALL)
    drive(sim, 0.5, seconds=2.0)
    box, before = listen(sim, "/wheel_encoders"), sim.robots["robot"].pose.position
    drive(sim, 0.5, seconds=2.0)
    messages = heard(box)
    rolled = (messages[-1].positions - messages[0].positions) * 0.098
    assert np.linalg.norm(sim.robots["robot"].pose.position - before) < 0.01
    assert (rolled > 0.9).all()


def test_ticks_of_a_car_add_up_to_its_way_and_carry_the_rest() -> None:
    sim = simulate("autominy", SensorEntry("arduino", "autominy-ticks"))
    box = listen(sim, "/sensors/arduino/ticks")
    drive(sim, 0.4, seconds=3.0)
    values = [message.value for message in heard(box)]
    joints = sim.state.joints["position"][sim.rig.vehicles[0].driven]
    way = float(np.mean(joints)) * 0.0325
    assert sum(values) == math.floor(way * 379 + 0.5)
    assert sum(values) / 379 == pytest.approx(sim.robots["robot"].pose.position[0], abs=0.005)
    # 0.4 m/s are 1.516 ticks in 10 ms: ones and twos in turn, nothing is lost
    assert set(values[-100:]) == {1, 2}
    assert len(values) == 300


def test_ticks_have_no_direction_and_more_than_a_byte_waits() -> None:
    sim = simulate("autominy", SensorEntry("arduino", "autonomos-ticks"))
    sensor = sensor_of(sim, "arduino")
    per_radian = 173 * 0.0325
    heard_ticks = []
    for ticks in (0, 100, 97, -203, -203, -903, -903, -903):
        sim.state.joints["position"][sim.rig.vehicles[0].driven] = ticks / per_radian
        sensor.sample(0)
        heard_ticks.append(sensor.value)
    assert heard_ticks == [0, 100, 3, 255, 45, 255, 255, 190]


def test_reading_an_odometer_empties_it_and_keeps_the_rest_of_a_millimetre() -> None:
    register = Counter16()
    read = []
    for _ in range(1000):
        register.add(0.3)
        read.append(register.read())
    assert set(read) == {0, 1}
    assert sum(read) in (299, 300)
    register.add(-12.7)
    assert register.read() in (-12, -11)
    assert register.read() == 0


def test_an_odometer_that_nobody_reads_stops_at_16_bits() -> None:
    register = Counter16()
    register.add(40000.0)
    assert register.read() == 32767
    register.add(-50000.0)
    register.add(768.0)
    assert register.read() == -32000
    register.add(5.0)
    assert register.read() == 5


def test_the_creates_distance_and_angle_add_up() -> None:
    sim = simulate("create", SensorEntry("counts", "create-odometer"))
    box = listen(sim, "/odometer")
    drive(sim, 0.3, 0.5, 4.0)
    messages = heard(box)
    left, right = sim.state.joints["position"][sim.rig.vehicles[0].driven].tolist()
    way_mm = 1000 * 0.036 * (left + right) / 2
    turn_deg = math.degrees(0.036 * (right - left) / 0.235)
    assert way_mm > 1000
    assert turn_deg > 90
    assert sum(m.distance for m in messages) == pytest.approx(way_mm, abs=6)
    assert sum(m.angle for m in messages) == pytest.approx(turn_deg, abs=2)
    drive(sim, -0.3, 0.0, 1.0)
    assert sum(m.distance for m in heard(box)) < -120


def test_counters_start_again_with_the_simulation() -> None:
    sim = simulate(
        "create", SensorEntry("ticks", "create-encoders"), SensorEntry("counts", "create-odometer")
    )
    box = listen(sim, "/odometer")

    def counted() -> tuple[list[int], int]:
        drive(sim, 0.3, seconds=1.0)
        return sensor_of(sim, "ticks").ticks.tolist(), sum(m.distance for m in heard(box))

    first = counted()
    sim.reset()
    assert sensor_of(sim, "ticks").ticks.tolist() == [0, 0]
    assert counted() == first
    assert first[0][0] > 100


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"wheels": ["front_left_weel"]}, "no joint 'front_left_weel' .*'front_left_wheel'"),
        ({"ticks_per_metre": 5}, "either ticks_per_revolution or ticks_per_metre"),
        ({"ticks_per_revolution": -1}, "at least 0"),
        ({"counter": "int63"}, "int64"),
    ],
)
def test_settings_that_make_no_sense_are_named(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        simulate("jackal", SensorEntry("ticks", "jackal-encoders", set=settings))
