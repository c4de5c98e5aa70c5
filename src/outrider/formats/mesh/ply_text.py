"""The rows of PLY files written as text."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import FormatError
from outrider.core.frames import Array
from outrider.formats.mesh.ply_header import Columns, Element, whole_numbers
from outrider.formats.number_lists import floats


def read_text(path: Path, data: bytes, elements: tuple[Element, ...]) -> dict[str, Columns]:
    """Return all elements of a text file, whose lines do not matter."""
    try:
        numbers = floats(data)
    except ValueError:
        raise FormatError(f"{path}: something after the header is not a number") from None
    columns: dict[str, Columns] = {}
    offset = 0
    for element in elements:
        found = _equal_rows(numbers, offset, element) or _walk(numbers, offset, element)
        if found is None:
            raise FormatError(f"{path}: it ends in the middle of element '{element.name}'")
        columns[element.name], offset = found
    return columns


def _equal_rows(numbers: Array, offset: int, element: Element) -> tuple[Columns, int] | None:
    """Read rows whose lists all have the length they have in the first row, else None."""
    starts, width = [], 0
    for item in element.properties:
        starts.append(width)
        count = 1
        if item.count and element.rows:
            at = offset + width
            if at >= len(numbers) or not 0 <= numbers[at] <= len(numbers):
                return None
            count = 1 + int(numbers[at])
        width += count
    end = offset + width * element.rows
    if end > len(numbers):
        return None
    table = numbers[offset:end].reshape(element.rows, width)
    columns: Columns = {}
    for item, start, stop in zip(element.properties, starts, [*starts[1:], width], strict=True):
        if not item.count:
            columns[item.name] = _column(table[:, start], item.type)
            continue
        if (table[:, start] != stop - start - 1).any():
            return None
        values = whole_numbers(table[:, start + 1 : stop].reshape(-1))
        columns[item.name] = values, np.full(element.rows, stop - start - 1, np.int64)
    return columns, end


def _column(values: Array, kind: str) -> NDArray[np.generic]:
    """Return a column in the type it is kept in: fractions keep all digits of the text."""
    return values if kind[0] == "f" else whole_numbers(values)


def _walk(numbers: Array, offset: int, element: Element) -> tuple[Columns, int] | None:
    """Read rows with lists of different lengths one by one."""
    values: dict[str, list[Array]] = {item.name: [] for item in element.properties}
    for _ in range(element.rows):
        for item in element.properties:
            count = 1
            if item.count:
                if offset >= len(numbers) or not 0 <= numbers[offset] <= len(numbers):
                    return None
                count = int(numbers[offset])
                offset += 1
            if offset + count > len(numbers):
                return None
            values[item.name].append(numbers[offset : offset + count])
            offset += count
    columns: Columns = {}
    for item in element.properties:
        joined = np.concatenate([*values[item.name], np.zeros(0)])
        lengths = np.array([len(value) for value in values[item.name]], np.int64)
        whole = whole_numbers(joined)
        columns[item.name] = (whole, lengths) if item.count else _column(joined, item.type)
    return columns, offset
