"""Any file of another program: what it is, what it holds, and a report."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from outrider.core.errors import FormatError, WorldError
from outrider.core.frames import Pose
from outrider.formats.asset_paths import environment_paths
from outrider.formats.elevation.heightmap import read_heightmap
from outrider.formats.gazebo.plugins import DriveFigures
from outrider.formats.importing.draft import draft_robot
from outrider.formats.importing.report import ImportReport, counted
from outrider.formats.importing.wheels import find_wheels
from outrider.formats.mesh.link_geometry import ColladaUp, MeshUse, mesh_colliders, mesh_visuals
from outrider.formats.mjcf.read import ImportedMjcf, read_mjcf
from outrider.formats.notes import Note, Notes
from outrider.formats.sdf.read import ImportedWorld, is_sdf_world, read_sdf, read_sdf_model
from outrider.formats.urdf.description import ImportedRobot, read_robot_description
from outrider.formats.xml_source import XmlSource, read_bounded
from outrider.specs.file_kinds import is_kind
from outrider.specs.sensor import SensorEntry
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World

_COMMANDS = {
    ".py": "'outrider run --user-code FILE' runs a program on a robot",
    ".state": "'outrider run --state FILE' continues a saved state",
    **dict.fromkeys((".mcap", ".bag", ".db3"), "'outrider replay FILE' plays a recording"),
}


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to read: arguments for xacro, folders to look in, a height map's size, what is up."""

    args: Mapping[str, str] = field(default_factory=dict)
    search: tuple[Path, ...] = ()
    env: Mapping[str, str] | None = None  # None: the process's own variables
    lenient: bool = True
    size: tuple[float, float, float] | None = None  # m, for images
    collada_up: ColladaUp = "ros"  # in a URDF or SDF; a mesh by itself stands as it says

    @property
    def paths(self) -> tuple[Path, ...]:
        """All folders to look in."""
        env = os.environ if self.env is None else self.env
        return (*self.search, *environment_paths(env))


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """What a file holds: a world, a robot (or other model), or robots and the world around them.

    In a world, each robot's model has the pose at which it starts.
    """

    report: ImportReport
    world: ImportedWorld | None = None
    robots: tuple[ImportedRobot, ...] = ()

    @property
    def robot(self) -> ImportedRobot | None:
        """The only robot, or the first of several."""
        return self.robots[0] if self.robots else None

    @property
    def models(self) -> tuple[Model, ...]:
        """All models at the top."""
        if self.world is not None:
            return self.world.world.models
        return tuple(robot.model for robot in self.robots)


def import_file(path: Path | str, options: ImportOptions | None = None) -> Imported:
    """Read a file by what it is: URDF, xacro, SDF, MJCF, a mesh or a height map."""
    path = Path(path)
    if not path.is_file():
        raise FormatError(f"{path}: there is no such file")
    try:
        return _reader(path)(path, options or ImportOptions())
    except WorldError as error:  # a shape that cannot be
        told = str(error).startswith(f"{path}:")
        raise FormatError(str(error) if told else f"{path}: {error}") from None


def file_kind(path: Path) -> str:
    """Return "urdf", "sdf", "mjcf", "mesh" or "heightmap"; content decides where names do not."""
    if is_kind(path, "mesh", "unread mesh"):
        return "mesh"
    if is_kind(path, "height image", "elevation"):
        return "heightmap"
    if is_kind(path, "own"):
        raise FormatError(
            f"{path}: this is Outrider's own file; use it as it is, or 'outrider check' it"
        )
    if is_kind(path, "project"):
        raise FormatError(f"{path}: open projects with 'outrider project open'")
    if command := _COMMANDS.get(path.suffix.lower()):
        raise FormatError(f"{path}: holds no robot or world; {command}")
    root = XmlSource(str(path), read_bounded(path)).root
    kinds = {"robot": "urdf", "sdf": "sdf", "mujoco": "mjcf"}
    if str(root.tag) not in kinds:
        raise FormatError(
            f"{path}: expected a <robot>, <sdf> or <mujoco>, a mesh or a height map, "
            f"got <{root.tag}>"
        )
    return kinds[str(root.tag)]


def _reader(path: Path) -> Callable[[Path, ImportOptions], Imported]:
    return {
        "urdf": _urdf,
        "sdf": _sdf,
        "mjcf": _mjcf,
        "mesh": _mesh,
        "heightmap": _heightmap,
    }[file_kind(path)]


def _urdf(path: Path, options: ImportOptions) -> Imported:
    robot = read_robot_description(
        path,
        options.args,
        options.env,
        options.search,
        options.lenient,
        options.collada_up,
    )
    return _of_robot(path, robot)


