"""Pointers of Git LFS, which lie where a file should be that was never fetched."""

from pathlib import Path

from outrider.core.errors import FormatError

_START = b"version https://git-lfs.github.com/spec/"


def check_fetched(path: Path, data: bytes) -> bytes:
    """Return the content of a file, or say how to get it."""
    if data.startswith(_START):
        raise FormatError(
            f"{path}: only a pointer of Git LFS is here; 'git lfs pull' in its repository fetches"
            " the file"
        )
    return data
