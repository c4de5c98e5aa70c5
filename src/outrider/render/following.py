"""A renderer for grounds too large to be drawn in full: rebuilt as the camera moves."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.render.shot import Shot
from outrider.scene.grid_surface import GridSurface
from outrider.scene.scene import Scene
from outrider.world.level_of_detail import HALF

_LEAVE = 0.4  # of the finest ring: beyond, the ground around the camera is drawn anew
_STRAY = 4.0  # times that: a camera this far off is another one, with a ground of its own
_MOST = 4  # grounds at a time: the one looked at longest ago goes first

Place = tuple[float, float]


def wanders(scene: Scene) -> bool:
    """Return whether a scene's ground is drawn coarser with the distance."""
    static = scene.view.static
    return static is not None and isinstance(static.surface, GridSurface)


class FollowingRenderer:
    """Looks like the renderers it makes: one for each place where cameras are, finest there."""

    def __init__(self, scene: Scene, maker: Any) -> None:
        self._scene, self._maker = weakref.ref(scene), maker  # kept by its own simulation
        self._made: list[tuple[Place, Any]] = [(scene.drawn_about, maker(scene))]
        self.name: str = self._made[0][1].name
        self.description: str = self._made[0][1].description
        static = scene.view.static
        assert static is not None
        assert isinstance(static.surface, GridSurface)
        field = static.surface.field
        self._reach = _LEAVE * HALF * field.size[0] / (field.heights.shape[0] - 1)

    def begin(self, shots: list[Shot], bodies: NDArray[np.void]) -> Any:
        """Start to take pictures, with the ground in full around the first camera."""
        if shots:
            x, y = shots[0].T_world_optical.position[:2].tolist()
            self._go_to((x, y))
        return self._made[-1][1].begin(shots, bodies)

    def _go_to(self, place: Place) -> None:
        """Bring the renderer of a place to the end of the list, made anew if there is none."""
        far = [max(abs(x - place[0]), abs(y - place[1])) for (x, y), _ in self._made]
        nearest = far.index(min(far))
        if far[nearest] <= self._reach:
            self._made.append(self._made.pop(nearest))
            return
        if far[nearest] <= _STRAY * self._reach:
            self._made.pop(nearest)[1].close()
        elif len(self._made) == _MOST:
            self._made.pop(0)[1].close()
        scene = self._scene()
        assert scene is not None
        scene.draw_about(*place)
        self._made.append((place, self._maker(scene)))

    def close(self) -> None:
        """Release everything."""
        for _, renderer in self._made:
            renderer.close()
