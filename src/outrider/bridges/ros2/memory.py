"""More shared memory for large messages in Fast DDS, whose default is half a megabyte."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path

_FILES = ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE")  # old and new name
_USERS = (*_FILES, "FASTDDS_BUILTIN_TRANSPORTS", "SKIP_DEFAULT_XML")
_IN_FOLDER = ("DEFAULT_FASTRTPS_PROFILES.xml", "DEFAULT_FASTDDS_PROFILES.xml")
_MEMORY = Path("/dev/shm")
_FREE = 256 * 1024 * 1024  # bytes that must be there, or it stays as it is


@contextmanager
def roomy(middleware: str) -> Iterator[None]:
    """Give the node that is created meanwhile more shared memory; user settings win."""
    if not _wanted(middleware):
        yield
        return
    with as_file(files("outrider") / "library" / "ros2" / "fastdds.xml") as profiles:
        os.environ.update(dict.fromkeys(_FILES, str(profiles)))
        try:
            yield
        finally:
            for name in _FILES:
                os.environ.pop(name, None)


def _wanted(middleware: str) -> bool:
    told = any(map(os.environ.get, _USERS)) or any(Path(name).exists() for name in _IN_FOLDER)
    if told or not middleware.startswith("rmw_fastrtps") or not _MEMORY.is_dir():
        return False
    return shutil.disk_usage(_MEMORY).free > _FREE
