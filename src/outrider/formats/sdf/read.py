"""SDF worlds and models, versions 1.4 to 1.11."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from outrider.actors.spec import PersonSpec
from outrider.core.frames import Pose
from outrider.core.structure import Data
from outrider.formats.asset_paths import environment_paths
from outrider.formats.collision_shapes import with_collisions_apart
from outrider.formats.gazebo.plugins import DriveFigures, controller_files, in_one_namespace
from outrider.formats.gazebo.pose import read_pose
from outrider.formats.gazebo.sensors import SensorList, add_sensor
from outrider.formats.importing.controller_file import with_controller
from outrider.formats.importing.draft import draft_robot, why_not_driving
from outrider.formats.mesh.link_geometry import ColladaUp
from outrider.formats.notes import Note, Notes
from outrider.formats.sdf.actors import read_actors
from outrider.formats.sdf.document import SdfDocument, SdfLibrary
from outrider.formats.sdf.model import SdfModels
from outrider.formats.sdf.population import populated
from outrider.formats.sdf.raw import RawModel, raw_model, raw_models
from outrider.formats.sdf.scope import Scope, ScopeEntry
from outrider.formats.sdf.state import apply_state
from outrider.formats.sdf.wind import read_wind
from outrider.formats.sdf.world import heading, read_environment, read_light, rotated
from outrider.formats.urdf.description import ImportedRobot
from outrider.formats.xml_source import Element
from outrider.specs.sensor import SensorEntry
from outrider.world.model import Light, Model, World


@dataclass(frozen=True, slots=True, eq=False)
class ImportedWorld:
    """A world read from elsewhere, with the sensors that stand in it and its robots."""

    world: World
    sensors: tuple[SensorEntry, ...] = ()
    log: tuple[Note, ...] = ()
    raw: tuple[str, ...] = ()  # XML of what has no counterpart here
    actors: tuple[PersonSpec, ...] = ()
    components: tuple[Data, ...] = ()  # what stands in for plugins that move things
    robots: tuple[ImportedRobot, ...] = ()  # models that a plugin drives; not in the world

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed, left out or not found, as sentences."""
        return tuple(str(note) for note in self.log)


def read_sdf(
    path: Path | str,
    search: tuple[Path, ...] = (),
    env: Mapping[str, str] | None = None,
    lenient: bool = False,
    seed: int = 1,
    collada_up: ColladaUp = "ros",
) -> ImportedWorld:
    """Return the world of an SDF file; a file of models is a world that holds only them.

    If ``lenient``, meshes and included models that are not there are noted and left out.
    """
    library, document = _open(Path(path), search, env, lenient, collada_up)
    return _Reading(library, document, seed).world()


def read_sdf_model(
    path: Path | str,
    search: tuple[Path, ...] = (),
    env: Mapping[str, str] | None = None,
    lenient: bool = False,
    collada_up: ColladaUp = "ros",
) -> ImportedRobot:
    """Return the one model of an SDF file, with its sensors and a first robot file."""
    library, document = _open(Path(path), search, env, lenient, collada_up)
    return _Reading(library, document, 1).robot()


def is_sdf_world(path: Path | str) -> bool:
    """Return whether an SDF file holds a world; otherwise it holds models."""
    library = SdfLibrary((), Notes(), True)
    return library.document(Path(path)).root.find("world") is not None


def _open(
    path: Path,
    search: tuple[Path, ...],
    env: Mapping[str, str] | None,
    lenient: bool,
    collada_up: ColladaUp,
) -> tuple[SdfLibrary, SdfDocument]:
    paths = (*search, *environment_paths(os.environ if env is None else env))
    library = SdfLibrary(paths, Notes(), lenient, collada_up)
    return library, library.document(path)


