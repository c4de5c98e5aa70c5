"""Transparent surfaces on the way of rays, the nearest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.render.embree.rays import GroupPoses, RayHits, Rays
from outrider.render.geometry import Drawing
from outrider.render.tables import Ints, Tables, groups_of, tables_of
from outrider.scene.past_poses import Times
from outrider.scene.surface import Floats32

MOST = 64  # surfaces of a ray that are seen: what lies behind them is left out
_STEP, _GROWTH = np.float32(1e-4), np.float32(1e-6)  # m, and share of the way, to leave a surface
_ROUNDING = np.float32(5e-7)  # of coordinates, which have 24 bits


@dataclass(frozen=True, slots=True, eq=False)
class Panes:
    """The transparent part of a drawing, to be looked through."""

    rays: Rays
    covers: NDArray[np.bool_]  # per shape: whether depth and labels show it

    @classmethod
    def of(cls, drawing: Drawing) -> Panes:
        """Return the panes of a drawing that holds nothing else."""
        static = drawing.static if drawing.static and drawing.static.pieces else None
        movers = tuple(group for group in drawing.movers if group.pieces)
        kept = replace(drawing, static=static, movers=movers)
        covers = [piece.covers for group in groups_of(kept) for piece in group.pieces]
        return cls(Rays(kept, tables_of(kept)), np.array(covers, np.bool_))


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Hits of some rays on transparent surfaces; ``hits.way`` is from the rays' origins."""

    rays: Ints
    hits: RayHits
    opacity: Floats32


def layers(
    panes: Rays,
    stage: GroupPoses,
    when: Times,
    origins: Floats32,
    directions: Floats32,
    reach: Floats32,
    hide: int,
) -> Iterator[Layer]:
    """Return the transparent surfaces before ``reach``, one layer after the other."""
    left = np.arange(len(reach), dtype=np.int32)
    passed = np.zeros(len(reach), np.float32)
    rounding = _ROUNDING * np.abs(origins).max(axis=1)
    reach = reach + np.maximum(_STEP + _GROWTH * reach, rounding)  # what lies on it is before it
    for _ in range(MOST):
        starts = origins[left] + directions[left] * passed[:, None]
        ahead = np.maximum(reach[left] - passed, np.float32(0.0))
        along = np.ascontiguousarray(directions[left])
        found = panes.nearest(stage, when[left], starts, along, ahead, hide)
        met = np.flatnonzero(found.shape >= 0)
        if not len(met):
            return
        left, hits = left[met], _some(found, met, passed)
        opacity = np.empty(len(met), np.float32)
        opacities(panes.tables, hits.shape, hits.prim, hits.u, hits.v, opacity)
        passed = hits.way + np.maximum(_STEP + _GROWTH * hits.way, rounding[left])
        yield Layer(left, hits, opacity)


def _some(found: RayHits, rows: NDArray[np.intp], before: Floats32) -> RayHits:
    """Return some of the hits, measured from where their rays began."""
    way = found.way[rows] + before[rows]
    return RayHits(
        way,
        found.shape[rows],
        found.prim[rows],
        u=found.u[rows],
        v=found.v[rows],
        normal=np.ascontiguousarray(found.normal[rows]),
    )


@compiled_nogil
def opacities(
    t: Tables, shapes: Ints, prims: Ints, us: Floats32, vs: Floats32, out: Floats32
) -> None:  # pragma: no cover - compiled
    """Write the opacity of each hit: of its material, times that of the texture's finest level."""
    texels, faces, uv = t.texels, t.faces, t.uv
    for i in range(shapes.shape[0]):
        shape = shapes[i]
        out[i] = t.colour[shape, 3]
        if t.texture[shape] < 0:
            continue
        level = t.first_level[t.texture[shape]]
        h, w = t.level_size[level, 0], t.level_size[level, 1]
        face = t.first_face[shape] + prims[i]
        a, b, c = faces[face, 0], faces[face, 1], faces[face, 2]
        rest = 1.0 - us[i] - vs[i]
        x = rest * uv[a, 0] + us[i] * uv[b, 0] + vs[i] * uv[c, 0]
        y = 1.0 - (rest * uv[a, 1] + us[i] * uv[b, 1] + vs[i] * uv[c, 1])
        x, y = (x - np.floor(x)) * w + 0.5, (y - np.floor(y)) * h + 0.5
        column, row = min(int(x), w), min(int(y), h)
        right, down = x - column, y - row
        top = t.level_start[level] + row * (w + 2) + column
        low = top + w + 2
        high = texels[top, 3] * (1.0 - right) + texels[top + 1, 3] * right
        deep = texels[low, 3] * (1.0 - right) + texels[low + 1, 3] * right
        out[i] *= (high * (1.0 - down) + deep * down) / 65535.0
