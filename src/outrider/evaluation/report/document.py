"""A report as a list of blocks, independent of HTML or Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Heading:
    """A title; level 1 is the whole document's."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain sentences; a note is highlighted."""

    text: str
    note: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """One prominent figure."""

    label: str
    value: str
    hint: str = ""
    good: bool | None = None


@dataclass(frozen=True, slots=True)
class Cards:
    """Figures side by side."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Cells in rows under one or two header rows; ``spans`` are upper headers and widths."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    spans: tuple[tuple[str, int], ...] = ()
    ours: int | None = None  # the row, or with ``ours_is_column`` the column, that is Outrider's
    ours_is_column: bool = False
    text_columns: frozenset[int] = frozenset({0})


@dataclass(frozen=True, slots=True)
class ReportImage:
    """An image file next to the report."""

    path: Path
    caption: str


@dataclass(frozen=True, slots=True)
class Code:
    """Commands or a file, verbatim; ``summary`` makes it collapsible."""

    text: str
    summary: str = ""


Block: TypeAlias = Heading | Paragraph | Cards | Table | ReportImage | Code
Document: TypeAlias = Sequence[Block]
