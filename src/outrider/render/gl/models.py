"""The triangles in the graphics memory, and drawing runs of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.core.untyped import GlObject
from outrider.render.gl.context import GlContext
from outrider.render.gl.cull import Runs
from outrider.render.gl.programs import RELIEF_UNIT, ShaderPrograms
from outrider.render.gl.textures import (
    upload,
    upload_filtered,
    upload_opacity,
    upload_slopes,
)
from outrider.render.gl.vertex_buffers import DrawStyle, VertexBuffers
from outrider.render.relief import slope_tile
from outrider.scene.relief import Relief

_TRIANGLES, _UNSIGNED = 0x0004, 0x1405
_FORMAT = "3f 4f2 2f 4f2 1i"
_NAMES = ("position", "normal", "uv", "colour", "label")
_SKIPPED = {"3f": "3x4", "4f2": "4x2", "2f": "2x4", "1i": "1x4"}


class Models:
    """All chunks of a scene."""

    def __init__(
        self, context: GlContext, programs: ShaderPrograms, buffers: VertexBuffers
    ) -> None:
        self._context, self._programs = context, programs
        gl = context.gl
        self.styles, self.chunks = buffers.styles, buffers.chunks
        self._vertices = gl.buffer(buffers.vertices.tobytes() or bytes(40))
        self._indices = gl.buffer(buffers.indices.tobytes() or bytes(4))
        plain = {style.texture for style in buffers.styles if style.cut_out or style.detail}
        self._plain = {path: upload(context, path) for path in sorted(plain)}
        slanted = {style.detail or style.texture for style in buffers.styles if not style.cut_out}
        self._filtered = {path: upload_filtered(context, path) for path in sorted(slanted - {""})}
        leafy = {style.texture for style in buffers.styles if style.cut_out}
        self._holes = {path: upload_opacity(context, path) for path in sorted(leafy)}
        self._reliefs = self._upload_reliefs(buffers)
        kinds = {(style.relief, style.relief_exponent) for style in buffers.styles if style.relief}
        self._relief_rows = sorted(kinds)
        self.relief = Relief.of_rows(self._relief_rows, buffers.relief_seed)
        self._arrays: dict[int, GlObject] = {}
        self._lit_frames: Array = np.zeros((0, 4, 4))

    def _upload_reliefs(self, buffers: VertexBuffers) -> dict[float, tuple[GlObject, float]]:
        """Return textures of slopes, by the exponent of their spectrum, and what they stand for."""
        used = {style.relief_exponent for style in buffers.styles if style.relief}
        if buffers.relief_seed is None:
            return {}
        tiles = {exponent: slope_tile(exponent, buffers.relief_seed) for exponent in sorted(used)}
        return {e: (upload_slopes(self._context, t.slopes), t.per_byte) for e, t in tiles.items()}

    def use(self, programs: ShaderPrograms) -> None:
        """Draw with other programs from now on."""
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()
        self._programs = programs

    def replace_indices(self, triangles: NDArray[np.uint32]) -> None:
        """Draw other triangles of the same vertices from now on: at most as many as there were."""
        self._indices.orphan()
        self._indices.write(np.ascontiguousarray(triangles).tobytes())

    def draw(
        self,
        runs: list[Runs],
        frames: Array,
        name: str,
        *flags: str,
        light: Array | None = None,
        lit: Array | None = None,
    ) -> None:
        """Draw runs with a program, each in its owner's frame.

        The depth test is then no longer what it was. Shadows are drawn along a light: ``light`` is
        its clip space from the world. ``lit`` are the frames in which they were, if others: things
        would else throw shadows on themselves.
        """
        self._lit_frames = frames if lit is None else lit
        solid = [run for run in runs if not self.styles[run.style].cut_out]
        leafy = [run for run in runs if self.styles[run.style].cut_out]
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
            style = self.styles[run.style]
            program = self._programs.get(name, *flags, *self._flags(name, style, flags))
            if light is not None:
                program["clip_from_light"].write(np.ascontiguousarray(light.T, np.float32))
            self._draw(run, program, style, frames[run.owner], self._lit_frames[run.owner])

    def _draw(
        self, run: Runs, program: GlObject, style: DrawStyle, frame: Array, lit_frame: Array
    ) -> None:
        if "opacity" in program:
            self._holes[style.texture].use(0)
        elif style.texture:
            plain = style.cut_out or style.detail
            (self._plain if plain else self._filtered)[style.texture].use(0)
        if "detail_repeat" in program:
            self._filtered[style.detail].use(1)
            program["detail_repeat"].value = style.detail_repeat
        if style.relief and "relief_height" in program:
            texture, per_byte = self._reliefs[style.relief_exponent]
            texture.use(RELIEF_UNIT)
            program["relief_height"].value = 255 * per_byte * style.relief
        if "relief_row" in program:
            row = self._relief_rows.index((style.relief, style.relief_exponent))
            program["relief_row"].value = 1.0 + row
        program["model"].write(np.ascontiguousarray(frame.T, np.float32))
        if "lit_model" in program:
            program["lit_model"].write(np.ascontiguousarray(lit_frame.T, np.float32))
        self._context.bind(self._array(program))
        self._context.calls["glMultiDrawElements"](
            _TRIANGLES, run.counts.ctypes.data, _UNSIGNED, run.starts.ctypes.data, len(run.counts)
        )

    def _array(self, program: GlObject) -> GlObject:
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
    def _flags(name: str, style: DrawStyle, flags: tuple[str, ...]) -> tuple[str, ...]:
        coloured = name == "scene"
        wanted = {
            "TEXTURED": coloured and bool(style.texture),
            "DETAIL": coloured and bool(style.detail),
            "LEAVES": coloured and style.cut_out,
            "RELIEF": coloured and style.relief > 0,
            "UNEVEN": "GROUND" in flags and style.relief > 0,
        }
        return tuple(flag for flag, given in wanted.items() if given)
