"""Point clouds of messages as arrays, and in files."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import BusError
from outrider.core.frames import AnyArray
from outrider.messages.point_cloud import cloud_records
from outrider.messages.types import Message
from outrider.recording.writer import UnwritableError

_PLY = {
    "i1": "char",
    "u1": "uchar",
    "i2": "short",
    "u2": "ushort",
    "i4": "int",
    "u4": "uint",
    "f4": "float",
    "f8": "double",
}


def points(message: Message) -> NDArray[np.void]:
    """Return a PointCloud2's points as a structured array with its own field names."""
    try:
        return cloud_records(message)
    except BusError as error:
        raise UnwritableError(str(error)) from None


def write_npy(path: Path, values: AnyArray) -> Path:
    """Write points as NPY; return the file."""
    file = path.with_suffix(".npy")
    np.save(file, values)
    return file


def write_ply(path: Path, values: AnyArray) -> Path:
    """Write points as binary PLY, all their fields as properties; return the file."""
    file = path.with_suffix(".ply")
    names = [name for name in values.dtype.names or () if values.dtype[name].shape == ()]
    packed = np.dtype([(name, values.dtype[name].newbyteorder("<")) for name in names])
    lines = [f"property {_PLY[packed[name].str[1:]]} {name}" for name in names]
    head = ["ply", "format binary_little_endian 1.0", f"element vertex {len(values)}"]
    text = "\n".join([*head, *lines, "end_header\n"])
    plain = np.empty(len(values), packed)
    for name in names:
        plain[name] = values[name]
    file.write_bytes(text.encode() + plain.tobytes())
    return file


def write_bin(path: Path, values: AnyArray) -> Path:
    """Write points as KITTI does: x y z and reflectance (0 to 1), four float32 each."""
    file = path.with_suffix(".bin")
    out = np.zeros((len(values), 4), np.float32)
    for column, name in enumerate(("x", "y", "z")):
        out[:, column] = values[name]
    if "intensity" in (values.dtype.names or ()):
        out[:, 3] = np.clip(values["intensity"] / 255.0, 0.0, 1.0)
    out[np.isfinite(out[:, :3]).all(axis=1)].tofile(file)
    return file
