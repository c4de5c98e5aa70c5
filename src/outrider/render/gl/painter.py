"""Shots drawn with OpenGL, in the thread that made the painter; another one reads them back."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from threading import Event

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, matrix_from_quaternion
from outrider.render.geometry import Drawing
from outrider.render.gl.camera import Pinhole, clip_from_world, pinhole_of
from outrider.render.gl.canvas import GlCanvas
from outrider.render.gl.cascades import cascades_for
from outrider.render.gl.context import GlContext
from outrider.render.gl.cull import Flags, Frustum, Runs, boxes_in_world, frustum, seen
from outrider.render.gl.ground import bands_of
from outrider.render.gl.lamp_shadow import Lamps
from outrider.render.gl.models import Models
from outrider.render.gl.panes import TransparentTriangles
from outrider.render.gl.programs import ShaderPrograms, casts
from outrider.render.gl.reader import Reader
from outrider.render.gl.reading import Drawn, copied, measured_kinds, picture_of
from outrider.render.gl.shadow import Shadow
from outrider.render.gl.shot_atlas import SETS, atlas_cells
from outrider.render.gl.stage import Stage
from outrider.render.gl.targets import AtlasCell, Target
from outrider.render.gl.uniforms import SHOT, film_flags, set_camera, set_film
from outrider.render.gl.vertex_buffers import STATIC, VertexBuffers, vertex_buffers_of
from outrider.render.intrinsics import Intrinsics
from outrider.render.lamps import placed
from outrider.render.light import Lighting
from outrider.render.picture import Picture
from outrider.render.shot import Shot

_SAMPLES = 4  # of every pixel, where more than one is asked for
_FIRST_CORNER = 0x8E4D


class Painter:
    """Draws shots of one scene."""

    def __init__(
        self, context: GlContext, drawing: Drawing, transparent: Drawing | None, light: Lighting
    ) -> None:
        buffers = vertex_buffers_of(drawing)
        self._context, self._names = context, drawing.names
        self._owner_models = np.array([g.model for g in drawing.movers], np.int64)
        self._bodies = np.array([g.body for g in drawing.movers], np.int64)
        box = _box(buffers)
        cascades = cascades_for(float(np.linalg.norm(box[1] - box[0])) / 2)
        self._box, self._cascades = box, cascades
        self._programs = ShaderPrograms(context, light, cascades)
        self._models = Models(context, self._programs, buffers)
        self._panes = (
            TransparentTriangles(context, self._programs, transparent) if transparent else None
        )
        self._canvas = GlCanvas(context)
        self._own_light = self._lighting = light
        self._make_shadows()
        self._block = np.zeros((), SHOT)
        self._uniforms = context.gl.buffer(reserve=SHOT.itemsize)
        context.gl.enable(context.gl.DEPTH_TEST)
        context.gl.provoking_vertex = _FIRST_CORNER
        context.check("setting up the scene")
        self._reader = Reader(context)
        self._set = 0
        self._copied = Event()  # the pictures before were
        self._copied.set()

    def _make_shadows(self) -> None:
        lights = [row for row in self._lighting.lights if casts(row)]
        still = self._canvas, self._programs.get("copy")
        room = self._box, self._cascades
        self._shadows = [
            Shadow(self._models, *still, np.array(row["towards"]), *room, n)
            for n, row in enumerate(lights)
        ]
        self._lamps = Lamps(self._context, self._models, self._lighting.lights)

    def shine(self, light: Lighting | None) -> None:
        """Light the scene in another way from now on; None: as its world does."""
        light = light or self._own_light
        if light is self._lighting:
            return
        self._context.calls["glFinish"]()
        self._lamps.release()
        for shadow in self._shadows:
            shadow.release()
        self._canvas.forget_programs()
        self._programs.release()
        self._lighting = light
        self._programs = ShaderPrograms(self._context, light, self._cascades)
        self._models.use(self._programs)
        if self._panes:
            self._panes.use(self._programs)
        self._make_shadows()

    def stage(self, bodies: NDArray[np.void]) -> Stage:
        """Return where everything stands; bodies are as ``Renderer.begin`` has them."""
        if bodies.ndim > 1:
            rolled = tuple(self.stage(row) for row in bodies)
            return replace(rolled[len(rolled) // 2], rolled=rolled)
        frames = np.tile(np.eye(4), (len(self._bodies) + 1, 1, 1))
        for frame, body in zip(frames, self._bodies, strict=False):
            frame[:3, :3] = matrix_from_quaternion(bodies[body]["rotation"])
            frame[:3, 3] = bodies[body]["position"]
        boxes = boxes_in_world(self._models.chunks, frames)
        return Stage(frames, *boxes, placed(self._lighting.lights, bodies))

    def take(self, shots: list[Shot], stage: Stage) -> Future[list[Picture]]:
        """Draw all shots; they are read back while the next ones are drawn."""
        self._canvas.tidy()
        views = [self._view(shot) for shot in shots]
        seen = [shadow.casters(views, stage.middle, stage.half) for shadow in self._shadows]
        blended = [self._blended(view, stage) for view in views]
        self._lamps.draw(stage.lights, stage.frames, stage.middle, stage.half)
        parts = atlas_cells(shots, blended, self._canvas, self._set)
        drawn = [
            self._draw(shot, stage, seen, SETS * number + self._set, part)
            for number, (shot, part) in enumerate(zip(shots, parts, strict=True))
        ]
        self._copied.wait()  # what the driver is given now would have to be done before
        self._context.check("drawing a picture")
        done = Event()
        future = self._reader.after_drawing(partial(self._read_back, drawn, done))
        self._copied, self._set = done, (self._set + 1) % SETS
        return future

    def _read_back(self, drawn: list[Drawn], done: Event) -> list[Picture]:
        try:
            copies = [copied(self._reader, one) for one in drawn]
        finally:
            done.set()
        pairs = zip(drawn, copies, strict=True)
        return [picture_of(one, copy, self._names) for one, copy in pairs]

    def close(self) -> None:
        """Let go of what reads."""
        self._reader.close()

    def _view(self, shot: Shot) -> Frustum:
        """Return what a shot may see; behind a rolling shutter, anything."""
        pinhole, pose = pinhole_of(shot.intrinsics, self._context.most_side), shot.T_world_optical
        planes = frustum(clip_from_world(pinhole, pose, shot.near, shot.far))
        return Frustum(pose.position, planes[: 0 if shot.row_poses else None])

    def _blended(self, view: Frustum, stage: Stage) -> bool:
        """Return whether light has to be blended before it is developed."""
        return self._panes is not None and self._panes.seen(view.planes, stage.frames)

    def _draw(
        self, shot: Shot, stage: Stage, seen: list[Flags], number: int, part: AtlasCell | None
    ) -> Drawn:
        """Draw a shot into a part of a target, or into targets of its own."""
        lens, eye = shot.intrinsics, shot.T_world_optical.position
        pinhole = pinhole_of(lens, self._context.most_side)
        for shadow, casters in zip(self._shadows, seen, strict=True):
            shadow.prepare(eye, casters, stage.middle, stage.half, stage.frames)
            shadow.write(self._block, eye)
        set_film(self._block, shot.film, lens, part.left if part else 0)
        colour, depth = part, None
        if part:
            self._scene(shot, stage, pinhole, part, film_flags(shot.film))
        elif "colour" in shot.wants:
            colour = self._colour(shot, stage, pinhole, number)
        if shot.wants - {"colour"} or shot.film.aperture_m > 0:
            depth = self._measure(shot, stage, pinhole, number)
        return Drawn(shot, colour, depth, pinhole, self._models.relief)

    def _colour(self, shot: Shot, stage: Stage, pinhole: Pinhole, number: int) -> AtlasCell:
        """Draw light first, then what lens and film make of it."""
        lens, film = shot.intrinsics, shot.film
        light = self._light(shot, stage, pinhole, number)
        if not film.lens_is_plain and not lens.distorted:
            return light.whole
        flags = film_flags(film) if film.lens_is_plain else ()
        target = self._canvas.target(-1 - number, _size(lens), ("bytes" if flags else "light",))
        self._finish(light, target, lens, flags)
        return target.whole

    def _light(self, shot: Shot, stage: Stage, pinhole: Pinhole, number: int) -> Target:
        """Draw linear light, before lens and film."""
        light = self._canvas.target(number, _size(pinhole), ("light",))
        if shot.film.samples == 1:
            light.use()
            self._scene(shot, stage, pinhole, light.whole, ())
            return light
        many = self._canvas.target(0, _size(pinhole), ("light",), _SAMPLES)
        many.use()
        self._scene(shot, stage, pinhole, many.whole, ("SAMPLES",))
        many.copy_to(light)
        return light

    def _measure(self, shot: Shot, stage: Stage, pinhole: Pinhole, number: int) -> AtlasCell:
        kinds = measured_kinds(shot, self._models.relief)
        target = self._canvas.target(number, _size(pinhole), kinds)
        target.use()
        flags = tuple(kind.upper() for kind in kinds[1:])
        self._scene(shot, stage, pinhole, target.whole, flags, ("measure", "nothing"))
        return target.whole

    def _scene(
        self,
        shot: Shot,
        stage: Stage,
        pinhole: Pinhole,
        part: AtlasCell,
        flags: tuple[str, ...],
        names: tuple[str, str] = ("scene", "sky"),
    ) -> None:
        """Draw all that is seen, and the sky behind it; a rolling shutter sees it in bands."""
        buffer = part.target.buffer
        buffer.viewport = part.left, 0, part.width, pinhole.height
        if stage.rolled and names[0] == "scene":
            flags = (*flags, "ROLLED")
        for share, pose, rows in bands_of(shot, pinhole):
            there = stage.during(share)
            buffer.scissor = part.left, rows.start, part.width, rows.stop - rows.start
            buffer.use()
            clip = clip_from_world(pinhole, pose, shot.near, shot.far)
            set_camera(self._block, pinhole, pose, clip)
            self._send()
            self._context.gl.depth_func = ">"
            runs = self._seen(shot, there, clip, pose.position, max(pinhole.fx, pinhole.fy))
            if names[0] == "measure":
                self._draw_measured(shot, runs, there.frames, *flags)
            else:
                self._models.draw(runs, there.frames, names[0], *flags, lit=stage.frames)
            self._context.gl.depth_func = ">="
            self._canvas.cover(self._programs.get(names[1], *flags))
            if self._panes and names[0] == "scene":
                shown = self._owners_shown(shot)
                self._panes.blend(shown, there.frames, pose.position, *flags, lit=stage.frames)

    def _draw_measured(self, shot: Shot, runs: list[Runs], frames: Array, *flags: str) -> None:
        """Draw what light ends on; for infrared light, darkness where it is lost."""
        dark: list[Runs] = []
        if shot.infrared:
            styles = self._models.styles
            dark = [run for run in runs if styles[run.style].absorbs_infrared]
            runs = [run for run in runs if styles[run.style].returns_infrared]
        self._models.draw(runs, frames, "measure", *flags)
        self._models.draw(dark, frames, "measure", *flags, "DARK")
        if self._panes:
            self._panes.measure(self._owners_shown(shot), frames, shot.infrared, *flags)

    def _owners_shown(self, shot: Shot) -> Flags:
        return np.append(self._owner_models != shot.hide_model, True)

    def _seen(self, shot: Shot, stage: Stage, clip: Array, eye: Array, focal: float) -> list[Runs]:
        runs = seen(self._models.chunks, stage.middle, stage.half, clip, eye, focal)
        return [run for run in runs if self._shown(run, shot)]

    def _shown(self, run: Runs, shot: Shot) -> bool:
        return run.owner == STATIC or self._owner_models[run.owner] != shot.hide_model

    def _finish(
        self, light: Target, target: Target, lens: Intrinsics, flags: tuple[str, ...]
    ) -> None:
        """Bend and develop an image of light."""
        target.use()
        self._send()
        light.images[0].use(0)
        if lens.distorted:
            self._canvas.lookup(lens, light.size).use(1)
            flags = (*flags, "BENT")
        self._context.gl.depth_func = ">="
        self._canvas.cover(self._programs.get("finish", *flags))

    def _send(self) -> None:
        """Give the programs what they need to know of this shot."""
        self._uniforms.write(self._block.tobytes())
        self._uniforms.bind_to_uniform_block(0)
        for number, shadow in enumerate(self._shadows):
            shadow.texture.use(2 + number)
        self._lamps.bind()


def _size(image: Pinhole | Intrinsics) -> tuple[int, int]:
    return image.width, image.height


def _box(buffers: VertexBuffers) -> tuple[Array, Array]:
    """Return the corners of a box around what never moves, and the origin."""
    own = buffers.chunks.owner == STATIC
    low = np.concatenate([np.zeros((1, 3)), buffers.chunks.low[own]]).min(axis=0)
    high = np.concatenate([np.zeros((1, 3)), buffers.chunks.high[own]]).max(axis=0)
    return low, high
