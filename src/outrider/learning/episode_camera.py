"""Images of an episode, seen from behind the robot."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from outrider.core.frames import Array, Pose, yaw_of
from outrider.learning.shared_world import ROBOT
from outrider.render.intrinsics import Intrinsics
from outrider.render.renderer import Renderer, make_renderer
from outrider.render.shot import T_BODY_OPTICAL, Shot
from outrider.scenarios.picture import looking
from outrider.sim.simulation import Simulation

_FOV_DEG = 70.0
_BEHIND, _ABOVE, _AHEAD = 4.0, 3.0, 2.0  # radii of the robot
_MARK = (255, 90, 30)


class EpisodeCamera:
    """Draws with a renderer that is made for the first image and kept."""

    def __init__(self, simulation: Simulation, width: int, height: int, radius: float) -> None:
        self._simulation = simulation
        self._lens = Intrinsics.from_fov(width, height, _FOV_DEG, (0.0,) * 5)
        self._radius = max(radius, 0.05)
        self._renderer: Renderer | None = None

    def image(self, marks: list[tuple[float, float]]) -> NDArray[np.uint8]:
        """Return an image (height, width, 3) with rings around places on the ground."""
        if self._renderer is None:
            self._renderer = make_renderer(self._simulation.rig.scene)
        camera = self._camera() @ T_BODY_OPTICAL
        shot = Shot(camera, self._lens)
        (picture,) = self._renderer.begin([shot], self._simulation.state.bodies).pictures()
        assert picture.colour is not None, "colour was asked for"
        return self._marked(np.ascontiguousarray(picture.colour), camera, marks)

    def close(self) -> None:
        """Release the renderer."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _camera(self) -> Pose:
        pose = self._simulation.robots[ROBOT].pose
        yaw = yaw_of(pose.rotation)
        ahead = self._radius * np.array([np.cos(yaw), np.sin(yaw), 0.0])
        up = np.array([0.0, 0.0, self._radius])
        return looking(
            pose.position - _BEHIND * ahead + _ABOVE * up, pose.position + _AHEAD * ahead
        )

    def _marked(
        self, colour: NDArray[np.uint8], camera: Pose, marks: list[tuple[float, float]]
    ) -> NDArray[np.uint8]:
        if not marks:
            return colour
        drawing = Image.fromarray(colour)
        pen = ImageDraw.Draw(drawing)
        for x, y in marks:
            ring = self._projected(camera, self._ring(x, y))
            if ring is not None:
                pen.line([(u, v) for u, v in ring.tolist()], fill=_MARK, width=2)
        return np.asarray(drawing)

    def _ring(self, x: float, y: float) -> Array:
        height = self._simulation.robots[ROBOT].pose.position[2]
        angle = np.linspace(0.0, 2 * np.pi, 25)
        circle = self._radius * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
        ring: Array = circle + np.array([x, y, height])
        return ring

    def _projected(self, camera: Pose, points: Array) -> Array | None:
        """Return pixels, or None if any point lies behind the camera."""
        seen = camera.inverse().apply(points)
        if seen[:, 2].min() < 0.05:
            return None
        lens = self._lens
        pixels: Array = seen[:, :2] / seen[:, 2:] * [lens.fx, lens.fy] + [lens.cx, lens.cy]
        return pixels
