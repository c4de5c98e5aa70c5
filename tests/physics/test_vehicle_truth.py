"""Whole robots against theory and against real robots' figures."""

from dataclasses import replace

import numpy as np
import pytest
from vehicle_rig import GRAVITY, SMOOTH, Rig, plane, stand

from outrider.loader.materials import library_materials
from outrider.vehicles.robot import load_robot
from outrider.world.materials import Material

HUSKY, JACKAL = load_robot("husky"), load_robot("jackal")
HALF_BASE, HALF_TRACK = 0.256, 0.2854  # the Husky's


def _turn_on_the_spot(rig: Rig, rim_speed: float, seconds: float) -> tuple[float, float, float]:
    """Return effective track, mean yaw rate and its standard deviation over its mean."""
    drivetrain = rig.vehicle.robot.spec.drivetrain
    track = drivetrain.track * drivetrain.track_multiplier
    rig.run(0.5)
    rig.drive(0.0, 2 * rim_speed / track)
    rig.run(2.0)
    joints, driven = rig.engine.state.joints, rig.vehicle.driven
    seen = rig.run(
        seconds, lambda: [*joints["velocity"][driven], rig.base["angular_velocity"] @ rig.up]
    )
    radius = rig.tyres.rows["roll_radius"][rig.tyres.rows["joint"] >= 0].mean()
    wheels, yaw_rates = seen[:, :-1].mean(axis=0) * radius, seen[:, -1]
    left, right = np.split(wheels, 2)
    track = (right.mean() - left.mean()) / yaw_rates.mean()
    return track, yaw_rates.mean(), yaw_rates.std() / yaw_rates.mean()


@pytest.mark.parametrize("dt", [0.001, 0.0025, 0.005])
@pytest.mark.parametrize("ratio", [1.0, 0.85, 0.48])
def test_effective_track_is_that_of_theory_at_any_step(ratio: float, dt: float) -> None:
    rig = stand(HUSKY, plane(Material(lateral_ratio=ratio)), dt=dt)
    track, _, unsteady = _turn_on_the_spot(rig, 0.15, 2.0)
    theory = 2 * (HALF_TRACK + ratio * HALF_BASE**2 / HALF_TRACK)
    assert track == pytest.approx(theory, rel=0.01)
    assert unsteady < 1e-3


@pytest.mark.parametrize(
    ("ground", "least", "most", "seeds"),
    [
        ("ice", 0.78, 0.79, 6),
        ("sandy-loam", 0.93, 1.00, 6),
        ("flooring", 0.78, 0.80, 2),
        ("snow", 0.92, 0.99, 2),
        ("asphalt", 0.92, 0.97, 2),
    ],
)
def test_library_grounds_give_the_real_huskys_effective_track(
    ground: str, least: float, most: float, seeds: int
) -> None:
    """The mean over the first seeds lies in the real range, each of them within 0.02 m of it."""
    grounds = [(plane(library_materials()[ground]), seed) for seed in range(1, seeds + 1)]
    tracks = [
        _turn_on_the_spot(stand(HUSKY, floor, seed=seed), 0.15, 40.0)[0] for floor, seed in grounds
    ]
    assert least < np.mean(tracks) < most
    assert least - 0.02 < min(tracks)
    assert max(tracks) < most + 0.02


def test_yaw_rate_does_not_depend_on_the_heading() -> None:
    rates = [
        _turn_on_the_spot(stand(JACKAL, yaw=yaw), 0.15, 0.3)[1]
        for yaw in np.linspace(0.0, 2 * np.pi, 16, endpoint=False)
    ]
    assert np.ptp(rates) < 0.01 * np.mean(rates)


def test_three_turns_on_the_spot_leave_the_husky_where_it_was() -> None:
    rig = stand(HUSKY)
    rig.run(0.5)
    start = rig.base["position"].copy()
    rig.drive(0.0, 0.6)
    angles = np.unwrap(rig.run(34.0, lambda: rig.yaw))
    assert angles[-1] > 6 * np.pi
    assert np.linalg.norm(rig.base["position"] - start) < 0.05


@pytest.mark.parametrize("heading_deg", [0, 45, 90])
@pytest.mark.parametrize("robot", ["jackal", "husky", "tracked_ugv"])
def test_a_parked_robot_stays_on_a_slope(robot: str, heading_deg: float) -> None:
    rig = stand(robot, plane(SMOOTH, 20.0), yaw=np.radians(heading_deg))
    start = rig.base["position"].copy()
    rig.run(1.0)
    settled = rig.base["position"].copy()
    rig.run(59.0)
    assert np.linalg.norm(rig.base["position"] - start) < 5e-3
    assert np.linalg.norm(rig.base["position"] - settled) < 1e-4


