"""One image to be rendered."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from outrider.core.errors import RenderError
from outrider.core.frames import Pose
from outrider.render.film import PLAIN, Film
from outrider.render.intrinsics import Intrinsics
from outrider.render.weather_light import WeatherLight
from outrider.scene.sensor_rays import NO_MODEL

Want: TypeAlias = Literal["colour", "depth", "labels"]
COLOUR: frozenset[Want] = frozenset(["colour"])

# from a camera's body (x forward, y left, z up) to its optical frame (z forward, x right, y down)
T_BODY_OPTICAL = Pose(rotation=np.array([-0.5, 0.5, -0.5, 0.5]))


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """From where, through which lens, onto which film, and what is wanted of it.

    ``row_poses`` are the poses of a rolling shutter, evenly spread from the first row to the last;
    rows between two lie evenly between them.
    """

    T_world_optical: Pose
    intrinsics: Intrinsics
    near: float = 0.05  # m along the optical axis: nothing nearer is seen
    far: float = 1e4  # nor beyond
    film: Film = PLAIN
    wants: frozenset[Want] = COLOUR
    hide_model: int = NO_MODEL  # a model that is left out, as it carries the camera
    row_poses: tuple[Pose, ...] = field(default=())
    seat: int = 0  # among shots that may be drawn side by side: a right eye's is 1
    weather_light: WeatherLight | None = None  # None: that of the start, nothing falls
    infrared: bool = False  # depth by near infrared light, as materials let it pass

    def __post_init__(self) -> None:
        if not 0 < self.near < self.far:
            raise RenderError(f"near and far must be 0 < near < far, got {self.near}, {self.far}")
        if self.seat < 0:
            raise RenderError(f"a shot's seat must be 0 or more, got {self.seat}")
        if not self.wants:
            raise RenderError("a shot must want colour, depth or labels")
