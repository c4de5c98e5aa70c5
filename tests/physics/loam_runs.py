"""A Husky driven over a ground as in the BorealTC recordings, its IMU read as theirs was."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vehicle_rig import GRAVITY, Rig, plane, stand

from outrider.vehicles.robot import Robot
from outrider.world.materials import Material

Floats = NDArray[np.float64]
IMU = np.array([0.19, 0.0, 0.149])  # imu_link in base_link
SAMPLE_S = 0.01
SEEDS = range(1, 7)
HEADING = np.arctan(0.2)  # slanting over the roughness tile, so that nothing repeats for 100 m


@dataclass(frozen=True, slots=True)
class Recording:
    """One straight of SANDY_LOAM, without its first and last second."""

    speed: float  # m/s
    seconds: float
    deviations: tuple[float, float, float, float]  # gyro x, y, z, rad/s; specific force z, m/s^2


REAL = {
    "01": Recording(0.236, 49.7, (0.065, 0.086, 0.042, 0.612)),
    "05": Recording(0.394, 40.1, (0.135, 0.168, 0.058, 0.987)),
    "06": Recording(0.551, 53.9, (0.171, 0.223, 0.087, 1.706)),
    "08": Recording(0.630, 41.8, (0.182, 0.217, 0.105, 2.370)),
}


def _rotations(q: Floats) -> Floats:
    """Return matrices (n, 3, 3) of quaternions x y z w (n, 4)."""
    x, y, z, w = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def read_imu(rig: Rig, seconds: float) -> tuple[Floats, Floats]:
    """Return angular rates and specific forces at the IMU, in its axes, at 100 Hz.

    A MEMS sensor samples fast and filters: every sample is the mean over its 10 ms.
    """
    log = rig.run(seconds, rig.base.copy)
    R = _rotations(log["rotation"])
    rates = np.einsum("kji,kj->ki", R, log["angular_velocity"])
    velocities = log["velocity"] + np.cross(log["angular_velocity"], R @ IMU)
    accelerations = np.diff(velocities, axis=0) / rig.dt
    upward = np.array([0.0, 0.0, GRAVITY])
    forces = np.einsum("kji,kj->ki", R[1:], accelerations + upward)
    per = round(SAMPLE_S / rig.dt)
    count = len(forces) // per

    def means(values: Floats) -> Floats:
        return values[: count * per].reshape(count, per, 3).mean(axis=1)

    return means(rates[1:]), means(forces)


def shaking(
    ground: Material,
    speed: float,
    seconds: float,
    seed: int,
    dt: float,
    robot: str | Robot = "husky",
) -> Floats:
    """Return the standard deviations of gyro x, y, z and specific force z on one straight."""
    rig = stand(robot, plane(ground), dt=dt, seed=seed, yaw=HEADING)
    rig.run(0.3)
    rig.drive(speed)
    rig.run(2.0)
    rates, forces = read_imu(rig, seconds)
    return np.array([*rates.std(axis=0), forces[:, 2].std()])


@dataclass(frozen=True, slots=True)
class Ratios:
    """Simulated over real deviations (gyro x, y, z, specific force z) of one recording."""

    each: Floats  # (seeds, 4)

    @property
    def mean(self) -> Floats:
        """Return the mean over the seeds."""
        mean: Floats = self.each.mean(axis=0)
        return mean

    @property
    def scatter(self) -> Floats:
        """Return the standard deviation between seeds, in parts of the mean."""
        spread: Floats = self.each.std(axis=0, ddof=1)
        return spread / self.mean

    @property
    def error(self) -> Floats:
        """Return the standard error of the mean."""
        return self.scatter * self.mean / np.sqrt(len(self.each))


def read_recording(path: Path) -> NDArray[Any]:
    """Return the steady part of a recording: without its first and last second."""
    data = np.genfromtxt(path, delimiter=",", names=True)
    steady: NDArray[Any] = data[(data["time"] > 1.0) & (data["time"] < data["time"][-1] - 1.0)]
    return steady
