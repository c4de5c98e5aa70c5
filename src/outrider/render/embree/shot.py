"""One image by rays: bands of rows in several threads, then more rays along edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from outrider.render.develop import develop
from outrider.render.embree.edges import average, list_edges, sample_points, sub_pixels
from outrider.render.embree.kernels import aim, depths, shadow_rays
from outrider.render.embree.light import light
from outrider.render.embree.rays import GroupPoses, RayHits, Rays
from outrider.render.embree.surface import surface
from outrider.render.light import Lighting
from outrider.render.picture import NOTHING, Picture
from outrider.render.rolling import row_poses
from outrider.render.shot import Shot
from outrider.render.tables import Ints
from outrider.scene.surface import Floats32

Given = TypeVar("Given")
Made = TypeVar("Made")
_BAND = 24  # rows
_CHUNK = 16384  # rays of edges at a time
_SUN_FAR = 1e5  # m: what stands farther away casts no shadow


def take(
    shot: Shot,
    stage: GroupPoses,
    rays: Rays,
    lighting: Lighting,
    names: Mapping[int, str],
    hands: ThreadPoolExecutor,
) -> Picture:
    """Take one picture."""
    tracer = _Tracer(shot, stage, rays, lighting)
    k, film = shot.intrinsics, shot.film
    bands = [slice(y, min(y + _BAND, k.height)) for y in range(0, k.height, _BAND)]
    if "colour" not in shot.wants:
        _all(hands, tracer.band, bands)
        colour = None
    elif film.samples == 1 and film.lens_is_plain:
        colour = np.concatenate(_all(hands, tracer.film_band, bands))
    else:
        _all(hands, tracer.band, bands)
        if film.samples > 1:
            _all(hands, tracer.refine, bands)
        # what mixes neighbours is done at once, the rest in bands
        parts = bands if film.lens_is_plain else [slice(0, k.height)]
        colour = np.concatenate(_all(hands, tracer.develop, parts))
    depth = tracer.depth if "depth" in shot.wants else None
    labels = tracer.labels() if "labels" in shot.wants else None
    return Picture(colour, depth, labels, names)


def _all(
    hands: ThreadPoolExecutor, work: Callable[[Given], Made], parts: list[Given]
) -> list[Made]:
    return list(hands.map(work, parts))


@dataclass(frozen=True, slots=True, eq=False)
class _Bundle:
    """Rays with what they are made from."""

    origins: Floats32
    directions: Floats32
    reach: Floats32
    scale: Floats32  # length of a ray per metre of depth


class _Tracer:
    """The frame that a shot fills."""

    def __init__(self, shot: Shot, stage: GroupPoses, rays: Rays, lighting: Lighting) -> None:
        self._shot, self._stage, self._rays, self._lighting = shot, stage, rays, lighting
        k = shot.intrinsics
        self._turns, self._eyes = row_poses(shot)
        middle = self._turns[k.height // 2]
        self._right = np.ascontiguousarray(middle[:, 0] / k.fx, np.float32)
        self._down = np.ascontiguousarray(middle[:, 1] / k.fy, np.float32)
        self.light = np.zeros((k.height, k.width, 3), np.float32)
        self.depth = np.empty((k.height, k.width), np.float32)
        self._shapes = np.empty((k.height, k.width), np.int32)
        self._normals = np.zeros((k.height, k.width, 3), np.float32)
        self._lit = np.zeros((k.height, k.width), np.uint8)

    def band(self, rows: slice) -> None:
        """Trace some rows through the centres of their pixels."""
        k = self._shot.intrinsics
        points = k.plane[rows].reshape(-1, 2)
        numbers = np.repeat(np.arange(rows.start, rows.stop, dtype=np.int32), k.width)
        bundle = self._aim(points, numbers)
        hits = self._hits(bundle)
        depths(hits.way, bundle.scale, self._shot.near, hits.shape, self.depth[rows].reshape(-1))
        self._shapes[rows].reshape(-1)[:] = hits.shape
        if "colour" in self._shot.wants:
            normals = self._normals[rows].reshape(-1, 3)
            lit = self._shade(bundle, hits, normals, self.light[rows].reshape(-1, 3))
            np.sum(lit, axis=0, dtype=np.uint8, out=self._lit[rows].reshape(-1))

    def develop(self, rows: slice) -> NDArray[np.uint8]:
        """Return the picture of some rows."""
        return develop(self.light, self.depth, self._shot.film, self._shot.intrinsics, rows)

    def film_band(self, rows: slice) -> NDArray[np.uint8]:
        """Trace some rows that do not depend on others, and return their picture."""
        self.band(rows)
        return self.develop(rows)

    def refine(self, rows: slice) -> None:
        """Give the pixels of some rows that lie on edges more than one ray."""
        edges = list_edges(
            self._shapes, self.depth, self._normals, self._lit, self._rays.tables.holes, rows
        )
        step = max(1, _CHUNK // self._shot.film.samples)
        for first in range(0, len(edges), step):
            self._average(edges[first : first + step])

    def _average(self, pixels: Ints) -> None:
        """Replace pixels by the mean of several rays through them."""
        offsets = sub_pixels(self._shot.film.samples)
        points = sample_points(self._shot.intrinsics.plane, pixels, offsets)
        bundle = self._aim(points, np.repeat(pixels[:, 0], len(offsets)))
        colour, normals = np.zeros((2, len(points), 3), np.float32)
        self._shade(bundle, self._hits(bundle), normals, colour)
        average(colour, pixels, len(offsets), self.light)

    def labels(self) -> Ints:
        """Return what every pixel shows."""
        table = np.append(self._rays.tables.label, np.int32(NOTHING))  # -1 is the last
        found: Ints = table[self._shapes].astype(np.int32)
        return found

    def _aim(self, points: Floats32, rows: Ints) -> _Bundle:
        n, shot = len(points), self._shot
        made = _Bundle(
            np.empty((n, 3), np.float32),
            np.empty((n, 3), np.float32),
            np.empty(n, np.float32),
            np.empty(n, np.float32),
        )
        aim(
            points,
            rows,
            self._turns,
            eyes=self._eyes,
            near=shot.near,
            far=shot.far,
            origins=made.origins,
            directions=made.directions,
            reach=made.reach,
            scale=made.scale,
        )
        return made

    def _hits(self, bundle: _Bundle) -> RayHits:
        return self._rays.nearest(
            self._stage, bundle.origins, bundle.directions, bundle.reach, self._shot.hide_model
        )

    def _shade(
        self, bundle: _Bundle, hits: RayHits, normals: Floats32, out: Floats32
    ) -> NDArray[np.uint8]:
        """Write the normal and the light of each hit; return which lights reach it."""
        albedo = np.empty((len(hits.way), 3), np.float32)
        way = hits.way + np.float32(self._shot.near) * bundle.scale  # from the eye
        surface(
            self._rays.tables,
            self._stage.rotations,
            self._rays.first_mover,
            directions=bundle.directions,
            way=way,
            scale=bundle.scale,
            right=self._right,
            down=self._down,
            shapes=hits.shape,
            prims=hits.prim,
            us=hits.u,
            vs=hits.v,
            ng=hits.normal,
            albedo=albedo,
            normals=normals,
        )
        lit = self._lit_by(bundle, hits, normals)
        world = self._lighting
        light(
            world.lights,
            world.ambient,
            world.sky,
            horizon=world.horizon,
            haze=world.haze,
            origins=bundle.origins,
            directions=bundle.directions,
            way=hits.way,
            scale=bundle.scale,
            near=self._shot.near,
            shapes=hits.shape,
            albedo=albedo,
            normals=normals,
            lit=lit,
            out=out,
        )
        return lit

    def _lit_by(self, bundle: _Bundle, hits: RayHits, normals: Floats32) -> NDArray[np.uint8]:
        n = len(hits.way)
        lights = self._lighting.lights
        lit = np.ones((len(lights), n), np.uint8)
        rays, starts = np.empty(n, np.int32), np.empty((n, 3), np.float32)
        for number, source in enumerate(lights):
            if source["kind"] != 0:
                continue
            towards = np.ascontiguousarray(source["towards"])
            count = shadow_rays(
                towards,
                bundle.origins,
                bundle.directions,
                way=hits.way,
                shapes=hits.shape,
                ng=hits.normal,
                normals=normals,
                lit=lit[number],
                rays=rays,
                starts=starts,
            )
            if source["shadows"]:
                along = np.broadcast_to(towards, (count, 3)).copy()
                dark = self._rays.blocked(self._stage, starts[:count], along, _SUN_FAR)
                lit[number, rays[:count][dark]] = 0
        return lit
