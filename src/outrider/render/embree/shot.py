"""One image by rays: bands of rows in several threads, then more rays along edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from outrider.render.develop import develop
from outrider.render.embree.edges import average, list_edges, outlines, sample_points, sub_pixels
from outrider.render.embree.kernels import aim, depths, shadow_rays
from outrider.render.embree.layers import Layer, Panes, layers
from outrider.render.embree.light import light
from outrider.render.embree.rays import GroupPoses, RayHits, Rays
from outrider.render.embree.relief import lean, mark_ground
from outrider.render.embree.surface import surface
from outrider.render.embree.weather import glow_and_mirror, soak
from outrider.render.lamps import casts_from_lamp
from outrider.render.light import Lighting
from outrider.render.picture import NOTHING, Picture
from outrider.render.precipitation import with_precipitation
from outrider.render.rolling_shutter import row_poses, row_shares
from outrider.render.shot import Shot
from outrider.render.tables import Ints
from outrider.scene.past_poses import Times
from outrider.scene.surface import Floats32

Given = TypeVar("Given")
Made = TypeVar("Made")
_BAND = 24  # rows
_STRIP = 128  # columns
_CHUNK = 16384  # rays of edges at a time
_NO_LABELS = np.zeros(0, np.int32)
_SUN_FAR = 1e5  # m: what stands farther away casts no shadow
_HOUSING = 0.08  # m around a lamp that cast nothing
_ABOVE = 0.002  # m that shadow rays of lamps start above what they leave


@dataclass(frozen=True, slots=True, eq=False)
class Staged:
    """Where all groups of solid and of transparent things stand, and in what light."""

    solid: GroupPoses
    panes: GroupPoses | None
    light: Lighting


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """All that there is to see."""

    rays: Rays
    panes: Panes | None
    light: Lighting
    names: Mapping[int, str]
    dark: NDArray[np.bool_] | None = None  # per shape: whether light is lost in it


def take(shot: Shot, stage: Staged, things: Things, hands: ThreadPoolExecutor) -> Picture:
    """Take one picture."""
    tracer = _Tracer(shot, stage, things)
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
    depth = _all_depth(tracer, hands) if "depth" in shot.wants else None
    labels = tracer.labels() if "labels" in shot.wants else None
    return Picture(with_precipitation(colour, shot), depth, labels, things.names)


def _all(
    hands: ThreadPoolExecutor, work: Callable[[Given], Made], parts: list[Given]
) -> list[Made]:
    return list(hands.map(work, parts))


def _all_depth(tracer: _Tracer, hands: ThreadPoolExecutor) -> Floats32:
    """Return the depth of all rows, down to the relief of the ground."""
    width = tracer.depth.shape[1]
    starts = range(0, width, _STRIP)
    _all(hands, tracer.raise_ground, [(x, min(x + _STRIP, width)) for x in starts])
    return tracer.depth


@dataclass(frozen=True, slots=True, eq=False)
class _Bundle:
    """Rays with what they are made from."""

    origins: Floats32
    directions: Floats32
    reach: Floats32
    scale: Floats32  # length of a ray per metre of depth
    when: Times  # as the stage counts

    def some(self, rows: Ints) -> _Bundle:
        """Return some of the rays."""
        return _Bundle(
            np.ascontiguousarray(self.origins[rows]),
            np.ascontiguousarray(self.directions[rows]),
            np.ascontiguousarray(self.reach[rows]),
            np.ascontiguousarray(self.scale[rows]),
            np.ascontiguousarray(self.when[rows]),
        )


class _Tracer:
    """The frame that a shot fills."""

    def __init__(self, shot: Shot, stage: Staged, things: Things) -> None:
        self._shot, self._stage, self._rays = shot, stage.solid, things.rays
        self._lighting, self._panes, self._panes_stage = things.light, things.panes, stage.panes
        k = shot.intrinsics
        self._turns, self._eyes = row_poses(shot)
        self._when = stage.solid.when(row_shares(k.height))
        middle = self._turns[k.height // 2]
        self._right = np.ascontiguousarray(middle[:, 0] / k.fx, np.float32)
        self._down = np.ascontiguousarray(middle[:, 1] / k.fy, np.float32)
        self.light = np.zeros((k.height, k.width, 3), np.float32)
        self.depth = np.empty((k.height, k.width), np.float32)
        self._shapes = np.empty((k.height, k.width), np.int32)
        self._normals = np.zeros((k.height, k.width, 3), np.float32)
        self._lit = np.zeros((k.height, k.width), np.uint8)
        ground = "depth" in shot.wants and bool(things.rays.ground.relief)
        self._ground = np.empty((k.height, k.width) if ground else (0, 0), np.float32)
        self._dark = things.dark
        self._front = np.full((k.height, k.width) if self._panes else (0, 0), -1, np.int32)

    def band(self, rows: slice) -> None:
        """Trace some rows through the centres of their pixels."""
        k = self._shot.intrinsics
        points = k.plane[rows].reshape(-1, 2)
        numbers = np.repeat(np.arange(rows.start, rows.stop, dtype=np.int32), k.width)
        bundle = self._aim(points, numbers)
        hits = self._hits(bundle)
        depths(hits.way, bundle.scale, self._shot.near, hits.shape, self.depth[rows].reshape(-1))
        self._shapes[rows].reshape(-1)[:] = hits.shape
        if len(self._ground):
            marks, row_of = self._ground[rows].reshape(-1), self._rays.ground.row
            mark_ground(row_of, bundle.directions, hits.shape, hits.normal, marks)
        if self._dark is not None:
            lost = (hits.shape >= 0) & self._dark[hits.shape]
            self.depth[rows].reshape(-1)[lost] = np.inf
        if "colour" in self._shot.wants:
            normals = self._normals[rows].reshape(-1, 3)
            light = self.light[rows].reshape(-1, 3)
            lit = self._shade(bundle, hits, normals, light, self._rays)
            np.sum(lit, axis=0, dtype=np.uint8, out=self._lit[rows].reshape(-1))
        if self._panes and self._panes_stage:
            self._look_through(rows, bundle, hits)

    def _look_through(self, rows: slice, bundle: _Bundle, hits: RayHits) -> None:
        """Lay what is transparent over some rows, and note what covers more than half."""
        assert self._panes
        depth, shapes = self.depth[rows].reshape(-1), self._shapes[rows].reshape(-1)
        front, light = self._front[rows].reshape(-1), self.light[rows].reshape(-1, 3)
        uncovered = np.ones(len(depth), np.bool_)
        coloured = "colour" in self._shot.wants
        for layer in self._lay_over(bundle, hits, light if coloured else None):
            new = layer.rays[front[layer.rays] < 0]
            front[new] = layer.hits.shape[front[layer.rays] < 0]
            first = self._panes.covers[layer.hits.shape] & uncovered[layer.rays]
            pixels = layer.rays[first]
            depth[pixels] = layer.hits.way[first] / bundle.scale[pixels] + self._shot.near
            shapes[pixels] = layer.hits.shape[first] + len(self._rays.tables.label)
            uncovered[pixels] = False
            if len(self._ground):
                self._ground[rows].reshape(-1)[pixels] = 0.0

    def _lay_over(self, bundle: _Bundle, hits: RayHits, light: Floats32 | None) -> Iterator[Layer]:
        """Go through the transparent layers before hits; lay them over the light behind."""
        if self._panes is None or self._panes_stage is None:
            return
        way = layers(
            self._panes.rays,
            self._panes_stage,
            bundle.when,
            bundle.origins,
            bundle.directions,
            hits.way,
            self._shot.hide_model,
        )
        if light is None:
            yield from way
            return
        passing, total = np.ones((len(light), 1), np.float32), np.zeros_like(light)
        for layer in way:
            own = np.zeros((len(layer.rays), 3), np.float32)
            some = bundle.some(layer.rays)
            self._shade(some, layer.hits, np.zeros_like(own), own, self._panes.rays)
            share = passing[layer.rays] * layer.opacity[:, None]
            total[layer.rays] += share * own
            passing[layer.rays] -= share
            yield layer
        light *= passing
        light += total

    def raise_ground(self, columns: tuple[int, int]) -> None:
        """Move the depth of some columns to the relief of the ground."""
        if len(self._ground):
            relief, plane = self._rays.ground.relief, self._shot.intrinsics.plane
            eyes = self._eyes.astype(np.float32)
            relief.apply_to_image(self._ground, plane, self._turns, eyes, self.depth, columns)

    def develop(self, rows: slice) -> NDArray[np.uint8]:
        """Return the picture of some rows."""
        return develop(self.light, self.depth, self._shot.film, self._shot.intrinsics, rows)

    def film_band(self, rows: slice) -> NDArray[np.uint8]:
        """Trace some rows that do not depend on others, and return their picture."""
        self.band(rows)
        return self.develop(rows)

    def refine(self, rows: slice) -> None:
        """Give the pixels of some rows that lie on edges more than one ray."""
        holes = self._rays.tables.holes
        if self._panes:
            holes = np.append(holes, np.zeros(len(self._panes.covers), np.uint8))
        edges = list_edges(self._shapes, self.depth, self._normals, self._lit, holes, rows)
        if self._panes:
            edges = np.unique(np.concatenate([edges, outlines(self._front, rows)]), axis=0)
        step = max(1, _CHUNK // self._shot.film.samples)
        for first in range(0, len(edges), step):
            self._average(edges[first : first + step])

    def _average(self, pixels: Ints) -> None:
        """Replace pixels by the mean of several rays through them."""
        offsets = sub_pixels(self._shot.film.samples)
        points = sample_points(self._shot.intrinsics.plane, pixels, offsets)
        bundle = self._aim(points, np.repeat(pixels[:, 0], len(offsets)))
        colour, normals = np.zeros((2, len(points), 3), np.float32)
        hits = self._hits(bundle)
        self._shade(bundle, hits, normals, colour, self._rays)
        for _ in self._lay_over(bundle, hits, colour):
            pass
        average(colour, pixels, len(offsets), self.light)

    def labels(self) -> Ints:
        """Return what every pixel shows."""
        panes = self._panes.rays.tables.label if self._panes else _NO_LABELS
        table = np.concatenate([self._rays.tables.label, panes, [NOTHING]])  # -1 is the last
        found: Ints = table[self._shapes].astype(np.int32)
        return found

    def _aim(self, points: Floats32, rows: Ints) -> _Bundle:
        n, shot = len(points), self._shot
        made = _Bundle(
            np.empty((n, 3), np.float32),
            np.empty((n, 3), np.float32),
            np.empty(n, np.float32),
            np.empty(n, np.float32),
            self._when[rows],
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
            self._stage,
            bundle.when,
            bundle.origins,
            bundle.directions,
            bundle.reach,
            self._shot.hide_model,
        )

    def _shade(
        self, bundle: _Bundle, hits: RayHits, normals: Floats32, out: Floats32, rays: Rays
    ) -> NDArray[np.uint8]:
        """Write the normal and the light of each hit of rays; return which lights reach it."""
        stage = self._stage if rays is self._rays else self._panes_stage
        assert stage is not None
        albedo = np.empty((len(hits.way), 3), np.float32)
        way = hits.way + np.float32(self._shot.near) * bundle.scale  # from the eye
        surface(
            rays.tables,
            stage.rotations,
            rays.first_mover,
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
        if world.wet > 0 or world.snow > 0:
            soak(albedo, normals, hits.shape, world.wet, world.snow)
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
            normals=self._leaning(bundle, hits, way, normals, rays),
            lit=lit,
            out=out,
        )
        if world.wet > 0 or world.glow.any():
            eyes = bundle.origins, bundle.directions
            glow_and_mirror(world, eyes, hits, way, normals, out)
        return lit

    def _leaning(
        self, bundle: _Bundle, hits: RayHits, way: Floats32, normals: Floats32, rays: Rays
    ) -> Floats32:
        """Return the normals with the relief of the ground; ``way`` is from the eye."""
        if rays.relief is None:
            return normals
        leaning = normals.copy()
        lean(
            *rays.relief,
            origins=bundle.origins,
            directions=bundle.directions,
            way=hits.way,
            depth=way / bundle.scale,
            right=self._right,
            down=self._down,
            shapes=hits.shape,
            ng=hits.normal,
            normals=leaning,
        )
        return leaning

    def _lit_by(self, bundle: _Bundle, hits: RayHits, normals: Floats32) -> NDArray[np.uint8]:
        n = len(hits.way)
        lights = self._lighting.lights
        lit = np.ones((len(lights), n), np.uint8)
        rays, starts = np.empty(n, np.int32), np.empty((n, 3), np.float32)
        for number, source in enumerate(lights):
            if casts_from_lamp(source):
                self._shade_from_lamp(source, bundle, hits, lit[number])
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
                when = bundle.when[rays[:count]]
                dark = self._rays.blocked(self._stage, when, starts[:count], along, _SUN_FAR)
                lit[number, rays[:count][dark]] = 0
        return lit

    def _shade_from_lamp(
        self, lamp: np.void, bundle: _Bundle, hits: RayHits, lit: NDArray[np.uint8]
    ) -> None:
        """Note where something stands between a lamp and what is seen."""
        near = np.flatnonzero(hits.shape >= 0)
        places = bundle.origins[near] + bundle.directions[near] * hits.way[near, None]
        away = np.array(lamp["position"], np.float32) - places
        far = np.linalg.norm(away, axis=1)
        cone = far < float(lamp["range"])
        near, places, away, far = near[cone], places[cone], away[cone], far[cone]
        along = np.ascontiguousarray(away / np.maximum(far, 1e-6)[:, None], np.float32)
        starts = np.ascontiguousarray(places + along * _ABOVE, np.float32)
        reach = np.maximum(far - _HOUSING - _ABOVE, 0.0).astype(np.float32)
        when = bundle.when[near]
        lit[near[self._rays.blocked(self._stage, when, starts, along, reach)]] = 0
