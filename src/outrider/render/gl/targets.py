"""Render targets: images of light, of depth and labels, of finished bytes."""

from __future__ import annotations

from dataclasses import dataclass

from outrider.core.errors import RenderError
from outrider.core.untyped import GlObject
from outrider.render.gl.context import GlContext

DEPTH_BIT = 0x100
_RENDERBUFFER, _DEPTH_FLOAT = 0x8D41, 0x8CAC


class Target:
    """A framebuffer of one or several images; their first row is the top one."""

    def __init__(
        self,
        context: GlContext,
        size: tuple[int, int],
        kinds: tuple[str, ...],
        samples: int = 0,
    ) -> None:
        if max(size) > context.most_side:
            raise RenderError(
                f"an image of {size[0]} x {size[1]} pixels is too large: the OpenGL driver draws "
                f"up to {context.most_side} a side"
            )
        self._context, self.size = context, size
        gl = context.gl
        self.images = [_image(gl, size, kind, samples) for kind in kinds]
        self._depth = _depth(context, size, samples)
        self.buffer: GlObject = gl.framebuffer(self.images, self._depth)

    def release(self) -> None:
        """Let go of its memory."""
        for part in (self.buffer, self._depth, *self.images):
            part.release()

    @property
    def whole(self) -> AtlasCell:
        """All of its columns."""
        return AtlasCell(self, 0, self.size[0])

    def use(self) -> None:
        """Draw into this from now on, with nothing nearer than infinity in it.

        Its colours stay: every pixel is drawn, the last ones by the sky.
        """
        self.buffer.viewport = 0, 0, *self.size
        self.buffer.scissor = None
        self.buffer.use()
        self._context.calls["glClearDepth"](0.0)
        self._context.calls["glClear"](DEPTH_BIT)

    def copy_to(self, other: Target) -> None:
        """Copy the first image to another target of the same size: samples become means."""
        self.buffer.scissor = other.buffer.scissor = None
        self._context.gl.copy_framebuffer(other.buffer, self.buffer)


@dataclass(frozen=True, slots=True, eq=False)
class AtlasCell:
    """Columns of a target: pictures that lie side by side are drawn in one go."""

    target: Target
    left: int
    width: int


def _image(gl: GlObject, size: tuple[int, int], kind: str, samples: int) -> GlObject:
    if kind == "bytes":
        return gl.texture(size, 4, samples=samples)
    if kind == "light":
        image = gl.texture(size, 4, dtype="f2", samples=samples)
    elif kind in ("depth", "ground"):
        image = gl.texture(size, 1, dtype="f4")
    else:
        image = gl.texture(size, 1, dtype="i4")
    if not samples and kind != "labels":
        image.repeat_x = image.repeat_y = False
    return image


def _depth(context: GlContext, size: tuple[int, int], samples: int) -> GlObject:
    """Return a depth buffer of floats."""
    buffer = context.gl.depth_renderbuffer(size, samples=samples)
    context.calls["glBindRenderbuffer"](_RENDERBUFFER, buffer.glo)
    context.calls["glRenderbufferStorageMultisample"](_RENDERBUFFER, samples, _DEPTH_FLOAT, *size)
    return buffer
