"""A project as one zip file, written and opened completely or not at all."""

import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path, PurePosixPath

from outrider.core.cache_folder import cache_dir
from outrider.core.errors import ConfigError
from outrider.core.files.atomic_file import beside, remove_leftovers, replacing
from outrider.core.files.package_files import refuse_devices
from outrider.loader.project.collect import Collection, Content, collect, leaving
from outrider.loader.project.folder import FOLDERS, PROJECT_FILE, Project, load_project

MAX_BYTES = 16 << 30
MAX_FILES = 100_000
_BLOCK = 1 << 20
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
_MOMENT = (1980, 1, 1, 0, 0, 0)  # the same project gives the same bytes, whenever it is saved


def save_project(folder: Path, file: Path) -> Collection:
    """Write a project and all it refers to into one file; the old one stays until the end."""
    load_project(folder)
    found = collect(folder)
    target = file.resolve()
    found.files = {n: c for n, c in found.files.items() if not _same(c, target)}
    _check_names(folder, found.files)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(target, found.files)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror or error}") from None
    return found


def open_project(file: Path, folder: Path) -> Project:
    """Unpack a project into a folder that is not there yet; a bad file leaves nothing behind."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: already exists and is not empty")
    with _unpacking(folder.resolve()) as made:
        inside = made / folder.resolve().name
        inside.mkdir()
        _unpack(file, inside)
        _check_unpacked(file, inside)
        try:
            inside.replace(folder)  # an empty folder may be replaced
        except OSError:
            raise ConfigError(f"{folder}: already exists and is not empty") from None
    return load_project(folder)


@contextmanager
def _unpacking(folder: Path) -> Iterator[Path]:
    """Give a folder next to a target; one that a killed process left is removed."""
    remove_leftovers(folder.parent, folder.name[:40])
    made = beside(folder)
    try:
        made.mkdir(parents=True)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror or error}") from None
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def opened(file: Path) -> Project:
    """Return the project of a zip file, unpacked in the cache; the same file is unpacked once."""
    place = cache_dir() / "projects" / f"{file.stem}-{_key(file)}"
    try:
        return load_project(place) if place.is_dir() else open_project(file, place)
    except ConfigError:
        if place.is_dir():  # another process was quicker
            return load_project(place)
        raise


def _write(target: Path, files: dict[str, Content]) -> None:
    with (
        replacing(target) as stream,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for inside in sorted(files):
            _add(archive, inside, files[inside])


def _add(archive: zipfile.ZipFile, name: str, content: Content) -> None:
    info = zipfile.ZipInfo(name, _MOMENT)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    if isinstance(content, bytes):
        archive.writestr(info, content)
        return
    info.file_size = content.stat().st_size  # large files need room for large numbers
    with content.open("rb") as source, archive.open(info, "w") as target:
        shutil.copyfileobj(source, target, _BLOCK)


def _unpack(file: Path, folder: Path) -> None:
    refuse_devices(file)
    try:
        with zipfile.ZipFile(file) as archive:
            members = _members(file, archive, folder)
            for name, info in members.items():
                _extract(file, archive, info, folder / name)
    except FileNotFoundError:
        raise ConfigError(f"{file}: there is no such file") from None
    except _DAMAGE as error:
        raise ConfigError(f"{file}: is not a complete zip file: {error}") from None
    except OSError as error:
        raise ConfigError(f"{file}: cannot be opened: {error.strerror or error}") from None


def _members(file: Path, archive: zipfile.ZipFile, folder: Path) -> dict[str, zipfile.ZipInfo]:
    """Return the files in an archive by their safe names, or refuse all of them."""
    if any(not info.filename for info in archive.infolist()):
        raise ConfigError(f"{file}: contains a file without a name")
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > MAX_FILES:
        raise ConfigError(f"{file}: contains {len(infos)} files, more than {MAX_FILES}")
    total = sum(info.file_size for info in infos)
    room = min(MAX_BYTES, shutil.disk_usage(folder).free)
    if total > room:
        raise ConfigError(f"{file}: would unpack to {total / 1e6:,.1f} MB, more than fits here")
    found: dict[str, zipfile.ZipInfo] = {}
    taken: set[str] = set()
    for info in infos:
        name = _safe_name(file, info)
        if name.lower() in taken:
            raise ConfigError(f"{file}: contains '{name}' twice")
        taken.add(name.lower())  # some file systems know no capital letters
        found[name] = info
    return _without_top(found)


def _safe_name(file: Path, info: zipfile.ZipInfo) -> str:
    name = info.filename
    if not _is_safe(name):
        raise ConfigError(f"{file}: contains {name[:80]!a}, a path that leaves its folder")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise ConfigError(f"{file}: contains '{name[:80]}', which is a link or device, not a file")
    if info.compress_type not in _PACKINGS:
        raise ConfigError(f"{file}: contains '{name[:80]}', whose compression is not supported")
    return PurePosixPath(name).as_posix()


def _is_safe(name: str) -> bool:
    """Return whether a name is one of a file below its folder, on every system."""
    parts = PurePosixPath(name).parts
    odd = any(ord(letter) < 32 or "\ud800" <= letter <= "\udfff" for letter in name)
    above = name.startswith("/") or ".." in parts
    return bool(parts) and not (above or odd or "\\" in name or ":" in name)


def _check_names(folder: Path, names: Iterable[str]) -> None:
    """Refuse what could be written into a zip file, but not be unpacked from it."""
    taken: dict[str, str] = {}
    for name in names:
        if not _is_safe(name):
            raise ConfigError(
                f"{folder}: {name[:80]!a}: files of a project have no '\\', ':' or control"
                " characters in their names"
            )
        other = taken.setdefault(name.lower(), name)
        if other != name:
            raise ConfigError(f"{folder}: '{other}' and '{name}' differ only in case")


def _without_top(found: dict[str, zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """Return names without their common folder, if the project is in it."""
    tops = {name.partition("/")[0] for name in found}
    if PROJECT_FILE in found or len(tops) != 1:
        return found
    return {name.partition("/")[2]: info for name, info in found.items() if "/" in name}


def _extract(file: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path) -> None:
    """Extract one file, up to its claimed size."""
    target.parent.mkdir(parents=True, exist_ok=True)
    left = info.file_size
    with archive.open(info) as source, target.open("xb") as out:
        while block := source.read(_BLOCK):
            left -= len(block)
            if left < 0:
                raise ConfigError(f"{file}: '{info.filename}' is larger than it claims")
            out.write(block)


def _check_unpacked(file: Path, folder: Path) -> None:
    """Refuse a project that is not one, or that would look outside its folder."""
    if not (folder / PROJECT_FILE).is_file():
        raise ConfigError(f"{file}: is not a project: it has no {PROJECT_FILE}")
    for name in FOLDERS:
        (folder / name).mkdir(exist_ok=True)
    try:
        load_project(folder)
        strangers = leaving(folder)
    except ConfigError as error:
        told = str(error).replace(f"{folder}/", "").replace(str(folder), "project")
        raise ConfigError(f"{file}: {told}") from None
    if strangers:
        raise ConfigError(f"{file}: refers to files outside itself: {'; '.join(strangers[:5])}")


def _same(content: Content, target: Path) -> bool:
    return isinstance(content, Path) and content.resolve() == target


def _key(file: Path) -> str:
    refuse_devices(file)
    digest = blake2b(digest_size=12)
    try:
        with file.open("rb") as stream:
            while block := stream.read(_BLOCK):
                digest.update(block)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None
    return digest.hexdigest()
