"""Components in files: the keys that all of them have, beside the parameters of their own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, TypeAlias

from outrider.core.errors import ConfigError
from outrider.core.files.package_files import real_path
from outrider.core.structure import Data, from_data, number
from outrider.core.trust import is_trusted

OnFault: TypeAlias = Literal["continue", "fail"]
PROJECT_MARK = "project.yaml"


@dataclass(frozen=True, slots=True)
class ComponentEntry:
    """A component as it is attached: its class, what it is on, and its own parameters."""

    file: str = ""  # Python file next to the file that names it, with ...
    class_: str = ""  # ... this class
    type: str = ""  # or a built-in or installed component, by name
    on: str = ""  # model, model/link, model/joint or robot/sensor; empty: the world or robot
    name: str = ""  # empty: its class and what it is attached to
    rate_hz: float | None = number(None, above=0.0, most=1e6)  # None: in every step
    limit_s: float = number(1.0, above=0.0)  # wall time that a call may take
    on_fault: OnFault | None = None  # None: as in the scenario


_KEYS = {field.name.rstrip("_"): field.name for field in fields(ComponentEntry)}
RESERVED = frozenset(_KEYS)


def read_component_entry(data: Mapping[str, object], where: str) -> tuple[ComponentEntry, Data]:
    """Return the keys that every component has, and the parameters of its own."""
    common = {_KEYS[key]: value for key, value in data.items() if key in _KEYS}
    entry = from_data(ComponentEntry, common, where)
    if bool(entry.file) == bool(entry.type):
        raise ConfigError(f"{where}: expected either 'file' and 'class', or 'type'")
    if entry.file and not entry.class_:
        raise ConfigError(f"{where}: class: which class of '{Path(entry.file).name}' is it?")
    return entry, {key: value for key, value in data.items() if key not in _KEYS}


def check_components(data: Mapping[str, object], base: Path, where: str) -> None:
    """Refuse components whose file is outside the folder, or project, of the file naming them."""
    home = _project_of(base.resolve())
    for file in named_files(data):
        target = real_path(base / file)
        if not target.is_relative_to(home) and not is_trusted(target):
            raise ConfigError(
                f"{where}: components: '{file}' is outside the folder of the file that names it"
            )


def named_files(data: Mapping[str, object]) -> Iterator[str]:
    """Yield the files of components anywhere in a scenario, world or robot file."""
    for key, value in data.items():
        for item in value if isinstance(value, list | tuple) else [value]:
            if not isinstance(item, Mapping):
                continue
            if key == "components" and isinstance(item.get("file"), str):
                yield item["file"]
            elif key in ("world", "robots"):
                yield from named_files(item)


def _project_of(folder: Path) -> Path:
    """Return the project that a folder is in, or the folder."""
    above = (folder, *folder.parents)
    return next((path for path in above if (path / PROJECT_MARK).is_file()), folder)
