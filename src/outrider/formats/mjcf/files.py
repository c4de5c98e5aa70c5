"""Which files an MJCF file would open: all must lie where a model may read."""

from pathlib import Path

from outrider.core.errors import FormatError
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.xml_source import Element, XmlSource, read_bounded

MAX_FILES = 1000
_FOLDERS = ("meshdir", "texturedir", "assetdir")


def check_files(path: Path, assets: AssetPaths) -> None:
    """Refuse a file that is not MJCF, or that names files outside the allowed folders."""
    seen: list[Path] = []
    folders: set[str] = {""}
    _check(path, assets, seen, folders)


def _check(path: Path, assets: AssetPaths, seen: list[Path], folders: set[str]) -> None:
    if len(seen) >= MAX_FILES:
        raise FormatError(f"{path}: more than {MAX_FILES} files are included")
    if path.resolve() in seen:
        raise FormatError(f"{path}: it includes itself")
    seen.append(path.resolve())
    source = XmlSource(str(path), read_bounded(path))
    if source.root.tag not in ("mujoco", "mujocoinclude"):
        raise source.fail(source.root, "expected a <mujoco>; this is not an MJCF file")
    for element in source.root.iter("compiler"):
        folders |= {element.get(name, "") for name in _FOLDERS}
    for element in source.root.iter():
        _check_finite(source, element)
        name = element.get("file")
        if name and element.tag == "include":
            included = _inside(source, element, path.parent / name, assets)
            if not included.is_file():
                raise source.fail(element, f"there is no file '{included}'")
            _check(included, assets, seen, folders)
        elif name:
            for folder in folders:
                _inside(source, element, path.parent / folder / name, assets)


def _check_finite(source: XmlSource, element: Element) -> None:
    """Refuse what MuJoCo would only warn of, in a log file of its own."""
    for name in map(str, element.attrib):
        value = element.get(name) or ""
        if "nan" in value.lower().split():
            raise source.fail(element, f"{name}: expected finite numbers, got '{value[:60]}'")


def _inside(source: XmlSource, element: Element, path: Path, assets: AssetPaths) -> Path:
    way = ""
    try:
        if "\0" not in str(path) and assets.within(path):
            return path
        way = assets.way_to_allow(path)
    except (OSError, RuntimeError, ValueError):
        pass
    raise source.fail(element, f"'{path}' leaves the folders that may be read{way}")
