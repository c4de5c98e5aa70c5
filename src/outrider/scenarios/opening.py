"""Opens everything that can run, by name or file: scenarios, projects, worlds, robots, states."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from outrider.core.errors import ConfigError, near_match
from outrider.core.files.package_files import is_file, is_folder
from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import from_data
from outrider.loader.library import Kind, find_file, in_library, library_names
from outrider.loader.project.archive import opened
from outrider.loader.project.folder import PROJECT_FILE, load_project
from outrider.scenarios.kinds import kind_of
from outrider.scenarios.load import changed, load
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session.saved_state_file import is_saved_state
from outrider.scenarios.session.session import Session
from outrider.specs.file_kinds import is_kind
from outrider.specs.references import is_foreign
from outrider.specs.world import (
    HeightmapGround,
    MeshGround,
    ModelEntry,
    PoseSpec,
    WorldSpec,
)
from outrider.world.model import Model

DEMO = "demo"
_KINDS: tuple[Kind, ...] = ("scenarios", "worlds", "robots")
GUEST = "jackal"  # drives in a world that brings no robot


@dataclass(frozen=True, slots=True)
class Foreign:
    """How to read other programs' files."""

    args: dict[str, str] = field(default_factory=dict)
    search: tuple[Path, ...] = ()
    size: tuple[float, float, float] | None = None  # m, for a height image

    def entry(self, file: Path) -> ModelEntry:
        """Return a file as a world names it."""
        return ModelEntry(str(file.resolve()), args=self.args, search=self.folders)

    @property
    def folders(self) -> tuple[str, ...]:
        """The search paths, as absolute paths."""
        return tuple(str(path.resolve()) for path in self.search)


def find_scenario(
    what: str | None,
    robot: str | None = None,
    settings: Sequence[str] = (),
    foreign: Foreign | None = None,
    guest: str | None = GUEST,
) -> Scenario:
    """Return the scenario of a name or file; a world alone gets a ``guest`` and no end."""
    foreign = foreign or Foreign()
    if foreign != Foreign() and not any(_is_of_others(name) for name in (what, robot)):
        raise ConfigError(
            "--arg, --path and --size: only for other programs' files, and none is given"
        )
    scenario = changed(_scenario(DEMO if what is None else what, foreign, guest), settings)
    return scenario if robot is None else with_robot(scenario, robot, foreign)


def with_robot(scenario: Scenario, robot: str, foreign: Foreign | None = None) -> Scenario:
    """Return a scenario with another first robot."""
    if not scenario.robots:
        raise ConfigError(f"--robot: scenario '{scenario.name}' has no robot to replace")
    first = _robot(robot, foreign or Foreign())
    first = replace(
        scenario.robots[0],
        model=robot,
        name="",
        namespace=None,
        args=first.args,
        search=first.search,
        robot="",
    )
    renamed = replace(scenario, robots=(first, *scenario.robots[1:]))
    return changed(renamed, (), "--robot")


def with_flags(scenario: Scenario, flags: dict[str, tuple[str, object]]) -> Scenario:
    """Return a scenario with the values of options that were given, checked as a file's are."""
    for option, (path, value) in flags.items():
        if value is not None:
            scenario = changed(scenario, [f"{path}={value}"], option)
    return scenario


def resumed(
    state: Path, duration_s: float | None, others: tuple[object, ...], *, trust: bool = False
) -> Session:
    """Return a session that continues from a file, for a duration if one is given."""
    if any(value not in (None, []) for value in others):
        raise ConfigError("--state: can only be combined with --speed, --duration and --trust")
    session = Session.of_file(state, trust=trust)
    if duration_s is not None:
        end_s = session.simulation.time_s + duration_s
        session.scenario = with_flags(session.scenario, {"--duration": ("duration_s", end_s)})
    return session


def _is_of_others(name: str | None) -> bool:
    return name is not None and Path(name).suffix != "" and not is_kind(name, "own", "project")


def _robot(model: str, foreign: Foreign) -> RobotEntry:
    """Return a robot's entry; only other programs' files get search paths."""
    if not is_foreign(model):
        return RobotEntry(model=model)
    return RobotEntry(model=model, args=foreign.args, search=foreign.folders)


