"""One shot after the other, drawn with OpenGL: all in the thread that made it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.render.develop import develop
from outrider.render.geometry import Drawing
from outrider.render.gl_camera import Pinhole, clip_from_world, pinhole_of
from outrider.render.gl_context import Context
from outrider.render.gl_cull import Runs, boxes_in_world, seen
from outrider.render.gl_models import Models
from outrider.render.gl_programs import Programs, casts
from outrider.render.gl_shadow import Shadow, levels_for
from outrider.render.gl_stock import STATIC, Stock
from outrider.render.gl_targets import Target, empty
from outrider.render.gl_uniforms import SHOT, film_flags, light_block, set_camera, set_film
from outrider.render.intrinsics import Intrinsics
from outrider.render.light import Lighting
from outrider.render.picture import Picture
from outrider.render.rolling import between
from outrider.render.shot import Shot

_BAND = 8  # rows that are taken at once with a rolling shutter
_FAN = 0x0004


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """Where everything is: frames of the movers and, last, of the world; boxes around chunks."""

    frames: Array
    middle: Array
    half: Array


class Painter:
    """Draws shots of one scene."""

    def __init__(self, context: Context, drawing: Drawing, stock: Stock, light: Lighting) -> None:
        self._context, self._drawing = context, drawing
        self._owner_models = np.array([g.model for g in drawing.movers], np.int64)
        self._bodies = np.array([g.body for g in drawing.movers], np.int64)
        box = _box(stock)
        levels = levels_for(float(np.linalg.norm(box[1] - box[0])) / 2)
        self._programs = Programs(context, light, levels)
        self._models = Models(context, self._programs, stock)
        lights = [row for row in light.lights if casts(row)]
        self._shadows = [
            Shadow(context, self._models, np.array(row["towards"]), box, levels, number)
            for number, row in enumerate(lights)
        ]
        self._block = light_block(light)
        self._uniforms = context.gl.buffer(reserve=SHOT.itemsize)
        self._empty = context.gl.vertex_array(self._programs.get("nothing"), [])
        self._targets: dict[tuple[Any, ...], Target] = {}
        self._places: dict[Intrinsics, Any] = {}
        context.gl.enable(context.gl.DEPTH_TEST)
        context.gl.provoking_vertex = 0x8E4D  # the first: as in the order of a triangle's corners
        context.check("setting up the scene")

    def stage(self, bodies: NDArray[Any]) -> Stage:
        """Return where everything stands."""
        frames = np.tile(np.eye(4), (len(self._bodies) + 1, 1, 1))
        for frame, body in zip(frames, self._bodies, strict=False):
            frame[:3, :3] = matrix_from_quaternion(bodies[body]["rotation"])
            frame[:3, 3] = bodies[body]["position"]
        return Stage(frames, *boxes_in_world(self._models.chunks, frames))

    def take(self, shots: list[Shot], stage: Stage) -> list[Picture]:
        """Draw all shots, then read them back: the driver works on while the next is prepared."""
        reads = [self._draw(shot, stage, number) for number, shot in enumerate(shots)]
        pictures = [read() for read in reads]
        self._context.check("drawing a picture")
        return pictures

    def _draw(self, shot: Shot, stage: Stage, number: int) -> Callable[[], Picture]:
        lens = shot.intrinsics
        pinhole = pinhole_of(lens, self._context.most_side)
        for shadow in self._shadows:
            shadow.prepare(shot.T_world_optical.position, stage.middle, stage.half, stage.frames)
            shadow.write(self._block)
        set_film(self._block, shot.film, lens)
        colour = depth = None
        if "colour" in shot.wants:
            colour = self._colour(shot, stage, pinhole, number)
        if shot.wants - {"colour"} or shot.film.aperture_m > 0:
            depth = self._measure(shot, stage, pinhole, number)
        self._context.calls["glFlush"]()
        return lambda: self._read(shot, colour, depth)

    def _colour(self, shot: Shot, stage: Stage, pinhole: Pinhole, number: int) -> Target:
        lens, film = shot.intrinsics, shot.film
        flags = film_flags(film)
        size, whole = (lens.width, lens.height), (pinhole.width, pinhole.height)
        if film.lens_is_plain and not lens.distorted and film.samples == 1:
            target = self._target(number, size, ("bytes",))
            self._scene(shot, stage, pinhole, target, "scene", "sky", flags)
            return target
        light = self._target(number, whole, ("light",))
        if film.samples > 1:
            many = self._target(0, whole, ("light",), samples=4)
            self._scene(shot, stage, pinhole, many, "scene", "sky", ())
            many.copy_to(light)
        else:
            self._scene(shot, stage, pinhole, light, "scene", "sky", ())
        if not film.lens_is_plain and not lens.distorted:
            return light
        kind = "bytes" if film.lens_is_plain else "light"
        target = self._target(number, size, (kind, "bent"), depth=False)
        self._finish(light, target, lens, flags if film.lens_is_plain else ())
        return target

    def _measure(self, shot: Shot, stage: Stage, pinhole: Pinhole, number: int) -> Target:
        target = self._target(number, (pinhole.width, pinhole.height), ("depth", "labels"))
        self._scene(shot, stage, pinhole, target, "measure", "nothing", ())
        return target

    def _scene(
        self, shot: Shot, stage: Stage, pinhole: Pinhole, target: Target, name: str, behind: str,
        flags: tuple[str, ...],
    ) -> None:  # fmt: skip
        """Draw all that is seen, and the sky behind it; a rolling shutter sees it in bands."""
        target.use()
        for pose, rows in _bands(shot, pinhole):
            target.buffer.scissor = (0, rows.start, pinhole.width, rows.stop - rows.start)
            target.buffer.use()
            self._view(shot, stage, pinhole, pose, name, behind, flags)
        target.buffer.scissor = None

    def _view(
        self, shot: Shot, stage: Stage, pinhole: Pinhole, pose: Pose, name: str, behind: str,
        flags: tuple[str, ...],
    ) -> None:  # fmt: skip
        gl, clip = self._context.gl, clip_from_world(pinhole, pose, shot.near, shot.far)
        set_camera(self._block, pinhole, pose, clip)
        self._send()
        focal = max(pinhole.fx, pinhole.fy)
        runs = seen(self._models.chunks, stage.middle, stage.half, clip, pose.position, focal)
        gl.depth_func = ">"
        self._models.draw([r for r in runs if self._shown(r, shot)], stage.frames, name, *flags)
        gl.depth_func = ">="
        self._fill(self._programs.get(behind, *flags))

    def _shown(self, run: Runs, shot: Shot) -> bool:
        return run.owner == STATIC or self._owner_models[run.owner] != shot.hide_model

    def _finish(self, light: Target, target: Target, lens: Intrinsics, flags: Any) -> None:
        """Bend and develop an image of light."""
        light.images[0].use(0)
        if lens.distorted:
            self._lookup(lens, light.size).use(1)
            flags = (*flags, "BENT")
        target.buffer.use()
        self._send()
        self._fill(self._programs.get("finish", *flags))

    def _lookup(self, lens: Intrinsics, size: tuple[int, int]) -> Any:
        """Return where each pixel of a bent image lies in the straight one, from 0 to 1."""
        if lens not in self._places:
            at = straight_places(lens, self._context.most_side) + 0.5
            data = np.ascontiguousarray(at / size, np.float32)
            self._places[lens] = self._context.gl.texture(
                (lens.width, lens.height), 2, data.tobytes(), dtype="f4"
            )
        return self._places[lens]

    def _send(self) -> None:
        self._uniforms.write(self._block.tobytes())
        self._uniforms.bind_to_uniform_block(0)
        for number, shadow in enumerate(self._shadows):
            shadow.texture.use(2 + number)

    def _fill(self, program: Any) -> None:
        """Draw one triangle over everything."""
        array = self._arrays(program)
        array.render(mode=_FAN, vertices=3)

    def _arrays(self, program: Any) -> Any:
        key = ("array", program.glo)
        if key not in self._targets:
            self._targets[key] = self._context.gl.vertex_array(program, [])
        return self._targets[key]

    def _target(
        self, number: int, size: tuple[int, int], kinds: tuple[str, ...], samples: int = 0,
        depth: bool = True,
    ) -> Target:  # fmt: skip
        key = (number, size, kinds, samples)
        if key not in self._targets:
            images = tuple(kind for kind in kinds if kind != "bent")
            self._targets[key] = Target(self._context, size, images, samples, depth)
        return self._targets[key]

    def _read(self, shot: Shot, colour: Target | None, depth: Target | None) -> Picture:
        measured = None if depth is None else self._straight(shot, depth, 0, "depth")
        image = None if colour is None else self._image(shot, colour, measured)
        labels = None
        if depth is not None and "labels" in shot.wants:
            labels = self._straight(shot, depth, 1, "labels")
        wanted = measured if "depth" in shot.wants else None
        return Picture(image, wanted, labels, self._drawing.names)

    def _image(self, shot: Shot, colour: Target, depth: NDArray[Any] | None) -> NDArray[np.uint8]:
        if shot.film.lens_is_plain:
            return colour.read(0, empty("bytes", colour.size))
        light = colour.read(0, empty("light", colour.size))
        rows = slice(0, shot.intrinsics.height)
        return develop(light, depth, shot.film, shot.intrinsics, rows)

    def _straight(self, shot: Shot, target: Target, number: int, kind: str) -> NDArray[Any]:
        """Read depth or labels; behind a bent lens, of the nearest pixel of the straight image."""
        found = target.read(number, empty(kind, target.size))
        lens = shot.intrinsics
        if not lens.distorted:
            return found
        at = np.rint(straight_places(lens, self._context.most_side)).astype(np.int64)
        bent: NDArray[Any] = found[at[..., 1], at[..., 0]]
        return bent


def straight_places(lens: Intrinsics, most_side: int) -> Array:
    """Return columns and rows (h, w, 2) of a lens's pixels in the straight image behind it."""
    p = pinhole_of(lens, most_side)
    out: Array = lens.plane.astype(np.float64) * [p.fx, p.fy] + [p.cx, p.cy]
    return out


def _bands(shot: Shot, pinhole: Pinhole) -> list[tuple[Pose, slice]]:
    """Return poses with the rows of the image that are taken there."""
    if not shot.row_poses:
        return [(shot.T_world_optical, slice(0, pinhole.height))]
    starts = range(0, pinhole.height, _BAND)
    last = max(pinhole.height - 1, 1)
    return [
        (
            between(shot.row_poses, min(1.0, (y + (_BAND - 1) / 2) / last)),
            slice(y, min(y + _BAND, pinhole.height)),
        )
        for y in starts
    ]


def _box(stock: Stock) -> tuple[Array, Array]:
    """Return the corners of a box around what never moves, and the origin."""
    own = stock.chunks.owner == STATIC
    low = np.concatenate([np.zeros((1, 3)), stock.chunks.low[own]]).min(axis=0)
    high = np.concatenate([np.zeros((1, 3)), stock.chunks.high[own]]).max(axis=0)
    return low, high
