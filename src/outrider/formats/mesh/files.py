"""Mesh files of any known format; large ones are kept on disk in a form that loads fast."""

from pathlib import Path

import numpy as np

from outrider.core.bounded_cache import bounded_cache
from outrider.core.cache import cached, content_key
from outrider.core.errors import FormatError
from outrider.formats.lfs_pointer import check_fetched
from outrider.formats.mesh.gltf.document import names_files
from outrider.formats.mesh.raw import RawAsset, RawMaterial, Reader, checked, pack, unpack
from outrider.formats.mesh.textures import CACHED, find_texture
from outrider.formats.reader import reader_of
from outrider.specs.file_kinds import is_kind, suffixes

MAX_BYTES = 1 << 30
_LARGE = 8 << 20
# what the contents of a damaged file turn into when something else is expected
_MISREAD = (AttributeError, ArithmeticError, LookupError, RecursionError, TypeError, ValueError)
_VERSION = 4  # of the cached form


def load_raw(path: Path) -> RawAsset:
    """Return a mesh file's content, checked; a small file that has not changed is read once."""
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: cannot read the mesh: {_reason(error)}") from None
    if status.st_size > MAX_BYTES:
        raise FormatError(f"{path}: the mesh is larger than {MAX_BYTES >> 20} MB")
    if status.st_size > _LARGE:
        return _load_large(path)
    return _load_small(path, status.st_mtime_ns, status.st_size)


@bounded_cache(64 << 20)
def _load_small(path: Path, mtime_ns: int, size: int) -> RawAsset:
    del mtime_ns, size  # part of the key only: a changed file is read anew
    return _read(path, _bytes(path))


def _load_large(path: Path) -> RawAsset:
    data = _bytes(path)
    suffix = path.suffix.lower()
    if suffix == ".gltf" or (suffix == ".glb" and names_files(data)):  # its pictures may change
        return _read(path, data)
    key = content_key(_VERSION, suffix, str(path), np.frombuffer(data, np.uint8))
    try:
        found = unpack(dict(cached("meshes", key, lambda: pack(_read(path, data)))))
    except (KeyError, ValueError):  # someone else's file
        return _read(path, data)
    kept = all(find_texture(path, look.texture) for look in _inner_looks(found))
    return found if kept else _read(path, data)


def _inner_looks(asset: RawAsset) -> list[RawMaterial]:
    """Return the looks whose pictures were inside the file and lie beside the cached form."""
    return [look for look in asset.looks.values() if look.texture.startswith(CACHED)]


def _read(path: Path, data: bytes) -> RawAsset:
    try:
        return checked(path, _reader(path)(path, data))
    except FormatError as error:
        if str(path) in str(error):
            raise
        raise FormatError(f"{path}: {error}") from None
    except _MISREAD:
        kind = path.suffix.lower()
        raise FormatError(f"{path}: its contents are not those of a {kind} file") from None


def _reader(path: Path) -> Reader:
    reader: Reader | None = reader_of(path, "mesh")
    if reader is not None:
        return reader
    if is_kind(path, "unread mesh"):
        raise FormatError(
            f"{path}: {path.suffix} files are not read; convert it to GLB, as Blender can"
        )
    known = ", ".join(suffixes("mesh"))
    raise FormatError(f"{path}: expected a mesh ({known}), got '{path.suffix or path.name}'")


def _bytes(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path}: cannot read the mesh: {_reason(error)}") from None
    if not data:
        raise FormatError(f"{path}: the file is empty")
    return check_fetched(path, data)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
