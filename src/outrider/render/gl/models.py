"""The triangles in the graphics memory, and drawing runs of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from outrider.core.frames import Array
from outrider.render.gl.context import Context
from outrider.render.gl.cull import Runs
from outrider.render.gl.programs import Programs
from outrider.render.gl.stock import Look, Stock
from outrider.render.gl.textures import upload, upload_filtered, upload_opacity

_TRIANGLES, _UNSIGNED = 0x0004, 0x1405
_FORMAT = "3f 4f2 2f 4f2 1i"
_NAMES = ("position", "normal", "uv", "colour", "label")
_SKIPPED = {"3f": "3x4", "4f2": "4x2", "2f": "2x4", "1i": "1x4"}


class Models:
    """All chunks of a scene."""

    def __init__(self, context: Context, programs: Programs, stock: Stock) -> None:
        self._context, self._programs = context, programs
        gl = context.gl
        self.looks, self.chunks = stock.looks, stock.chunks
        self._vertices = gl.buffer(stock.vertices.tobytes() or bytes(40))
        self._indices = gl.buffer(stock.indices.tobytes() or bytes(4))
        plain = {look.texture for look in stock.looks if look.cut_out or look.detail}
        self._plain = {path: upload(context, path) for path in sorted(plain)}
        slanted = {look.detail or look.texture for look in stock.looks if not look.cut_out}
        self._filtered = {path: upload_filtered(context, path) for path in sorted(slanted - {""})}
        leafy = {look.texture for look in stock.looks if look.cut_out}
        self._holes = {path: upload_opacity(context, path) for path in sorted(leafy)}
        self._arrays: dict[int, Any] = {}

    def draw(
        self, runs: list[Runs], frames: Array, name: str, *flags: str, light: Array | None = None
    ) -> None:
        """Draw runs with a program, each in its owner's frame.

        The depth test is then no longer what it was. Shadows are drawn along a light: ``light`` is
        its clip space from the world.
        """
        solid = [run for run in runs if not self.looks[run.look].cut_out]
        leafy = [run for run in runs if self.looks[run.look].cut_out]
        if name == "scene" and leafy:
            self._draw_around_leaves(solid, leafy, frames, flags)
        else:
            self._draw_all(solid, frames, name, flags, light)
            self._draw_all(leafy, frames, name, (*flags, "CUT_OUT"), light)

    def _draw_around_leaves(
        self, solid: list[Runs], leafy: list[Runs], frames: Array, flags: tuple[str, ...]
    ) -> None:
        """Draw only where leaves are, then what they do not hide, then those that are seen."""
        gl, mask = self._context.gl, self._context.calls["glColorMask"]
        mask(0, 0, 0, 0)
        self._draw_all(leafy, frames, "holes", (*flags, "CUT_OUT"), None)
        mask(1, 1, 1, 1)
        self._draw_all(solid, frames, "scene", flags, None)
        gl.depth_func = "=="
        self._draw_all(leafy, frames, "scene", flags, None)

    def _draw_all(
        self,
        runs: list[Runs],
        frames: Array,
        name: str,
        flags: tuple[str, ...],
        light: Array | None,
    ) -> None:
        for run in runs:
            look = self.looks[run.look]
            program = self._programs.get(name, *flags, *self._flags(name, look))
            if light is not None:
                program["clip_from_light"].write(np.ascontiguousarray(light.T, np.float32))
            self._draw(run, program, look, frames[run.owner])

    def _draw(self, run: Runs, program: Any, look: Look, frame: Array) -> None:
        if "opacity" in program:
            self._holes[look.texture].use(0)
        elif look.texture:
            plain = look.cut_out or look.detail
            (self._plain if plain else self._filtered)[look.texture].use(0)
        if "detail_repeat" in program:
            self._filtered[look.detail].use(1)
            program["detail_repeat"].value = look.detail_repeat
        program["model"].write(np.ascontiguousarray(frame.T, np.float32))
        self._context.bind(self._array(program))
        self._context.calls["glMultiDrawElements"](
            _TRIANGLES, run.counts.ctypes.data, _UNSIGNED, run.starts.ctypes.data, len(run.counts)
        )

    def _array(self, program: Any) -> Any:
        if program.glo not in self._arrays:
            words = _FORMAT.split()
            used = [n in program for n in _NAMES]
            layout = " ".join(w if u else _SKIPPED[w] for w, u in zip(words, used, strict=True))
            names = [n for n, u in zip(_NAMES, used, strict=True) if u]
            self._arrays[program.glo] = self._context.gl.vertex_array(
                program, [(self._vertices, layout, *names)], self._indices, index_element_size=4
            )
        return self._arrays[program.glo]

    @staticmethod
    def _flags(name: str, look: Look) -> tuple[str, ...]:
        coloured = name == "scene"
        wanted = {
            "TEXTURED": coloured and bool(look.texture),
            "DETAIL": coloured and bool(look.detail),
            "LEAVES": coloured and look.cut_out,
        }
        return tuple(flag for flag, given in wanted.items() if given)
