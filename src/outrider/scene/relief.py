"""The relief of the ground below its mesh's resolution, as beams of light find it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_inline, compiled_nogil
from outrider.scene.part import Part
from outrider.scene.past_poses import Records
from outrider.scene.roughness import CELLS, SIDE, amplitude, tile
from outrider.scene.sensor_rays import STATIC, SensorHits
from outrider.scene.surface import Floats32
from outrider.world.materials import Material

_STEP = np.float32(SIDE / CELLS)  # m: one cell, between two of which the relief is straight
_SHARE = 0.998  # of the heights that lie between those a flat beam looks at
_STEEP = np.float32(0.5)  # cosine of incidence from which on two looks are enough
_FLATTEST = np.float32(0.05)  # cosine below which a beam's spot is longer than the bumps: no relief
_PER_M, _MASK = np.float32(CELLS / SIDE), CELLS - 1
_UPRIGHT = np.float32(0.3)  # of a camera's down in the world's: each pixel looks over the one below
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
_ABREAST = 16  # flat rays that go over the relief at a time
_FLAT_RAY = np.dtype(
    [
        ("number", np.int32),
        ("tile", np.int32),
        ("x", np.float32),  # where it starts
        ("y", np.float32),
        ("dx", np.float32),
        ("dy", np.float32),
        ("far", np.float32),  # where it meets the plane
        ("fall", np.float32),  # per m of its way
        ("high", np.float32),  # of the relief, a factor
        ("steep", np.float32),  # per m, how fast it and the steepest relief come nearer
        ("end", np.float32),
        ("at", np.float32),  # how far it has gone
        ("above", np.float32),  # the relief, there
        ("ahead", np.float32),  # how far it goes next
        ("next_above", np.float32),
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class Relief:
    """Heights of what never moves: per shape, how high they are and which tile they are from."""

    height: Floats32  # per shape, a factor; 0 for none
    most: Floats32  # per shape, m: hardly any height is above
    steepest: Floats32  # per shape: no slope is above
    tile: NDArray[np.int32]
    tiles: NDArray[np.float32]  # (k, CELLS, CELLS)

    @classmethod
    def of(cls, part: Part | None, materials: list[Material], seed: int | None) -> "Relief":
        """Return the relief of a part's materials; none without a part or a seed."""
        if part is None:
            return _FLAT
        used = [materials[number].roughness for number in part.materials]
        return cls.of_rows([(amplitude(r), r.slope) for r in used], seed)

    @classmethod
    def of_rows(cls, rows: Sequence[tuple[float, float]], seed: int | None) -> "Relief":
        """Return the relief of shapes: of each, how high it is and its spectrum's exponent."""
        slopes = sorted({slope for height, slope in rows if height > 0})
        if not slopes or seed is None:
            return _FLAT
        tiles = np.stack([tile(slope, seed) for slope in slopes])
        peaks = np.quantile(np.abs(tiles), _SHARE, axis=(1, 2)).astype(np.float32)
        slopes_most = np.array([_steepest(heights) for heights in tiles])
        which = [slopes.index(slope) if height > 0 else 0 for height, slope in rows]
        height = np.array([height for height, _ in rows], np.float32)
        steepest = (height * slopes_most[which]).astype(np.float32)
        return cls(height, height * peaks[which], steepest, np.array(which, np.int32), tiles)

    def __bool__(self) -> bool:
        """Say whether there is any."""
        return len(self.height) > 0

    def apply(self, origins: Floats32, directions: Floats32, hits: SensorHits) -> None:
        """Move the ends of rays from the mesh to its relief."""
        if self:
            raise_ends(
                origins,
                directions,
                shapes=hits.shape,
                parts=hits.part,
                cosine=hits.cosine,
                height=self.height,
                most=self.most,
                steepest=self.steepest,
                tile=self.tile,
                tiles=self.tiles,
                distance=hits.distance,
            )

    def apply_to_image(
        self,
        ground: Floats32,
        plane: Floats32,
        rotations: Floats32,
        eyes: Floats32,
        depth: Floats32,
        columns: tuple[int, int],
    ) -> None:
        """Move the depths (h, w) of some columns of an image from the mesh to its relief.

        ``ground`` (h, w) is 1 and a shape, and the cosine of incidence behind the point; 0 where
        there is no relief. ``plane`` (h, w, 2) is x/z and y/z of the pixels; rotations and eyes of
        the rows are those of the optical frame.
        """
        raise_depths(
            ground,
            plane,
            rotations,
            eyes,
            height=self.height,
            most=self.most,
            steepest=self.steepest,
            tile=self.tile,
            tiles=self.tiles,
            begin=columns[0],
            end=columns[1],
            depth=depth,
        )


