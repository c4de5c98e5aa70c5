"""Lamps that bodies carry, and their shadow maps: what each cone sees, drawn for every picture."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.core.untyped import GlObject
from outrider.render.gl.context import GlContext
from outrider.render.gl.cull import coarsest, frustum, inside, runs_of
from outrider.render.gl.models import Models
from outrider.render.gl.programs import FIRST_LAMP_MAP, MOST_LIGHTS
from outrider.render.gl.shadow import DepthMap, axes_of
from outrider.render.lamps import casts_from_lamp
from outrider.render.light import SPOT_COSINES

_SIDE = 1024  # texels
_NEAR = 0.08  # m: the lamp's own housing casts nothing
_OFF = 0.004  # m that coarser versions may be off
_WIDE = math.tan(math.acos(SPOT_COSINES[0])) * 1.02


_BLOCK = np.dtype(
    [
        ("position", np.float32, (MOST_LIGHTS, 4)),
        ("towards", np.float32, (MOST_LIGHTS, 4)),
        ("frame", np.float32, (MOST_LIGHTS, 4, 4)),  # by columns
    ]
)


class Lamps:
    """All lamps of a scene; nothing at all where there are none."""

    def __init__(self, context: GlContext, models: Models, lights: NDArray[np.void]) -> None:
        self._carried = np.flatnonzero(lights["body"] >= 0)
        self._maps = {
            k: LampShadow(context, models)
            for k, i in enumerate(self._carried.tolist())
            if casts_from_lamp(lights[i])
        }
        self._block = np.zeros((), _BLOCK)
        some = len(self._carried) > 0
        self._uniforms: GlObject = context.gl.buffer(reserve=_BLOCK.itemsize) if some else None

    def release(self) -> None:
        """Let go of all maps."""
        for one in self._maps.values():
            one.release()
        if self._uniforms is not None:
            self._uniforms.release()

    def draw(self, lights: NDArray[np.void], frames: Array, middle: Array, half: Array) -> None:
        """Draw the maps of lamps where they are now."""
        for k, i in enumerate(self._carried.tolist()):
            self._block["position"][k, :3] = lights[i]["position"]
            self._block["towards"][k, :3] = lights[i]["towards"]
            if k in self._maps:
                self._block["frame"][k] = self._maps[k].draw(lights[i], frames, middle, half).T

    def bind(self) -> None:
        """Give the programs the lamps and their maps."""
        if self._uniforms is None:
            return
        self._uniforms.write(self._block.tobytes())
        self._uniforms.bind_to_uniform_block(1)
        for number, one in enumerate(self._maps.values()):
            one.texture.use(FIRST_LAMP_MAP + number)


class LampShadow:
    """The map of one lamp."""

    def __init__(self, context: GlContext, models: Models) -> None:
        self._gl, self._models = context.gl, models
        self._map = DepthMap(context, (_SIDE, _SIDE))
        self._map.texture.compare_func = "<="

    @property
    def texture(self) -> GlObject:
        """The map that pictures look into."""
        return self._map.texture

    def release(self) -> None:
        """Let go of the map."""
        self._map.release()

    def draw(self, lamp: np.void, frames: Array, middle: Array, half: Array) -> Array:
        """Draw what a lamp (a row of LIGHT, in the world) shines on; return its clip space."""
        matrix = _clip_from_world(lamp)
        rows = np.nonzero(inside(frustum(matrix), middle, half))[0]
        chunks, gl = self._models.chunks, self._gl
        runs = runs_of(chunks, rows, coarsest(chunks, rows, np.full(len(rows), _OFF)))
        self._map.begin((0, 0, _SIDE, _SIDE))
        gl.viewport = 0, 0, _SIDE, _SIDE
        self._map.clear()
        gl.depth_func, gl.polygon_offset = "<", (2.5, 4.0)
        self._models.draw(runs, frames, "shadow", light=matrix)
        gl.polygon_offset = 0.0, 0.0
        return matrix


def _clip_from_world(lamp: np.void) -> Array:
    """Return clip space of a lamp's cone: depth 0 near it, 1 at its range."""
    across, up, back = axes_of(np.array(lamp["towards"]))
    view = np.eye(4)
    view[:3, :3] = across, up, -back  # z along the light
    view[:3, 3] = -view[:3, :3] @ np.array(lamp["position"], np.float64)
    far = max(float(lamp["range"]), 2 * _NEAR)
    lens = np.zeros((4, 4))
    lens[0, 0] = lens[1, 1] = 1.0 / _WIDE
    lens[2, 2], lens[2, 3] = far / (far - _NEAR), -far * _NEAR / (far - _NEAR)
    lens[3, 2] = 1.0
    out: Array = lens @ view
    return out
