"""From a world file to a World: ground, objects, models and materials."""

from dataclasses import replace

import numpy as np

from outrider.core.errors import ConfigError, WorldError
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.formats.mesh.asset import asset_geometry, read_mesh_asset
from outrider.loader.ground import (
    GROUND,
    ground_height,
    ground_shape,
    height_map,
    heightmap_look,
    heights_at,
    scales,
)
from outrider.loader.ground_file import named_file
from outrider.loader.materials import material
from outrider.loader.model import flattened, model_geometry, read_model_entry
from outrider.loader.solids import Appearance, rigid_link
from outrider.loader.terrain import (
    endless_geometry,
    land_geometry,
    pictured,
    scatter_models,
    thing_models,
    water_models,
)
from outrider.specs.world import (
    SOMEWHERE,
    FlatGround,
    GroundSpec,
    HeightmapGround,
    MeshGround,
    ModelEntry,
    ObjectSpec,
    PartSpec,
    PoseSpec,
    RollingGround,
    WorldSpec,
)
from outrider.terrain.recipe import EndlessGround, TerrainGround
from outrider.world.model import Geometry, GeoOrigin, Link, Mobility, Model, World
from outrider.world.shapes import Plane
from outrider.world.solids import reach
from outrider.world.tessellate import tessellate

__all__ = ["build_world", "ground_height", "object_model"]

LINK = "link"


def build_world(spec: WorldSpec) -> World:
    """Return the world of a file: the same in every run, its ground has a seed of its own."""
    ground = ground_model(spec)
    models = [object_model(item, spec) for item in spec.objects]
    models += [part for entry in spec.models for part in placed_models(entry, spec)]
    models += [*water_models(spec), *thing_models(spec), *scatter_models(spec)]
    _check_names(models if ground is None else [ground, *models])
    return World(
        name=spec.name,
        models=tuple([ground, *models] if ground else models),
        gravity=spec.gravity,
        origin=_origin(spec),
        start=spec.start.pose(ground_height(spec, spec.start.x, spec.start.y)),
        lights=spec.lights,
        ambient=spec.ambient,
        sky=spec.sky,
        horizon=spec.horizon,
        visibility=spec.visibility,
        weather=spec.weather,
    )


def ground_model(spec: WorldSpec) -> Model | None:
    """Return the ground as a static model, or None."""
    try:
        found = ground_shape(spec.ground)
    except ConfigError as error:  # which names the key
        raise ConfigError(f"{spec.name}: {error}") from None
    if found is None:
        return None
    shape, pose = found
    where = f"{spec.name}: ground"
    if isinstance(spec.ground, TerrainGround):
        visuals, colliders = land_geometry(spec.ground, spec.materials, where)
        return Model(GROUND, (Link(LINK, None, visuals, colliders),), mobility="static")
    geometry: tuple[Geometry, ...]
    if isinstance(spec.ground, EndlessGround):
        geometry = (endless_geometry(spec.ground, spec.materials, where),)
        return Model(GROUND, (Link(LINK, None, geometry, geometry),), mobility="static")
    surface = material(spec.ground.material, spec.materials, where)
    if spec.ground.texture:
        file = named_file(spec.ground.texture, f"{where}.texture")
        surface = replace(surface, texture=str(file))
    elif _looks_like_material(spec.ground):
        surface = pictured(surface)
    if isinstance(spec.ground, HeightmapGround):
        surface = heightmap_look(spec.ground, surface, where)
    geometry = (Geometry(shape, Pose(), surface),)
    if isinstance(spec.ground, MeshGround) and not spec.ground.texture:
        asset = read_mesh_asset(spec.ground.file, scales(spec.ground.scale))
        geometry = asset_geometry(asset, Pose(), surface, bare=pictured(surface))
    return Model(GROUND, (Link(LINK, None, geometry, geometry),), pose=pose, mobility="static")


def _looks_like_material(ground: GroundSpec) -> bool:
    """Return whether a ground looks like its material."""
    plain = isinstance(ground, HeightmapGround) and not ground.layers
    return plain or isinstance(ground, FlatGround | RollingGround)


