"""The renderer that needs no graphics driver: rays cast by Embree, shaded by compiled code."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import RenderError
from outrider.render.embree.rays import GroupPoses, Rays
from outrider.render.embree.shot import take
from outrider.render.geometry import drawing_of
from outrider.render.light import lighting_of
from outrider.render.picture import Picture
from outrider.render.shot import Shot
from outrider.render.tables import tables_of
from outrider.scene.scene import Scene
from outrider.scene.tracer import has_embree


class EmbreeRenderer:
    """Draws on all cores, beside the simulation; the same picture bit for bit every time."""

    name = "embree"

    def __init__(self, scene: Scene) -> None:
        drawing = drawing_of(scene)
        self._names = drawing.names
        self._rays = Rays(drawing, tables_of(drawing))
        self._light = lighting_of(scene.assembly.world)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        self._hands = ThreadPoolExecutor(cores or 1, "outrider-embree")
        self._front = ThreadPoolExecutor(1, "outrider-pictures")  # one picture after the other

    @property
    def description(self) -> str:
        """What it draws with."""
        if has_embree():
            return "Embree, on the processor"
        return "on the processor, slower than with Embree, which is not installed"

    def begin(self, shots: list[Shot], bodies: NDArray[np.void]) -> EmbreeTicket:
        """Start to take pictures of the bodies as they are now."""
        stage = self._rays.stage(bodies)
        try:
            return EmbreeTicket([self._front.submit(self._take, shot, stage) for shot in shots])
        except RuntimeError:
            raise RenderError("the renderer is closed: it takes no more pictures") from None

    def close(self) -> None:
        """Let the threads go when what was begun is done; nobody waits for that."""
        self._front.submit(self._hands.shutdown, wait=False)
        self._front.shutdown(wait=False)

    def _take(self, shot: Shot, stage: GroupPoses) -> Picture:
        return take(shot, stage, self._rays, self._light, self._names, self._hands)


@dataclass(frozen=True, slots=True, eq=False)
class EmbreeTicket:
    """Pictures that are being taken."""

    _futures: list[Future[Picture]]

    def pictures(self) -> list[Picture]:
        """Wait until they are ready and return them."""
        return [future.result() for future in self._futures]
