"""Arrays for compiled code in one piece: to unpack one given by Python costs 0.1 us, of every call.

A bundle is a record that says where the arrays are; a kernel takes its address and looks at them
with ``carray``. The arrays must stay where they are, so only arrays that are never replaced belong
into a bundle.
"""

import numpy as np
from numpy.typing import DTypeLike

from outrider.core.frames import AnyArray

_ARRAY = np.dtype([("at", np.int64), ("rows", np.int64)])


def bundle_type(arrays: str, integers: str = "", numbers: str = "") -> np.dtype[np.void]:
    """Return the record of a bundle with these fields: names in a row, as of a named tuple."""
    fields: list[tuple[str, DTypeLike]] = [(name, _ARRAY) for name in arrays.split()]
    fields += [(name, np.int64) for name in integers.split()]
    fields += [(name, np.float64) for name in numbers.split()]
    return np.dtype(fields)


class PackedArrays:
    """What one kernel is called with; it keeps the arrays in memory."""

    def __init__(self, kind: np.dtype[np.void], **values: AnyArray | float) -> None:
        """Take a value for every field of the record."""
        if values.keys() != set(kind.names or ()):
            raise TypeError(f"expected {kind.names}, not {tuple(values)}")
        self._kept = values
        self._record = np.zeros(1, kind)
        self.address: int = self._record.ctypes.data
        for name, value in values.items():
            self._record[name] = _place(name, value) if isinstance(value, np.ndarray) else value


def aligned(shape: tuple[int, ...], kind: type[np.generic], to: int = 64) -> AnyArray:
    """Return an array of zeros that begins at a multiple of so many bytes."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    room = np.zeros(size + to, np.uint8)
    start = -room.ctypes.data % to
    return room[start : start + size].view(kind).reshape(shape)


def _place(name: str, array: AnyArray) -> tuple[int, int]:
    if not array.flags.c_contiguous:
        raise TypeError(f"'{name}' does not lie in one piece")
    return array.ctypes.data, len(array)
