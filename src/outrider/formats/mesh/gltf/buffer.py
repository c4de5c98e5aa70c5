"""The binary part of a GLB file: arrays and images one after the other, and how JSON finds them."""

import json
import struct

import numpy as np
from numpy.typing import NDArray

from outrider.core.structure import Data

_ARRAY_BUFFER, _ELEMENT_BUFFER = 34962, 34963
_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3"}
_COMPONENTS = {"f": 5126, "u": 5125}
MAX_BYTES = (1 << 32) - 1  # lengths are 32-bit numbers


class GltfBuffer:
    """Collects the bytes; ``views`` and ``accessors`` are glTF's tables of them."""

    def __init__(self) -> None:
        self.views: list[Data] = []
        self.accessors: list[Data] = []
        self._parts: list[bytes] = []
        self._length = 0

    def array(self, values: NDArray[np.generic], *, bounds: bool = False) -> int:
        """Append (n, k) floats or (n,) indices, and return the number of the accessor."""
        indices = values.ndim == 1
        data = np.ascontiguousarray(values, np.uint32 if indices else np.float32)
        view = self.view(data.tobytes(), _ELEMENT_BUFFER if indices else _ARRAY_BUFFER)
        accessor: Data = {
            "bufferView": view,
            "componentType": _COMPONENTS[data.dtype.kind],
            "count": len(data),
            "type": _TYPES[1 if indices else data.shape[1]],
        }
        if bounds:
            accessor |= {"min": data.min(axis=0).tolist(), "max": data.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def view(self, data: bytes, target: int | None = None) -> int:
        """Append bytes, and return the number of their view."""
        view = {"buffer": 0, "byteOffset": self._length, "byteLength": len(data)}
        self.views.append(view | ({"target": target} if target else {}))
        padded = _padded(data, b"\0")
        self._parts.append(padded)
        self._length += len(padded)
        return len(self.views) - 1

    def file(self, document: Data) -> bytes:
        """Return the whole GLB file for a document that uses these tables."""
        if self.views:
            document["buffers"] = [{"byteLength": self._length}]
            document |= {"bufferViews": self.views}
        if self.accessors:
            document |= {"accessors": self.accessors}
        text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
        chunks = [_chunk(b"JSON", _padded(text, b" "))]
        if self._parts:
            chunks.append(_chunk(b"BIN\0", b"".join(self._parts)))
        total = 12 + sum(len(chunk) for chunk in chunks)
        if total > MAX_BYTES:
            raise OverflowError(f"a GLB file holds at most 4 GB, this one has {total} bytes")
        return b"".join([struct.pack("<4sII", b"glTF", 2, total), *chunks])


def _padded(data: bytes, filler: bytes) -> bytes:
    return data + filler * (-len(data) % 4)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack("<I4s", len(data), kind) + data
