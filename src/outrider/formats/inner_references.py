"""Files that models and meshes name inside themselves: meshes, materials, textures."""

import re
from collections.abc import Iterator
from pathlib import Path

from outrider.core.errors import FormatError
from outrider.core.files.package_files import is_file
from outrider.formats.asset_paths import AssetPaths

_MOST_BYTES = 64 << 20
_URDF = re.compile(rb"filename\s*=\s*[\"']([^\"'$]+)[\"']")
_SDF = re.compile(rb"<uri>\s*([^<]+?)\s*</uri>")
_MJCF = re.compile(rb"\bfile\s*=\s*[\"']([^\"']+)[\"']")
_PATTERNS = {
    ".urdf": (_URDF,),
    ".xacro": (_URDF,),
    ".sdf": (_SDF,),
    ".world": (_SDF,),
    ".xml": (_URDF, _MJCF),
    ".mjcf": (_MJCF,),
    ".dae": (re.compile(rb"<init_from>\s*([^<]+?)\s*</init_from>"),),
    ".obj": (re.compile(rb"^\s*mtllib\s+(.+?)\s*$", re.MULTILINE),),
    ".mtl": (re.compile(rb"^\s*(?:map_\w+|bump|disp|decal|norm)\s+(?:.*\s)?(\S+)\s*$", re.M),),
    ".gltf": (re.compile(rb"\"uri\"\s*:\s*\"(?!data:)([^\"]+)\""),),
}


def has_inner(path: Path) -> bool:
    """Return whether files of this kind name other files."""
    return path.suffix.lower() in _PATTERNS


def found_in(path: Path) -> Iterator[tuple[str, Path | None]]:
    """Yield each file that a file names, as it is written there, and where it lies."""
    assets = AssetPaths(path.parent)
    seen = set()
    for pattern in _PATTERNS[path.suffix.lower()]:
        for match in pattern.findall(_bytes(path)):
            text = match.decode("utf-8", errors="replace")
            if text not in seen:
                seen.add(text)
                yield text, _find(assets, text)


def replaced(path: Path, changes: dict[str, str]) -> bytes:
    """Return a file's bytes with other names for the files it names."""
    content = _bytes(path)
    for pattern in _PATTERNS[path.suffix.lower()]:

        def change(match: re.Match[bytes]) -> bytes:
            text = match.group(1).decode("utf-8", errors="replace")
            whole, new = match.group(0), changes.get(text, text)
            return whole.replace(match.group(1), new.encode())

        content = pattern.sub(change, content)
    return content


def _find(assets: AssetPaths, text: str) -> Path | None:
    try:
        return assets.find(text)
    except FormatError:
        plain = Path(text)
        outside = plain if plain.is_absolute() else assets.base / plain
        # its own user may take from anywhere: the copy will lie beside the model
        return outside.resolve() if "://" not in text and is_file(outside) else None


def _bytes(path: Path) -> bytes:
    if path.stat().st_size > _MOST_BYTES and path.suffix.lower() == ".obj":
        with path.open("rb") as file:  # the line stands at the top
            return file.read(1 << 20)
    return path.read_bytes()
