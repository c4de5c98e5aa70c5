"""The results of a sweep as lines of JSON, each on disk before the next is written."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from outrider.core.errors import SweepError
from outrider.core.process.file_lock import locked
from outrider.core.structure import Data

RESULTS = "results.jsonl"


class Journal:
    """A file of lines that is only added to; one process may have it open."""

    def __init__(self, path: Path) -> None:
        """Read the lines that are there; the rest of one that was cut short is removed."""
        self.path = path
        self.lines: dict[int, Data] = {}  # by run
        self._file = _opened(path)
        self._size = 0
        for line, size in _whole_lines(self._file):
            self.lines.setdefault(line["run"], line)
            self._size += size
        os.ftruncate(self._file, self._size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def append(self, line: Data) -> None:
        """Write a line to disk, whole or not at all."""
        text = (json.dumps(line, allow_nan=False) + "\n").encode()
        try:
            written = os.pwrite(self._file, text, self._size)
            if written < len(text):  # the disk took a part: ask why it does not take the rest
                os.pwrite(self._file, text[written:], self._size + written)
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self._size)
            raise SweepError(
                f"{self.path}: cannot be written: {error.strerror}; the {len(self.lines)} runs"
                " before are kept, and the same command continues with the others"
            ) from None
        self._size += len(text)
        self.lines[line["run"]] = line


def _opened(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise SweepError(f"{path}: cannot be written: {error.strerror}") from None
    if not locked(file):
        os.close(file)
        raise SweepError(f"{path}: another sweep is writing to it; choose another --out")
    return file


def _whole_lines(file: int) -> Iterator[tuple[Data, int]]:
    """Yield the lines up to the first that is damaged or has no end, with their sizes."""
    with os.fdopen(os.dup(file), "rb") as stream:
        stream.seek(0)
        for text in stream:
            try:
                line = json.loads(text)
            except (ValueError, RecursionError):
                return
            if not text.endswith(b"\n") or not isinstance(line, dict):
                return
            if type(line.get("run")) is not int:
                return
            yield line, len(text)
