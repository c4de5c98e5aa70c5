"""The methods of dataclasses, kept compiled on disk as Python keeps modules.

Python writes the methods of every dataclass as text and compiles it anew in every process: 2,200
texts in a run, a fifth of its start. The same text compiled by the same Python is the same code.
"""

import dataclasses
import marshal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Any

from outrider.core.files.atomic_file import replacing

_PATH = Path(cache_from_source(__file__)).with_suffix(".methods")
_DIGEST = 16  # bytes
_MOST = 20_000  # texts; classes that nobody makes any more are forgotten with all others


@contextmanager
def methods_from_disk(path: Path = _PATH) -> Iterator[None]:
    """Take the methods of classes that are made inside from disk, and keep those that are new."""
    methods = _Methods(path)
    module = vars(dataclasses)
    module["exec"] = methods.run
    try:
        yield
    finally:
        module.pop("exec", None)
        methods.save()


class _Methods:
    """Compiled code by the digest of its text; the file is read when the first class is made."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stored: dict[bytes, bytes] | None = None
        self._new: dict[bytes, bytes] = {}

    def run(self, text: str, names: dict[str, Any], made: dict[str, Any]) -> None:
        """Execute a text, as Python's ``exec`` does."""
        if self._stored is None:
            self._stored = _read(self._path)
        key = _digest(text.encode())
        stored = self._stored.get(key) or self._new.get(key)
        if stored is None:
            code = compile(text, "<string>", "exec", dont_inherit=True)
            self._new[key] = marshal.dumps(code)
        else:
            code = marshal.loads(stored)  # as trusted as the .pyc files beside it
        exec(code, names, made)

    def save(self) -> None:
        """Write what is new, where Python may write compiled modules."""
        if not self._new or sys.dont_write_bytecode:
            return
        kept = (self._stored or {}) | self._new
        body = marshal.dumps(kept if len(kept) <= _MOST else self._new)
        with suppress(OSError):  # without it the next start takes longer
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._path) as file:
                file.write(MAGIC_NUMBER + _digest(body) + body)


def _read(path: Path) -> dict[bytes, bytes]:
    """Return what is stored, or nothing if it is absent, damaged or of another Python."""
    with suppress(OSError):
        content = memoryview(path.read_bytes())
        start = len(MAGIC_NUMBER) + _DIGEST
        if content[:start] == MAGIC_NUMBER + _digest(content[start:]):
            stored: dict[bytes, bytes] = marshal.loads(content[start:])
            return stored
    return {}


def _digest(content: bytes | memoryview) -> bytes:
    return blake2b(content, digest_size=_DIGEST).digest()
