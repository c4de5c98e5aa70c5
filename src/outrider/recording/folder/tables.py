"""Messages as rows of a table: nested fields become columns, arrays one cell each."""

import csv
import json
from pathlib import Path
from typing import TextIO

from outrider.core.clock import NS_PER_S
from outrider.core.structure import Data
from outrider.messages.convert import to_dict
from outrider.messages.fields import fields_of
from outrider.messages.types import Message

_STAMP = "header.stamp."  # stands in the column time_s already


class CsvTable:
    """A CSV file with a row for each message, or for each part of one that is only a list."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: TextIO = path.open("x", newline="", encoding="utf-8")
        self._writer = csv.writer(self._file)
        self._columns: list[str] | None = None

    def add(self, measured_ns: int, log_ns: int, values: Data) -> None:
        """Add a row; the first one decides the columns."""
        if self._columns is None:
            self._columns = list(values)
            self._writer.writerow(["time_s", "log_time_s", *self._columns])
        cells = [values.get(column, "") for column in self._columns]
        self._writer.writerow([seconds(measured_ns), seconds(log_ns), *cells])

    def flush(self) -> None:
        """Hand all rows to the system."""
        self._file.flush()

    @property
    def size(self) -> int:
        """Bytes so far, without those not flushed."""
        return self._file.buffer.tell() if not self._file.closed else 0

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def seconds(time_ns: int) -> str:
    """Return nanoseconds as exact seconds."""
    whole, rest = divmod(time_ns, NS_PER_S)
    return f"{whole}.{rest:09d}"


def rows(message: Message) -> list[Data]:
    """Return a message's values by column; a list of messages and nothing else is many rows."""
    fields = fields_of(message.__msgtype__)
    if len(fields) == 1 and fields[0].message and fields[0].is_array:
        return [flat(part) for part in getattr(message, fields[0].attribute)]
    return [flat(message)]


def flat(message: Message) -> Data:
    """Return one row of a message."""
    found: Data = {}
    _flatten(to_dict(message), "", found)
    return {name: value for name, value in found.items() if not name.startswith(_STAMP)}


def _flatten(values: Data, before: str, found: Data) -> None:
    for name, value in values.items():
        if isinstance(value, dict):
            _flatten(value, f"{before}{name}.", found)
        else:
            found[f"{before}{name}"] = _cell(value)


def _cell(value: object) -> object:
    if not isinstance(value, list):
        return value
    if any(isinstance(part, dict) for part in value):
        return json.dumps(value)
    return " ".join(str(part) for part in value)
