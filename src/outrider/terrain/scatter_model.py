"""Scattered objects as one static model: one mesh per material, and a collider per object."""

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.props.prop import Prop, joined, scaled_shape
from outrider.terrain.scatter import Scattered
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model
from outrider.world.shapes import Mesh
from outrider.world.tessellate import bounds, tessellate

_SMALLEST = 0.1  # m: what is smaller stops no chassis; wheels feel its triangles anyway


def scatter_model(
    name: str, crowd: Scattered, variants: list[Prop], *, sink: float, collide: bool
) -> Model:
    """Return all things of a crowd, let into the ground by a share of their height."""
    attitudes = rotations(crowd.yaws, crowd.ups)
    tall = np.array([_height(prop) for prop in variants])
    positions = crowd.positions.copy()
    positions -= (sink * tall[crowd.variants] * crowd.sizes)[:, None] * crowd.ups
    visuals: dict[Material, list[Mesh]] = {}
    colliders: list[Geometry] = []
    for number, prop in enumerate(variants):
        chosen = np.flatnonzero(crowd.variants == number)
        if not len(chosen):
            continue
        frames = attitudes[chosen], positions[chosen], crowd.sizes[chosen]
        for geometry in prop.visuals:
            visuals.setdefault(geometry.material, []).append(_repeated(geometry, *frames))
        if collide:
            for geometry in prop.colliders:
                colliders += _placed(geometry, *frames)
    shown = tuple(Geometry(joined(parts), Pose(), m) for m, parts in visuals.items())
    return Model(name, (Link("link", None, shown, tuple(colliders)),), mobility="static")


def rotations(yaws: Array, ups: Array) -> Array:
    """Return rotations (n, 3, 3) that turn by a heading and then lean towards a direction."""
    ahead = np.column_stack([np.cos(yaws), np.sin(yaws), np.zeros(len(yaws))])
    left = np.cross(ups, ahead)
    left /= np.linalg.norm(left, axis=1)[:, None]
    return np.stack([np.cross(left, ups), left, ups], axis=2)


def _repeated(geometry: Geometry, attitudes: Array, positions: Array, sizes: Array) -> Mesh:
    """Return one mesh at many positions."""
    mesh = tessellate(geometry.shape)
    local = geometry.pose.apply(mesh.vertices)
    vertices = (
        np.einsum("nij,vj->nvi", attitudes * sizes[:, None, None], local) + positions[:, None, :]
    )
    first = np.arange(len(positions), dtype=np.int32) * np.int32(len(local))
    faces = (mesh.faces[None] + first[:, None, None]).reshape(-1, 3)
    uv = None if mesh.uv is None else np.tile(mesh.uv, (len(positions), 1))
    return Mesh(vertices.reshape(-1, 3), faces, uv=uv)


def _placed(geometry: Geometry, attitudes: Array, positions: Array, sizes: Array) -> list[Geometry]:
    low, high = bounds(geometry.shape)
    across = float((high - low).max())
    out = []
    for rotation, position, size in zip(attitudes, positions, sizes, strict=True):
        if across * size < _SMALLEST:
            continue
        frame = np.eye(4)
        frame[:3, :3], frame[:3, 3] = rotation, position
        own = Pose(geometry.pose.position * size, geometry.pose.rotation)
        pose = Pose.from_matrix(frame) @ own
        out.append(Geometry(scaled_shape(geometry.shape, float(size)), pose, geometry.material))
    return out


def _height(prop: Prop) -> float:
    highest = [g.pose.apply(tessellate(g.shape).vertices)[:, 2].max() for g in prop.visuals]
    return float(max(highest, default=0.0))
