"""An OpenGL context without a window, with long calls made without the GIL."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from outrider.core.errors import RenderError
from outrider.core.untyped import GlObject

_LEAST = 430  # OpenGL 4.3
_VOID, _INT, _SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t
_MASK, _ENUM = ctypes.c_uint, ctypes.c_uint
# moderngl keeps the interpreter's lock in its calls, which may work for long or wait, and knows but
# one context: ctypes makes these, and lets go of the lock
_CALLS: dict[str, tuple[type, ...]] = {
    "glClear": (_MASK,),
    "glClearDepth": (ctypes.c_double,),
    "glFlush": (),
    "glMultiDrawElements": (_ENUM, _VOID, _ENUM, _VOID, _INT),
    "glDrawArrays": (_ENUM, _INT, _INT),
    "glReadPixels": (_INT, _INT, _INT, _INT, _ENUM, _ENUM, _VOID),
    "glPixelStorei": (_ENUM, _INT),
    "glClipControl": (_ENUM, _ENUM),
    "glBindVertexArray": (_ENUM,),
    "glBindFramebuffer": (_ENUM, _ENUM),
    "glBindRenderbuffer": (_ENUM, _ENUM),
    "glRenderbufferStorageMultisample": (_ENUM, _INT, _ENUM, _INT, _INT),
    "glGenFramebuffers": (_INT, _VOID),
    "glFramebufferTexture2D": (_ENUM, _ENUM, _ENUM, _ENUM, _INT),
    "glFenceSync": (_ENUM, _MASK),
    "glClientWaitSync": (_VOID, _MASK, ctypes.c_uint64),
    "glDeleteSync": (_VOID,),
    "glDepthMask": (ctypes.c_ubyte,),
    "glColorMask": (ctypes.c_ubyte,) * 4,
    "glTexImage2D": (_ENUM,) + (_INT,) * 5 + (_ENUM, _ENUM, _VOID),
    "glTexImage3D": (_ENUM,) + (_INT,) * 6 + (_ENUM, _ENUM, _VOID),
    "glTexParameteri": (_ENUM, _ENUM, _INT),
    "glFinish": (),
    "glTexParameterf": (_ENUM, _ENUM, ctypes.c_float),
    "glGetError": (),
}
_RESULTS: dict[str, type] = {
    "glGetError": _ENUM,
    "glFenceSync": _VOID,
    "glClientWaitSync": _ENUM,
}


@dataclass(frozen=True, slots=True)
class Driver:
    """Who draws."""

    vendor: str
    renderer: str
    version: str

    @property
    def on_processor(self) -> bool:
        """Whether no graphics processor takes part."""
        name = self.renderer.lower()
        return any(word in name for word in ("llvmpipe", "softpipe", "swrast", "swiftshader"))


class GlContext:
    """A context that belongs to the thread that made it."""

    def __init__(self) -> None:
        try:
            import glcontext
            import moderngl
        except ImportError as error:
            raise RenderError(f"OpenGL needs the Python package '{error.name}'") from None
        try:
            self._native: GlObject = glcontext.get_backend_by_name("egl")(
                mode="standalone", glversion=_LEAST
            )
            self.gl: GlObject = moderngl.create_context(require=_LEAST, context=self._native)
        except Exception as error:
            raise RenderError(_reason(error)) from None
        self.calls = {name: self._call(name, types) for name, types in _CALLS.items()}
        self.calls["glClipControl"](0x8CA1, 0x935F)  # lower left, depth from 0 to 1
        self.calls["glPixelStorei"](0x0D05, 1)  # rows are packed without gaps

    def _call(self, name: str, types: tuple[type, ...]) -> Callable[..., int]:
        address = self._native.load_opengl_function(name)
        if not address:
            raise RenderError(f"the OpenGL driver has no {name}")
        result = _RESULTS.get(name)
        return ctypes.CFUNCTYPE(result, *types)(address)

    @property
    def driver(self) -> Driver:
        """Who draws."""
        info = self.gl.info
        return Driver(info["GL_VENDOR"], info["GL_RENDERER"], info["GL_VERSION"])

    @property
    def most_side(self) -> int:
        """Pixels along a side of the largest image it can draw."""
        sides = (self.gl.info["GL_MAX_TEXTURE_SIZE"], *self.gl.info["GL_MAX_VIEWPORT_DIMS"])
        return int(min(sides))

    def bind(self, array: GlObject) -> None:
        """Make a vertex array and its program the current ones: drawing no vertices does it."""
        array.render(vertices=0)
        self.calls["glBindVertexArray"](array.glo)

    def check(self, doing: str) -> None:
        """Raise what the driver has to complain about."""
        code = self.calls["glGetError"]()
        if code:
            what = {0x0505: "memory ran out", 0x0507: "the context was lost"}
            raise RenderError(f"OpenGL failed while {doing}: {what.get(code, hex(code))}")

    def close(self) -> None:
        """Release everything that was drawn with."""
        self.gl.release()
        self._native.release()
        _release_thread()


@cache
def egl_library() -> ctypes.CDLL:
    """Return the library that contexts come from."""
    try:
        return ctypes.CDLL(ctypes.util.find_library("EGL") or "libEGL.so.1")
    except OSError as error:
        raise RenderError(_reason(error)) from None


def _release_thread() -> None:
    """Let go of this thread's context: as long as it has one, EGL keeps all that was drawn with."""
    egl_library().eglReleaseThread()


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return (
        f"no OpenGL 4.3 through EGL ({text}): install a graphics driver, or Mesa's own renderer "
        "(Debian: libegl1 libgl1-mesa-dri)"
    )
