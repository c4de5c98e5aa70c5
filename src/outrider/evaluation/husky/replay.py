"""Replays a recording's wheel speeds as commands for the simulated Husky."""

from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array
from outrider.evaluation.husky.recordings import HuskyRecording
from outrider.messages.types import Message
from outrider.scenarios.build import build
from outrider.scenarios.load import loads
from outrider.sim.simulation import Simulation
from outrider.vehicles.drivetrain import Drivetrain

_SCENARIO = """
name: replay
world: {{include: empty, ground: {{type: flat, material: {material}}}}}
seed: {seed}
duration_s: 1000
robots:
  - model: husky
    pose: {{yaw_deg: 11.3}}  # slanting over the tile of roughness, so that nothing repeats for long
    sensors:
      - {{name: replay_imu, model: ideal-imu, link: base_link, rate_hz: {rate},
          pose: {{x: {x}, y: {y}, z: {z}}}, topics: {{data: replay_imu/data}}}}
      - {{name: power, model: husky-power, rate_hz: 20}}
"""
_BEFORE_S = 1.0  # at the first speeds, before the recording begins
_PERIOD_NS = 50_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Replayed:
    """The simulated robot's IMU data, at times of the recording."""

    imu_s: Array
    imu: Array  # (n, 6)
    power_s: Array
    currents: Array  # (m, 2)


def replay_recording(
    recording: HuskyRecording,
    material: str,
    place: tuple[float, float, float],
    seed: int,
    seconds: float,
) -> Replayed:
    """Drive over a ground as the recording did; the IMU sits at ``place`` in base_link."""
    x, y, z = place
    text = _SCENARIO.format(
        material=material, seed=seed, rate=round(recording.imu_hz, 3), x=x, y=y, z=z
    )
    simulation = build(loads(text, where="replay"))
    imu: list[tuple[float, ...]] = []
    power: list[tuple[float, ...]] = []
    robot = simulation.robots["husky"]

    def feel(now_ns: int, m: Message) -> None:
        w, a = m.angular_velocity, m.linear_acceleration
        imu.append((now_ns * 1e-9 - _BEFORE_S, w.x, w.y, w.z, a.x, a.y, a.z))

    def draw(now_ns: int, m: Message) -> None:
        power.append((now_ns * 1e-9 - _BEFORE_S, *m.currents))

    simulation.bus.tap("/replay_imu/data", feel)
    simulation.bus.tap("/drive_power", draw)
    track = track_of(simulation.rig.vehicles[0].robot.drivetrain)

    def drive(simulation: Simulation) -> None:
        if simulation.time_ns % _PERIOD_NS == 0:
            now_s = max(0.0, simulation.time_s - _BEFORE_S)
            ((left, right),) = recording.wheel_speeds(np.array([now_s])).tolist()
            robot.drive((left + right) / 2, (right - left) / track)

    simulation.drivers.append(drive)
    simulation.run(_BEFORE_S + min(seconds, recording.duration_s))
    felt, drawn = np.array(imu), np.array(power)
    felt, drawn = felt[felt[:, 0] >= 0], drawn[drawn[:, 0] >= 0]
    return Replayed(felt[:, 0], felt[:, 1:], drawn[:, 0], drawn[:, 1:])


def track_of(drivetrain: Drivetrain) -> float:
    """Return the track that converts between yaw rates and wheel speeds."""
    half = len(drivetrain.driven) // 2
    turned = (-1.0,) * half + (1.0,) * half
    radius = drivetrain.motion((1.0,) * (2 * half), ())[0]
    return 2.0 * radius / drivetrain.motion(turned, ())[1]
