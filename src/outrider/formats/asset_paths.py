"""Where a model's meshes and textures are: package://, model://, file:// and relative paths.

Nothing outside a model's own folder, the packages around it and the given search paths is opened.
A description that a peer sent to a running simulation reaches the library's packages alone, and
one that was uploaded or came in a project's zip file does not look above its own folder.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

from outrider.core.errors import FormatError
from outrider.core.files.package_files import LIBRARY, enclosure, spawned_folder

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]+)://")
_PACKAGE_NAME = re.compile(rb"<name>\s*([^<\s]+)\s*</name>")
_FUEL = re.compile(r"^https?://fuel\.[^/]+/.*/models/([^/]+)(/.*)?$", re.IGNORECASE)
_LEVELS_UP = 6
_MAX_SIBLINGS = 500
_MEDIA = (Path("Media/models"), Path("media/models"))  # below Gazebo's resource paths
_MOST_OF_PEERS = {"link": 300, "geometry": 1000, "joint": 300, "sensor": 100, "plugin": 100}
_MOST_TAGS_OF_PEERS = 50_000  # that open or close: several times what so many links need
_PATH_VARIABLES = (
    "ROS_PACKAGE_PATH",
    "GAZEBO_MODEL_PATH",
    "GAZEBO_RESOURCE_PATH",
    "GZ_SIM_RESOURCE_PATH",
    "IGN_GAZEBO_RESOURCE_PATH",
    "SDF_PATH",
)


def environment_paths(env: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the folders in which ROS and Gazebo would look, by their variables."""
    found = [Path(p) for name in _PATH_VARIABLES for p in env.get(name, "").split(os.pathsep) if p]
    prefixes = env.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    found += [Path(p) / "share" for p in prefixes if p]
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class AssetPaths:
    """Finds files for a model in ``base``; ``search`` are folders of packages or of files."""

    base: Path
    search: tuple[Path, ...] = ()

    @property
    def sealed(self) -> bool:
        """Whether the model came from a peer."""
        return self.base.resolve().is_relative_to(spawned_folder().resolve())

    def check_size(self, text: str, where: str) -> None:
        """Refuse the text of a peer that would keep the computer busy for minutes."""
        if not self.sealed:
            return
        for what, most in _MOST_OF_PEERS.items():
            if text.count(f"<{what}") > most:
                raise FormatError(
                    f"{where}: a description sent to a running simulation may have up to {most}"
                    f" <{what}> elements"
                )
        if text.count("<") > _MOST_TAGS_OF_PEERS:
            raise FormatError(
                f"{where}: a description sent to a running simulation may have up to"
                f" {_MOST_TAGS_OF_PEERS} tags"
            )

    def find(self, uri: str) -> Path:
        """Return the file an address stands for, or say where it was looked for."""
        return self._guarded(uri, Path.is_file, "file")

    def find_folder(self, uri: str) -> Path:
        """Return the folder an address stands for, or say where it was looked for."""
        return self._guarded(uri, Path.is_dir, "folder")

    def package(self, name: str) -> Path:
        """Return the folder of a package, or say where it was looked for."""
        found = next(self._packages("package", name), None)
        if found is None:
            raise FormatError(f"there is no package '{name}'; searched {self._nowhere('package')}")
        return found.resolve()

    def within(self, path: Path) -> bool:
        """Return whether a file lies where this model may read."""
        target = path.resolve()
        return any(target.is_relative_to(root) for root in self._roots())

    def way_to_allow(self, path: Path) -> str:
        """Return how a file outside may be read, to end a sentence; peers have no way."""
        if self.sealed:
            return ""
        option = shlex.join(("--path", str(path.resolve().parent)))
        return (
            "; give its folder as a search path to allow it "
            f"('outrider import' and 'outrider run' have {option})"
        )

    def _guarded(self, uri: str, is_there: Callable[[Path], bool], what: str) -> Path:
        try:
            return self._find(uri, is_there, what)
        except (OSError, RuntimeError, ValueError) as error:  # a name too long, links in a circle
            raise FormatError(f"'{uri[:80]}' cannot be looked for: {error}") from None

    def _find(self, uri: str, is_there: Callable[[Path], bool], what: str) -> Path:
        tried = list(self._candidates(uri))
        for path, root in tried:
            if not (path.is_relative_to(root) or self.within(path)):
                raise FormatError(f"'{uri}' leaves {root}{self.way_to_allow(path)}")
            if is_there(path):
                return path
        for path, root in tried:  # made on a system that knows no capital letters
            other = _ignoring_case(path, root) if path.is_relative_to(root) else None
            if other is not None and is_there(other):
                return other
        places = ", ".join(dict.fromkeys(str(path) for path, _ in tried))
        raise FormatError(f"there is no {what} '{uri}'; searched {places or self._no_folder(uri)}")

    def _candidates(self, uri: str) -> Iterator[tuple[Path, Path]]:
        """Yield resolved paths, each with the folder it must not leave."""
        if fuel := _FUEL.match(uri):  # a copy on this machine, by the model's name
            uri = f"model://{fuel.group(1)}{fuel.group(2) or ''}"
        scheme = _SCHEME.match(uri)
        kind = scheme.group(1).lower() if scheme else ""
        rest = unquote(uri[scheme.end() :]) if scheme else uri
        if "\0" in rest:
            raise FormatError("a file name holds a zero character")
        if kind in ("package", "model"):
            name, _, inside = rest.lstrip("/").partition("/")  # three slashes are common
            for folder in self._packages(kind, name):
                yield (folder / inside).resolve(), folder.resolve()
        elif kind in ("", "file"):
            yield from self._plain(Path(rest.replace("\\", "/")))
        else:
            raise FormatError(f"'{uri}' is not fetched: only files on this machine are read")

    def _plain(self, path: Path) -> Iterator[tuple[Path, Path]]:
        if self.sealed:
            raise FormatError(
                f"'{path}': a description sent to a running simulation may name files of the "
                "library's packages only (package://NAME/...)"
            )
        if path.is_absolute() or ".." in path.parts:
            roots = self._roots()
            target = (self.base / path).resolve()
            inside = [root for root in roots if target.is_relative_to(root)]
            yield target, inside[0] if inside else roots[0]
            return
        for folder in (self.base, *self.search, *self._media()):
            yield (folder / path).resolve(), folder.resolve()

    def _roots(self) -> list[Path]:
        if self.sealed:
            return [LIBRARY]
        return [root.resolve() for root in (self.base, *self._enclosing(), *self.search)]

    def _media(self) -> list[Path]:
        """Return the folders in which Gazebo's resource paths hold meshes."""
        return [
            folder / media
            for folder in (*self.search, *self._upward()[:3])
            for media in _MEDIA
            if (folder / media).is_dir()
        ]

    def _enclosing(self) -> list[Path]:
        """Return the nearest package or model that holds the file, which belongs to its tree."""
        marks = ("package.xml", "model.config")
        return [p for p in self._upward() if any((p / mark).is_file() for mark in marks)][:1]

    def _upward(self) -> list[Path]:
        base = self.base.resolve()
        end = enclosure(base)
        around = [base, *base.parents][:_LEVELS_UP]
        return (
            around if end is None else [folder for folder in around if folder.is_relative_to(end)]
        )

    def _packages(self, kind: str, name: str) -> Iterator[Path]:
        """Yield folders that are the package or model of that name."""
        if not name or name in (".", "..") or "/" in name or "\\" in name:
            return
        if self.sealed:
            yield from (folder for folder in _children(LIBRARY / "robots") if folder.name == name)
            return
        for folder in self.search:
            if folder.name == name or _is_named(folder, kind, name):
                yield folder
            if (folder / name).is_dir():
                yield folder / name
            yield from _named_in(folder, kind, name)
        for folder in self._upward():
            if folder.name == name or _is_named(folder, kind, name):
                yield folder  # the file lies inside a folder of that name
            yield from _named_in(folder, kind, name)

    def _no_folder(self, uri: str) -> str:
        return self._nowhere("package" if uri.startswith("package") else "model")

    def _nowhere(self, kind: str) -> str:
        if self.sealed:
            return "the library only: the description was sent to a running simulation"
        manifest = "package.xml" if kind == "package" else "model.config"
        above = ", ".join(str(path) for path in (*self.search, *self._upward()[:3]))
        inside = "" if kind == "package" else ", and in the folders 'models' there"
        return f"for a folder of that name with a {manifest} in and above {above}{inside}"


def _named_in(folder: Path, kind: str, name: str) -> Iterator[Path]:
    """Yield the packages or models of that name in a folder; models may lie in ``models``."""
    for place in (folder, folder / "models") if kind == "model" else (folder,):
        yield from (child for child in _children(place) if _is_named(child, kind, name))


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(child for child in islice(folder.iterdir(), _MAX_SIBLINGS) if child.is_dir())
    except OSError:
        return []


def _ignoring_case(path: Path, root: Path) -> Path | None:
    """Return the one file of that name below the root if capital letters do not count."""
    found = root
    for part in path.relative_to(root).parts:
        try:
            names = [entry for entry in found.iterdir() if entry.name.lower() == part.lower()]
        except OSError:
            return None
        if not names:
            return None
        found = min(names)
    return found if found.resolve().is_relative_to(root) else None


def _is_named(folder: Path, kind: str, name: str) -> bool:
    """Return whether a folder's own manifest says that it is this package or model."""
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
