"""A renderer for grounds too large to be drawn in full: it is made anew as the camera moves on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.render.shot import Shot
from outrider.scene.grid_surface import GridSurface
from outrider.scene.scene import Scene
from outrider.world.level_of_detail import HALF

_LEAVE = 0.4  # of the finest ring: beyond, the ground around the camera is drawn anew


def wanders(scene: Scene) -> bool:
    """Tell whether a scene's ground is drawn coarser with the distance."""
    static = scene.view.static
    return static is not None and isinstance(static.surface, GridSurface)


class FollowingRenderer:
    """Looks like the renderer it makes; the ground is finest where the first camera is."""

    def __init__(self, scene: Scene, maker: Any) -> None:
        self._scene, self._maker = scene, maker
        self._renderer = maker(scene)
        self.name: str = self._renderer.name
        static = scene.view.static
        assert static is not None
        assert isinstance(static.surface, GridSurface)
        field = static.surface.field
        self._reach = _LEAVE * HALF * field.size[0] / (field.heights.shape[0] - 1)

    def begin(self, shots: list[Shot], bodies: NDArray[Any]) -> Any:
        """Start to take pictures, with the ground in full around the first camera."""
        if shots:
            place = shots[0].T_world_optical.position[:2]
            if np.abs(place - np.array(self._scene.drawn_about)).max() > self._reach:
                self._renderer.close()
                self._scene.draw_about(float(place[0]), float(place[1]))
                self._renderer = self._maker(self._scene)
        return self._renderer.begin(shots, bodies)

    def close(self) -> None:
        """Let go of everything."""
        self._renderer.close()