def _steepest(heights: NDArray[np.float32]) -> float:
    """Return the largest slope of a tile between neighbouring cells, in any direction."""
    along = np.abs(np.diff(heights, axis=0, append=heights[:1])).max()
    across = np.abs(np.diff(heights, axis=1, append=heights[:, :1])).max()
    return float(np.hypot(along, across)) * CELLS / SIDE


_FLAT = Relief(
    np.zeros(0, np.float32),
    np.zeros(0, np.float32),
    np.zeros(0, np.float32),
    np.zeros(0, np.int32),
    np.zeros((1, 2, 2), np.float32),
)


@compiled_inline
def _height(
    tiles: NDArray[np.float32], which: int, x: float, y: float
) -> float:  # pragma: no cover - compiled
    """Return what ``relief_height`` does, in single precision: beams ask more often than tyres."""
    fx, fy = x * _PER_M, y * _PER_M
    low_x, low_y = np.floor(fx), np.floor(fy)
    u, v = fx - low_x, fy - low_y
    i, j = np.int64(low_x) & _MASK, np.int64(low_y) & _MASK
    i1, j1 = (i + 1) & _MASK, (j + 1) & _MASK
    near = tiles[which, i, j] + v * (tiles[which, i, j1] - tiles[which, i, j])
    far = tiles[which, i1, j] + v * (tiles[which, i1, j1] - tiles[which, i1, j])
    return near + u * (far - near)  # type: ignore[no-any-return]


@compiled_nogil
def raise_ends(
    origins: Floats32,
    directions: Floats32,
    shapes: NDArray[np.int32],
    parts: NDArray[np.int32],
    cosine: Floats32,
    height: Floats32,
    most: Floats32,
    steepest: Floats32,
    tile: NDArray[np.int32],
    tiles: NDArray[np.float32],
    distance: Floats32,
) -> None:  # pragma: no cover - compiled
    """Find where rays meet the relief: along the plane they hit, raised along its normal.

    A steep ray looks twice: where it hits the plane, and where that would end it. A flat one goes
    from above the bumps to below them, a cell at a time or as far as no slope can rise to it, and
    ends where it first dives in. Flat rays go several at a time, a step each in turn: every step
    waits for the tile's memory and the last step, but not for the other rays.
    """
    rays = np.zeros(_ABREAST, _FLAT_RAY)
    under_way = 0
    for i in range(shapes.shape[0]):
        shape = shapes[i]
        if shape < 0 or parts[i] != STATIC or height[shape] == 0.0 or cosine[i] < _FLATTEST:
            continue
        x, y = origins[i, 0], origins[i, 1]
        dx, dy = directions[i, 0], directions[i, 1]
        far, fall, high, which = distance[i], cosine[i], height[shape], tile[shape]
        if fall > _STEEP:
            at = far
            for _ in range(2):
                at = far - high * _height(tiles, which, x + at * dx, y + at * dy) / fall
            distance[i] = at
            continue
        margin = most[shape] / fall
        ray = rays[under_way]
        ray.number, ray.tile = i, which
        ray.x, ray.y, ray.dx, ray.dy = x, y, dx, dy
        ray.far, ray.fall, ray.high, ray.steep = far, fall, high, fall + steepest[shape]
        ray.at, ray.end = far - margin, far + margin
        rise = high * _height(tiles, which, x + ray.at * dx, y + ray.at * dy)
        ray.above = (far - ray.at) * fall - rise
        # bumps too small to be told from the plane, or one of the few that are higher than most
        if not ray.at < ray.end or ray.above <= 0.0:
            distance[i] = ray.at
            continue
        under_way += 1
        while under_way == _ABREAST:
            under_way = _advance(rays, under_way, tiles, distance)
    while under_way:
        under_way = _advance(rays, under_way, tiles, distance)