@pytest.mark.parametrize("heading_deg", [0, 90])
def test_a_parked_tank_leans_into_the_slope_and_then_stays(heading_deg: float) -> None:
    """Twelve tonnes press its springs and the ground by centimetres; its belts do not creep."""
    rig = stand("tank", plane(SMOOTH, 20.0), yaw=np.radians(heading_deg))
    start = rig.base["position"].copy()
    rig.run(5.0)
    settled = rig.base["position"].copy()
    assert np.linalg.norm(settled - start) < 0.015
    rig.run(55.0)
    assert np.linalg.norm(rig.base["position"] - settled) < 1e-4


@pytest.mark.parametrize(("robot", "lag"), [("jackal", 0.05), ("husky", 0.15), ("create", 0.1)])
def test_a_robot_drives_as_far_as_it_is_told(robot: str, lag: float) -> None:
    rig = stand(robot)
    rig.run(0.5)
    start = rig.base["position"].copy()
    rig.drive(0.3)
    rig.run(10.0)
    moved = rig.base["position"] - start
    assert moved[0] == pytest.approx(0.3 * (10.0 - lag), rel=0.02)
    assert abs(moved[1]) < 0.01
    if robot == "jackal":
        assert moved[0] == pytest.approx(3.0, rel=0.02)


def test_power_limits_the_speed_on_a_hill() -> None:
    power, slope, resistance = 12.0, 15.0, 0.05
    weak = replace(HUSKY, spec=replace(HUSKY.spec, motor=replace(HUSKY.spec.motor, power_w=power)))
    rig = stand(weak, plane(Material(rolling_resistance=resistance), slope))
    rig.drive(1.0)
    rig.run(8.0)
    joints, driven = rig.engine.state.joints, rig.vehicle.driven

    def speed_and_powers() -> list[float]:
        powers = joints["effort"][driven] * joints["velocity"][driven]
        return [np.linalg.norm(rig.base["velocity"]), *powers]

    seen = rig.run(2.0, speed_and_powers)
    assert seen[:, 1:].max() <= power * 1.01
    lean = np.radians(slope)
    needed = rig.mass * GRAVITY * (np.sin(lean) + resistance * np.cos(lean))
    assert seen[:, 0].mean() == pytest.approx(4 * power / needed, rel=0.03)


def _belt_track(rig: Rig, ratio: float) -> float:
    """Return twice the rim speed per yaw rate at which evenly loaded belts turn in balance."""
    base = rig.base["position"]
    x = (rig.tyres.rows["hub_world"] - base) @ rig.forward
    half = rig.vehicle.robot.spec.drivetrain.track / 2
    x = x - x.mean()

    def moment(rim: float) -> float:
        return float(((half * (rim - half) - ratio * x**2) / np.hypot(rim - half, x)).sum())

    low, high = half + 1e-6, half + 10.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if moment(middle) < 0 else (low, middle)
    return 2 * low


@pytest.mark.parametrize("ratio", [1.0, 0.6])
def test_belts_turn_with_the_effective_track_of_evenly_pressed_ones(ratio: float) -> None:
    rig = stand("tracked_ugv", plane(Material(lateral_ratio=ratio)))
    track, _, unsteady = _turn_on_the_spot(rig, 0.15, 2.0)
    assert track == pytest.approx(_belt_track(rig, ratio), rel=0.03)
    assert unsteady < 1e-3


@pytest.mark.parametrize(("robot", "speed"), [("tracked_ugv", 0.5), ("tank", 3.0)])
def test_tracked_vehicles_drive_straight(robot: str, speed: float) -> None:
    rig = stand(robot)
    rig.run(0.5)
    rig.drive(speed)
    rig.run(4.0)
    start = rig.base["position"].copy()
    rig.run(6.0)
    moved = rig.base["position"] - start
    assert moved[0] == pytest.approx(6.0 * speed, rel=0.02)
    assert abs(moved[1]) < 0.002 * moved[0]


@pytest.mark.parametrize("steering", [0.2, 0.45, -0.3])
def test_a_car_drives_the_circle_of_its_steering_angle(steering: float) -> None:
    rig = stand("autominy")
    rig.run(0.3)
    commands = rig.vehicle.controller.input
    commands.steering(steering, rig.engine.state.time_ns)
    commands.speed(0.3, rig.engine.state.time_ns)
    rig.run(4.0)
    x, y = rig.run(8.0, rig.base["position"][:2].copy).T
    design = np.column_stack([2 * x, 2 * y, np.ones_like(x)])
    cx, cy, rest = np.linalg.lstsq(design, x**2 + y**2, rcond=None)[0]
    radius = np.sqrt(rest + cx**2 + cy**2)
    assert radius == pytest.approx(0.255 / np.tan(abs(steering)), rel=0.03)


def test_the_create_turns_about_the_middle_of_its_axle() -> None:
    rig = stand("create")
    rig.run(0.5)
    start = rig.base["position"].copy()
    track, _, _ = _turn_on_the_spot(rig, 0.1, 4.0)
    assert track == pytest.approx(0.235, rel=0.01)
    assert np.linalg.norm(rig.base["position"] - start) < 0.01 * track
