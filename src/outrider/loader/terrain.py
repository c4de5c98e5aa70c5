"""Terrain, water, props and scattered props as models of a world."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array, Pose
from outrider.loader.ground import ground_height, ground_shape
from outrider.loader.mapped_ground import mapped_ground
from outrider.loader.materials import material
from outrider.loader.prop_placement import each_thing
from outrider.loader.terrain_recipe import land_of, read_mask
from outrider.props.prop import Prop, make, scaled
from outrider.props.registry import maker
from outrider.specs.world import ThingSpec, WorldSpec
from outrider.terrain.colour_map import colour_map
from outrider.terrain.details import detail_of, has_detail, plain_picture, water_picture
from outrider.terrain.grid import Grid
from outrider.terrain.ground_mesh import material_meshes, whole_mesh
from outrider.terrain.ground_query import GroundQuery
from outrider.terrain.polyline import Polyline
from outrider.terrain.recipe import (
    EndlessGround,
    OpeningSpec,
    ScatterSpec,
    TerrainGround,
    WaterSpec,
)
from outrider.terrain.scatter import strewn
from outrider.terrain.scatter_model import scatter_model
from outrider.terrain.terrain import TerrainSurface
from outrider.terrain.tunnels import floor_mesh, left_out
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model
from outrider.world.shapes import HeightField, Mesh, Plane
from outrider.world.tessellate import heightfield_axes

LINK = "link"


def land_geometry(
    ground: TerrainGround, own: Mapping[str, Material], where: str
) -> tuple[tuple[Geometry, ...], tuple[Geometry, ...]]:
    """Return what is seen and felt by wheels (one mesh per material), and what bodies meet."""
    land = land_of(ground)
    known = {name: material(name, own, where) for name in land.materials}
    cut = left_out(land, ground.openings)
    meshes = material_meshes(land, cut)
    coloured = _coloured(ground, land, known) if ground.pixels else known
    visuals = tuple(Geometry(mesh, Pose(), coloured[name], name) for name, mesh in meshes.items())
    surface = known[ground.material]
    if cut is None:
        return visuals, (Geometry(land.field, land.pose, surface),)
    floors = tuple(_floor(o, land, known[o.material]) for o in ground.openings)
    return (*visuals, *floors), (Geometry(whole_mesh(land, cut), Pose(), surface), *floors)


def _floor(opening: OpeningSpec, land: TerrainSurface, surface: Material) -> Geometry:
    """Return a tunnel's floor: the land's colour map knows only what is above it."""
    detail, metres = detail_of(surface.name)
    return Geometry(floor_mesh(opening, land, metres), Pose(), replace(surface, texture=detail))


def _coloured(
    ground: TerrainGround, land: TerrainSurface, known: Mapping[str, Material]
) -> dict[str, Material]:
    """Return the materials with the land's colour map and, near by, their own details."""
    names = {rule.mask for rule in ground.surfaces if rule.mask}
    colours = {name: item.colour[:3] for name, item in known.items()}
    image = colour_map(ground, land, colours, {name: read_mask(name) for name in names})
    out = {}
    for name, item in known.items():
        detail, metres = detail_of(name)
        repeat = ground.size[0] / metres, ground.size[1] / metres
        out[name] = replace(item, texture=image, detail=detail, detail_repeat=repeat)
    return out


def pictured(surface: Material) -> Material:
    """Return a material with its default ground texture, if it has no other."""
    if surface.texture or not has_detail(surface.name):
        return surface
    detail, metres = detail_of(surface.name)
    plain = plain_picture(surface.colour[:3])
    return replace(surface, texture=plain, texture_size=metres, detail=detail)


