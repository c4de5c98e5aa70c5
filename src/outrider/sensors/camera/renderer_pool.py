"""One renderer for all cameras of a scene, created for the first image."""

import weakref

from outrider.core.process import chores
from outrider.render.renderer import Renderer, make_renderer
from outrider.scene.scene import Scene

_rooms: "weakref.WeakKeyDictionary[Scene, dict[str, Renderer]]" = weakref.WeakKeyDictionary()


def renderer_for(scene: Scene, wish: str) -> Renderer:
    """Return the scene's renderer of a name, or the fastest that works ("auto")."""
    room = _rooms.setdefault(scene, {})
    if wish not in room:
        chores.begin()
        room[wish] = make_renderer(scene, wish)
        # not closed here: a scene may go at any moment, in any thread, with any lock held,
        # and closing the renderer of a large world takes a while
        weakref.finalize(scene, chores.do_later, room[wish].close).atexit = False
    return room[wish]
