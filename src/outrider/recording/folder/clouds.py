"""Point clouds of messages as arrays, and in files."""

from pathlib import Path
from typing import Any

import numpy as np

from outrider.core.frames import AnyArray
from outrider.messages.types import Message
from outrider.recording.writer import UnwritableError

_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 8: "f8"}
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


def points(message: Message) -> AnyArray:
    """Return a PointCloud2's points as a structured array with its own field names."""
    order = ">" if message.is_bigendian else "<"
    fields = [field for field in message.fields if field.datatype in _TYPES]
    if not fields or message.point_step == 0:
        raise UnwritableError("a cloud without fields")
    dtype = np.dtype(
        {
            "names": [field.name for field in fields],
            "formats": [_format(field, order) for field in fields],
            "offsets": [field.offset for field in fields],
            "itemsize": message.point_step,
        }
    )
    data = np.ascontiguousarray(message.data)
    if message.row_step == message.point_step * message.width:
        return data.view(dtype)
    rows = data.reshape(message.height, message.row_step)
    used = np.ascontiguousarray(rows[:, : message.point_step * message.width])
    return used.view(dtype).reshape(-1)


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


def _format(field: Any, order: str) -> Any:
    single = order + _TYPES[field.datatype]
    return single if field.count == 1 else (single, (field.count,))
