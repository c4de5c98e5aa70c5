"""Mesh files of any known format; large ones are kept on disk in a form that loads fast."""

from importlib import import_module
from pathlib import Path

import numpy as np

from outrider.core.bounded_cache import kept
from outrider.core.cache import cached, content_key
from outrider.core.errors import FormatError
from outrider.formats.mesh.gltf.document import names_files
from outrider.formats.mesh.raw import Look, RawAsset, Reader, checked, pack, unpack
from outrider.formats.mesh.textures import CACHED, find_texture

MAX_BYTES = 1 << 30
READERS = {
    ".dae": ("collada.scene", "read_collada"),
    ".obj": ("obj", "read_wavefront"),
    ".stl": ("stl", "read_stl"),
    ".ply": ("ply", "read_ply"),
    ".gltf": ("gltf.read", "read_gltf"),
    ".glb": ("gltf.read", "read_gltf"),
    ".fbx": ("fbx", "read_fbx"),
}
_CONVERT = (".blend", ".3ds", ".max", ".skp", ".usd", ".usdz", ".step", ".stp", ".iges")
_KEPT_ON_DISK = (".dae", ".obj", ".stl", ".ply", ".glb", ".fbx")
_LARGE = 8 << 20
# what the contents of a damaged file turn into when something else is expected
_MISREAD = (AttributeError, ArithmeticError, LookupError, RecursionError, TypeError, ValueError)
_VERSION = 1  # of the cached form


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


@kept(64 << 20)
def _load_small(path: Path, mtime_ns: int, size: int) -> RawAsset:
    del mtime_ns, size  # part of the key only: a changed file is read anew
    return _read(path, _bytes(path))


def _load_large(path: Path) -> RawAsset:
    data = _bytes(path)
    suffix = path.suffix.lower()
    if suffix not in _KEPT_ON_DISK or (suffix == ".glb" and names_files(data)):
        return _read(path, data)
    key = content_key(_VERSION, suffix, str(path), np.frombuffer(data, np.uint8))
    try:
        found = unpack(dict(cached("meshes", key, lambda: pack(_read(path, data)))))
    except (KeyError, ValueError):  # someone else's file
        return _read(path, data)
    kept = all(find_texture(path, look.texture) for look in _inner_looks(found))
    return found if kept else _read(path, data)


def _inner_looks(asset: RawAsset) -> list[Look]:
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
    suffix = path.suffix.lower()
    if suffix in _CONVERT:
        raise FormatError(f"{path}: {suffix} files are not read; convert it to GLB, as Blender can")
    if suffix not in READERS:
        known = ", ".join(READERS)
        raise FormatError(f"{path}: expected a mesh ({known}), got '{suffix or path.name}'")
    module, function = READERS[suffix]
    reader: Reader = getattr(import_module(f"outrider.formats.mesh.{module}"), function)
    return reader


def _bytes(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path}: cannot read the mesh: {_reason(error)}") from None
    if not data:
        raise FormatError(f"{path}: the file is empty")
    return data


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
