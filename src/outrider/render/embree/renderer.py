"""The renderer that needs no graphics driver: rays cast by Embree, shaded by compiled code."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import RenderError
from outrider.render.embree.layers import Panes
from outrider.render.embree.rays import Rays
from outrider.render.embree.shot import Staged, Things, take
from outrider.render.geometry import drawing_of
from outrider.render.lamps import placed
from outrider.render.picture import Picture
from outrider.render.shot import Shot
from outrider.render.tables import tables_of
from outrider.render.transparent import split
from outrider.render.weather_light import first_light, light_of
from outrider.scene.scene import Scene
from outrider.scene.tracer import has_embree


class EmbreeRenderer:
    """Draws on all cores, beside the simulation; the same picture bit for bit every time."""

    name = "embree"

    def __init__(self, scene: Scene) -> None:
        drawing = drawing_of(scene)
        self._names = drawing.names
        solid, transparent = split(drawing)
        self._rays = Rays(solid, tables_of(solid))
        self._panes = Panes.of(transparent) if transparent else None
        self._light = first_light(scene.assembly)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        self._hands = ThreadPoolExecutor(cores or 1, "outrider-embree")
        self._front = ThreadPoolExecutor(1, "outrider-pictures")  # one picture after the other

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
        light = replace(light, lights=placed(light.lights, bodies))
        stage = Staged(self._rays.stage(bodies), panes, light)
        try:
            return EmbreeTicket([self._front.submit(self._take, shot, stage) for shot in shots])
        except RuntimeError:
            raise RenderError("the renderer is closed: it takes no more images") from None

    def close(self) -> None:
        """Let the threads go when what was begun is done; nobody waits for that."""
        with suppress(RuntimeError):  # it was closed before
            self._front.submit(self._hands.shutdown, wait=False)
        self._front.shutdown(wait=False)

    def _take(self, shot: Shot, stage: Staged) -> Picture:
        things = Things(self._rays, self._panes, stage.light, self._names)
        return take(shot, stage, things, self._hands)


@dataclass(frozen=True, slots=True, eq=False)
class EmbreeTicket:
    """Pictures that are being taken."""

    _futures: list[Future[Picture]]

    def pictures(self) -> list[Picture]:
        """Wait until they are ready and return them."""
        return [future.result() for future in self._futures]
