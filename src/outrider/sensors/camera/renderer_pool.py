"""One renderer for all cameras of a scene, created for the first image."""

import threading
import weakref
from functools import cache
from queue import SimpleQueue

from outrider.render.renderer import Renderer, make_renderer
from outrider.scene.scene import Scene

_left: "SimpleQueue[Renderer]" = SimpleQueue()  # of scenes that are gone
_rooms: "weakref.WeakKeyDictionary[Scene, dict[str, Renderer]]" = weakref.WeakKeyDictionary()


def renderer_for(scene: Scene, wish: str) -> Renderer:
    """Return the scene's renderer of a name, or the fastest that works ("auto")."""
    room = _rooms.setdefault(scene, {})
    if wish not in room:
        _begin_closing()
        room[wish] = make_renderer(scene, wish)
        # not closed here: a scene may go at any moment, in any thread, with any lock held
        weakref.finalize(scene, _left.put, room[wish]).atexit = False
    return room[wish]


@cache
def _begin_closing() -> None:
    threading.Thread(target=_close_what_is_left, name="closing", daemon=True).start()


def _close_what_is_left() -> None:
    """Close renderers beside all else: that of a large world takes a while."""
    while True:
        _left.get().close()
