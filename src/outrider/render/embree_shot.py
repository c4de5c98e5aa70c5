"""One picture by rays: bands of rows by several threads, then edges anew with more rays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from outrider.render.develop import develop
from outrider.render.edges import average, list_edges, sample_places, sub_pixels
from outrider.render.embree_kernels import aim, shadow_rays
from outrider.render.embree_light import light
from outrider.render.embree_rays import Hits, Rays, Stage
from outrider.render.embree_surface import surface
from outrider.render.light import Lighting
from outrider.render.picture import NOTHING, Picture
from outrider.render.rolling import row_poses
from outrider.render.shot import Shot
from outrider.render.tables import Ints
from outrider.scene.surface import Floats32

Given = TypeVar("Given")
Made = TypeVar("Made")
_BAND = 32  # rows
_CHUNK = 16384  # rays of edges at a time
_SUN_FAR = 1e5  # m: what stands farther away casts no shadow


def take(
    shot: Shot,
    stage: Stage,
    rays: Rays,
    lighting: Lighting,
    names: Mapping[int, str],
    hands: ThreadPoolExecutor,
) -> Picture:
    """Take one picture."""
    tracer = _Tracer(shot, stage, rays, lighting)
    k, film = shot.intrinsics, shot.film
    bands = [slice(y, min(y + _BAND, k.height)) for y in range(0, k.height, _BAND)]
    _all(hands, tracer.band, bands)
    colour = None
    if "colour" in shot.wants:
        if film.samples > 1:
            edges = tracer.edges()
            step = max(1, _CHUNK // film.samples)
            pieces = [edges[i : i + step] for i in range(0, len(edges), step)]
            _all(hands, tracer.refine, pieces)
        # what mixes neighbours is done at once, the rest in bands
        parts = bands if film.lens_is_plain else [slice(0, k.height)]
        done = _all(hands, lambda rows: develop(tracer.light, tracer.depth, film, k, rows), parts)
        colour = np.concatenate(done)
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

    def __init__(self, shot: Shot, stage: Stage, rays: Rays, lighting: Lighting) -> None:
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
        places = k.plane[rows].reshape(-1, 2)
        numbers = np.repeat(np.arange(rows.start, rows.stop, dtype=np.int32), k.width)
        bundle = self._aim(places, numbers)
        hits = self._hits(bundle)
        size = (rows.stop - rows.start, k.width)
        depth = hits.way / bundle.scale + np.float32(self._shot.near)
        self.depth[rows] = np.where(hits.shape >= 0, depth, np.float32(np.inf)).reshape(size)
        self._shapes[rows] = hits.shape.reshape(size)
        if "colour" in self._shot.wants:
            colour, normals, lit = self._shade(bundle, hits)
            self.light[rows] = colour.reshape(*size, 3)
            self._normals[rows] = normals.reshape(*size, 3)
            self._lit[rows] = lit.sum(axis=0, dtype=np.uint8).reshape(size)

    def edges(self) -> Ints:
        """Return the pixels (n, 2: row, column) that need more than one ray."""
        return list_edges(
            self._shapes, self.depth, self._normals, self._lit, self._rays.tables.holes
        )

    def refine(self, pixels: Ints) -> None:
        """Replace pixels by the mean of several rays through them."""
        offsets = sub_pixels(self._shot.film.samples)
        places = sample_places(self._shot.intrinsics.plane, pixels, offsets)
        bundle = self._aim(places, np.repeat(pixels[:, 0], len(offsets)))
        colour, _, _ = self._shade(bundle, self._hits(bundle))
        average(colour, pixels, len(offsets), self.light)

    def labels(self) -> Ints:
        """Return what every pixel shows."""
        table = np.append(self._rays.tables.label, np.int32(NOTHING))  # -1 is the last
        found: Ints = table[self._shapes].astype(np.int32)
        return found

    def _aim(self, places: Floats32, rows: Ints) -> _Bundle:
        n, shot = len(places), self._shot
        made = _Bundle(
            np.empty((n, 3), np.float32),
            np.empty((n, 3), np.float32),
            np.empty(n, np.float32),
            np.empty(n, np.float32),
        )
        aim(
            places, rows, self._turns, self._eyes, shot.near, shot.far, made.origins,
            made.directions, made.reach, made.scale,
        )  # fmt: skip
        return made

    def _hits(self, bundle: _Bundle) -> Hits:
        return self._rays.nearest(
            self._stage, bundle.origins, bundle.directions, bundle.reach, self._shot.hide_model
        )

    def _shade(self, bundle: _Bundle, hits: Hits) -> tuple[Floats32, Floats32, NDArray[np.uint8]]:
        """Return the light, the normal and which lights reach each hit."""
        n = len(hits.way)
        albedo, normals = np.empty((n, 3), np.float32), np.zeros((n, 3), np.float32)
        way = hits.way + np.float32(self._shot.near) * bundle.scale  # from the eye
        surface(
            self._rays.tables, self._stage.turns, bundle.directions, way, bundle.scale,
            self._right, self._down, hits.shape, hits.prim, hits.u, hits.v, hits.normal, albedo,
            normals,
        )  # fmt: skip
        lit = self._lit_by(bundle, hits, normals)
        out = np.empty((n, 3), np.float32)
        world = self._lighting
        light(
            world.lights, world.ambient, world.sky, world.horizon, world.haze, bundle.origins,
            bundle.directions, hits.way, bundle.scale, self._shot.near, hits.shape, albedo,
            normals, lit, out,
        )  # fmt: skip
        return out, normals, lit

    def _lit_by(self, bundle: _Bundle, hits: Hits, normals: Floats32) -> NDArray[np.uint8]:
        n = len(hits.way)
        lights = self._lighting.lights
        lit = np.ones((len(lights), n), np.uint8)
        rays, starts = np.empty(n, np.int32), np.empty((n, 3), np.float32)
        for number, source in enumerate(lights):
            if source["kind"] != 0:
                continue
            towards = np.ascontiguousarray(source["towards"])
            count = shadow_rays(
                towards, bundle.origins, bundle.directions, hits.way, hits.shape, hits.normal,
                normals, lit[number], rays, starts,
            )  # fmt: skip
            if source["shadows"]:
                along = np.broadcast_to(towards, (count, 3)).copy()
                dark = self._rays.blocked(self._stage, starts[:count], along, _SUN_FAR)
                lit[number, rays[:count][dark]] = 0
        return lit
