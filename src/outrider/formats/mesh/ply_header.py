"""The head of a PLY file: which elements follow, and of which numbers they are made."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError
from outrider.formats.mesh.raw import Indices

Lists: TypeAlias = tuple[Indices, Indices]  # all values in a row, and how many each row has
Columns: TypeAlias = dict[str, NDArray[np.generic] | Lists]

_TYPES = {
    "char": "i1",
    "int8": "i1",
    "uchar": "u1",
    "uint8": "u1",
    "short": "i2",
    "int16": "i2",
    "ushort": "u2",
    "uint16": "u2",
    "int": "i4",
    "int32": "i4",
    "uint": "u4",
    "uint32": "u4",
    "float": "f4",
    "float32": "f4",
    "double": "f8",
    "float64": "f8",
}
_FORMATS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_MAX_HEAD = 1 << 20


@dataclass(frozen=True, slots=True)
class Property:
    """A named number, or a list of numbers if ``count`` is the type of its length."""

    name: str
    type: str
    count: str = ""


@dataclass(frozen=True, slots=True)
class Element:
    """So many rows of the same properties."""

    name: str
    rows: int
    properties: tuple[Property, ...]

    @property
    def has_lists(self) -> bool:
        """Whether rows differ in length."""
        return any(item.count for item in self.properties)

    def row_type(self, order: str) -> np.dtype[np.void]:
        """Return the layout of a row without lists in a binary file."""
        return np.dtype([(item.name, order + item.type) for item in self.properties])

    def least_bytes(self, order: str) -> int:
        """Return how many bytes these rows take at least: no claim is believed beyond the file."""
        if not order:
            return self.rows * 2 * len(self.properties)
        sizes = (np.dtype(item.count or item.type).itemsize for item in self.properties)
        return self.rows * sum(sizes)


@dataclass(frozen=True, slots=True)
class PlyHeader:
    """The elements of a file in order; ``order`` is the byte order, empty for text."""

    order: str
    elements: tuple[Element, ...]
    start: int


def read_header(path: Path, data: bytes) -> PlyHeader:
    """Return what a PLY file says about itself, refusing what its size cannot hold."""
    end = data.find(b"end_header", 0, _MAX_HEAD)
    newline = data.find(b"\n", end)
    if data[:3] != b"ply" or end < 0 or newline < 0:
        raise FormatError(f"{path}: not a PLY file, which has 'ply' ... 'end_header' in front")
    lines = [line.split() for line in data[:end].decode("ascii", "replace").splitlines()[1:]]
    order: str | None = None
    elements: list[tuple[str, int, list[Property]]] = []
    for words in lines:
        if not words or words[0] in ("comment", "obj_info"):
            continue
        if words[0] == "format" and len(words) > 1:
            order = _FORMATS.get(words[1])
        elif words[0] == "element" and len(words) == 3 and words[2].isdecimal():
            elements.append((words[1], int(words[2][:18]), []))
        elif words[0] == "property" and elements:
            elements[-1][2].append(_property(path, words))
        else:
            raise FormatError(f"{path}: the header line '{' '.join(words)[:60]}' is not understood")
    if order is None:
        raise FormatError(f"{path}: the header has no known format ({', '.join(_FORMATS)})")
    header = PlyHeader(order, tuple(Element(n, c, tuple(p)) for n, c, p in elements), newline + 1)
    _check_size(path, header, len(data) - header.start)
    return header


def _property(path: Path, words: list[str]) -> Property:
    types = words[2:4] if words[1:2] == ["list"] else words[1:2]
    if len(words) != (5 if len(types) == 2 else 3) or any(t not in _TYPES for t in types):
        raise FormatError(f"{path}: the property '{' '.join(words)[:60]}' is not understood")
    if len(types) == 2:
        return Property(words[4], _TYPES[types[1]], _TYPES[types[0]])
    return Property(words[2], _TYPES[types[0]])


def _check_size(path: Path, header: PlyHeader, there: int) -> None:
    for element in header.elements:
        names = [item.name for item in element.properties]
        if len(set(names)) != len(names):
            raise FormatError(f"{path}: element '{element.name}' has two properties of one name")
        if not names and element.rows:
            raise FormatError(f"{path}: element '{element.name}' has no properties")
    # the last number of a text has no blank behind it
    needed = sum(element.least_bytes(header.order) for element in header.elements) - 1
    if needed > there:
        raise FormatError(
            f"{path}: its header declares at least {needed} bytes, but only {there} follow"
        )


def whole_numbers(values: NDArray[np.generic]) -> Indices:
    """Return whole numbers; lists of fractions (texture coordinates per face) are not used."""
    if values.dtype.kind == "f":
        finite = np.nan_to_num(values.astype(np.float64), nan=-1, posinf=-1, neginf=-1)
        return np.clip(finite, -(2.0**53), 2.0**53).astype(np.int64)
    return values.astype(np.int64)
