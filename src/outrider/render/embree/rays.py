"""Rays into a drawing: the nearest solid surface, and occlusion of lights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, matrix_from_quaternion
from outrider.core.structure import Data
from outrider.render.alpha_test import hit_filter_of
from outrider.render.embree.kernels import world_normals
from outrider.render.geometry import DrawGroup, Drawing
from outrider.render.relief import ground_rows, relief_tables
from outrider.render.rolling_shutter import in_the_middle
from outrider.render.tables import Ints, Tables, groups_of
from outrider.scene.cones import BLOCK
from outrider.scene.part import MOVER
from outrider.scene.past_poses import Times
from outrider.scene.ray_kernels import select
from outrider.scene.sensor_rays import NO_MODEL
from outrider.scene.surface import Floats32
from outrider.scene.tracer import Tracer, tracer_of

_LEG = 1_000_000  # from one row of bodies to the next, in our own count of time
Found = Data  # as Embree gives it: tfar, geomID, primID, u, v, Ng


@dataclass(frozen=True, slots=True, eq=False)
class RayHits:
    """Where rays (n,) ended; ``shape`` is numbered through all groups, -1 for nothing."""

    way: Floats32  # from the ray's origin
    shape: Ints
    prim: Ints
    u: Floats32
    v: Floats32
    normal: Floats32  # (n, 3), unit, in the world


@dataclass(frozen=True, slots=True, eq=False)
class GroupPoses:
    """Where all groups stand in one picture, and while a rolling shutter is read out."""

    bodies: NDArray[np.void]  # (times, bodies) of BODY
    rotations: Floats32  # (groups, 3, 3), in the middle

    def when(self, shares: Array) -> Times:
        """Return the times in our own count when shares (0 to 1) of a read-out are over."""
        return np.rint(shares * ((len(self.bodies) - 1) * _LEG)).astype(np.int64)


class Rays:
    """Casts rays into one drawing; several threads may do so at once."""

    def __init__(self, drawing: Drawing, tables: Tables) -> None:
        self.tables = tables
        self.relief, self.ground = relief_tables(drawing), ground_rows(drawing)
        self.groups = groups_of(drawing)
        self.first_mover = 1 if drawing.static else 0
        movers = drawing.movers
        self._rows = np.zeros(len(movers), MOVER)
        for row, group in zip(self._rows, movers, strict=True):
            part = group.part
            row["body"], row["model"] = part.body, part.model
            row["centre"], row["radius"] = part.centre, part.radius
            slack = 1e-4 + 1e-5 * part.radius
            row["low"], row["high"] = part.surface.low - slack, part.surface.high + slack
        self._tracers = [self._tracer(number) for number in range(len(self.groups))]

    def _tracer(self, number: int) -> Tracer:
        """Return what finds the hits of a group: one of its own where textures have holes."""
        group, first = self.groups[number], self.tables.first_shape[number]
        surface = group.part.surface
        pieces = [(k, p) for k, p in enumerate(group.pieces) if self.tables.holes[first + k]]
        if surface.filtered.issuperset(k for k, _ in pieces):
            return surface.tracer
        hit_filters = {
            k: hit_filter_of(piece.material, piece.uv, piece.faces) for k, piece in pieces
        }
        return tracer_of(surface.meshes, hit_filters)

    def stage(self, bodies: NDArray[np.void]) -> GroupPoses:
        """Return where everything stands; the bodies, as for ``Renderer.begin``, are copied."""
        kept = np.atleast_2d(bodies.copy())
        middle = in_the_middle(kept)
        rotations = np.empty((len(self.groups), 3, 3), np.float32)
        for number, group in enumerate(self.groups):
            rotations[number] = _rotation(group, middle)
        return GroupPoses(kept, rotations)

    def nearest(
        self,
        stage: GroupPoses,
        when: Times,
        origins: Floats32,
        directions: Floats32,
        reach: Floats32,
        hide: int,
    ) -> RayHits:
        """Return the nearest solid surface on each ray; neighbours should point the same way.

        ``when`` each ray is cast is told as by the stage.
        """
        n = len(reach)
        if self.first_mover:
            found = self._tracers[0].nearest(origins, directions, reach.copy(), True)
            hits = RayHits(
                found["tfar"],
                found["geomID"],
                found["primID"],
                found["u"],
                found["v"],
                found["Ng"],
            )
        else:
            none = np.full(n, -1, np.int32)
            u, v = np.zeros((2, n), np.float32)
            hits = RayHits(reach.copy(), none, none.copy(), u, v, np.zeros((n, 3), np.float32))
        for number, rays, starts, along in self._near_movers(
            stage, when, origins, directions, hits.way, hide
        ):
            found = self._tracers[number].nearest(starts, along, hits.way[rays], True)
            self._merge(number, rays, found, hits)
        world_normals(hits.shape, self.tables, stage.rotations, hits.normal)
        return hits

    def blocked(
        self,
        stage: GroupPoses,
        when: Times,
        origins: Floats32,
        directions: Floats32,
        far: float | Floats32,
    ) -> NDArray[np.bool_]:
        """Return for each ray whether something solid is on its way, which is ``far`` long."""
        n = len(origins)
        out = np.zeros(n, np.bool_)
        if n == 0:
            return out
        whole: Floats32 = np.broadcast_to(np.asarray(far, np.float32), (n,))
        reach = whole.copy()
        if self.first_mover:
            out = self._tracers[0].blocked(origins, directions, reach, True)
        reach = np.where(out, np.float32(0.0), whole)
        for number, rays, starts, along in self._near_movers(
            stage, when, origins, directions, reach, NO_MODEL
        ):
            limit = whole[rays].copy()
            out[rays] |= self._tracers[number].blocked(starts, along, limit, True)
        return out

    def _near_movers(
        self,
        stage: GroupPoses,
        when: Times,
        origins: Floats32,
        directions: Floats32,
        reach: Floats32,
        hide: int,
    ) -> list[tuple[int, Ints, Floats32, Floats32]]:
        """Return for each mover the rays that may meet it, in its frame."""
        n = len(reach)
        if not len(self._rows) or not n or not (self._rows["model"] != hide).any():
            return []
        cones = np.empty((-(-n // BLOCK), 10))
        ends = np.zeros(1 + len(self._rows), np.int64)
        times = np.arange(len(stage.bodies)) * _LEG
        capacity = max(1024, n // 2)
        while True:
            picked = np.empty(capacity, np.int32)
            starts, along = np.empty((capacity, 3), np.float32), np.empty((capacity, 3), np.float32)
            count = select(
                self._rows,
                hide,
                stage.bodies,
                times=times,
                first=0,
                count=len(times),
                origins=origins,
                directions=directions,
                distance=reach,
                when=when,
                cones=cones,
                picked=picked,
                starts=starts,
                along=along,
                ends=ends[1:],
            )
            if count <= capacity:
                break
            capacity = 2 * count
        lists = []
        for m in np.flatnonzero(np.diff(ends)).tolist():
            own = slice(ends[m], ends[m + 1])
            lists.append((self.first_mover + m, picked[own], starts[own], along[own]))
        return lists

    def _merge(self, number: int, rays: Ints, found: Found, hits: RayHits) -> None:
        """Take over what a mover stopped: its hits are nearer than what was known."""
        met = found["geomID"] >= 0
        rows = rays[met]
        hits.way[rows] = found["tfar"][met]
        hits.shape[rows] = found["geomID"][met] + self.tables.first_shape[number]
        hits.prim[rows], hits.u[rows] = found["primID"][met], found["u"][met]
        hits.v[rows], hits.normal[rows] = found["v"][met], found["Ng"][met]


def _rotation(group: DrawGroup, bodies: NDArray[np.void]) -> Array:
    return np.eye(3) if group.body < 0 else matrix_from_quaternion(bodies[group.body]["rotation"])
