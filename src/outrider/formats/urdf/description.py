"""Complete robot descriptions: model, sensors, and a drafted robot file."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from outrider.core.errors import FormatError, WorldError
from outrider.core.structure import Data
from outrider.formats.asset_paths import AssetPaths, environment_paths
from outrider.formats.gazebo.plugins import (
    DriveFigures,
    controller_files,
    in_one_namespace,
    read_plugin,
)
from outrider.formats.gazebo.pose import read_pose
from outrider.formats.gazebo.sensors import SensorList, add_sensor
from outrider.formats.importing.controller_file import with_controller
from outrider.formats.importing.draft import draft_robot
from outrider.formats.mesh.link_geometry import ColladaUp
from outrider.formats.notes import Note, Notes
from outrider.formats.urdf.read import UrdfReading, read_urdf_text_with_notes
from outrider.formats.urdf.xacro_expand import Expanded, expand_xacro
from outrider.formats.xml_source import Element, XmlSource, read_bounded
from outrider.specs.sensor import SensorEntry
from outrider.world.model import Model


@dataclass(frozen=True, slots=True, eq=False)
class ImportedRobot:
    """A robot read from elsewhere; ``draft`` is a robot file's data, None where nothing rolls."""

    model: Model
    sensors: tuple[SensorEntry, ...] = ()
    draft: Data | None = None
    log: tuple[Note, ...] = ()
    raw: tuple[str, ...] = ()  # XML of sensors, plugins and tags that have no counterpart here
    urdf: str = ""  # the text, for robot_description
    packages: tuple[Path, ...] = field(default=())
    components: tuple[Data, ...] = ()  # what stands in for plugins that move things

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed, left out or not found, as sentences."""
        return tuple(str(note) for note in self.log)


def read_robot_description(
    path: Path | str,
    args: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    search: tuple[Path, ...] = (),
    lenient: bool = False,
    collada_up: ColladaUp = "ros",
) -> ImportedRobot:
    """Return the robot of a URDF or xacro file.

    ``args`` are xacro's substitution arguments, ``env`` what ``$(env)`` and the search paths see
    (the process's own variables if not given). If ``lenient``, what is not there is noted and left
    out. Impossible inertias are repaired, with a note.
    """
    path = Path(path)
    env = os.environ if env is None else env
    notes = Notes()
    paths = (*search, *environment_paths(env))
    assets = AssetPaths(path.parent, paths)
    own_env = {} if assets.sealed else env  # a peer's text must not read our variables
    if assets.sealed:  # before the work of expanding it, and again after
        assets.check_size(read_bounded(path).decode("utf-8", "replace"), str(path))
    made = _text(path, args or {}, own_env, assets, notes, lenient)
    assets.check_size(made.text, str(path))
    reading = _read(path, made, (*paths, *made.packages), notes, lenient, collada_up)
    robot_file = None if assets.sealed else path  # what lies beside a peer's text is not its own
    return _with_extensions(
        reading, notes, made.text, made.packages, robot_file, (*paths, *made.packages)
    )


def _read(
    path: Path,
    made: Expanded,
    search: tuple[Path, ...],
    notes: Notes,
    lenient: bool,
    collada_up: ColladaUp,
) -> UrdfReading:
    """Read the expanded text; what does not fit together may be for want of a package."""
    try:
        return read_urdf_text_with_notes(
            made.text,
            path.parent,
            str(path),
            search,
            notes,
            lenient,
            repair=True,
            places=made.places,
            collada_up=collada_up,
            absent=made.absent,
        )
    except (FormatError, WorldError) as error:
        hint = _only_macros(made.only_macros) if made.only_macros else ""
        if made.absent:
            hint += f"; packages that were not found: {_quoted(made.absent)}"
        if not hint:
            raise
        raise FormatError(f"{error}{hint}") from None


def _only_macros(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return f": it only defines macros ({_quoted(names[:2])}{more}); give a file that uses them"


def _quoted(names: tuple[str, ...]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _text(
    path: Path,
    args: Mapping[str, str],
    env: Mapping[str, str],
    assets: AssetPaths,
    notes: Notes,
    lenient: bool,
) -> Expanded:
    """Return the file as URDF: xacro is told by its content."""
    data = read_bounded(path)
    source = XmlSource(str(path), data)
    kept = assets.sealed and path.suffix == ".urdf"  # was expanded before, in another process
    if kept and _names_xacro(source):
        raise FormatError(f"{path}: it has macros, which are expanded when it is spawned")
    if kept or not _has_macros(path, source, data):
        encoding = source.root.getroottree().docinfo.encoding or "utf-8"
        return Expanded(data.decode(encoding, errors="replace"))
    return expand_xacro(path, args, env, assets, notes, lenient)


def has_macros(path: Path, data: bytes) -> bool:
    """Return whether a file is xacro, by its content or its name."""
    return _has_macros(path, XmlSource(str(path), data), data)


def _has_macros(path: Path, source: XmlSource, data: bytes) -> bool:
    return _names_xacro(source) or b"xacro:" in data or path.suffix == ".xacro"


def _names_xacro(source: XmlSource) -> bool:
    return any("xacro" in uri for uri in source.root.nsmap.values())


def _with_extensions(
    reading: UrdfReading,
    notes: Notes,
    text: str,
    packages: tuple[Path, ...],
    path: Path | None,
    search: tuple[Path, ...],
) -> ImportedRobot:
    source, tags, model = reading.source, reading.tags, reading.model
    assert source is not None
    sensors = SensorList(
        frozenset(link.name for link in model.links),
        {joint.name: joint.child for joint in model.joints},
        raw=list(tags.raw),
        model=model,
    )
    drive: DriveFigures | None = None
    for link, element in tags.sensors:
        _mount(source, element, link, sensors)
    for plugin in tags.plugins:
        drive = read_plugin(source, plugin, sensors) or drive
    draft = None
    if model.mobility != "static":
        if path is not None:
            named = controller_files(source, tags.plugins, AssetPaths(path.parent, search))
            names = [joint.name for joint in model.joints]
            drive = with_controller(drive, path, names, notes, named)
        drive, topics = in_one_namespace(drive, sensors)
        model, draft = draft_robot(model, drive, sensors.entries, notes, topics)
    components = tuple(sensors.components)
    if draft is not None and components:
        draft = {**draft, "components": list(components)}
    return ImportedRobot(
        model,
        tuple(sensors.entries),
        draft,
        log=notes.all(),
        raw=tuple(sensors.raw),
        urdf=text,
        packages=packages,
        components=components,
    )


def _mount(source: XmlSource, element: Element, link: str, sensors: SensorList) -> None:
    """Add a sensor of a link, or of a joint; those on nothing of the robot are noted."""
    link = sensors.joints.get(link, link)
    if link not in sensors.links:
        sensors.keep(element)
        source.note(element, f"is for a link '{link}' that is not there and was left out")
        return
    pose, relative_to = read_pose(source, element)
    if relative_to not in ("", link):
        source.note(
            element, f"its pose is relative to '{relative_to}', taken as '{link}'", "guessed"
        )
    add_sensor(source, element, link, pose, sensors)
