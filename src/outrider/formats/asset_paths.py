"""Where a model's meshes and textures lie: package://, model://, file:// and relative paths.

Nothing outside a model's own folder, the packages around it and the given search paths is opened.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

from outrider.core.errors import FormatError

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]+)://")
_PACKAGE_NAME = re.compile(rb"<name>\s*([^<\s]+)\s*</name>")
_LEVELS_UP = 6
_MAX_SIBLINGS = 500


@dataclass(frozen=True, slots=True)
class AssetPaths:
    """Finds files for a model in ``base``; ``search`` are folders of packages or of files."""

    base: Path
    search: tuple[Path, ...] = ()

    def find(self, uri: str) -> Path:
        """Return the file an address stands for, or say where it was looked for."""
        try:
            return self._find(uri)
        except (OSError, RuntimeError) as error:  # a name too long, links in a circle
            raise FormatError(f"'{uri[:80]}' cannot be looked for: {error}") from None

    def _find(self, uri: str) -> Path:
        tried = list(self._candidates(uri))
        for path, root in tried:
            if not path.is_relative_to(root):
                raise FormatError(
                    f"'{uri}' leaves {root}; give its folder as a search path to allow it"
                )
            if path.is_file():
                return path
        places = ", ".join(str(path) for path, _ in tried) or self._nowhere(uri)
        raise FormatError(f"there is no file '{uri}'; searched {places}")

    def _candidates(self, uri: str) -> Iterator[tuple[Path, Path]]:
        """Yield resolved paths, each with the folder it must not leave."""
        scheme = _SCHEME.match(uri)
        kind = scheme.group(1).lower() if scheme else ""
        rest = unquote(uri[scheme.end() :]) if scheme else uri
        if "\0" in rest:
            raise FormatError("a file name holds a zero character")
        if kind in ("package", "model"):
            name, _, inside = rest.partition("/")
            for folder in self._packages(kind, name):
                yield (folder / inside).resolve(), folder.resolve()
        elif kind in ("", "file"):
            yield from self._plain(Path(rest))
        else:
            raise FormatError(f"'{uri}' is not fetched: only files on this machine are read")

    def _plain(self, path: Path) -> Iterator[tuple[Path, Path]]:
        roots = [root.resolve() for root in (self.base, *self._enclosing(), *self.search)]
        if path.is_absolute() or ".." in path.parts:
            target = (self.base / path).resolve()
            inside = [root for root in roots if target.is_relative_to(root)]
            yield target, inside[0] if inside else roots[0]
            return
        for folder in (self.base, *self.search):
            yield (folder / path).resolve(), folder.resolve()

    def _enclosing(self) -> list[Path]:
        """Return the nearest package that holds the model, which belongs to its tree."""
        return [p for p in self._upward() if (p / "package.xml").is_file()][:1]

    def _upward(self) -> list[Path]:
        base = self.base.resolve()
        return [base, *base.parents][:_LEVELS_UP]

    def _packages(self, kind: str, name: str) -> Iterator[Path]:
        """Yield folders that are the package or model of that name."""
        if not name or name in (".", ".."):
            return
        for folder in self.search:
            if folder.name == name or _is_named(folder, kind, name):
                yield folder
            if (folder / name).is_dir():
                yield folder / name
        for folder in self._upward():
            if _is_named(folder, kind, name):
                yield folder
            yield from (child for child in _children(folder) if _is_named(child, kind, name))

    def _nowhere(self, uri: str) -> str:
        kind = "package.xml" if uri.startswith("package") else "model.config"
        above = ", ".join(str(path) for path in (*self.search, *self._upward()[:2]))
        return f"for a folder of that name with a {kind} in and above {above}"


def _children(folder: Path) -> list[Path]:
    try:
        return [child for child in islice(folder.iterdir(), _MAX_SIBLINGS) if child.is_dir()]
    except OSError:
        return []


def _is_named(folder: Path, kind: str, name: str) -> bool:
    """Tell whether a folder's own manifest says that it is this package or model."""
    try:
        if kind == "model":
            return folder.name == name and (folder / "model.config").is_file()
        manifest = folder / "package.xml"
        if not manifest.is_file():
            return False
        found = _PACKAGE_NAME.search(manifest.read_bytes()[:65536])
        return found is not None and found.group(1).decode(errors="replace") == name
    except OSError:
        return False
