"""Reads images back in a separate thread while the next ones are drawn."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import RenderError
from outrider.render.gl.context import GlContext, egl_library
from outrider.render.gl.targets import AtlasCell

_RGBA, _RGB, _RED, _RED_INTEGER = 0x1908, 0x1907, 0x1903, 0x8D94
_BYTE, _INT, _FLOAT = 0x1401, 0x1404, 0x1406
_READ, _FIRST_COLOUR, _TEXTURE = 0x8CA8, 0x8CE0, 0x0DE1
_DONE, _LATE, _SECOND_NS = 0x9117, 0x911B, 1_000_000_000
_OPENGL_API, _CONFIG_ID, _MAJOR, _MINOR, _PROFILE, _CORE, _END = (
    0x30A2,
    0x3028,
    0x3098,
    0x30FB,
    0x30FD,
    1,
    0x3038,
)
_KINDS = {
    "bytes": (1, np.uint32, _RGBA, _BYTE),
    "light": (3, np.float32, _RGB, _FLOAT),
    "depth": (1, np.float32, _RED, _FLOAT),
    "ground": (1, np.float32, _RED, _FLOAT),
    "labels": (1, np.int32, _RED_INTEGER, _INT),
}
Result = TypeVar("Result")


class Reader:
    """A second context that shares images with the one that draws.

    Before anything is read, a driver that draws on the processor hands over all that the reading
    context has drawn, and waits for it: in the context that draws, nothing could be prepared.
    """

    def __init__(self, context: GlContext) -> None:
        """Prepare in the thread that draws."""
        self._context = context
        self._frame = ctypes.c_uint()
        self._native = _Second()
        self._hand = ThreadPoolExecutor(1, "outrider-gl-reader")
        try:
            self._hand.submit(self._begin).result()
        except BaseException:
            self._native.destroy()
            self._hand.shutdown(wait=False)
            raise

    def after_drawing(self, work: Callable[[], Result]) -> Future[Result]:
        """Do something in the reader's thread when all that was drawn up to now is ready."""
        fence = self._context.calls["glFenceSync"](_DONE, 0)
        self._context.calls["glFlush"]()
        return self._hand.submit(self._wait_and, fence, work)

    def read(self, part: AtlasCell, number: int, kind: str) -> NDArray[np.void]:
        """Copy one image of a target into an array (h, w) or (h, w, 3), from the top row on."""
        calls, x, w, h = self._context.calls, part.left, part.width, part.target.size[1]
        image = part.target.images[number].glo
        calls["glFramebufferTexture2D"](_READ, _FIRST_COLOUR, _TEXTURE, image, 0)
        channels, dtype, layout, word = _KINDS[kind]
        out = np.empty((h, w, channels) if channels > 1 else (h, w), dtype)
        calls["glReadPixels"](x, 0, w, h, layout, word, out.ctypes.data)
        return out

    def close(self) -> None:
        """Let the context go when what was begun is done."""
        with suppress(RuntimeError):  # the interpreter ends: its threads are gone already
            self._hand.submit(self._native.close)
        self._hand.shutdown(wait=True)

    def _begin(self) -> None:
        self._native.use()
        calls = self._context.calls
        calls["glPixelStorei"](0x0D05, 1)  # rows are packed without gaps
        calls["glGenFramebuffers"](1, ctypes.addressof(self._frame))
        calls["glBindFramebuffer"](_READ, self._frame.value)

    def _wait_and(self, fence: int, work: Callable[[], Result]) -> Result:
        calls = self._context.calls
        while calls["glClientWaitSync"](fence, 0, _SECOND_NS) == _LATE:
            pass
        calls["glDeleteSync"](fence)
        try:
            return work()
        finally:
            self._context.check("reading a picture")


class _Second:
    """A context without a window that shares what the current one of this thread has."""

    def __init__(self) -> None:
        self._egl = egl_library()
        for call in ("eglGetCurrentDisplay", "eglGetCurrentContext", "eglCreateContext"):
            getattr(self._egl, call).restype = ctypes.c_void_p
        self._display = ctypes.c_void_p(self._egl.eglGetCurrentDisplay())
        first = ctypes.c_void_p(self._egl.eglGetCurrentContext())
        wanted = (ctypes.c_int * 7)(_MAJOR, 4, _MINOR, 3, _PROFILE, _CORE, _END)
        self._egl.eglBindAPI(_OPENGL_API)
        made = self._egl.eglCreateContext(self._display, self._config(first), first, wanted)
        if not made:
            raise RenderError("the OpenGL driver gives no second context to read images with")
        self._handle = ctypes.c_void_p(made)

    def _config(self, context: object) -> ctypes.c_void_p:
        number, count, config = ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p()
        self._egl.eglQueryContext(self._display, context, _CONFIG_ID, ctypes.byref(number))
        wanted = (ctypes.c_int * 3)(_CONFIG_ID, number.value, _END)
        self._egl.eglChooseConfig(
            self._display, wanted, ctypes.byref(config), 1, ctypes.byref(count)
        )
        return config

    def use(self) -> None:
        """Make it the context of this thread."""
        self._egl.eglBindAPI(_OPENGL_API)
        if not self._egl.eglMakeCurrent(self._display, None, None, self._handle):
            raise RenderError("the OpenGL driver does not let a second thread read images")

    def close(self) -> None:
        """Let it go, in the thread that used it."""
        self._egl.eglMakeCurrent(self._display, None, None, None)
        self.destroy()
        self._egl.eglReleaseThread()

    def destroy(self) -> None:
        """Let it go, from any thread, when none uses it."""
        self._egl.eglDestroyContext(self._display, self._handle)
