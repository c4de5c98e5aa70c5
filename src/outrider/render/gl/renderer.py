"""The OpenGL renderer: a thread with its own context, fed with shots."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import RenderError
from outrider.core.process.interpreter import giving_way
from outrider.render.geometry import Drawing, drawing_of
from outrider.render.gl.context import Driver, GlContext
from outrider.render.gl.painter import Painter
from outrider.render.picture import Picture
from outrider.render.shot import Shot
from outrider.render.transparent import split
from outrider.render.weather_light import first_light, light_of
from outrider.scene.scene import Scene


class GlRenderer:
    """Draws on the graphics processor, or with Mesa on the cores, beside the simulation."""

    name = "gl"

    def __init__(self, scene: Scene) -> None:
        self._hand = ThreadPoolExecutor(1, "outrider-gl")  # a context belongs to one thread
        self._closed = False
        self._context: GlContext = self._hand.submit(GlContext).result()
        try:
            self.driver: Driver = self._hand.submit(lambda: self._context.driver).result()
            drawing = drawing_of(scene)
            self.mover_models = [group.model for group in drawing.movers]
            self._painter: Painter = self._hand.submit(self._paint, scene, drawing).result()
        except BaseException:
            self._hand.submit(self._context.close)
            self._hand.shutdown(wait=False)
            raise

    @property
    def description(self) -> str:
        """Who draws, and what would be faster."""
        driver = self.driver
        said = f"{driver.vendor}, {driver.renderer}, OpenGL {driver.version}"
        if driver.on_processor:
            said += ", on the CPU; a GPU with an EGL driver is faster"
        return said

    def begin(self, shots: list[Shot], bodies: NDArray[np.void]) -> GlTicket:
        """Start to take pictures of the bodies as they are now."""
        try:
            return GlTicket(self._hand.submit(self._take, list(shots), np.array(bodies)))
        except RuntimeError:
            raise RenderError("the renderer is closed: it takes no more images") from None

    def close(self) -> None:
        """Let the context go when what was begun is done."""
        if not self._closed:
            self._closed = True
            with suppress(RuntimeError):  # the interpreter ends: its threads are gone already
                self._hand.submit(self._painter.close)
                self._hand.submit(self._context.close)
            self._hand.shutdown(wait=True)

    def _paint(self, scene: Scene, drawing: Drawing) -> Painter:
        with giving_way():
            light = first_light(scene.assembly)
            return Painter(self._context, *split(drawing), light)

    def _take(self, shots: list[Shot], bodies: NDArray[np.void]) -> Future[list[Picture]]:
        self._painter.shine(light_of(shots))
        return self._painter.take(shots, self._painter.stage(bodies))


@dataclass(frozen=True, slots=True, eq=False)
class GlTicket:
    """Pictures that are being taken."""

    _drawn: Future[Future[list[Picture]]]

    def pictures(self) -> list[Picture]:
        """Wait until they are ready and return them."""
        return self._drawn.result().result()
