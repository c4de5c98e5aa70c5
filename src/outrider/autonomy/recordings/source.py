"""A recording of any kind that is known, behind one face."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Protocol

from outrider.autonomy.pipeline import Incoming
from outrider.autonomy.recordings.bag import Bag
from outrider.autonomy.recordings.kitti import Kitti
from outrider.core.errors import AutonomyError


class Source(Protocol):
    """What a recording offers."""

    @property
    def topics(self) -> dict[str, str]:
        """What was recorded: topic and type."""

    def messages(self, topics: Collection[str]) -> Iterator[Incoming]:
        """Go through the messages of some topics, in their order."""

    def close(self) -> None:
        """Let go of the files."""


def open_recording(path: Path) -> Source:
    """Open a bag, an MCAP file or a KITTI folder."""
    if not path.exists():
        raise AutonomyError(f"{path}: there is no such recording")
    if path.is_dir() and Kitti.fits(path):
        return Kitti(path)
    return Bag(path)
