"""Where the textures of a mesh lie, however its author's machine wrote their addresses."""

import io
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.core.cache import content_key
from outrider.core.cache_folder import cache_dir
from outrider.core.files.atomic_file import replacing

CACHED = "cache:"  # in front of the name of an image that was inside a mesh file
_CACHED_NAME = re.compile(r"^[0-9a-f]{32}\.[a-z]{3,4}$")
_SCHEME = re.compile(r"^(file://|(package|model)://[^/]*)", re.IGNORECASE)
_DRIVE = re.compile(r"^/?[A-Za-z]:/")
_BLENDER_COPY = re.compile(r"^(.+\.[A-Za-z]{3,4})\.\d{3}(\.[A-Za-z]{3,4})?$")
_PLACES = (".", "textures", "images", "../textures", "../images", "../materials/textures")
_MANIFESTS = ("package.xml", "model.config", "manifest.xml")
_LEVELS_UP = 6
_MAX_PARTS = 32


def keep_picture(data: bytes, suffix: str) -> str:
    """Write an image that lies in no file of its own to the cache; return its address."""
    folder = cache_dir() / "textures"
    target = folder / f"{content_key(np.frombuffer(data, np.uint8))}{suffix}"
    if not target.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(target) as file:
            file.write(data)
    return CACHED + target.name


def keep_pixels(pixels: NDArray[np.uint8]) -> str:
    """Write pixels to the cache as a picture; return its file."""
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG", compress_level=1)
    return find_texture(Path(), keep_picture(data.getvalue(), ".png"))


def find_texture(mesh: Path, address: str) -> str:
    """Return the absolute path of a texture that a mesh file names, or an empty string."""
    if address.startswith(CACHED):
        name = address.removeprefix(CACHED)
        kept = cache_dir() / "textures" / name
        return str(kept.resolve()) if _CACHED_NAME.match(name) and kept.is_file() else ""
    found = find_beside(mesh, address)
    return "" if found is None else str(found)


def find_beside(mesh: Path, address: str) -> Path | None:
    """Return the file of a mesh's package that an address means, or None.

    The author's absolute paths are tried by their last parts. Letters may differ in case.
    """
    folder = mesh.parent.resolve()
    root = _root(folder)
    try:
        for candidate in _candidates(address):
            found = _same_but_case(folder, candidate)
            if found is not None and found.is_relative_to(root):
                return found
    except (OSError, ValueError, RuntimeError):  # a name too long, or one with a zero in it
        return None
    return None


def _root(folder: Path) -> Path:
    """Return what a mesh may reach: its package or model, or else the folder above its own."""
    for path in [folder, *folder.parents][:_LEVELS_UP]:
        if any((path / name).is_file() for name in _MANIFESTS):
            return path
    return folder.parent


def _candidates(address: str) -> Iterator[PurePosixPath]:
    """Yield paths relative to the mesh's folder, the likeliest first."""
    text = address.strip().strip('"').replace("\\", "/")
    for written in dict.fromkeys((text, unquote(text))):
        path = PurePosixPath(_SCHEME.sub("", written))
        if not _DRIVE.match(str(path)):
            yield path
        yield from _by_last_parts(path)


def _by_last_parts(path: PurePosixPath) -> Iterator[PurePosixPath]:
    parts = [part for part in path.parts if part not in ("/", "..", ".")][-_MAX_PARTS:]
    for start in range(max(0, len(parts) - 3), len(parts)):
        for place in _PLACES:
            yield PurePosixPath(place, *parts[start:])
    copied = _BLENDER_COPY.match(path.name)
    if copied:
        yield from (PurePosixPath(place, copied.group(1)) for place in _PLACES)


def _same_but_case(folder: Path, path: PurePosixPath) -> Path | None:
    """Return the file at a path, letting its letters differ in case."""
    plain = folder / path
    if plain.is_file():
        return plain.resolve()
    if path.is_absolute():
        return None
    here = folder
    for part in path.parts:
        if part in (".", "..") or (here / part).exists():
            here = here / part
            continue
        if not here.is_dir():
            return None
        same = [child for child in here.iterdir() if child.name.lower() == part.lower()]
        if not same:
            return None
        here = min(same)
    return here.resolve() if here.is_file() else None
