"""The renderer that needs no graphics driver: rays cast by Embree, shaded by compiled code."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import RenderError
from outrider.render.embree.layers import Panes
from outrider.render.embree.rays import Rays
from outrider.render.embree.shot import Staged, Things, take
from outrider.render.geometry import drawing_of
from outrider.render.lamps import placed
from outrider.render.picture import Picture
from outrider.render.rolling_shutter import in_the_middle
from outrider.render.shot import Shot
from outrider.render.tables import groups_of, tables_of
from outrider.render.transparent import met_by_infrared, split
from outrider.render.weather_light import first_light, light_of
from outrider.scene.scene import Scene
from outrider.scene.tracer import has_embree


class EmbreeRenderer:
    """Draws on all cores, beside the simulation; the same picture bit for bit every time."""

    name = "embree"

    def __init__(self, scene: Scene) -> None:
        drawing = drawing_of(scene)
        self._drawing, self._names = drawing, drawing.names
        solid, transparent = split(drawing)
        self._rays = Rays(solid, tables_of(solid))
        self._panes = Panes.of(transparent) if transparent else None
        self._light = first_light(scene.assembly)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        self._hands = ThreadPoolExecutor(cores or 1, "outrider-embree")
        self._front = ThreadPoolExecutor(1, "outrider-pictures")  # one picture after the other

    @cached_property
    def _by_infrared(self) -> tuple[Rays, NDArray[np.bool_]] | None:
        """What infrared light meets, and in which shapes it is lost; None: as visible light."""
        met = met_by_infrared(self._drawing)
        if met is None:
            return None
        pieces = [piece for group in groups_of(met) for piece in group.pieces]
        dark = np.array([piece.absorbs_infrared for piece in pieces], np.bool_)
        return Rays(met, tables_of(met)), dark

    @property
    def description(self) -> str:
        """What it draws with."""
        if has_embree():
            return "Embree, on the CPU"
        return "on the CPU, slower than with Embree, which is not installed"

    def begin(self, shots: list[Shot], bodies: NDArray[np.void]) -> EmbreeTicket:
        """Start to take pictures of the bodies as they are now."""
        panes = self._panes.rays.stage(bodies) if self._panes else None
        light = light_of(shots) or self._light
        middle = in_the_middle(bodies) if bodies.ndim > 1 else bodies
        light = replace(light, lights=placed(light.lights, middle))
        stage = Staged(self._rays.stage(bodies), panes, light)
        kept = bodies.copy()
        try:
            futures = [self._front.submit(self._take, shot, stage, kept) for shot in shots]
            return EmbreeTicket(futures)
        except RuntimeError:
            raise RenderError("the renderer is closed: it takes no more images") from None

    def close(self) -> None:
        """Let the threads go when what was begun is done; nobody waits for that."""
        with suppress(RuntimeError):  # it was closed before
            self._front.submit(self._hands.shutdown, wait=False)
        self._front.shutdown(wait=False)

    def _take(self, shot: Shot, stage: Staged, bodies: NDArray[np.void]) -> Picture:
        things = Things(self._rays, self._panes, stage.light, self._names)
        if not shot.infrared or "depth" not in shot.wants or self._by_infrared is None:
            return take(shot, stage, things, self._hands)
        rays, dark = self._by_infrared
        own = Staged(rays.stage(bodies), None, stage.light)
        measured = Things(rays, None, stage.light, self._names, dark)
        depth = take(replace(shot, wants=frozenset(["depth"])), own, measured, self._hands).depth
        wants = shot.wants - {"depth"}
        if not wants:
            return Picture(None, depth, None, self._names)
        return replace(take(replace(shot, wants=wants), stage, things, self._hands), depth=depth)


@dataclass(frozen=True, slots=True, eq=False)
class EmbreeTicket:
    """Pictures that are being taken."""

    _futures: list[Future[Picture]]

    def pictures(self) -> list[Picture]:
        """Wait until they are ready and return them."""
        return [future.result() for future in self._futures]
