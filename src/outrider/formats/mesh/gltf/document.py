"""The parts of a glTF file: its JSON, its buffers, and the arrays they hold."""

import base64
import binascii
import json
from pathlib import Path
from urllib.parse import unquote_to_bytes

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError
from outrider.core.structure import Data
from outrider.formats.mesh.textures import find_beside

_MAGIC, _JSON, _BIN = b"glTF", 0x4E4F534A, 0x004E4942
_COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_MAX_BYTES = 1 << 30


class GltfDocument:
    """One glTF or GLB file; every index and length in it is checked before it is believed."""

    def __init__(self, path: Path, data: bytes) -> None:
        """Read the JSON and, of a GLB, the binary chunk."""
        self.path = path
        text, self._chunk = _chunks(path, data) if data[:4] == _MAGIC else (data, None)
        try:
            self.json = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"{path}: its JSON cannot be read: {str(error)[:200]}") from None
        if not isinstance(self.json, dict):
            raise self.fail("its JSON is not an object")
        version = str((self.json.get("asset") or {}).get("version", ""))
        if not version.startswith("2"):
            raise self.fail(f"expected glTF version 2, got '{version[:20]}'")
        self._buffers: dict[int, bytes] = {}

    def fail(self, message: str) -> FormatError:
        """Make an error; the caller raises it."""
        return FormatError(f"{self.path}: {message}")

    def item(self, kind: str, index: object) -> Data:
        """Return one entry of a list of the JSON, such as ``meshes`` 3."""
        entries = self.json.get(kind, [])
        number = self.whole(index, f"a number of {kind}")
        if not isinstance(entries, list) or number >= len(entries):
            raise self.fail(f"{kind}[{number}] does not exist")
        entry = entries[number]
        if not isinstance(entry, dict):
            raise self.fail(f"{kind}[{number}] is not an object")
        return entry

    def whole(self, value: object, what: str) -> int:
        """Return a whole number from zero on."""
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.fail(f"{what} must be a whole number, got {str(value)[:40]}")
        return value

    def numbers(self, value: object, count: int, what: str) -> list[float]:
        """Return so many finite numbers."""
        if isinstance(value, list) and len(value) == count:
            good = all(isinstance(v, int | float) and abs(v) < 1e30 for v in value)
            if good:
                return [float(v) for v in value]
        raise self.fail(f"{what} must be {count} finite numbers, got {str(value)[:60]}")

    def view(self, index: object) -> memoryview:
        """Return the bytes of a buffer view."""
        view = self.item("bufferViews", index)
        if "EXT_meshopt_compression" in (view.get("extensions") or {}):
            raise self.fail("it is compressed with meshopt; export it without compression")
        start = self.whole(view.get("byteOffset", 0), "byteOffset")
        length = self.whole(view.get("byteLength"), "byteLength")
        data = self._buffer(self.whole(view.get("buffer"), "buffer"))
        if start + length > len(data):
            raise self.fail(
                f"bufferViews[{index}] ends at byte {start + length} of a buffer of {len(data)}"
            )
        return memoryview(data)[start : start + length]

    def array(self, index: object) -> NDArray[np.generic]:
        """Return an accessor's values (count, width), normalised where it says so."""
        accessor = self.item("accessors", index)
        kind = _COMPONENTS.get(accessor.get("componentType", 0))
        width = _WIDTHS.get(str(accessor.get("type")))
        if kind is None or width is None:
            raise self.fail(f"accessors[{index}] has no known type")
        count = self.whole(accessor.get("count"), "count")
        values = self._plain(accessor, kind, width, count)
        if accessor.get("sparse") is not None:
            values = self._sparse(accessor["sparse"], values, kind, width)
        if accessor.get("normalized") and values.dtype.kind in "iu":
            most = float(np.iinfo(kind).max)
            return np.maximum(values.astype(np.float64) / most, -1.0)
        return values

    def _plain(self, accessor: Data, kind: str, width: int, count: int) -> NDArray[np.generic]:
        if "bufferView" not in accessor:
            if count > _MAX_BYTES // 64:
                raise self.fail(f"an accessor claims {count} values without any data")
            return np.zeros((count, width), kind)
        data = self.view(accessor["bufferView"])
        return self._strided(
            data,
            kind,
            width,
            count,
            self.whole(accessor.get("byteOffset", 0), "byteOffset"),
            self.item("bufferViews", accessor["bufferView"]).get("byteStride"),
        )

    def _strided(
        self, data: memoryview, kind: str, width: int, count: int, start: int, stride: object
    ) -> NDArray[np.generic]:
        size = np.dtype(kind).itemsize * width
        step = size if stride is None else self.whole(stride, "byteStride")
        needed = start + step * (count - 1) + size if count else 0
        if step < size or needed > len(data):
            raise self.fail(f"an accessor of {count} values needs {needed} of {len(data)} bytes")
        itemsize = np.dtype(kind).itemsize
        return np.ndarray((count, width), kind, data, start, (step, itemsize))

    def _sparse(
        self, sparse: Data, values: NDArray[np.generic], kind: str, width: int
    ) -> NDArray[np.generic]:
        count = self.whole(sparse.get("count"), "count")
        places, fresh = sparse.get("indices") or {}, sparse.get("values") or {}
        index_kind = _COMPONENTS.get(places.get("componentType", 0), "u1")
        index = self._strided(
            self.view(places.get("bufferView")),
            index_kind,
            1,
            count,
            self.whole(places.get("byteOffset", 0), "byteOffset"),
            None,
        )
        new = self._strided(
            self.view(fresh.get("bufferView")),
            kind,
            width,
            count,
            self.whole(fresh.get("byteOffset", 0), "byteOffset"),
            None,
        )
        if count and (index_kind == "<f4" or int(index.astype(np.int64).max()) >= len(values)):
            raise self.fail("a sparse accessor names values that do not exist")
        values = values.copy()
        values[index[:, 0].astype(np.int64)] = new
        return values

    def _buffer(self, number: int) -> bytes:
        if number not in self._buffers:
            entry = self.item("buffers", number)
            uri = entry.get("uri")
            if uri is None and number == 0 and self._chunk is not None:
                data = self._chunk
            else:
                data = b"" if uri is None else self.file_bytes(str(uri))
            claimed = self.whole(entry.get("byteLength"), "byteLength")
            if claimed > len(data):
                raise self.fail(f"a buffer claims {claimed} bytes, but has {len(data)}")
            self._buffers[number] = data
        return self._buffers[number]

    def file_bytes(self, uri: str) -> bytes:
        """Return the bytes of a ``data:`` address or of a file beside this one."""
        if uri.startswith("data:"):
            return self._inline(uri)
        found = find_beside(self.path, uri)
        if found is None:
            raise self.fail(f"its file '{uri[:200]}' is missing")
        if found.stat().st_size > _MAX_BYTES:
            raise self.fail(f"its file '{uri[:200]}' is larger than {_MAX_BYTES >> 20} MB")
        return found.read_bytes()

    def _inline(self, uri: str) -> bytes:
        head, _, body = uri.partition(",")
        if not head.endswith(";base64"):
            return unquote_to_bytes(body)
        try:
            return base64.b64decode(body)
        except (ValueError, binascii.Error):
            raise self.fail("data inside it is not base64") from None


