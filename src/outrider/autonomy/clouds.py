"""Point clouds of any layout as arrays, and arrays as clouds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import AutonomyError, BusError
from outrider.core.frames import Array
from outrider.messages.point_cloud import cloud_records, packed_cloud
from outrider.messages.types import PointCloud2, PointField, header

Floats32 = NDArray[np.float32]

_TIMES = ("time", "t", "timestamp", "time_stamp", "offset_time")  # as drivers call it
_XYZ = [PointField(name, 4 * i, 7, 1) for i, name in enumerate("xyz")]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """The finite points of a cloud, with ``seconds`` after its stamp and ``ring`` if available."""

    xyz: Array  # (n, 3)
    seconds: Array | None = None  # (n,)
    ring: NDArray[np.int32] | None = None  # (n,)

    def __len__(self) -> int:
        return len(self.xyz)


def read_cloud(message: PointCloud2) -> Points:
    """Return the points of a message; non-finite ones are left out."""
    rows = _rows(message)
    xyz = np.stack([rows[axis] for axis in "xyz"], axis=-1).astype(np.float64)
    good = np.isfinite(xyz).all(axis=1)
    names = rows.dtype.names or ()
    time = next((name for name in _TIMES if name in names), None)
    seconds = None if time is None else _seconds(rows[time][good])
    ring = rows["ring"][good].astype(np.int32) if "ring" in names else None
    return Points(xyz[good], seconds, ring)


def write_cloud(xyz: NDArray[np.floating], stamp_ns: int, frame_id: str) -> PointCloud2:
    """Return points (n, 3) as a message."""
    octets = np.ascontiguousarray(xyz, np.float32).reshape(-1).view(np.uint8)
    return packed_cloud(header(stamp_ns, frame_id), octets, _XYZ, 12)


def _rows(message: PointCloud2) -> NDArray[np.void]:
    try:
        rows = cloud_records(message)
    except BusError as error:
        raise AutonomyError(str(error)) from None
    if not {"x", "y", "z"} <= set(rows.dtype.names or ()):
        known = ", ".join(field.name for field in message.fields)
        raise AutonomyError(f"a cloud needs the fields x, y and z; this one has {known}")
    return rows


def _seconds(values: NDArray[np.generic]) -> Array:
    """Return times as seconds from the first: integers are taken as nanoseconds."""
    seconds = values.astype(np.float64)
    if values.dtype.kind in "iu":
        seconds *= 1e-9
    if len(seconds) and abs(seconds).max() > 1e3:  # absolute ones
        seconds -= seconds.min()
    return seconds
