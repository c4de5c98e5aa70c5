"""One renderer for all cameras of a scene, created for the first image."""

import threading
import weakref

from outrider.render.renderer import Renderer, make_renderer
from outrider.scene.scene import Scene

_left: list[Renderer] = []  # of scenes that are gone
_rooms: "weakref.WeakKeyDictionary[Scene, dict[str, Renderer]]" = weakref.WeakKeyDictionary()


def renderer_for(scene: Scene, wish: str) -> Renderer:
    """Return the scene's renderer of a name, or the fastest that works ("auto")."""
    room = _rooms.setdefault(scene, {})
    if wish not in room:
        _clear()
        room[wish] = make_renderer(scene, wish)
        # not closed here: a scene may go at any moment, in any thread, with any lock held
        weakref.finalize(scene, _left.append, room[wish])
    return room[wish]


def _clear() -> None:
    """Close what was left, in threads of their own: that of a large world takes a while."""
    for old in [_left.pop() for _ in range(len(_left))]:
        threading.Thread(target=old.close, name="closing", daemon=True).start()
