"""All firings of one scan as arrays: where each points in the sensor's frame, and when."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.clock import NS_PER_S, to_ns
from outrider.core.frames import AnyArray, Array
from outrider.scene.surface import Floats32
from outrider.sensors.lidar.parameters import LidarParameters

MOST_RAYS = 10_000_000  # of a scan: a hundred bytes each
_SHORTEST_S = 0.999e-9  # between two firings: time is counted in whole nanoseconds


@dataclass(frozen=True, slots=True, eq=False)
class Beams:
    """Rows are firings in order of time, column by column."""

    directions: Floats32  # (n, 3) unit vectors; sub-rays are in ``rays``
    rays: Array  # (n * (1 + sub-rays), 3): each firing's centre, then its rim
    offsets_ns: NDArray[np.int64]  # (n,) from the first firing
    channel: NDArray[np.int32]  # (n,) in firing order
    ring: NDArray[np.uint16]  # (n,) by elevation
    column: NDArray[np.int32]  # (n,)
    azimuth: Array  # (n,) rad, not wrapped
    columns: int
    column_s: float  # time from column to column
    step_rad: float  # angle from column to column, negative for clockwise
    span_ns: int  # from the first firing to the end of the last column

    def __len__(self) -> int:
        return len(self.offsets_ns)


def make_beams(p: LidarParameters, rate_hz: float, off_rad: Array | None = None) -> Beams:
    """Lay out one scan; raises ValueError if it does not fit into a turn.

    ``off_rad`` (2, channels): azimuths and elevations that the rays are off what is told of them.
    """
    turn_s = 1.0 / rate_hz
    columns, column_s = _columns(p, turn_s)
    sign = 1.0 if p.direction == "ccw" else -1.0
    head = sign * 2 * math.pi * rate_hz  # rad/s of the turning head
    start = p.azimuth_from_deg if p.direction == "ccw" else p.azimuth_to_deg
    delays = np.array(p.channel_offsets_us or (0.0,) * p.channels) * 1e-6
    order = np.argsort(delays, kind="stable")
    aside = np.radians(np.array(p.azimuth_offsets_deg or (0.0,) * p.channels))
    when = np.arange(columns)[:, None] * column_s + delays[order]
    azimuth = math.radians(start) + head * when + aside[order]
    elevation = np.broadcast_to(np.radians(np.array(p.elevations_deg))[order], azimuth.shape)
    off = np.zeros((2, p.channels)) if off_rad is None else off_rad[:, order]
    rays = _with_rims((azimuth + off[0]).ravel(), (elevation + off[1]).ravel(), p)
    return Beams(
        directions=_unit(azimuth.ravel(), elevation.ravel()).astype(np.float32),
        rays=rays,
        offsets_ns=_whole_ns(when if p.rolling else 0 * when),
        channel=np.tile(order, columns).astype(np.int32),
        ring=np.tile(_rings(p)[order], columns),
        column=np.repeat(np.arange(columns), p.channels).astype(np.int32),
        azimuth=azimuth.ravel(),
        columns=columns,
        column_s=column_s,
        step_rad=head * column_s,
        span_ns=span_ns(p, rate_hz),
    )


def span_ns(p: LidarParameters, rate_hz: float) -> int:
    """Return how long a scan takes."""
    columns, column_s = _columns(p, 1.0 / rate_hz)
    return to_ns(columns * column_s) if p.rolling else 0


def ray_count(p: LidarParameters, rate_hz: float) -> int:
    """Return how many rays a scan has."""
    return _columns(p, 1.0 / rate_hz)[0] * p.channels * (1 + p.sub_rays)


def _columns(p: LidarParameters, turn_s: float) -> tuple[int, float]:
    """Return how many columns a scan has and how long one takes; refuse what fills the memory."""
    columns, column_s = _all_columns(p, turn_s)
    rays = columns * p.channels * (1 + p.sub_rays)
    if rays > MOST_RAYS:
        raise ValueError(
            f"a scan of {columns} columns, {p.channels} channels and {p.sub_rays} sub_rays has"
            f" {rays} rays: expected at most {MOST_RAYS}"
        )
    return columns, column_s


def _all_columns(p: LidarParameters, turn_s: float) -> tuple[int, float]:
    view = p.field_of_view_deg / 360
    if p.firing_period_us:
        column_s = p.firing_period_us * 1e-6
        if column_s < _SHORTEST_S:
            raise ValueError(f"firing_period_us must be at least 1e-3, got {p.firing_period_us:g}")
        fitting = math.floor(view * turn_s / column_s + 1e-9)
        columns = p.samples or fitting
        if not 0 < columns <= fitting:
            raise ValueError(
                f"{columns} firings of {p.firing_period_us} us do not fit into"
                f" {p.field_of_view_deg:g} degrees at {1 / turn_s:g} Hz: at most {fitting} do"
            )
        return columns, column_s
    # a full circle does not measure its first direction twice, a sector has both its ends
    gaps = p.samples if view == 1 else max(p.samples - 1, 1)
    return p.samples, view * turn_s / gaps


def _rings(p: LidarParameters) -> NDArray[np.uint16]:
    """Return the number of each channel by elevation."""
    up = np.array(p.elevations_deg) * (1 if p.rings == "from_below" else -1)
    rank = np.empty(p.channels, np.uint16)
    rank[np.argsort(up, kind="stable")] = np.arange(p.channels)
    return rank


def _whole_ns(seconds: Array) -> NDArray[np.int64]:
    whole: NDArray[np.int64] = np.rint(seconds * NS_PER_S).astype(np.int64).ravel()
    return whole


def _unit(azimuth: AnyArray, elevation: AnyArray) -> Array:
    flat = np.cos(elevation)
    return np.stack([flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)], axis=-1)


def _with_rims(azimuth: Array, elevation: Array, p: LidarParameters) -> Array:
    """Return each beam's centre followed by rays on a circle that halves the area of its spot."""
    centre = _unit(azimuth, elevation)
    if not p.sub_rays:
        return centre
    # two axes across the beam: along rising azimuth, and upward
    side = np.stack([-np.sin(azimuth), np.cos(azimuth), np.zeros_like(azimuth)], axis=-1)
    up = np.cross(centre, side)
    radius = p.divergence_mrad * 1e-3 / 2 / math.sqrt(2)
    angle = 2 * math.pi * (np.arange(p.sub_rays) + 0.5) / p.sub_rays
    rim = (
        centre[:, None]
        + radius * np.cos(angle)[:, None] * side[:, None]
        + radius * np.sin(angle)[:, None] * up[:, None]
    )
    rim /= np.linalg.norm(rim, axis=-1, keepdims=True)
    return np.concatenate([centre[:, None], rim], axis=1).reshape(-1, 3)
