"""A robot's two files: read as they are, written, and kept in the cache under their content."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from outrider.core.cache import content_key
from outrider.core.cache_folder import cache_dir
from outrider.core.errors import ConfigError, near_match
from outrider.core.files.atomic_file import write_whole
from outrider.core.files.package_files import is_file, real_path
from outrider.core.files.yaml_file import read_yaml
from outrider.core.frames import Pose
from outrider.core.structure import from_data, plain
from outrider.formats.urdf.read import read_urdf
from outrider.formats.urdf.write import write_urdf
from outrider.loader.library import find_file
from outrider.loader.save import save_data
from outrider.specs.component import check_components
from outrider.specs.references import is_file_name, is_foreign
from outrider.vehicles.name_checks import check_names
from outrider.vehicles.spec import RobotSpec
from outrider.world.model import Model

_MESHES = "meshes"


@dataclass(frozen=True, slots=True, eq=False)
class RobotFiles:
    """What a robot's files say, before anything is made of it."""

    spec: RobotSpec
    model: Model
    urdf: str = ""  # the text, for robot_description


def read_robot(
    name_or_path: str | Path,
    args: Mapping[str, str] | None = None,
    search: tuple[str, ...] = (),
    robot: str = "",
) -> RobotFiles:
    """Read a robot of the library by name, or a user's file by path.

    A file of another program may need ``args`` for xacro, folders to ``search``, and the name of
    one ``robot`` if it has several.
    """
    path = find_file("robots", name_or_path)
    if is_foreign(path.name):
        return _imported(path, dict(args or {}), search, robot)
    if args or search or robot:
        raise ConfigError(
            f"{name_or_path}: 'args', 'search' and 'robot' are only for other programs' files"
        )
    read = read_yaml(path)
    check_components(read, path.parent, str(path))
    spec = _at_home(from_data(RobotSpec, read, str(path.name)), path.parent)
    urdf = path.parent / spec.urdf
    if not is_file(urdf):
        raise ConfigError(f"{path}: urdf: there is no file '{spec.urdf}' in the robot's folder")
    model = read_urdf(urdf)
    check_names(spec, model, f"{path.name}: ")
    return RobotFiles(spec, model, urdf.read_text(encoding="utf-8"))


def save_robot(spec: RobotSpec, model: Model, folder: Path) -> Path:
    """Write a robot's URDF, meshes and YAML file into a folder; return the last."""
    written = replace(spec, urdf=f"{spec.name}.urdf")
    text = write_urdf(replace(model, name=spec.name), folder / _MESHES)
    write_whole(folder / written.urdf, text.encode())
    return save_data(plain(written), "robot", folder / f"{spec.name}.yaml")


def keep_robot(spec: RobotSpec, model: Model) -> Path:
    """Return a robot's file in the cache, for scenarios: it is there as long as the cache."""
    shelf = cache_dir() / "robots"
    shelf.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=shelf) as folder:
        save_robot(spec, model, Path(folder))
        files = sorted(p for p in Path(folder).rglob("*") if p.is_file())
        key = content_key(*(p.read_bytes() for p in files))
        place = shelf / f"{spec.name}-{key[:12]}"
        if not place.exists():
            shutil.copytree(folder, f"{folder}.done")
            Path(f"{folder}.done").replace(place)
    return place / f"{spec.name}.yaml"


def _imported(path: Path, args: dict[str, str], search: tuple[str, ...], name: str) -> RobotFiles:
    """Return the robot of a description that has no file of ours: its drive is guessed."""
    from outrider.formats.import_once import import_once
    from outrider.formats.importing.draft import why_not_driving

    robots = import_once(path, args, search).robots
    known = [robot.model.name for robot in robots]
    if name and name not in known:
        raise ConfigError(f"{path}: there is no robot '{name}' in it{near_match(name, known)}")
    found = next((robot for robot in robots if name in ("", robot.model.name)), None)
    if found is None or found.draft is None:
        reason = "it has no wheels on both sides"
        if found is not None:
            reason = f"'{found.model.name}' {why_not_driving(found.model)}"
        raise ConfigError(f"{path}: {reason}; or write a robot file with a drivetrain")
    spec = from_data(RobotSpec, {**found.draft, "urdf": path.name}, path.name)
    return RobotFiles(spec, replace(found.model, pose=Pose()), found.urdf)


def _at_home(spec: RobotSpec, folder: Path) -> RobotSpec:
    """Return a spec whose own sensor files, curves and components are found from anywhere."""
    sensors = tuple(
        replace(s, model=str(real_path(folder / s.model))) if is_file_name(s.model) else s
        for s in spec.sensors
    )
    components = tuple(
        {**one, "file": str(real_path(folder / one["file"]))} if one.get("file") else one
        for one in spec.components
    )
    drivetrain = spec.drivetrain.at_home(folder)
    return replace(spec, sensors=sensors, components=components, drivetrain=drivetrain)
