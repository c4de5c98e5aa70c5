"""Other programs' world files, where an Outrider world or model is expected."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from outrider.core.structure import Data, plain
from outrider.formats.gazebo.sensors import pose_spec
from outrider.formats.import_file import Imported, as_world
from outrider.formats.import_once import import_once
from outrider.formats.xml_write import is_identity
from outrider.specs.world import IN_PLACE, ModelEntry, NoGround, PoseSpec, WorldSpec
from outrider.world.model import Link, Model, World

CARRIER = ""  # the name of what only holds other models: they keep their own names


def foreign_world_data(entry: ModelEntry) -> Data:
    """Return a world of another program as the data of a world file, with one model: the file."""
    found = import_once(Path(entry.file), entry.args, entry.search)
    data: Data = plain(foreign_world_spec(found, entry))
    return data


def foreign_world_spec(found: Imported, entry: ModelEntry) -> WorldSpec:
    """Return what was imported as a world file's content; the entry's file holds its models."""
    world = as_world(found)
    file = str(Path(entry.file).resolve())
    return WorldSpec(
        name=found.report.name,
        description=f"imported from {Path(found.report.file).name}",
        gravity=world.gravity,
        origin=world.origin,
        ground=NoGround(),
        models=(replace(entry, file=file, pose=IN_PLACE),),
        lights=world.lights,
        ambient=world.ambient,
        sky=world.sky,
        start=PoseSpec() if is_identity(world.start) else pose_spec(world.start),
        actors=() if found.world is None else found.world.actors,
        components=_components(found),
        weather=world.weather,
    )


def _components(found: Imported) -> tuple[Data, ...]:
    """Return what stands in for plugins that move things, by the names that they have here."""
    known = {name for model in found.models for name in _names(model, "")}
    return tuple(entry for entry in _named_components(found) if entry["on"] in known)


def _named_components(found: Imported) -> tuple[Data, ...]:
    if found.world is not None:
        return found.world.components
    return tuple(
        {**entry, "on": "/".join(filter(None, (robot.model.name, entry.get("on"))))}
        for robot in found.robots
        if robot.draft is None
        for entry in robot.components
    )


def _names(model: Model, above: str) -> Iterator[str]:
    """Yield the names of a model, its links and joints, and those of the models in it."""
    name = f"{above}{model.name}"
    yield name
    parts = [*(link.name for link in model.links), *(joint.name for joint in model.joints)]
    yield from (f"{name}/{part}" for part in parts)
    for child in model.children:
        yield from _names(child, f"{name}/")


def foreign_model(entry: ModelEntry) -> Model:
    """Return the model of a file, or one without a name that holds all models of a world."""
    found = import_once(Path(entry.file), entry.args, entry.search)
    if found.world is not None:
        return _held(found.world.world)
    (model,) = found.models
    return model


def stands_still(model: Model) -> bool:
    """Return whether a model by itself is scenery: nothing of it has a mass."""
    return all(link.inertial is None for link in model.links)


def _held(world: World) -> Model:
    return Model(CARRIER, (Link("world"),), mobility="static", children=world.models)
