"""Clouds of a simulated VLP-16, and what an independent decoder makes of our packets."""

from pathlib import Path

import numpy as np
import velodyne_decoder as vd

from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import from_data
from outrider.loader.library import find_file
from outrider.messages.point_cloud import cloud_records
from outrider.sensors.lidar.beams import make_beams
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.sensors.lidar.point_cloud import POINT, cloud_message

TURN_NS = 100_000_000


def beams(rate_hz=10.0):
    data = read_yaml(find_file("sensors", "velodyne-vlp16"))
    return make_beams(from_data(LidarParameters, data["parameters"], "vlp16"), rate_hz)


def cloud(turn, *, rate_hz=10.0, seed=0, share=0.7, nearest=1.0):
    """Return one revolution with random ranges in steps of 2 mm; some firings see nothing."""
    fired, random = beams(rate_hz), np.random.default_rng(seed + turn)
    kept = random.random(len(fired)) < share
    ranges = np.rint(random.uniform(nearest, 100.0, len(fired)) / 0.002) * 0.002
    points = np.zeros(len(fired), POINT)
    for axis, name in enumerate("xyz"):
        points[name] = ranges * fired.directions[:, axis]
    points["intensity"] = random.integers(1, 256, len(fired))
    points["ring"], points["time"] = fired.ring, fired.offsets_ns * 1e-9
    start_ns = round(turn * 1e9 / rate_hz)
    return cloud_message(points[kept], 1, True, start_ns, "velodyne")


def flat(message):
    """Return a cloud as rows of time, ring, x, y, z, intensity."""
    start = message.header.stamp.sec + message.header.stamp.nanosec * 1e-9
    return _rows(cloud_records(message), start)


def config():
    """Return the decoder's settings: angles as in the ROS driver, all lasers at one height."""
    angles = Path(vd.calibrations.__file__).parent / "VLP-16.yml"
    calibration = vd.Calibration.read(str(angles))
    return vd.Config(model=vd.Model.VLP16, calibration=calibration, min_range=0.1, max_range=200.0)


def decoded(packets):
    """Return what velodyne-decoder makes of packets with their times, as such rows."""
    decoder = vd.StreamDecoder(config())
    found = [decoder.decode(time_ns * 1e-9, raw, True) for time_ns, raw in packets]
    scans = [scan for scan in (*found, decoder.finish(True)) if scan is not None]
    return ordered(np.concatenate([_rows(points, stamp.host) for stamp, points in scans]))


def ordered(rows):
    """Return rows by ring, then time."""
    return rows[np.lexsort((rows[:, 0], rows[:, 1]))]


def _rows(points, start):
    columns = (points[name].astype(float) for name in ("ring", "x", "y", "z", "intensity"))
    return np.column_stack([start + points["time"].astype(float), *columns])
