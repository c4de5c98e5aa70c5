"""Other programs' world files, where an Outrider world or model is expected."""

from __future__ import annotations

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
    data: Data = plain(world_spec(found, entry))
    return data


def world_spec(found: Imported, entry: ModelEntry) -> WorldSpec:
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
    )


def foreign_model(entry: ModelEntry) -> Model:
    """Return the model of a file, or one without a name that holds all models of a world."""
    found = import_once(Path(entry.file), entry.args, entry.search)
    if found.world is not None:
        return _held(found.world.world)
    (model,) = found.models
    return model


def _held(world: World) -> Model:
    return Model(CARRIER, (Link("world"),), mobility="static", children=world.models)
