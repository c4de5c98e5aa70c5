"""Options shared by all commands that record."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from outrider.core.errors import RecordingError

if TYPE_CHECKING:
    from outrider.recording.recorder import RecordingOptions

RecordFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Record to .mcap, .bag, a folder, ..."),
]
RecordTopics: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--topics",
        metavar="PATTERN[@HZ],...",
        help="Topics to record, e.g. '/front/*' or /imu/data@10. Repeatable; default: all.",
    ),
]
RecordFormat: TypeAlias = Annotated[
    str, typer.Option("--format", help="Format of the recording, if not given by the suffix.")
]
Overwrite: TypeAlias = Annotated[
    bool, typer.Option("--overwrite", help="Replace an existing recording.")
]
Lossless: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--lossless/--lossy",
        help="Wait for the disk, or drop messages; by default it waits only when flat out.",
    ),
]


def split_topics(texts: list[str] | None) -> tuple[str, ...]:
    """Return the names and patterns of ``--topics``."""
    return tuple(part for text in texts or () for part in text.split(",") if part)


def recording_options(
    record: Path | None,
    topics: list[str] | None,
    format_: str,
    overwrite: bool,
    lossless: bool | None,
) -> "RecordingOptions | None":
    """Return what is to be recorded, or None."""
    from outrider.recording.recorder import RecordingOptions

    if record is None:
        if topics or format_ or overwrite or lossless is not None:
            raise RecordingError("--topics, --format, --overwrite and --lossless need --record")
        return None
    return RecordingOptions(record, split_topics(topics), format_, overwrite, lossless)
