"""The ground of a world: its shape, its pose, and its height at a point."""

import math
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import assert_never

import numpy as np

from outrider.core.errors import ConfigError, WorldError
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.core.seeds import generator
from outrider.formats.elevation.heightmap import HeightMap
from outrider.formats.height_blend import PaintLayer, painted
from outrider.formats.mesh.asset import read_mesh_asset, without_backs
from outrider.loader.ground_file import named_file, read_ground_file
from outrider.loader.mapped_ground import mapped_ground
from outrider.loader.terrain_recipe import land_of
from outrider.specs.world import (
    FlatGround,
    GroundSpec,
    HeightmapGround,
    MeshGround,
    NoGround,
    RollingGround,
    Scale,
    WorldSpec,
)
from outrider.terrain.grid import Grid
from outrider.terrain.recipe import EndlessGround, TerrainGround
from outrider.world.materials import Material
from outrider.world.model import Model, World
from outrider.world.shapes import HeightField, MappedField, Mesh, Plane, Shape
from outrider.world.tessellate import heightfield_height

GROUND = "ground"
LEVEL_RADIUS = 3.0  # m around the origin, so that a robot starts level
_WAVES = 96
_SHORTEST = 1 / 6  # of the largest wavelength: still smooth under a wheel


def ground_shape(ground: GroundSpec) -> tuple[Shape, Pose] | None:
    """Return the shape of the ground and its pose, or None."""
    match ground:
        case FlatGround():
            tilt = [math.radians(ground.cross_slope_deg), -math.radians(ground.slope_deg), 0.0]
            pose = Pose.from_rpy([0.0, 0.0, 0.0], tilt)
            if isinstance(ground.size, tuple):
                return _floor(ground.size, pose), Pose()
            return Plane(ground.size), pose
        case RollingGround():
            return rolling_field(ground), Pose()
        case HeightmapGround():
            return height_map(ground).field, Pose()
        case EndlessGround():
            return mapped_ground(ground), Pose()
        case TerrainGround():
            land = land_of(ground)
            return land.field, land.pose
        case MeshGround():
            return _joined(ground), Pose()
        case NoGround():
            return None
    assert_never(ground)


def ground_height(of: WorldSpec | World | Model, x: float, y: float) -> float:
    """Return the height of the ground at a point; zero where a world has none."""
    found = _ground_of(of)
    if not found:
        return 0.0
    point = np.array([[x, y]])
    heights = np.array([heights_at(shape, pose, point)[0] for shape, pose in found])
    height = math.nan if np.isnan(heights).all() else float(np.nanmax(heights))
    if math.isnan(height):
        raise WorldError(f"there is no ground at x = {x:g}, y = {y:g}")
    return height


def heights_at(shape: Shape, pose: Pose, points: Array) -> Array:
    """Return the heights of a posed ground at points (n, 2), NaN beyond its edge.

    A plane may be tilted; a height field is always level and not rotated.
    """
    if isinstance(shape, Mesh):
        return _mesh_heights(pose.apply(shape.vertices)[shape.faces], points)
    offset = points - pose.position[:2]
    if isinstance(shape, HeightField | MappedField):
        return heightfield_height(shape, *offset.T) + float(pose.position[2])
    if not isinstance(shape, Plane):
        raise WorldError(f"the ground is a {type(shape).__name__}, whose height is not known")
    axes = matrix_from_quaternion(pose.rotation)
    rise = -(offset @ axes[:2, 2]) / axes[2, 2]
    local = np.column_stack([offset, rise]) @ axes
    inside = (np.abs(local[:, :2]) <= shape.size / 2).all(axis=1)
    heights: Array = np.where(inside, rise + pose.position[2], np.nan)
    return heights


def _floor(size: tuple[float, float], pose: Pose) -> HeightField:
    """Return a rectangle with edges as one cell of heights: a plane is exact in it."""
    if min(size) <= 0 or max(size) > 1e5:
        raise ConfigError(f"ground.size: must lie between 0 and 100000 m, got {list(size)}")
    normal = matrix_from_quaternion(pose.rotation)[:, 2]
    x, y = np.array([[-0.5], [0.5]]) * size[0], np.array([[-0.5, 0.5]]) * size[1]
    return HeightField(-(x * normal[0] + y * normal[1]) / normal[2], size)


def height_map(ground: HeightmapGround) -> HeightMap:
    """Return what a ground's file holds; a file that has not changed is read once."""
    path = named_file(ground.file, "ground.file")
    return _read_heights(path, path.stat().st_mtime_ns, ground.size)


@lru_cache(maxsize=2)
def _read_heights(path: Path, mtime_ns: int, size: tuple[float, float, float] | None) -> HeightMap:
    del mtime_ns  # part of the key only
    return read_ground_file(path, size)


