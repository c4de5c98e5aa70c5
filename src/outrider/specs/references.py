"""Finds file references in plain data, so that paths can be resolved or rewritten."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from outrider.core.files.package_files import real_path
from outrider.core.structure import Data
from outrider.specs.file_kinds import is_kind

FileKind: TypeAlias = Literal["scenario", "world", "robot", "model", "project", "any"]
Change: TypeAlias = Callable[[str], str]

# Places of file names in each kind of file; "*" stands for every entry of a list or mapping.
_SHAPES = ("shape.file", "texture", "parts.*.shape.file", "parts.*.texture")
_SENSORS = ("sensors.*.model",)
_COMPONENTS = ("components.*.file",)
_WORLD = (
    "include",
    "ground.file",
    "ground.texture",
    "ground.layers.*.texture",
    "ground.base.file",
    "ground.surfaces.*.mask",
    "scatter.*.region.mask",
    "models.*.file",
    "models.*.search.*",
    "materials.*.texture",
    *(f"objects.*.{place}" for place in _SHAPES),
    *_COMPONENTS,
)
_PLACES: dict[FileKind, tuple[str, ...]] = {
    "world": _WORLD,
    "model": (
        "models.*.file",
        "models.*.search.*",
        "materials.*.texture",
        "parts.*.shape.file",
        "parts.*.texture",
    ),
    "robot": ("urdf", "drivetrain.curves.*", *_SENSORS, *_COMPONENTS),
    "scenario": (
        "include",
        "include.*",
        "world",
        "robots.*.model",
        "robots.*.search.*",
        "robots.*.curves.*",
        "robots.*.sensors.*.model",
        "robots.*.components.*.file",
        *_SENSORS,
        *_COMPONENTS,
        *(f"obstacles.*.{place}" for place in _SHAPES),
        *(f"world.{place}" for place in _WORLD),
        "autonomy.waypoints.file",
    ),
}
_PLACES["project"] = ("scenario",)
# No two kinds use one key for different things, so a file need not say what it is.
_PLACES["any"] = tuple(dict.fromkeys(place for places in _PLACES.values() for place in places))

# Under these keys a name without path or suffix is one of the library.
_BY_NAME = {"include", "world", "model", "scenario"}


def map_files(data: Mapping[str, object], kind: FileKind, change: Change) -> Data:
    """Return a copy of a file's data in which every file name has gone through ``change``."""
    out: Any = dict(data)
    for place in _PLACES[kind]:
        out = _mapped(out, place.split("."), change, place)
    return dict(out)


def rooted(data: Mapping[str, object], kind: FileKind, base: Path) -> Data:
    """Return a file's data with absolute paths."""
    return map_files(data, kind, lambda name: str(real_path(base / name)))


def is_file_name(text: str) -> bool:
    """Return whether a text is a path rather than a library name."""
    named = is_kind(text, "own", "description") or text.endswith(".txt")  # a curve
    return named or "/" in text or "\\" in text


def is_foreign(name: str) -> bool:
    """Return whether a file is one of another program, to be imported where ours is expected."""
    return is_kind(name, "description")


def _mapped(node: object, keys: list[str], change: Change, place: str) -> Any:
    if not keys:
        return _changed(node, change, place)
    key, rest = keys[0], keys[1:]
    if key == "*" and isinstance(node, Mapping):
        return {name: _mapped(item, rest, change, place) for name, item in node.items()}
    if key == "*" and isinstance(node, list | tuple):
        return [_mapped(item, rest, change, place) for item in node]
    if isinstance(node, Mapping) and key in node:
        return {**node, key: _mapped(node[key], rest, change, place)}
    return node


def _changed(value: object, change: Change, place: str) -> Any:
    """Pass a file name on; what is no text is left for the file's reader to refuse."""
    if not isinstance(value, str) or not value or "://" in value or "\0" in value:
        return value
    by_name = not _BY_NAME.isdisjoint(place.split(".")[-2:])
    return value if by_name and not is_file_name(value) else change(value)