class _Reading:
    """One reading of one file."""

    def __init__(self, library: SdfLibrary, document: SdfDocument, seed: int) -> None:
        self.library = library
        self.document = document
        self.seed = seed
        self.models = SdfModels(library)

    def world(self) -> ImportedWorld:
        """Return the world: models at their places, the state block last."""
        element = self._world_element()
        raws, scope = self._raws(element)
        name = (element.get("name") or "").strip() or (raws[0].name if raws else "world")
        environment = read_environment(self.document, element, name, scope)
        raws = apply_state(self.library, self.document, element, raws, scope)
        found = with_collisions_apart([self.models.top(raw, scope.pose(raw.key)) for raw in raws])
        found = tuple(self._carrying(model) for model in found)
        robots, found = self._robots_in(found)
        sensors, lights = self._standing({robot.model.name for robot in robots})
        if element is self.document.root:  # only models: what lights them is the user's affair
            environment = replace(environment, lights=World("").lights)
        lights = (*environment.lights, *self._included_lights(), *lights)
        everything = (*found, *(robot.model for robot in robots))
        made = replace(environment, models=everything, lights=lights)
        angle = heading(self.document, element)
        actors = read_actors(self.document, element, angle)
        if angle:
            made = rotated(made, angle)
            self.document.xml.note(
                element, "the world was rotated by its heading, so that x points east", "applied"
            )
        made = replace(made, weather=read_wind(self.document, element, angle))
        placed = made.models[len(found) :]
        if placed:
            made = replace(made, models=made.models[: len(found)], start=placed[0].pose)
        return ImportedWorld(
            made,
            tuple(sensors.entries),
            self.library.notes.all(),
            (*sensors.raw, *self.models.raw),
            actors,
            components=tuple(
                {**entry, "on": f"{model.name}/{entry['on']}" if entry["on"] else model.name}
                for model in found
                for entry in self.models.of(model.name)
            ),
            robots=tuple(
                replace(robot, model=model) for robot, model in zip(robots, placed, strict=True)
            ),
        )

    def robot(self) -> ImportedRobot:
        """Return the first model of a file without a world."""
        element = self.document.root.find("model")
        if element is None:
            raise self.document.xml.fail(self.document.root, "it contains no <model>")
        raw = raw_model(self.library, self.document, element, ())
        model = with_collisions_apart([self.models.top(raw, Pose())])[0]
        if raw.entry.relative_to:
            raise self.document.xml.fail(element, f"there is no frame '{raw.entry.relative_to}'")
        return self._drafted(self._carrying(model))

    def _robots_in(
        self, models: tuple[Model, ...]
    ) -> tuple[list[ImportedRobot], tuple[Model, ...]]:
        """Return the models that a plugin drives as robots, and what is left of the world."""
        robots, rest = [], []
        for model in models:
            driven = model.name in self.models.drives and model.mobility == "dynamic"
            robot = self._drafted(model) if driven else None
            if robot is not None and robot.draft is not None:
                robots.append(robot)
                continue
            rest.append(model)
            if robot is not None:
                self.library.notes.add(
                    "ignored",
                    f"model '{model.name}' drives in Gazebo; here it is an object: "
                    f"it {why_not_driving(robot.model)}",
                )
        return robots, tuple(rest)

    def _drafted(self, model: Model) -> ImportedRobot:
        """Return a model with its sensors and, if it can drive, a first robot file."""
        sensors = SensorList(
            frozenset(link.name for link in model.links),
            {joint.name: joint.child for joint in model.joints},
            model=model,
        )
        for item in self.models.mounted:
            if item.top == model.name and item.element.tag == "sensor":
                add_sensor(item.owner.document.xml, item.element, item.link, item.T_link, sensors)
        for top, prefix, entry in self.models.sensors:
            if top == model.name:
                sensors.take(entry, prefix)
        draft, components = None, self.models.of(model.name)
        if model.mobility == "dynamic":
            drive = self._controlled(model)
            sensors.topics |= self.models.topics.get(model.name, {})
            sensors.namespaces += self.models.namespaces.get(model.name, [])
            drive, topics = in_one_namespace(drive, sensors)
            notes = self.library.notes
            model, draft = draft_robot(model, drive, sensors.entries, notes, topics)
        if draft is not None and components:
            draft = {**draft, "components": components}
        return ImportedRobot(
            model,
            tuple(sensors.entries),
            draft,
            self.library.notes.all(),
            (*sensors.raw, *self.models.raw),
            components=tuple(components),
        )

    def _controlled(self, model: Model) -> DriveFigures | None:
        """Return the drive of a model's plugin, with what a controller file beside it says."""
        raw, drive = self.models.sources[model.name], self.models.drives.get(model.name)
        if raw.document.assets.sealed:  # what lies beside a peer's text is not its own
            return drive
        plugins = [plugin for _, plugin in raw.plugins]
        named = controller_files(raw.document.xml, plugins, raw.document.assets)
        names = [joint.name for joint in model.joints]
        return with_controller(drive, raw.document.path, names, self.library.notes, named)

    def _carrying(self, model: Model) -> Model:
        """Return a belt as a model whose surface can be moved."""
        belt = any(entry["type"] == "conveyor" for entry in self.models.of(model.name))
        one_piece = all(joint.kind == "fixed" for joint in model.joints)
        return replace(model, mobility="scripted") if belt and one_piece else model

    def _world_element(self) -> Element:
        root = self.document.root
        worlds = root.findall("world")
        if len(worlds) > 1:
            self.document.xml.note(worlds[1], "only the first world is read")
        if worlds:
            return worlds[0]
        if root.find("model") is None and root.find("include") is None:
            raise self.document.xml.fail(root, "it contains neither a <world> nor a <model>")
        return root

    def _raws(self, element: Element) -> tuple[list[RawModel], Scope]:
        """Return the models of a world, and its frames."""
        xml = self.document.xml
        scope = Scope(lambda message: xml.fail(element, message), ("world", "__world__"))
        raws = raw_models(self.library, self.document, element, ())
        for area in element.findall("population"):
            raws += populated(self.library, self.document, area, self.seed)
        self._name_apart(raws)
        for raw in raws:
            scope.add(raw.key, raw.entry)
            scope.inner[raw.key] = raw.scope
        for frame in element.findall("frame"):
            pose, relative_to = read_pose(xml, frame)
            attached = (frame.get("attached_to") or "").strip()
            scope.add(xml.text(frame, "name"), ScopeEntry(relative_to or attached, pose))
        return raws, scope

    def _name_apart(self, raws: list[RawModel]) -> None:
        taken: set[str] = set()
        for raw in raws:
            wanted, number = raw.name, 2
            while raw.name in taken:
                raw.name, number = f"{wanted}_{number}", number + 1
            if raw.name != wanted:
                raw.key = raw.name
                self.library.notes.add(
                    "applied", f"a second model '{wanted}' is called '{raw.name}'"
                )
            taken.add(raw.name)

    def _included_lights(self) -> tuple[Light, ...]:
        return tuple(
            read_light(found.document, found.element, found.pose) for found in self.library.lights
        )

    def _standing(self, robots: set[str]) -> tuple[SensorList, tuple[Light, ...]]:
        """Return the sensors and lights of models that never move, posed in the world."""
        sensors, lights = SensorList(), []
        for item in self.models.mounted:
            xml = item.owner.document.xml
            if item.top in robots and item.element.tag == "sensor":
                continue
            if not item.static:
                xml.note(item.element, "is on a model that moves by itself and was left out")
                sensors.keep(item.element)
            elif item.element.tag == "light":
                lights.append(read_light(item.owner.document, item.element, item.T_world))
            else:
                add_sensor(xml, item.element, "", item.T_world, sensors)
        for top, _, entry in self.models.sensors:
            if top not in robots:
                self.library.notes.add(
                    "ignored", f"'{entry.model}' of '{top}', which drives nowhere, was left out"
                )
        return sensors, tuple(lights)
