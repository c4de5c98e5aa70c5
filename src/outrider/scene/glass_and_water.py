"""Rays of near infrared light through what is clear: panes of glass, sheets of water.

At every clear surface a beam is divided (docs/materials.md has the sources of this simple model):

* **Reflected.** Fresnel's share for unpolarised light. It comes back to the sensor only from facets
  that face it: a surface of rms slope s looks like a diffuse one of reflectivity
  ``R(0) exp(-tan(a)^2 / s^2) / (4 s^2 cos(a)^6)`` (Beckmann's facets), at most 1.
* **Passed.** What is left goes on straight through a thin pane. A material that absorbs fills what
  is behind it: there the ray is bent by Snell's law, light is slower by the refractive index, and
  ``exp(-absorption * way)`` of it is left. All losses count on the way back, too.

The stronger of both returns is what the ray saw, or the first or last; those below ``FAINTEST``
are none.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.scene.part import Part
from outrider.scene.past_poses import PastPoses, Times
from outrider.scene.relief import Relief
from outrider.scene.sensor_rays import STATIC, SensorHits, View
from outrider.scene.surface import Floats32
from outrider.world.materials import Material

FAINTEST = 1e-3  # reflectivity times cosine of incidence that no LiDAR finds
_MOST = 64  # clear surfaces that one ray passes
_STEP = 1e-4  # m behind a clear surface where the ray goes on
_ROUNDING = 5e-7  # of coordinates, which have 24 bits: far from the origin the step is longer
Rows = NDArray[np.intp]
Echo: TypeAlias = Literal["strongest", "first", "last"]


@dataclass(frozen=True, slots=True, eq=False)
class RayBatch:
    """Rays of unit direction, each at its own time, that do not see one model.

    Those ``alike`` are each nearly like the next.
    """

    origins: Floats32
    directions: Floats32
    times_ns: Times
    past: PastPoses
    ignore: int
    alike: bool

    def look(self, view: View, far: Floats32) -> SensorHits:
        """Cast them; ``far`` is overwritten."""
        rays = (self.origins, self.directions, far, self.times_ns)
        return view.look(*rays, self.past, self.ignore, self.alike)

    def some(self, rows: Rows, way: Array, directions: Floats32 | None = None) -> "RayBatch":
        """Return some of them that begin farther on their way, perhaps bent there."""
        along = self.directions[rows]
        starts = self.origins[rows] + along * np.asarray(way, np.float32)[:, None]
        return replace(
            self,
            origins=np.ascontiguousarray(starts, np.float32),
            directions=np.ascontiguousarray(along if directions is None else directions),
            times_ns=self.times_ns[rows],
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Optics:
    """What the clear shapes of a view do to light: a row each, found by part and shape."""

    first: NDArray[np.int64]  # per part, the static one last
    index: Array
    absorption: Array
    slope: Array

    @classmethod
    def of(cls, view: View) -> "_Optics":
        parts = [*view.movers, *([view.static] if view.static else [])]
        materials: list[Material] = [g.material for part in parts for g in part.surface.geometry]
        counts = [len(part.surface.geometry) for part in parts]
        return cls(
            np.cumsum([0, *counts])[:-1],
            np.array([m.refractive_index for m in materials]),
            np.array([m.infrared_absorption for m in materials]),
            np.array([m.facet_slope for m in materials]),
        )

    def rows(self, hits: SensorHits) -> NDArray[np.int64]:
        """Return the row of each hit; STATIC is -1: the last part."""
        found: NDArray[np.int64] = self.first[hits.part] + hits.shape
        return found


class ClearView:
    """What stops light, and what is clear in front of it."""

    def __init__(self, behind: View, clear: View, numbers: NDArray[np.int32]) -> None:
        """``numbers`` are those of the movers behind, in the view of all things."""
        self.behind, self._clear, self._numbers = behind, clear, np.append(numbers, STATIC)
        self._optics = _Optics.of(clear)

    def look(
        self, beams: RayBatch, far: Floats32, relief: Relief, echo: Echo = "strongest"
    ) -> SensorHits:
        """Cast rays of light; ``far`` is overwritten."""
        limit = far.copy()
        hits = self._seen(beams, far)
        relief.apply(beams.origins, beams.directions, hits)
        rows, way = np.arange(len(far)), np.zeros(len(far))
        loss, best = np.ones(len(far)), _Best(len(far), echo)
        step = np.maximum(_STEP, _ROUNDING * np.abs(beams.origins).max(axis=1, initial=0.0))
        for _ in range(_MOST):
            # what lies on what stops light takes nothing: a sheet there would hide the ground
            ahead = np.maximum(hits.distance[rows] - way - step[rows], 0.0).astype(np.float32)
            first = beams.some(rows, way).look(self._clear, ahead)
            met = np.flatnonzero(first.shape >= 0)
            if not len(met):
                break
            rows, way = rows[met], way[met] + first.distance[met]
            kind, cosine = self._optics.rows(first)[met], first.cosine[met]
            best.offer(rows, way, self._reflected(kind, cosine) * loss[rows])
            loss[rows] *= (1.0 - fresnel(cosine, self._optics.index[kind])) ** 2
            filled = self._optics.absorption[kind] > 0
            self._dive(beams, rows[filled], way[filled], kind[filled], limit, hits, loss)
            rows, way = rows[~filled], way[~filled]
            way = way + step[rows]
        best.settle(hits, loss)
        return hits

    def _seen(self, beams: RayBatch, far: Floats32) -> SensorHits:
        hits = beams.look(self.behind, far)
        return replace(hits, part=self._numbers[hits.part].astype(np.int32))

    def _reflected(self, kind: NDArray[np.int64], cosine: Floats32) -> Array:
        """Return reflectivity times cosine of the diffuse surface that would be as bright."""
        normal = fresnel(np.ones(1), self._optics.index[kind])
        return facets(normal, cosine.astype(np.float64), self._optics.slope[kind])

    def _dive(
        self,
        beams: RayBatch,
        rows: Rows,
        way: Array,
        kind: NDArray[np.int64],
        limit: Floats32,
        hits: SensorHits,
        loss: Array,
    ) -> None:
        """Look for the bottom of what is filled, and write what is found there."""
        if not len(rows):
            return
        index = self._optics.index[kind]
        bent = _refracted(beams.directions[rows].astype(np.float64), index)
        below = beams.some(rows, way + _STEP, bent)
        deep = self._seen(below, ((limit[rows] - way) / index).astype(np.float32))
        depth = deep.distance.astype(np.float64) + _STEP
        for mine, found in zip(_arrays(hits), _arrays(deep), strict=True):
            mine[rows] = found
        hits.distance[rows] = way + index * depth
        loss[rows] *= np.exp(-2.0 * self._optics.absorption[kind] * depth)


class _Best:
    """The strongest return from clear surfaces so far, or the first or last."""

    def __init__(self, count: int, echo: Echo) -> None:
        self._echo = echo
        self._way, self._back = np.full(count, np.inf), np.zeros(count)

    def offer(self, rows: Rows, way: Array, back: Array) -> None:
        """Take a return that is farther than those before, if it is the one to be told."""
        if self._echo == "strongest":
            taken = back / way**2 > self._back[rows] / self._way[rows] ** 2
        else:
            taken = (back >= FAINTEST) & ((self._echo == "last") | (self._back[rows] == 0))
        rows = rows[taken]
        self._way[rows], self._back[rows] = way[taken], back[taken]

    def settle(self, hits: SensorHits, loss: Array) -> None:
        """Weaken what was seen through clear surfaces, and choose between both."""
        touched = np.flatnonzero(loss < 1.0)
        hits.reflectivity[touched] *= loss[touched].astype(np.float32)
        back = np.where(hits.shape < 0, 0.0, hits.reflectivity * hits.cosine)
        nearer = touched[self._is_told(back, hits.distance.astype(np.float64))[touched]]
        hits.distance[nearer] = self._way[nearer]
        hits.reflectivity[nearer] = self._back[nearer]
        hits.cosine[nearer], hits.shape[nearer], hits.part[nearer] = 1.0, 0, STATIC
        strength = hits.reflectivity[touched] * hits.cosine[touched]
        hits.shape[touched[strength < FAINTEST]] = -1

    def _is_told(self, back: Array, distance: Array) -> NDArray[np.bool_]:
        """Return where it is not what is behind all clear surfaces that is told."""
        if self._echo == "first":
            return self._back > 0
        if self._echo == "last":
            return (self._back > 0) & (back < FAINTEST)
        with np.errstate(divide="ignore", invalid="ignore"):
            behind = np.where(back > 0, back / distance**2, 0.0)
        return np.asarray(self._back / self._way**2 > behind)


def clear_view(
    view: View, is_clear: Callable[[Material], bool], some_of: Callable[[Part, bool], Part | None]
) -> ClearView | None:
    """Return a view divided into what is clear and what is not; None if nothing is clear."""
    parts = [*([view.static] if view.static else []), *view.movers]
    if not any(is_clear(g.material) for part in parts for g in part.surface.geometry):
        return None
    ground = view.static
    stops, passes = ground and some_of(ground, False), ground and some_of(ground, True)
    solid = [some_of(part, False) for part in view.movers]
    clear = [found for part in view.movers if (found := some_of(part, True))]
    numbers = np.array([k for k, part in enumerate(solid) if part], np.int32)
    behind = View(stops, [part for part in solid if part])
    return ClearView(behind, View(passes, clear), numbers)


def fresnel(cosine: Array | Floats32, index: Array) -> Array:
    """Return the share of unpolarised light that is reflected from air."""
    c = np.clip(np.asarray(cosine, np.float64), 0.0, 1.0)
    inside = np.sqrt(1.0 - (1.0 - c * c) / index**2)
    across = (c - index * inside) / (c + index * inside)
    along = (index * c - inside) / (index * c + inside)
    out: Array = (across**2 + along**2) / 2
    return out


def facets(normal: Array, cosine: Array, slope: Array) -> Array:
    """Return the reflectivity times cosine as which facets of an rms slope are seen, at most 1."""
    c = np.maximum(cosine, 1e-3)
    tangent = (1.0 - c * c) / (c * c)
    out: Array = normal * np.exp(-tangent / slope**2) / (4.0 * slope**2 * c**5)
    return np.minimum(out, 1.0)


def _refracted(directions: Array, index: Array) -> Floats32:
    """Return rays bent where they enter a level surface from above: only sheets are filled."""
    across = directions[:, :2] / index[:, None]
    down = -np.sqrt(np.maximum(1.0 - (across**2).sum(axis=1), 0.0))
    return np.column_stack([across, down]).astype(np.float32)


def _arrays(hits: SensorHits) -> tuple[NDArray[np.float32] | NDArray[np.int32], ...]:
    return hits.distance, hits.cosine, hits.reflectivity, hits.shape, hits.part