def heightmap_look(ground: HeightmapGround, surface: Material, where: str) -> Material:
    """Return a surface with one texture over the ground, or textures by height."""
    if ground.layers and ground.texture:
        raise ConfigError(f"{where}: expected either a 'texture' or 'layers'")
    if not ground.layers:
        return replace(surface, texture_size=0.0) if ground.texture else surface
    layers = [
        PaintLayer(str(named_file(k.texture, f"{where}.layers")), k.size, k.from_height, k.fade)
        for k in ground.layers
    ]
    return replace(surface, texture=painted(height_map(ground).field, layers), texture_size=0.0)


def scales(scale: Scale) -> tuple[float, float, float]:
    """Return a scale for each axis."""
    return scale if isinstance(scale, tuple) else (scale, scale, scale)


def _joined(ground: MeshGround) -> Mesh:
    """Return all parts of a mesh file as one surface."""
    file = named_file(ground.file, "ground.file")
    parts = without_backs(read_mesh_asset(file, scales(ground.scale), welded=True)).parts
    first = np.cumsum([0, *(len(part.mesh.vertices) for part in parts)])
    faces = [part.mesh.faces + first[i] for i, part in enumerate(parts)]
    vertices = np.concatenate([part.mesh.vertices for part in parts])
    return Mesh(vertices, np.concatenate(faces).astype(np.int32), ground.file)


def _mesh_heights(triangles: Array, points: Array) -> Array:
    """Return the highest triangle (n, 3, 3) above or below each point; NaN where there is none."""
    low, high = triangles[:, :, :2].min(axis=1), triangles[:, :, :2].max(axis=1)
    heights = np.full(len(points), np.nan)
    for i, point in enumerate(points):
        near = triangles[((low <= point) & (point <= high)).all(axis=1)]
        a, ab, ac = near[:, 0], near[:, 1] - near[:, 0], near[:, 2] - near[:, 0]
        area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):  # upright triangles have no area
            ap = point - a[:, :2]
            u = (ap[:, 0] * ac[:, 1] - ap[:, 1] * ac[:, 0]) / area
            v = (ab[:, 0] * ap[:, 1] - ab[:, 1] * ap[:, 0]) / area
        inside = (u >= -1e-12) & (v >= -1e-12) & (u + v <= 1 + 1e-12)
        if inside.any():
            heights[i] = (a[:, 2] + u * ab[:, 2] + v * ac[:, 2])[inside].max()
    return heights


def _ground_of(of: WorldSpec | World | Model) -> list[tuple[Shape, Pose]]:
    if isinstance(of, WorldSpec):
        found = ground_shape(of.ground)
        return [] if found is None else [found]
    if isinstance(of, World):
        model = next((model for model in of.models if model.name == GROUND), None)
        return [] if model is None else _ground_of(model)
    return [(g.shape, of.pose @ g.pose) for g in of.links[0].colliders]


@lru_cache(maxsize=8)
def rolling_field(ground: RollingGround) -> HeightField:
    """Return smooth random hills: the same for one seed at any cell size, level at the start."""
    grid = Grid.of(ground.size, ground.cell)
    x, y = grid.x, grid.y
    radius = np.hypot(x[:, None], y[None, :])
    hills = _waves(ground, x, y)
    cell = math.hypot(x[1] - x[0], y[1] - y[0])  # so that whole triangles are level
    outer = max(ground.wavelength / 2, LEVEL_RADIUS)
    hills = (hills - _waves(ground, np.zeros(1), np.zeros(1))) * _smooth(
        (radius - LEVEL_RADIUS - cell) / outer
    )
    span = float(hills.max() - hills.min())
    if span == 0 and ground.height > 0:
        raise ConfigError(
            f"ground.size: hills need more than {2 * LEVEL_RADIUS:g} m, got {ground.size}"
        )
    return HeightField(hills * (ground.height / span if span else 0.0), ground.size)


def _waves(ground: RollingGround, x: Array, y: Array) -> Array:
    """Sum plane waves of random direction and phase, the longer the higher."""
    random = generator(ground.seed, GROUND)
    length = ground.wavelength * _SHORTEST ** random.random(_WAVES)
    direction, phase = random.uniform(0, 2 * math.pi, (2, _WAVES))
    k = 2 * math.pi / length
    along_x = np.multiply.outer(x, k * np.cos(direction)) + phase
    along_y = np.multiply.outer(y, k * np.sin(direction))
    height = (length / ground.wavelength) ** 2
    left = np.concatenate([np.cos(along_x) * height, -np.sin(along_x) * height], axis=1)
    right = np.concatenate([np.cos(along_y), np.sin(along_y)], axis=1)
    # einsum, not @: its sums do not depend on how many threads a BLAS has
    total: Array = np.einsum("ik,jk->ij", left, right)
    return total


def _smooth(t: Array) -> Array:
    """Return 0 below 0, 1 above 1, and a blend without kink or jump of curvature between."""
    t = np.clip(t, 0.0, 1.0)
    return t**3 * (t * (6 * t - 15) + 10)
