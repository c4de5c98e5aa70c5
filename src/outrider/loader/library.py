"""Files of the library, by kind and name, and worlds that include other worlds.

The program's own come first; installed packages may add others.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from outrider.core.errors import ConfigError, near_match
from outrider.core.files.package_files import LIBRARY, is_file
from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import Data, from_data
from outrider.loader.installed import installed_libraries
from outrider.specs.component import check_components
from outrider.specs.file_kinds import Kind as FileKind
from outrider.specs.file_kinds import is_kind, suffixes
from outrider.specs.references import is_file_name, is_foreign, rooted
from outrider.specs.world import ModelEntry, WorldSpec

Kind: TypeAlias = Literal["robots", "worlds", "scenarios", "sensors"]
_READ: dict[Kind, tuple[FileKind, ...]] = {  # what a file of a kind may be: its suffix says so
    "robots": ("own", "description"),
    "worlds": ("own", "description"),
    "scenarios": ("own",),
    "sensors": ("own",),
}


def library_names(kind: Kind) -> list[str]:
    """Return all names of a kind, sorted."""
    return sorted({name for folder in _libraries() for name in _names(folder / kind)})


def in_library(kind: Kind, name: str) -> bool:
    """Return whether the library has a name; installed packages are asked last."""
    return any(name in _names(folder / kind) for folder in _libraries())


def library_path(kind: Kind, name: str) -> Path:
    """Return the YAML file of a name: ``kind/name.yaml`` or ``kind/name/name.yaml``."""
    for folder in _libraries():
        if name in _names(folder / kind):
            single = folder / kind / f"{name}.yaml"
            return single if single.is_file() else folder / kind / name / f"{name}.yaml"
    known = library_names(kind)
    raise ConfigError(
        f"there is no {kind[:-1]} '{name}' in the library{near_match(name, known)}; "
        f"known: {', '.join(known)}"
    )


def _libraries() -> Iterator[Path]:
    yield LIBRARY
    yield from installed_libraries()


def _names(folder: Path) -> set[str]:
    single = {path.stem for path in folder.glob("*.yaml")}
    foldered = {path.stem for path in folder.glob("*/*.yaml") if path.stem == path.parent.name}
    return single | foldered


def find_file(kind: Kind, name_or_path: str | Path, base: Path | None = None) -> Path:
    """Return the file of a library name, or of a path (relative ones start in ``base``)."""
    text = str(name_or_path)
    if not is_file_name(text):
        return library_path(kind, text)
    path = (base or Path()) / text
    if not is_kind(path, *_READ[kind]):
        raise ConfigError(
            f"{path}: expected a {kind[:-1]} file ({', '.join(suffixes(*_READ[kind]))})"
        )
    if not is_file(path):
        hint = near_match(path.stem, library_names(kind))
        raise ConfigError(f"there is no {kind[:-1]} file '{path}'{hint}")
    return path


def load_world_spec(name_or_path: str | Path) -> WorldSpec:
    """Return a world of the library or of a file, with what it includes merged in."""
    path = find_file("worlds", name_or_path)
    return from_data(WorldSpec, _merged(path, ()), shown_path(path))


def resolve_world_spec(data: Mapping[str, object], base: Path, where: str) -> WorldSpec:
    """Return a world written inside another file, with what it includes merged in."""
    return from_data(WorldSpec, _with_include(rooted(data, "world", base), base, where, ()), where)


def _merged(path: Path, above: tuple[Path, ...]) -> Data:
    if path.resolve() in above:
        chain = " -> ".join(shown_path(p) for p in (*above, path.resolve()))
        raise ConfigError(f"worlds include each other in a cycle: {chain}")
    if is_foreign(path.name):
        from outrider.loader.foreign_world import foreign_world_data

        return foreign_world_data(ModelEntry(str(path)))
    read = read_yaml(path)
    check_components(read, path.parent, shown_path(path))
    data = {"name": path.stem, **rooted(read, "world", path.parent)}
    return _with_include(data, path.parent, shown_path(path), (*above, path.resolve()))


def _with_include(data: Data, base: Path, where: str, above: tuple[Path, ...]) -> Data:
    """Lay a world's keys over those of the world it includes; the result includes nothing."""
    include = data.pop("include", "")
    if not isinstance(include, str):
        raise ConfigError(f"{where}: include: expected a name or file, got {include!r}")
    if not include:
        return data
    return overlay(_merged(find_file("worlds", include, base), above), data)


def overlay(low: Mapping[str, object], high: Mapping[str, object]) -> Data:
    """Return ``low`` with the keys of ``high`` over it: mappings merge, all else is replaced."""
    out = dict(low)
    for key, value in high.items():
        below = out.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping) and _alike(below, value):
            out[key] = overlay(below, value)
        else:
            out[key] = value
    return out


def _alike(low: Mapping[str, object], high: Mapping[str, object]) -> bool:
    """Return whether two mappings have the same type, so that their keys can be merged."""
    return bool(high.get("type", low.get("type")) == low.get("type"))


def shown_path(path: Path) -> str:
    """Return a path as errors show it: short inside the library."""
    path = path.resolve()
    return str(path.relative_to(LIBRARY)) if path.is_relative_to(LIBRARY) else str(path)
