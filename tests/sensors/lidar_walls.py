"""Scanners of the library, and the walls that tests set around them."""

import math

import numpy as np
from lidar_rig import LidarRig, at, static

from outrider.sensors.catalogue import plan_sensor
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.specs.sensor import SensorEntry
from outrider.world.shapes import Box

LIDARS = (
    "autominy-rplidar",
    "hokuyo-utm30lx",
    "ouster-os1-64",
    "platt-vlp16",
    "rplidar-a2",
    "sick-lms111",
    "sick-lms200",
    "velodyne-hdl32e",
    "velodyne-hdl64e",
    "velodyne-vlp16",
)
SCAN = LidarParameters(samples=3600, range_min=0.5, range_max=20.0, outputs=("scan",))


def preset(name: str) -> tuple[LidarParameters, float]:
    ready = plan_sensor(SensorEntry("lidar", name), "test")
    return ready.parameters, ready.rate_hz


def wall(distance: float, **material: float) -> object:
    return static("wall", Box((0.2, 400.0, 400.0)), at(distance + 0.1), **material)


def ring_wall(radius: float, **material: float) -> object:
    """Walls all around, of which the one ahead is used."""
    return static("room", Box((2 * radius, 2 * radius, 2 * radius)), **material)


def ahead(rig: LidarRig, half_deg: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Ranges and intensities of the firings within so many degrees of straight ahead."""
    scan = rig.scan()
    angle = scan.angle_min + np.arange(len(scan.ranges)) * scan.angle_increment
    near = np.abs(angle) < math.radians(half_deg)
    return scan.ranges[near], scan.intensities[near]
