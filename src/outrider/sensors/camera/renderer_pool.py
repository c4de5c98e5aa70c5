"""One renderer for all cameras of a scene, created for the first image."""

import weakref
from typing import TypeAlias

from outrider.core.process import chores
from outrider.render.renderer import Renderer, make_renderer
from outrider.scene.scene import Scene

_rooms: "weakref.WeakKeyDictionary[Scene, dict[str, _Entry]]" = weakref.WeakKeyDictionary()
_Entry: TypeAlias = "tuple[Renderer, weakref.finalize[..., Scene]]"  # and what closes it


def renderer_for(scene: Scene, wish: str) -> Renderer:
    """Return the scene's renderer of a name, or the fastest that works ("auto")."""
    room = _rooms.setdefault(scene, {})
    if wish not in room:
        chores.begin()
        made = make_renderer(scene, wish)
        # not closed here: a scene may go at any moment, in any thread, with any lock held,
        # and closing the renderer of a large world takes a while
        end = weakref.finalize(scene, chores.do_later, made.close)
        end.atexit = False
        room[wish] = made, end
    return room[wish][0]


def close_renderers(scene: Scene) -> None:
    """Close those of a scene that is not needed any more: it may stay in memory for long."""
    for _, end in _rooms.pop(scene, {}).values():
        end()
