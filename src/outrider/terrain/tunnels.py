"""Tunnels through a terrain: where its surface is cut open, and the floor inside."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import ConfigError
from outrider.terrain.grid import Grid
from outrider.terrain.layers import height_at
from outrider.terrain.recipe import OpeningSpec
from outrider.terrain.terrain import TerrainSurface
from outrider.world.shapes import Mesh

_ABOVE = 0.5  # m of ground that must lie over the roof to stay


def left_out(land: TerrainSurface, openings: tuple[OpeningSpec, ...]) -> NDArray[np.bool_] | None:
    """Return the cells that are taken away: in a tunnel's way and not well above its roof."""
    if not openings:
        return None
    out = np.zeros(land.cells.shape, bool)
    h = land.heights
    top = np.maximum(np.maximum(h[:-1, :-1], h[1:, :-1]), np.maximum(h[:-1, 1:], h[1:, 1:]))
    for opening in openings:
        inside = _inside(opening, land.grid.centres())
        out |= inside & (top < floor_of(opening, land) + opening.height + _ABOVE)
    return out


def floor_mesh(opening: OpeningSpec, land: TerrainSurface, metres: float) -> Mesh:
    """Return a tunnel's floor; one copy of its texture covers so many metres."""
    half = np.array([opening.length, opening.width]) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    c, s = _turn(opening)
    x = opening.x + c * corners[:, 0] - s * corners[:, 1]
    y = opening.y + s * corners[:, 0] + c * corners[:, 1]
    vertices = np.column_stack([x, y, np.full(4, floor_of(opening, land))])
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    return Mesh(vertices, faces, uv=vertices[:, :2] / metres)


def floor_of(opening: OpeningSpec, land: TerrainSurface) -> float:
    """Return how high a tunnel's floor is: as its lower end, if nothing is said."""
    if opening.floor is not None:
        return opening.floor
    c, s = _turn(opening)
    half = opening.length / 2
    ends = [(opening.x + k * half * c, opening.y + k * half * s) for k in (-1, 1)]
    return min(height_at(land.grid, land.heights, *end) for end in ends)


def _inside(opening: OpeningSpec, at: Grid) -> NDArray[np.bool_]:
    c, s = _turn(opening)
    a, b = at.x[:, None] - opening.x, at.y[None, :] - opening.y
    along, across = np.abs(c * a + s * b), np.abs(c * b - s * a)
    inside: NDArray[np.bool_] = (along <= opening.length / 2) & (across <= opening.width / 2)
    return inside


def _turn(opening: OpeningSpec) -> tuple[float, float]:
    yaw = math.radians(opening.yaw_deg)
    if not math.isfinite(yaw):
        raise ConfigError("ground.openings: yaw_deg must be finite")
    return round(math.cos(yaw), 12), round(math.sin(yaw), 12)
