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
    """Plain sentences; a note is set apart."""

    text: str
    note: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """One figure that catches the eye."""

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
    """Cells in rows under one or two rows of heads; ``spans`` are upper heads and their widths."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    spans: tuple[tuple[str, int], ...] = ()
    ours: int | None = None  # the row, or with ``ours_is_column`` the column, that is Outrider's
    ours_is_column: bool = False
    text_columns: frozenset[int] = frozenset({0})


@dataclass(frozen=True, slots=True)
class Picture:
    """A file beside the report."""

    path: Path
    caption: str


@dataclass(frozen=True, slots=True)
class Code:
    """Commands or a file, word for word; ``summary`` folds it away."""

    text: str
    summary: str = ""


Block: TypeAlias = Heading | Paragraph | Cards | Table | Picture | Code
Document: TypeAlias = Sequence[Block]
