"""From a cloud back to firings: which laser fired when, at which angle, and what came back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.bridges.velodyne.packets import (
    FIRING_NS,
    LASER_OF_RING,
    LASERS,
    SEQUENCE_NS,
    UNIT_M,
)
from outrider.core.clock import NS_PER_S
from outrider.core.errors import BridgeError
from outrider.messages.types import Message

_KINDS = {1: "i1", 2: "u1", 3: "<i2", 4: "<u2", 5: "<i4", 6: "<u4", 7: "<f4", 8: "<f8"}
_NEEDED = ("x", "y", "z", "intensity", "ring", "time")
_OFF_GRID = 0.02  # of a sequence that a point's time may lie off


@dataclass(frozen=True, slots=True, eq=False)
class Firings:
    """One revolution: rows are sequences, columns lasers in the order they fire."""

    start_ns: int
    distance: NDArray[np.uint16]  # in 2 mm; 0: nothing came back
    reflectivity: NDArray[np.uint8]
    azimuth_deg: NDArray[np.float64]  # of each sequence's first firing, clockwise from ahead


def firings(message: Message, rate_hz: float) -> Firings:
    """Return the firings of a VLP-16's cloud; another sensor's is refused."""
    points = _points(message)
    columns = int(NS_PER_S / rate_hz / SEQUENCE_NS + 1e-9)
    start_ns = message.header.stamp.sec * NS_PER_S + message.header.stamp.nanosec
    laser, column, late_ns = _grid(points, columns)
    azimuth = -np.degrees(np.arctan2(points["y"].astype(float), points["x"].astype(float)))
    xyz = np.stack([points[axis].astype(np.float64) for axis in "xyz"])
    code = np.rint(np.sqrt((xyz**2).sum(axis=0)) / UNIT_M)
    distance = np.zeros((columns, LASERS), np.uint16)
    reflectivity = np.zeros((columns, LASERS), np.uint8)
    distance[column, laser] = np.where(code <= 65_535, code, 0)
    reflectivity[column, laser] = np.clip(np.rint(points["intensity"]), 0, 255)
    return Firings(
        start_ns + late_ns,
        distance,
        reflectivity,
        _azimuths(azimuth, column * SEQUENCE_NS + laser * FIRING_NS, columns, rate_hz),
    )


def _points(message: Message) -> NDArray[np.void]:
    fields = {field.name: field for field in message.fields}
    missing = [name for name in _NEEDED if name not in fields]
    if missing:
        raise BridgeError(f"the cloud has no field '{missing[0]}'")
    dtype = np.dtype(
        {
            "names": _NEEDED,
            "formats": [_KINDS[fields[name].datatype] for name in _NEEDED],
            "offsets": [fields[name].offset for name in _NEEDED],
            "itemsize": message.point_step,
        }
    )
    points: NDArray[np.void] = np.frombuffer(np.ascontiguousarray(message.data), dtype)
    found: NDArray[np.void] = points[np.isfinite(points["x"])]
    return found


def _grid(
    points: NDArray[np.void], columns: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return each point's laser and sequence, and how long after the stamp the first one fired."""
    if len(points) and points["ring"].max() >= LASERS:
        raise BridgeError(f"the cloud has more than {LASERS} rings")
    laser = LASER_OF_RING[points["ring"]]
    sequences = (points["time"].astype(float) * NS_PER_S - laser * FIRING_NS) / SEQUENCE_NS
    # a cloud that is stamped at its end has times before the stamp
    first = -columns if len(sequences) and sequences.min() < -0.5 else 0
    column = np.rint(sequences).astype(np.int64)
    off = np.abs(sequences - column).max(initial=0.0)
    column -= first
    if off > _OFF_GRID or column.max(initial=0) >= columns or column.min(initial=0) < 0:
        raise BridgeError(
            "its points were not fired every 55.296 us, as a VLP-16's and those of the sensor model"
            " 'velodyne-vlp16' with its own rays and rate"
        )
    return laser, column, first * SEQUENCE_NS


def _azimuths(
    azimuth_deg: NDArray[np.float64],
    after_ns: NDArray[np.int64],
    columns: int,
    rate_hz: float,
) -> NDArray[np.float64]:
    """Return the angle of each sequence: the head turns evenly, so all points tell its phase."""
    turned = 360.0 * rate_hz * np.arange(columns) * SEQUENCE_NS / NS_PER_S
    if not len(azimuth_deg):
        return (180.0 + turned) % 360.0
    phase = azimuth_deg - 360.0 * rate_hz * after_ns / NS_PER_S
    near = phase[0] + np.remainder(phase - phase[0] + 180.0, 360.0) - 180.0
    found: NDArray[np.float64] = (float(np.median(near)) + turned) % 360.0
    return found
