"""The function that reads a file of one of the formats in the table; loaded when it is needed."""

from importlib import import_module
from pathlib import Path
from typing import Any

from outrider.specs.file_kinds import Kind, format_of


def reader_of(path: Path, kind: Kind) -> Any:
    """Return what reads a file as one of a kind, or None if no format of that kind has it."""
    row = format_of(path, kind)
    if row is None:
        return None
    module, _, function = row.reader.rpartition(".")
    return getattr(import_module(f"outrider.formats.{module}"), function)
