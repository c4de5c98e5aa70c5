"""A project: one folder with worlds, robots, scenarios, assets and the user's own code."""

from dataclasses import dataclass
from pathlib import Path

from outrider.core.errors import ConfigError
from outrider.core.files.atomic_file import whole_folder, write_whole
from outrider.core.files.package_files import is_file
from outrider.core.files.yaml_file import read_yaml, yaml_text
from outrider.core.structure import from_data, plain
from outrider.specs.references import is_file_name

PROJECT_FILE = "project.yaml"
FOLDERS = ("worlds", "robots", "scenarios", "assets", "code")


@dataclass(frozen=True, slots=True)
class ProjectSpec:
    """The contents of ``project.yaml``."""

    name: str
    description: str = ""
    scenario: str = "scenarios/main.yaml"  # what ``outrider run`` runs: a file in it, or a name


@dataclass(frozen=True, slots=True)
class Project:
    """A project's folder and its file."""

    root: Path
    spec: ProjectSpec

    @property
    def scenario(self) -> str:
        """The scenario to run: a path, or a name of the library."""
        named = self.spec.scenario
        return str(self.root / named) if is_file_name(named) else named


def load_project(folder: Path) -> Project:
    """Return the project in a folder, or raise an error that names what is missing."""
    file = folder / PROJECT_FILE
    if not file.is_file():
        raise ConfigError(f"{folder}: is not a project: it has no {PROJECT_FILE}")
    spec = from_data(ProjectSpec, {"name": folder.resolve().name, **read_yaml(file)}, str(file))
    project = Project(folder.resolve(), spec)
    if is_file_name(spec.scenario):
        path = Path(project.scenario).resolve()
        if not path.is_relative_to(project.root):
            raise ConfigError(f"{file}: scenario: '{spec.scenario}' is not in the project")
        if not is_file(path):
            raise ConfigError(f"{file}: scenario: there is no file '{spec.scenario}'")
    return project


def make_folders(folder: Path) -> None:
    """Make the folders of a project where they are missing."""
    try:
        for name in FOLDERS:
            (folder / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror or error}") from None


def new_project(folder: Path) -> Project:
    """Make a project that runs at once, in a folder that is empty or not there yet."""
    spec = ProjectSpec(folder.resolve().name, "Drive a Jackal round a yard.")
    with whole_folder(folder):
        make_folders(folder)
        for name, text in _FIRST_FILES.items():
            write_whole(folder / name, text.encode())
        # the last file makes it a project: one that was broken off is none
        data = {**plain(spec), "scenario": spec.scenario}
        write_whole(folder / PROJECT_FILE, yaml_text(data).encode())
    return load_project(folder)


_FIRST_FILES = {
    "worlds/yard.yaml": """\
description: A floor with a wall, a ramp and a crate to push.
ground: {type: flat, size: [20, 20], material: asphalt}
objects:
  - {name: wall, shape: {type: box, size: [0.2, 6, 1]}, pose: {x: 6}, material: brick}
  - name: ramp
    shape: {type: box, size: [2, 1, 0.05]}
    pose: {x: 2, y: 3, z: 0.15, pitch_deg: -10}
  - {name: crate, shape: {type: box, size: [0.4, 0.4, 0.4]}, pose: {x: 3}, mass: 4, material: wood}
""",
    "scenarios/main.yaml": """\
description: A Jackal pushes a crate.
world: ../worlds/yard.yaml
robots:
  - {model: jackal, motion: {type: drive, speed: 0.5}}
duration_s: 10
""",
    "code/drive.py": '''\
"""Run this while the project runs: outrider run . --duration 60"""

import outrider as o

with o.connect() as simulation:
    print(simulation.call("status"))
''',
}
