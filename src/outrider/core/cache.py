"""A disk cache of arrays, keyed by the hash of what they were made from."""

import os
import zipfile
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import numpy as np

from outrider.core.cache_folder import cache_dir
from outrider.core.files.atomic_file import replacing
from outrider.core.frames import AnyArray

# what numpy and zipfile throw at a file that is absent, half written or damaged
_DAMAGED = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    MemoryError,
    NotImplementedError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)

Arrays = Mapping[str, AnyArray]


def content_key(*parts: object) -> str:
    """Return a hash of arrays (their bytes and shapes) and of anything else by its repr."""
    digest = blake2b(digest_size=16)
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(f"{part.dtype}{part.shape}".encode())
            digest.update(np.ascontiguousarray(part).data)
        else:
            digest.update(repr(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()


def cached(kind: str, key: str, make: Callable[[], Arrays], most: int | None = None) -> Arrays:
    """Return the arrays stored under ``kind`` and ``key``, making and storing them if absent.

    Of a kind that has a ``most``, only so many are kept, the newest.
    """
    folder = cache_dir() / kind
    path = folder / f"{key}.npz"
    try:
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except _DAMAGED:
        arrays = make()
        _store(path, arrays)
        if most is not None:
            _thin_out(folder, most)
        return arrays


def _thin_out(folder: Path, most: int) -> None:
    """Remove the oldest files beyond a number, unless another process was faster."""
    with suppress(OSError):
        oldest_first = sorted((e.stat().st_mtime_ns, e.path) for e in os.scandir(folder))
        for _, path in oldest_first[:-most]:
            Path(path).unlink(missing_ok=True)


def _store(path: Path, arrays: Arrays) -> None:
    """Write beside the target and rename, so that a reader never sees half a file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            np.savez(file, allow_pickle=False, **dict(arrays))
    except OSError:
        return  # a cache that cannot be written only costs time
