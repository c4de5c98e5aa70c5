"""The mesh files of robots, for clients that cannot read this machine's disk."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from outrider.bridges.bridge import RobotDescription

_FILE = re.compile(r"file://[^\"'<>]+")
_ROOT = "package://outrider/"
_BESIDE = (".mtl", ".bin", ".png", ".jpg", ".jpeg", ".bmp", ".tga", ".tif", ".tiff", ".dds")
_MOST_BYTES = 256 * 1024 * 1024


class Assets:
    """Serves only the files that descriptions name, and their textures."""

    def __init__(self) -> None:
        self._folders: dict[str, Path] = {}  # by the address they have outside
        self._named: set[Path] = set()

    def described(self, robot: RobotDescription) -> str:
        """Return a description whose files can be asked for here."""

        def address(found: re.Match[str]) -> str:
            return self._address(robot.name, found[0]) if found[0] in robot.files else found[0]

        return _FILE.sub(address, robot.urdf)

    def read(self, address: str) -> bytes | None:
        """Return a file's bytes; None for all that is not given out."""
        start, _, rest = address.removeprefix(_ROOT).partition("/")
        folder = self._folders.get(start)
        if folder is None or not address.startswith(_ROOT):
            return None
        file = (folder / unquote(rest)).resolve()
        if not file.is_relative_to(folder) or not file.is_file():
            return None
        if file not in self._named and file.suffix.lower() not in _BESIDE:
            return None
        return None if file.stat().st_size > _MOST_BYTES else file.read_bytes()

    def _address(self, robot: str, uri: str) -> str:
        file = Path(url2pathname(urlsplit(uri).path)).resolve()
        known = {folder: name for name, folder in self._folders.items()}
        name = known.get(file.parent) or f"{robot}-{len(self._folders)}"
        self._folders[name] = file.parent
        self._named.add(file)
        return f"{_ROOT}{name}/{file.name}"
