"""Gazebo's ray sensors as LiDARs and rangers."""

from __future__ import annotations

import math
from typing import NamedTuple

from outrider.core.structure import Data
from outrider.formats.gazebo.cameras import FoundSensor
from outrider.formats.gazebo.noise import deviation
from outrider.formats.gazebo.sensor_plugin import message_type, plugin_noise, plugin_range
from outrider.formats.xml_source import Element, XmlSource

MAX_RAYS = 100_000
_FULL_TURN_DEG = 360.0 - 1e-6  # a whole turn has its first direction twice there, ours does not
_FARTHEST = 1e4  # m
_SINGLE_RAY_DEG = 0.5  # half the angle of a single ray
_LINE_DEG = 1e-3  # and of one among many
_MOST_ACROSS = 20  # rays of a ranger, in each direction


class _Fan(NamedTuple):
    """Rays side by side: how many, and the first and last angle."""

    rays: int
    first: float
    last: float


def lidar(source: XmlSource, element: Element) -> FoundSensor | None:
    """Return a LiDAR, or a ranger for what its plugin tells as one distance."""
    ray = next((e for tag in ("ray", "lidar") if (e := element.find(tag)) is not None), None)
    if ray is None:
        source.note(element, "has no <ray> and was left out")
        return None
    scan, reach = ray.find("scan"), ray.find("range")
    columns = _fan(source, None if scan is None else scan.find("horizontal"))
    rows = _fan(source, None if scan is None else scan.find("vertical"))
    low, high = 0.1, 30.0
    if reach is not None:
        low, high = source.child_number(reach, "min", low), source.child_number(reach, "max", high)
    low, high = plugin_range(source, element, low, high)
    if not 0 <= low < high or columns.rays * rows.rays > MAX_RAYS:
        source.note(element, f"a range of {low:g} to {high:g} m or its rays are out of bounds")
        return None
    limits = (low, min(high, _FARTHEST))
    noise = math.hypot(deviation(source, ray.find("noise")), plugin_noise(source, element))
    message = message_type(source, element)
    if message == "Range" or (columns.rays == 1 and rows.rays == 1):
        return _ranger(columns, rows, limits, noise)
    settings = _beams(columns, rows) | {
        "range_min": limits[0],
        "range_max": limits[1],
        "noise": [[0.0, noise]],
        "resolution": 0.0 if reach is None else _resolution(source, reach),
    }
    flat = rows.rays == 1
    output = "scan" if message == "LaserScan" or (flat and "Cloud" not in message) else "points"
    ring = {} if flat or output == "points" else {"scan_ring": rows.rays // 2}  # as Gazebo's
    model = "hokuyo-utm30lx" if flat else "velodyne-vlp16"
    return FoundSensor(model, settings | ring | {"outputs": [output]}, output)


def _beams(columns: _Fan, rows: _Fan) -> Data:
    """Return beams and nothing of what the library's unit would add to them."""
    step = (rows.last - rows.first) / (rows.rays - 1) if rows.rays > 1 else 0.0
    fan = min(math.degrees(columns.last - columns.first), _FULL_TURN_DEG)
    start = max(math.degrees(columns.first), -360.0)
    return {
        "samples": columns.rays,
        "azimuth_from_deg": start,
        "azimuth_to_deg": start + (fan if fan > 0 else 1e-3),
        "elevations_deg": [math.degrees(rows.first + i * step) for i in range(rows.rays)],
        "channel_offsets_us": [],
        "firing_period_us": 0.0,
        "direction": "ccw",
        "bias_sigma": 0.0,
        "range_at_10_percent": 0.0,
        "divergence_mrad": 0.0,
        "housing_m": 0.0,
    }


def _ranger(columns: _Fan, rows: _Fan, limits: tuple[float, float], noise: float) -> FoundSensor:
    """Return what tells the nearest of its rays: a wall or cliff sensor, a sonar of ray casts."""
    alone = columns.rays == 1 and rows.rays == 1
    half = _SINGLE_RAY_DEG if alone else _LINE_DEG
    cone: Data = {"half_angle_deg": half, "length": limits[1]}
    aims = [
        {"azimuth_deg": azimuth, "elevation_deg": elevation}
        for azimuth in _angles(columns)
        for elevation in _angles(rows)
    ]
    settings = {
        "cones": [cone | {"rays": 4}] if alone else [cone | {"rays": 1} | aim for aim in aims],
        "min_range": limits[0],
        "max_range": limits[1],
        "incidence_limit_deg": 90,
        "noise": noise,
        "noise_share": 0.0,
        "resolution": 0.0,
    }
    return FoundSensor("sonar", settings, "range")


def _angles(fan: _Fan) -> list[float]:
    """Return the directions of rays in degrees; of very many, some with both ends."""
    if fan.rays == 1:
        return [0.0]
    count = min(fan.rays, _MOST_ACROSS)
    step = (fan.last - fan.first) / (count - 1)
    return [math.degrees(fan.first + i * step) for i in range(count)]


def _fan(source: XmlSource, element: Element | None) -> _Fan:
    if element is None:
        return _Fan(1, 0.0, 0.0)
    samples = source.child_number(element, "samples", 1.0)
    readings = source.child_number(element, "resolution", 1.0)  # for each ray
    first = source.child_number(element, "min_angle", 0.0)
    last = source.child_number(element, "max_angle", 0.0)
    if not (1 <= samples <= MAX_RAYS and first <= last and max(abs(first), abs(last)) <= 6.3):
        raise source.fail(
            element, f"{samples:g} samples from {first:g} to {last:g} rad is not a valid scan"
        )
    count = round(samples * readings) if readings > 0 else int(samples)
    if count > MAX_RAYS:
        raise source.fail(element, f"{count} rays are more than {MAX_RAYS}")
    return _Fan(max(count, 1), first, last)


def _resolution(source: XmlSource, element: Element) -> float:
    return min(max(source.child_number(element, "resolution", 0.0), 0.0), 10.0)
