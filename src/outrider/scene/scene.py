"""The geometry that wheels, rays and images share: one static surface, one per moving body."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, matrix_from_quaternion
from outrider.scene.embree import Tracer
from outrider.scene.glass_and_water import ClearView, Echo, RayBatch, clear_view
from outrider.scene.grid_surface import GridSurface, surface_of
from outrider.scene.part import Part, mover_rows
from outrider.scene.past_poses import PastPoses, Times
from outrider.scene.relief import Relief
from outrider.scene.sensor_rays import NO_MODEL, SensorHits, View
from outrider.scene.static_view import StaticView
from outrider.scene.surface import Floats32, Hits
from outrider.world.assembly import WORLD, Assembly, StaticPart, felt, seen
from outrider.world.materials import Material, is_unseen, passes_infrared
from outrider.world.model import Geometry
from outrider.world.state import WorldState

__all__ = ["Part", "Scene"]  # found here as well as the part
Shapes: TypeAlias = tuple[Geometry, ...]


class Scene:
    """What a ray hits, the wheel stands on and the camera shows."""

    def __init__(self, assembly: Assembly, ground: "Scene | None" = None) -> None:
        """Take the static surface over from ``ground``, if there is a scene with the same one."""
        self.assembly = assembly
        self.let_through: Callable[[Part], Part] = _as_it_is
        self.opacity_of: Callable[[Material], float] = _without_texture
        self.relief_seed: int | None = None  # None: the ground is as smooth as its mesh
        self.materials: list[Material] = [] if ground is None else list(ground.materials)
        self.static: Part | None = ground.static if ground else self._static_part()
        start = assembly.world.start.position
        self.drawn_about = float(start[0]), float(start[1])
        self._drawn: Part | None = None
        self.movers = [
            part
            for index, body in enumerate(assembly.bodies)
            if (part := self._part(index, body.model, felt(body)))
        ]

    @cached_property
    def mover_rows(self) -> NDArray[np.void]:
        """What moves, with spheres and boxes around it."""
        return mover_rows(self.movers)

    @cached_property
    def view(self) -> View:
        """What sensors see: the same surfaces, without shapes that hide from sensors."""
        static, shown = self.static, self._static_geometry(seen)
        apart = any(part.apart for part in self.assembly.static)
        if apart or any(is_unseen(g.material) or g.material.soft for g in shown):
            static = self._part(WORLD, WORLD, _visible(shown))
        through = self.let_through
        return View(static and through(static), [through(part) for part in self._seen_movers()])

    def drawn(self) -> Part | None:
        """Return what never moves as it is drawn: a ground on disk coarser with the distance."""
        static = self.view.static
        if static is None or not isinstance(static.surface, GridSurface):
            return static
        if self._drawn is None:
            geometry = static.surface.drawn(*self.drawn_about)
            named = (replace(g, name=n) for g, n in zip(geometry, static.names, strict=True))
            self._drawn = self._part(WORLD, WORLD, tuple(named))
        return self._drawn

    def draw_about(self, x: float, y: float) -> None:
        """Draw a ground on disk in full around another place from now on."""
        self.drawn_about = x, y
        self._drawn = None

    def look(
        self,
        origins: Floats32,
        directions: Floats32,
        far: Floats32,
        times_ns: Times,
        past: PastPoses,
        ignore_model: int = NO_MODEL,
        *,
        by_light: bool = False,
        alike: bool = False,
        echo: Echo = "strongest",
    ) -> SensorHits:
        """Cast a sensor's rays, each at its own time of the past; ``far`` is overwritten.

        Those of near infrared light go through what is clear, and onto the ground's relief: of
        several returns one is told, the ``echo``. It is faster if they are ``alike``, each nearly
        like the next.
        """
        rays = RayBatch(origins, directions, times_ns, past, ignore_model, alike)
        if by_light and self._clear:
            return self._clear.look(rays, far, self._relief, echo)
        hits = rays.look(self.view, far)
        if by_light:
            self._relief.apply(origins, directions, hits)
        return hits

    def static_view(self, ignore_model: int) -> StaticView | None:
        """Return what never moves for light cast in good time; None where that cannot be."""
        static = self.view.static
        if static is None or self._clear or isinstance(static.surface, GridSurface):
            return None
        tracer = static.surface.tracer
        if not isinstance(tracer, Tracer):
            return None
        alone = not self.view.shows_movers(ignore_model)
        return StaticView(tracer, static.reflectivity, self._relief, alone)

    def look_before(
        self,
        hits: SensorHits,
        origins: Floats32,
        directions: Floats32,
        times_ns: Times,
        past: PastPoses,
        ignore_model: int,
    ) -> None:
        """Finish what the light of a static view, which is not alone, has found: movers, relief."""
        self.view.add_movers(origins, directions, times_ns, past, ignore_model, hits, alike=True)
        self._relief.apply(origins, directions, hits)

    @cached_property
    def _clear(self) -> ClearView | None:
        """What light goes through, apart from what stops it; None if nothing is clear."""
        return clear_view(self.view, self._is_clear, self._some_of)

    def _is_clear(self, material: Material) -> bool:
        return passes_infrared(material, self.opacity_of(material))

    def _some_of(self, part: Part, clear: bool) -> Part | None:
        """Return what is clear of a part, or what is not."""
        named = zip(part.surface.geometry, part.names, strict=True)
        kept = [replace(g, name=n) for g, n in named if self._is_clear(g.material) == clear]
        if len(kept) == len(part.names):
            return part
        found = self._part(part.body, part.model, tuple(kept))
        return found and self.let_through(found)

    @cached_property
    def _relief(self) -> Relief:
        """What lies below the resolution of what never moves."""
        view = self._clear.behind if self._clear else self.view
        return Relief.of(view.static, self.materials, self.relief_seed)

    @property
    def triangles(self) -> int:
        """How many triangles there are in all."""
        parts = [*self.movers, *([self.static] if self.static else [])]
        return sum(part.surface.triangles for part in parts)

    def cast(
        self,
        origins: Array,
        directions: Array,
        far: float,
        state: WorldState,
        ignore_model: int = NO_MODEL,
    ) -> Hits:
        """Cast rays into everything, as it stands in ``state``; no hit has the shape -1."""
        distance = np.full(len(origins), far, np.float32)
        hits = Hits(
            distance,
            np.full(len(origins), -1, np.int32),
            np.zeros((len(origins), 3), np.float32),
        )
        if self.static:
            hits = self.static.surface.cast(_f32(origins), _f32(directions), distance)
        for part in self.movers:
            if part.model != ignore_model:
                self._cast_mover(part, origins, directions, hits, state)
        return hits

    def _cast_mover(
        self, part: Part, origins: Array, directions: Array, hits: Hits, state: WorldState
    ) -> None:
        """Bring the rays into the body's frame; keep what is nearer than before."""
        body = state.bodies[part.body]
        rotation = matrix_from_quaternion(body["rotation"])
        start = (origins - body["position"]) @ rotation
        along = directions @ rotation
        found = part.surface.cast(_f32(start), _f32(along), hits.distance.copy())
        nearer = found.shape >= 0
        hits.distance[nearer] = found.distance[nearer]
        hits.shape[nearer] = found.shape[nearer]
        hits.normal[nearer] = found.normal[nearer] @ rotation.T.astype(np.float32)

    def ground_below(
        self, points: Array, top: float | Array | None = None, reach: float = 1e4
    ) -> Array:
        """Return the heights of the highest static surface at x, y of each point; NaN for none.

        Surfaces above ``top``, one height or one for each point, do not count.
        """
        if self.static is None:
            return np.full(len(points), np.nan)
        if top is None:
            top = float(self.static.surface.high[2]) + 1.0
        origins = np.column_stack([points[:, :2], np.full(len(points), top)])
        down = np.tile([0.0, 0.0, -1.0], (len(points), 1))
        far = np.full(len(points), reach, np.float32)
        hits = self.static.surface.cast(_f32(origins), _f32(down), far)
        return np.where(hits.shape >= 0, top - hits.distance.astype(np.float64), np.nan)

    def _static_part(self) -> Part | None:
        return self._part(WORLD, WORLD, _solid(self._static_geometry(felt)))

    def _static_geometry(self, of: Callable[[StaticPart], Shapes]) -> Shapes:
        return tuple(
            Geometry(g.shape, g.pose, g.material, static.name)
            for static in self.assembly.static
            for g in of(static)
        )

    def _seen_movers(self) -> list[Part]:
        """Return the movers as sensors see them: mostly as they are felt."""
        as_felt = {part.body: part for part in self.movers}
        found = []
        for index, body in enumerate(self.assembly.bodies):
            shown, touched = seen(body), felt(body)
            same = shown == touched and not any(is_unseen(g.material) for g in shown)
            if same and index in as_felt:
                found.append(as_felt[index])
            elif part := self._part(index, body.model, _visible(shown)):
                found.append(part)
        return found

    def _part(self, body: int, model: int, geometry: Shapes) -> Part | None:
        if not geometry:
            return None
        surface = surface_of(list(geometry))
        materials = np.array([self._material(g.material) for g in geometry], np.int32)
        centre = (surface.low + surface.high) / 2
        radius = float(np.linalg.norm(surface.high - surface.low)) / 2
        names = tuple(g.name for g in geometry)
        echo = np.array([g.material.reflectivity for g in geometry], np.float32)
        return Part(
            body,
            model,
            surface,
            materials=materials,
            names=names,
            centre=centre,
            radius=radius,
            reflectivity=echo,
        )

    def _material(self, material: Material) -> int:
        if material not in self.materials:
            self.materials.append(material)
        return self.materials.index(material)


def _as_it_is(part: Part) -> Part:
    """Let no ray through: a scene knows no textures; who does replaces this before the view."""
    return part


def _without_texture(material: Material) -> float:
    """Return how opaque a surface is, without its texture's share: see ``_as_it_is``."""
    return material.colour[3]


def _visible(geometry: Shapes) -> Shapes:
    return tuple(g for g in geometry if not is_unseen(g.material))


def _solid(geometry: Shapes) -> Shapes:
    return tuple(g for g in geometry if not g.material.soft)


def _f32(array: Array) -> Floats32:
    return np.ascontiguousarray(array, np.float32)