def object_model(item: ObjectSpec, spec: WorldSpec) -> Model:
    """Return an object as a model of one link, placed on the ground if it has no height."""
    where = f"{spec.name}: object '{item.name}'"
    if (item.shape is None) == (not item.parts):
        raise ConfigError(f"{where}: expected either a 'shape' or 'parts'")
    parts = item.parts if item.shape is None else (PartSpec(item.shape),)
    look = Appearance(where, item.material, spec.materials, item.colour, item.texture)
    link = rigid_link(LINK, parts, item.mass, look)
    try:
        pose = _object_pose(item, link.colliders, spec)
    except WorldError as error:
        raise WorldError(f"{where}: {error}") from None
    return Model(item.name, (link,), pose=pose, mobility=_mobility(item))


def placed_models(entry: ModelEntry, spec: WorldSpec) -> list[Model]:
    """Return a model file's model where an entry puts it, and those nested in it, side by side."""
    where = f"{spec.name}: model '{entry.name or entry.file}'"
    model = read_model_entry(entry, where)
    geometry = model_geometry(model)
    try:
        free = model.mobility == "dynamic"
        pose = entry.pose.pose()
        if geometry:
            pose = _standing_pose(entry.pose, geometry, spec, free=free)
    except WorldError as error:
        raise WorldError(f"{where}: {error}") from None
    return flattened(replace(model, pose=pose))


def _origin(spec: WorldSpec) -> GeoOrigin:
    """Return the world's geographic origin: from its file, or else from its elevation file."""
    if isinstance(spec.ground, HeightmapGround) and spec.origin == SOMEWHERE:
        return height_map(spec.ground).origin or spec.origin
    return spec.origin


def _check_names(models: list[Model]) -> None:
    seen: set[str] = set()
    for model in models:
        if model.name in seen:
            raise WorldError(f"two objects in the world have the name '{model.name}'")
        seen.add(model.name)


def _mobility(item: ObjectSpec) -> Mobility:
    if item.path is not None or item.scripted:
        return "scripted"
    return "dynamic" if item.mass > 0 else "static"


def _object_pose(item: ObjectSpec, geometry: tuple[Geometry, ...], spec: WorldSpec) -> Pose:
    """Return where an object is at the start; a scripted one starts where its path does."""
    if item.path is None:
        return _standing_pose(item.pose, geometry, spec, free=item.mass > 0)
    if not item.path.points:
        raise WorldError("its path has no points")
    return Pose(np.array(item.path.points[0]), item.pose.pose().rotation)


def _standing_pose(
    asked: PoseSpec, geometry: tuple[Geometry, ...], spec: WorldSpec, *, free: bool
) -> Pose:
    """Return a pose with its height filled in, so that the object stands on the ground."""
    if asked.z is not None:
        return asked.pose()
    below = ground_height(spec, asked.x, asked.y)
    place = Pose(np.array([asked.x, asked.y, below]), asked.pose().rotation)
    lift = _lift_free(geometry, place, spec) if free else reach(geometry, place, _DOWN)
    return Pose(place.position + np.array([0.0, 0.0, lift]), place.rotation)


_DOWN: Array = np.array([0.0, 0.0, -1.0])


def _lift_free(geometry: tuple[Geometry, ...], place: Pose, spec: WorldSpec) -> float:
    """Return how far to lift a movable object so that it touches the ground without penetration.

    Static objects may be sunk into a slope; movable ones would be thrown out of it.
    """
    found = ground_shape(spec.ground)
    if found is None or isinstance(found[0], Plane):
        pose = Pose() if found is None else found[1]
        normal = matrix_from_quaternion(pose.rotation)[:, 2]
        return reach(geometry, place, -normal) / float(normal[2])
    corners = [(place @ g.pose).apply(tessellate(g.shape).vertices) for g in geometry]
    surface = np.concatenate(corners)
    gaps = heights_at(*found, surface[:, :2]) - surface[:, 2]
    level = reach(geometry, place, _DOWN)
    return level if np.isnan(gaps).all() else float(np.nanmax(gaps))
