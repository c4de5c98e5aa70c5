"""Worlds of other programs, where a world or a model of ours is expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from outrider.core.structure import plain
from outrider.formats.gazebo_sensors import pose_spec
from outrider.formats.import_file import Imported, ImportOptions, as_world, import_file
from outrider.formats.world_file import IN_PLACE, ModelEntry, NoGround, PoseSpec, WorldSpec
from outrider.formats.xml_write import is_identity
from outrider.world.model import Link, Model, World

_STRICT = ImportOptions(lenient=False)  # what runs must be complete
CARRIER = ""  # the name of what only holds other models: they keep their own names


def foreign_world_data(path: Path) -> dict[str, Any]:
    """Return a world of another program as the data of a world file, with one model: the file."""
    found = import_file(path, _STRICT)
    return plain(world_spec(found, path))  # type: ignore[no-any-return]


def world_spec(found: Imported, file: Path) -> WorldSpec:
    """Return what was imported as a world file's content; ``file`` holds its models."""
    world = as_world(found)
    return WorldSpec(
        name=found.report.name,
        description=f"imported from {Path(found.report.file).name}",
        gravity=world.gravity,
        origin=world.origin,
        ground=NoGround(),
        models=(ModelEntry(str(file.resolve()), pose=IN_PLACE),),
        lights=world.lights,
        ambient=world.ambient,
        sky=world.sky,
        start=PoseSpec() if is_identity(world.start) else pose_spec(world.start),
    )


def foreign_model(path: Path) -> Model:
    """Return the model of a file, or one without a name that holds all models of a world."""
    found = import_file(path, _STRICT)
    if found.world is not None:
        return _held(found.world.world)
    (model,) = found.models
    return model


def _held(world: World) -> Model:
    return Model(CARRIER, (Link("world"),), mobility="static", children=world.models)
