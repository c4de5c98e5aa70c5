"""Projects of the editor: saved by name in one folder, opened from there or from the library."""

import re
from pathlib import Path

from outrider.core.atomic_file import write_whole
from outrider.core.errors import ConfigError, near_match
from outrider.core.structure import plain
from outrider.loader.library import library_names
from outrider.loader.project.folder import FOLDERS, PROJECT_FILE, ProjectSpec, load_project
from outrider.loader.save import save_data
from outrider.scenarios.load import load
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.specs.yaml_file import read_yaml, yaml_text

_NAME = re.compile(r"[A-Za-z0-9][\w-]{0,63}", re.ASCII)
_MAIN = "scenarios/main.yaml"


def project_names(folder: Path) -> list[str]:
    """Return the projects in a folder."""
    if not folder.is_dir():
        return []
    return sorted(p.name for p in folder.iterdir() if (p / PROJECT_FILE).is_file())


def project_folder(folder: Path, name: str) -> Path:
    """Return the folder of a project; names cannot lead elsewhere."""
    return folder / checked_name(name, "project")


def checked_name(name: str, kind: str) -> str:
    """Return a name that may become one of a file or folder."""
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"'{name[:64]}' is no {kind}'s name: it takes letters, digits, _ and -, at most 64"
        )
    return name


def save_project(scenario: Scenario, root: Path) -> Path:
    """Write a scenario, with all that was changed in it, as a project; the rest of it stays."""
    for name in FOLDERS:
        (root / name).mkdir(parents=True, exist_ok=True)
    save_data({"name": scenario.name, **plain(scenario)}, "scenario", root / _MAIN)
    known = read_yaml(root / PROJECT_FILE) if (root / PROJECT_FILE).is_file() else {}
    spec = ProjectSpec(root.resolve().name, scenario.description, _MAIN)
    # the last file makes it a project: one that was broken off is none
    data = {**plain(spec), **known, "scenario": _MAIN}
    write_whole(root / PROJECT_FILE, yaml_text(data).encode())
    return root


def open_project(folder: Path, name: str) -> Scenario:
    """Return the scenario of a saved project."""
    names = project_names(folder)
    if name not in names:
        raise ConfigError(f"there is no project '{name}' in {folder}{near_match(name, names)}")
    return load(load_project(project_folder(folder, name)).scenario)


def of_library(name: str) -> Scenario:
    """Return a scenario of the library, or a world of it under a Jackal."""
    if name in library_names("scenarios"):
        return load(name)
    if name in library_names("worlds"):
        return Scenario(name=name, world=name, robots=(RobotEntry(),), duration_s=None)
    known = [*library_names("scenarios"), *library_names("worlds")]
    raise ConfigError(f"there is no scenario or world '{name}'{near_match(name, known)}")