def _chunks(path: Path, data: bytes) -> tuple[bytes, bytes | None]:
    """Return the JSON and the binary chunk of a GLB file."""
    version, total = (int.from_bytes(data[k : k + 4], "little") for k in (4, 8))
    if version != 2 or len(data) < 20:
        raise FormatError(f"{path}: expected GLB version 2, got {version}")
    if total > len(data):
        raise FormatError(f"{path}: it claims {total} bytes, but has {len(data)}")
    text, binary, offset = None, None, 12
    while offset + 8 <= total:
        length, kind = (int.from_bytes(data[k : k + 4], "little") for k in (offset, offset + 4))
        offset += 8
        if offset + length > total:
            raise FormatError(f"{path}: a chunk claims {length} bytes, {total - offset} are left")
        if kind == _JSON and text is None:
            text = data[offset : offset + length]
        elif kind == _BIN and binary is None:
            binary = data[offset : offset + length]
        offset += length + (-length % 4 if offset + length < total else 0)
    if text is None:
        raise FormatError(f"{path}: a GLB file without a JSON chunk")
    return text, binary


def names_files(data: bytes) -> bool:
    """Return whether a GLB file takes buffers or pictures from files beside it."""
    length = int.from_bytes(data[12:16], "little")
    return b'"uri"' in data[20 : 20 + length]