@compiled_inline
def _advance(
    rays: Records, count: int, tiles: NDArray[np.float32], distance: Floats32
) -> int:  # pragma: no cover - compiled
    """Take a step along each ray; write the ends of those that end, and return how many do not."""
    for k in range(count):
        ray = rays[k]
        ray.ahead = min(ray.at + max(_STEP, ray.above / ray.steep), ray.end)
        rise = ray.high * _height(
            tiles, ray.tile, ray.x + ray.ahead * ray.dx, ray.y + ray.ahead * ray.dy
        )
        ray.next_above = (ray.far - ray.ahead) * ray.fall - rise
    left = 0
    for k in range(count):
        ray = rays[k]
        if ray.next_above <= 0.0:
            way = (ray.ahead - ray.at) * ray.above / (ray.above - ray.next_above)
            distance[ray.number] = ray.at + way
        elif ray.ahead < ray.end:
            ray.at, ray.above = ray.ahead, ray.next_above
            rays[left] = ray
            left += 1
        else:
            distance[ray.number] = ray.ahead
    return left


@compiled_nogil
def raise_depths(
    ground: Floats32,
    plane: Floats32,
    rotations: Floats32,
    eyes: Floats32,
    height: Floats32,
    most: Floats32,
    steepest: Floats32,
    tile: NDArray[np.int32],
    tiles: NDArray[np.float32],
    begin: int,
    end: int,
    depth: Floats32,
) -> None:  # pragma: no cover - compiled
    """Find where the rays of an image meet the relief, as ``raise_ends`` does, but faster.

    Neighbours help: a pixel looks over what the one below it sees, so that a flat ray starts there
    instead of above the highest bump, and a steep one looks where that relief would end it. No
    step is shorter than a pixel is long on the ground.
    """
    rows, width = depth.shape
    upright, hung = rotations[rows // 2, 2, 1] < -_UPRIGHT, rotations[rows // 2, 2, 1] > _UPRIGHT
    pixel = abs(plane[0, width - 1, 0] - plane[0, 0, 0]) / np.float32(max(width - 1, 1))
    before, rises = np.zeros(width, np.float32), np.zeros(width, np.float32)  # of the row below
    for n in range(rows):
        row = n if hung else rows - 1 - n
        a, b, c = rotations[row, 0, 0], rotations[row, 0, 1], rotations[row, 0, 2]
        d, e, f = rotations[row, 1, 0], rotations[row, 1, 1], rotations[row, 1, 2]
        x, y = eyes[row, 0], eyes[row, 1]
        for column in range(begin, end):
            code = ground[row, column]
            shape = np.uint32(code)
            fall = code - np.float32(shape)
            if shape == 0 or fall < _FLATTEST:
                before[column], rises[column] = _ZERO, _ZERO
                continue
            shape -= np.uint32(1)
            px, py = plane[row, column, 0], plane[row, column, 1]
            length = np.float32(math.sqrt(px * px + py * py + _ONE))
            per = _ONE / length
            dx, dy = (a * px + b * py + c) * per, (d * px + e * py + f) * per
            far, high, which = depth[row, column] * length, height[shape], tile[shape]
            if fall > _STEEP:
                slant = _ONE / fall
                at = far - rises[column] * slant
                at = far - high * _height(tiles, which, x + at * dx, y + at * dy) * slant
            else:
                margin = most[shape] / fall
                first, last = far - margin, far + margin
                at = before[column]
                above = (far - at) * fall - rises[column]
                known = (upright or hung) and at > first and at < last and above > _ZERO
                if not known:
                    at = first
                    rise = high * _height(tiles, which, x + at * dx, y + at * dy)
                    above = (far - at) * fall - rise
                step = max(_STEP, pixel * far / fall)
                per_height = _ONE / (fall + steepest[shape])
                while at < last and above > _ZERO:
                    ahead = at + max(step, above * per_height)
                    rise = high * _height(tiles, which, x + ahead * dx, y + ahead * dy)
                    next_above = (far - ahead) * fall - rise
                    if next_above <= _ZERO:
                        at += (ahead - at) * above / (above - next_above)
                        break
                    at, above = ahead, next_above
            depth[row, column] = at * per
            before[column], rises[column] = at, (far - at) * fall
