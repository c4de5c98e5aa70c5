"""Fast DDS as the bridge needs it: on this computer alone, with room for large messages.

Its discovery range says whom it looks for, not who may reach it: by itself it listens on all
addresses. Its default of shared memory is half a megabyte.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

_FILES = ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE")  # old and new name
_NO_FOLDER = "SKIP_DEFAULT_XML_FILE"  # else one in the current folder counts, whosever that is
_USERS = (*_FILES, "FASTDDS_BUILTIN_TRANSPORTS")
_MEMORY = Path("/dev/shm")
_FREE = 256 * 1024 * 1024  # bytes that must be there, or it stays as it is
_ROOM = "<segment_size>33554432</segment_size>"
_EVERYWHERE = "<type>UDPv4</type>"
_HERE = f"{_EVERYWHERE}<interfaceWhiteList><address>127.0.0.1</address></interfaceWhiteList>"


@contextmanager
def profile(middleware: str, *, here: bool) -> Iterator[None]:
    """Set up the node that is created meanwhile, ``here`` alone or not; user settings win."""
    if not middleware.startswith("rmw_fastrtps"):
        yield
        return
    if any(map(os.environ.get, _USERS)):
        with _environment({_NO_FOLDER: "1"}):
            yield
        return
    text = (files("outrider") / "library" / "ros2" / "fastdds.xml").read_text("utf-8")
    if here:
        text = text.replace(_EVERYWHERE, _HERE)
    if not _has_room():
        text = text.replace(_ROOM, "")
    with tempfile.TemporaryDirectory(prefix="outrider-") as folder:
        path = Path(folder, "fastdds.xml")
        path.write_text(text, "utf-8")
        with _environment({**dict.fromkeys(_FILES, str(path)), _NO_FOLDER: "1"}):
            yield


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ[name] for name in values if name in os.environ}
    os.environ.update(values)
    try:
        yield
    finally:
        for name in values:
            os.environ.pop(name, None)
        os.environ.update(before)


def _has_room() -> bool:
    return _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _FREE
