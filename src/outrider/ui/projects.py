"""Projects of the editor: saved by name in one folder, opened from there or from the library."""

import re
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from outrider.core.cache_folder import cache_dir
from outrider.core.errors import ConfigError, near_match
from outrider.core.files.atomic_file import beside, remove_leftovers, write_whole
from outrider.core.files.yaml_file import read_yaml, yaml_text
from outrider.core.structure import plain
from outrider.loader.library import library_names
from outrider.loader.project.folder import PROJECT_FILE, ProjectSpec, load_project, make_folders
from outrider.loader.save import save_data
from outrider.scenarios.load import load
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.specs.references import map_files
from outrider.ui.layout import Layout, write_layout

_NAME = re.compile(r"[A-Za-z0-9][\w-]{0,63}", re.ASCII)
_MAIN = "scenarios/main.yaml"
_ASSETS = "assets"
_CODE = "code"
_PASSING = ("robots", "uploads")  # shelves of the cache with what was made or brought here


def project_names(folder: Path) -> list[str]:
    """Return the projects in a folder."""
    if not folder.is_dir():
        return []
    return sorted(p.name for p in folder.iterdir() if (p / PROJECT_FILE).is_file())


def project_folder(folder: Path, name: str) -> Path:
    """Return the folder of a project; names cannot leave the projects' folder."""
    return folder / checked_name(name, "project")


def checked_name(name: str, kind: str) -> str:
    """Return a name that is valid for a file or folder."""
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"'{name[:64]}' is no {kind}'s name: it takes letters, digits, _ and -, at most 64"
        )
    return name


def save_project(
    scenario: Scenario,
    root: Path,
    layout: Layout | None = None,
    programs: Mapping[str, str] | None = None,
) -> Path:
    """Write a scenario with all its changes as a project; other files there are kept."""
    make_folders(root)
    for robot, text in (programs or {}).items():
        write_whole(_program(root, robot), text.encode())
    if layout is not None:
        write_layout(layout, root)
    data = map_files(plain(scenario), "scenario", partial(_at_home, root.resolve()))
    save_data({"name": scenario.name, **data}, "scenario", root / _MAIN)
    known = read_yaml(root / PROJECT_FILE) if (root / PROJECT_FILE).is_file() else {}
    spec = ProjectSpec(root.resolve().name, scenario.description, _MAIN)
    # the last file makes it a project: one that was broken off is none
    head = {**plain(spec), **known, "scenario": _MAIN}
    write_whole(root / PROJECT_FILE, yaml_text(head).encode())
    return root


def read_programs(root: Path) -> dict[str, str]:
    """Return the programs of a project's robots, by robot."""
    try:
        files = sorted((root / _CODE).glob("*.py"))
        return {file.stem: file.read_text("utf-8", "replace") for file in files}
    except OSError as error:
        raise ConfigError(f"{root / _CODE}: cannot be read: {error.strerror}") from None


def _program(root: Path, robot: str) -> Path:
    return root / _CODE / f"{checked_name(robot, 'robot')}.py"


def _at_home(root: Path, name: str) -> str:
    """Return a file's name; files that are only in the cache are copied into the project."""
    path = Path(name)
    for shelf in (cache_dir() / kind for kind in _PASSING):
        if path.is_absolute() and path.is_relative_to(shelf):
            folder, *rest = path.relative_to(shelf).parts
            home = root / _ASSETS / folder
            if not home.exists():
                _copied(shelf / folder, home)
            return str(home.joinpath(*rest))
    return name


def _copied(source: Path, home: Path) -> None:
    """Copy a folder as a whole or not at all."""
    remove_leftovers(home.parent, home.name[:40])
    made = beside(home)
    try:
        shutil.copytree(source, made)
        made.replace(home)
    except (OSError, shutil.Error) as error:
        shutil.rmtree(made, ignore_errors=True)
        raise ConfigError(f"{home}: cannot be written: {error}") from None


def open_project(folder: Path, name: str) -> Scenario:
    """Return the scenario of a saved project."""
    names = project_names(folder)
    if name not in names:
        raise ConfigError(f"there is no project '{name}' in {folder}{near_match(name, names)}")
    return load(load_project(project_folder(folder, name)).scenario)


def of_library(name: str) -> Scenario:
    """Return a library scenario, or a library world with a Jackal."""
    if name in library_names("scenarios"):
        return load(name)
    if name in library_names("worlds"):
        return Scenario(name=name, world=name, robots=(RobotEntry(),), duration_s=None)
    known = [*library_names("scenarios"), *library_names("worlds")]
    raise ConfigError(f"there is no scenario or world '{name}'{near_match(name, known)}")