def endless_geometry(ground: EndlessGround, own: Mapping[str, Material], where: str) -> Geometry:
    """Return a ground that stays on disk, coloured as a coarse copy of it."""
    field = mapped_ground(ground)
    surface = material(ground.material, own, where)
    if not ground.pixels:
        return Geometry(field, Pose(), surface)
    every = max(1, max(field.heights.shape) // 1024)
    heights = field.heights[::every, ::every].astype(np.float64)
    x, y = heightfield_axes(field)
    names = tuple(dict.fromkeys([ground.material, *(s.material for s in ground.surfaces)]))
    cells = np.zeros((heights.shape[0] - 1, heights.shape[1] - 1), np.uint8)
    land = TerrainSurface(Grid(x[::every], y[::every]), heights, cells, names)
    recipe = TerrainGround(
        size=ground.size,
        seed=ground.seed,
        material=ground.material,
        surfaces=ground.surfaces,
        pixels=ground.pixels,
    )
    known = {name: material(name, own, where) for name in names}
    return Geometry(field, Pose(), _coloured(recipe, land, known)[ground.material])


def water_models(spec: WorldSpec) -> list[Model]:
    """Return the waters of a land: sheets without colliders."""
    return [_water(water, number, spec) for number, water in enumerate(spec.ground.water)]


def _water(water: WaterSpec, number: int, spec: WorldSpec) -> Model:
    where = f"{spec.name}: ground.water.{number}"
    if min(water.size) <= 0:
        raise ConfigError(f"{where}.size: must be above 0, got {list(water.size)}")
    x, y = np.array(water.size) / 2
    corners = np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    sheet = Mesh(corners, faces, uv=corners[:, :2] / 9.0)
    wet = material(water.material, spec.materials, where)
    shown = Geometry(sheet, Pose(), wet if wet.texture else replace(wet, texture=water_picture()))
    place = Pose(np.array([water.x, water.y, water.level]))
    name = "water" if number == 0 else f"water_{number}"
    return Model(name, (Link(LINK, None, (shown,)),), pose=place, mobility="static")


def thing_models(spec: WorldSpec) -> list[Model]:
    """Return the props of a world, each under its own name."""
    made: dict[str, Prop] = {}
    return [_thing(thing, made, spec) for thing in each_thing(spec)]


def _thing(thing: ThingSpec, made: dict[str, Prop], spec: WorldSpec) -> Model:
    """Return one prop; equal ones, cached in ``made``, share their shapes."""
    where = f"{spec.name}: thing '{thing.name}'"
    key = repr((thing.what, thing.seed, thing.size, thing.parameters))
    if key not in made:
        prop = make(maker(thing.what), thing.what, thing.seed, thing.parameters, where)
        made[key] = prop if thing.size == 1.0 else scaled(prop, thing.size)
    prop = made[key]
    at = thing.pose
    below = ground_height(spec, at.x, at.y) if at.z is None else 0.0
    link = Link(LINK, None, prop.visuals, prop.colliders)
    return Model(thing.name, (link,), pose=at.pose(below), mobility="static")


def scatter_models(spec: WorldSpec) -> list[Model]:
    """Return the crowds of a world, one model each."""
    if not spec.scatter:
        return []
    footing = _footing(spec)
    seed = spec.ground.seed
    return [_crowd(item, n, footing, seed, spec) for n, item in enumerate(spec.scatter)]


def _crowd(
    item: ScatterSpec, number: int, footing: GroundQuery, seed: int, spec: WorldSpec
) -> Model:
    where = f"{spec.name}: scatter.{number}"
    crowd = strewn(item, footing, seed, where)
    make_one = maker(item.what)
    variants: list[Prop] = [
        make(make_one, item.what, kind, item.parameters, where) for kind in range(item.variants)
    ]
    name = item.name or f"{item.what}s_{number}"
    return scatter_model(name, crowd, variants, sink=item.sink, collide=item.collide)


def _footing(spec: WorldSpec) -> GroundQuery:
    """Return the ground of a world's scattered props, and the areas they avoid."""
    ground = spec.ground
    names = {item.region.mask for item in spec.scatter if item.region.mask}
    footing = GroundQuery(
        _land_below(spec),
        masks={name: read_mask(name) for name in names},
        start=(spec.start.x, spec.start.y),
        taken=_taken(spec),
    )
    if isinstance(ground, TerrainGround):
        lines = tuple(
            (Polyline.of(path.points, f"ground.paths.{number}"), path.width / 2)
            for number, path in enumerate(ground.paths)
        )
        footing = replace(footing, paths=lines, waters=ground.water)
    return footing


def _land_below(spec: WorldSpec) -> TerrainSurface:
    if isinstance(spec.ground, TerrainGround):
        return land_of(spec.ground)
    found = ground_shape(spec.ground)
    if found is not None and isinstance(found[0], Plane) and not spec.ground.slope_deg:  # type: ignore[union-attr]
        found = HeightField(np.zeros((2, 2)), (found[0].size, found[0].size)), Pose()
    if found is None or not isinstance(found[0], HeightField):
        raise ConfigError(f"{spec.name}: scatter: needs a height-field or flat ground")
    grid = Grid(*heightfield_axes(found[0]))
    cells = np.zeros((len(grid.x) - 1, len(grid.y) - 1), np.uint8)
    return TerrainSurface(grid, found[0].heights, cells, (spec.ground.material,))


def _taken(spec: WorldSpec) -> Array:
    """Return discs around the props and objects that a world lists."""
    poses = [thing.pose for thing in each_thing(spec) if not thing.along] + [
        item.pose for item in spec.objects
    ]
    poses += [entry.pose for entry in spec.models]
    discs = np.zeros((len(poses), 3))
    discs[:, :2] = np.array([(pose.x, pose.y) for pose in poses]).reshape(-1, 2)
    return discs