def _of_robot(path: Path, robot: ImportedRobot) -> Imported:
    kind = "robot" if robot.draft is not None else "model"
    counts = counted([robot.model]) | {"sensors": [_sensor(entry) for entry in robot.sensors]}
    if robot.draft is not None:
        counts["drive"] = robot.draft["drivetrain"]["type"]
    report = ImportReport(str(path), kind, robot.model.name, counts, robot.log)
    return Imported(report, robots=(robot,))


def _sensor(entry: SensorEntry) -> str:
    return f"{entry.name} ({entry.model}){entry.link and f' on {entry.link}'}"


def _sdf(path: Path, options: ImportOptions) -> Imported:
    search, env, lenient, up = options.search, options.env, options.lenient, options.collada_up
    if not is_sdf_world(path):
        return _of_robot(path, read_sdf_model(path, search, env, lenient, up))
    return _of_world(path, read_sdf(path, search, env, lenient, collada_up=up))


def _of_world(path: Path, found: ImportedWorld) -> Imported:
    world, robots = found.world, found.robots
    sensors = (*found.sensors, *(entry for robot in robots for entry in robot.sensors))
    counts = counted((*world.models, *(robot.model for robot in robots))) | {
        "sensors": [_sensor(entry) for entry in sensors],
        "lights": len(world.lights),
        "gravity": list(world.gravity),
    }
    if found.actors:
        counts["actors"] = [actor.name for actor in found.actors]
    if robots:
        counts["robots"] = [_told(robot) for robot in robots]
    report = ImportReport(str(path), "world", world.name, counts, found.log)
    return Imported(report, found, robots)


def _told(robot: ImportedRobot) -> str:
    drive = "" if robot.draft is None else robot.draft["drivetrain"]["type"]
    return f"{robot.model.name} ({drive})"


def _mjcf(path: Path, options: ImportOptions) -> Imported:
    """Read a world of MuJoCo's; those of its models that can drive become robots in it."""
    found = read_mjcf(path, options.paths)
    robots, rest, notes = [], [], Notes()
    for model in found.world.models:
        robot = _driving(model, found, notes) if model.mobility == "dynamic" else None
        if robot is None:
            rest.append(model)
        else:
            robots.append(robot)
    if len(robots) == 1 and not rest:
        return _of_robot(path, robots[0])
    start = robots[0].model.pose if robots else found.world.start
    around = replace(found.world, models=tuple(rest), start=start)
    log = (*found.log, *notes.all())
    world = _of_world(path, ImportedWorld(around, (), log, robots=tuple(robots)))
    return replace(world, report=_of_robot(path, robots[0]).report) if len(robots) == 1 else world


def _driving(model: Model, found: ImportedMjcf, others: Notes) -> ImportedRobot | None:
    """Return a model as a robot, if it has wheels on both sides; what turns without is noted."""
    notes = Notes()
    wheels = [w.joint for w in find_wheels(model) if not w.steering and w.joint in found.driven]
    torque = max((found.driven[joint] for joint in wheels), default=0.0)
    drive = DriveFigures(left=tuple(wheels), torque=torque)
    facing, draft = draft_robot(model, drive, (), notes)
    if draft is None:
        if any(joint.kind == "continuous" and joint.name in found.driven for joint in model.joints):
            others.extend("guessed", notes.texts())
        return None
    return ImportedRobot(facing, draft=draft, log=(*found.log, *notes.all()))


def _mesh(path: Path, _options: ImportOptions) -> Imported:
    notes = Notes()
    use, material = MeshUse(path, collada_up="file"), Material()
    link = Link(
        "link",
        None,
        mesh_visuals(use, Pose(), material, True, "", notes),
        mesh_colliders(use, Pose(), material, "", notes),
    )
    return _thing(path, "mesh", link, notes.all())


def _heightmap(path: Path, options: ImportOptions) -> Imported:
    found = read_heightmap(path, options.size)
    ground = Geometry(found.field)
    notes = Notes()
    notes.extend("applied", found.notes)
    return _thing(path, "heightmap", Link("link", None, (ground,), (ground,)), notes.all())


def _thing(path: Path, kind: str, link: Link, log: tuple[Note, ...]) -> Imported:
    """Return a thing that stands still as a model."""
    model = Model(path.stem, (link,), mobility="static")
    counts = counted([model])
    robot = ImportedRobot(model, log=log)
    return Imported(ImportReport(str(path), kind, model.name, counts, log), robots=(robot,))


def as_world(found: Imported) -> World:
    """Return what was imported as a world: a model by itself lies in an empty one."""
    if found.world is not None:
        return found.world.world
    return World(found.report.name, found.models)


def whole_world(found: Imported) -> World:
    """Return what was imported as a world in which its robots stand where they start."""
    world = as_world(found)
    if found.world is None:
        return world
    return replace(world, models=(*world.models, *(robot.model for robot in found.robots)))