def _scenario(what: str, foreign: Foreign, guest: str | None) -> Scenario:
    if not what.strip():  # which is the current folder to a path
        raise ConfigError(
            "expected the name or file of a scenario, world or robot, got an empty one"
        )
    if is_kind(what, "project"):
        return load(opened(Path(what)).scenario)
    if is_file(Path(what) / PROJECT_FILE) or (is_folder(Path(what)) and not _is_name(what)):
        return load(load_project(Path(what)).scenario)
    if _is_path(what):
        return _of_file(what, foreign, guest)
    if in_library("scenarios", what):
        return load(what)
    if in_library("worlds", what):
        return in_world(what, guest, what)
    if in_library("robots", what):
        return in_world(what, what, "empty")
    known = list(dict.fromkeys(name for kind in _KINDS for name in library_names(kind)))
    raise ConfigError(
        f"there is no scenario, world or robot '{what}'{near_match(what, known)};"
        f" known: {', '.join(known)}"
    )


def _is_name(what: str) -> bool:
    return any(in_library(kind, what) for kind in _KINDS)


def _of_file(what: str, foreign: Foreign, guest: str | None) -> Scenario:
    if Path(what).suffix and not is_kind(what, "own"):
        return _of_foreign(Path(what), foreign, guest)
    path = find_file("scenarios", what)
    kind = kind_of(read_yaml(path), str(path))
    if kind == "world":
        return in_world(path.stem, guest, str(path.resolve()))
    if kind == "robot":
        return in_world(path.stem, str(path.resolve()), "empty")
    if kind == "project":
        return load(load_project(path.parent).scenario)
    return load(path)


def _of_foreign(path: Path, foreign: Foreign, guest: str | None) -> Scenario:
    """Return what a file of another program is to a run: something that drives, or a place."""
    from outrider.formats.import_file import file_kind
    from outrider.formats.import_once import import_once
    from outrider.loader.foreign_world import foreign_world_data
    from outrider.loader.lone_model import is_alone, lone_model_spec
    from outrider.loader.mesh_start import mesh_start

    if not is_file(path):
        raise ConfigError(f"there is no file '{path}' to run")
    if is_saved_state(path):
        raise ConfigError(f"{path} is a saved state: 'outrider run --state {path}' continues it")
    kind, name = file_kind(path), path.stem
    if kind == "mesh":
        mesh = MeshGround(file=str(path.resolve()))
        return in_world(name, guest, WorldSpec(name=name, ground=mesh, start=mesh_start(mesh)))
    if kind == "heightmap":
        heights = HeightmapGround(file=str(path.resolve()), size=foreign.size)
        return in_world(name, guest, WorldSpec(name=name, ground=heights))
    found = import_once(path, foreign.args, foreign.folders)
    robots = [robot.model for robot in found.robots if robot.draft is not None]
    if not robots and is_alone(found):
        return in_world(name, guest, lone_model_spec(found, foreign.entry(path)))
    world: str | WorldSpec = "empty"
    if not robots or found.world is not None:
        world = from_data(WorldSpec, foreign_world_data(foreign.entry(path)), str(path))
    if not robots:
        return in_world(name, guest, world)
    entry = _robot(str(path.resolve()), foreign)
    if found.world is None:
        return Scenario(name=name, world=world, robots=(entry,), duration_s=None)
    entries = tuple(_in_place(entry, robot) for robot in robots)
    return Scenario(name=name, world=world, robots=entries, duration_s=None)


def _in_place(entry: RobotEntry, robot: Model) -> RobotEntry:
    """Return the entry of a robot where its world's file puts it, on the ground."""
    return replace(
        entry,
        robot=robot.name,
        pose=replace(PoseSpec.of(robot.pose), z=None, roll_deg=0.0, pitch_deg=0.0),
    )


def in_world(name: str, robot: str | None, world: str | WorldSpec) -> Scenario:
    """Return a world with one robot or none, and no end."""
    robots = () if robot is None else (RobotEntry(model=robot),)
    return Scenario(name=name, world=world, robots=robots, duration_s=None)


def _is_path(what: str) -> bool:
    return "/" in what or Path(what).suffix != ""
