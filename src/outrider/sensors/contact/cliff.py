"""Cliff sensors: short light beams down to the floor, which may be missing."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, matrix_from_quaternion
from outrider.core.structure import number
from outrider.messages.types import Message, header, message_class
from outrider.sensors.instant_rays import cast_now
from outrider.sensors.sensor import Sensor
from outrider.sensors.site import Site
from outrider.world.assembly import WORLD, Frame
from outrider.world.state import WorldState

_TYPE = "outrider_msgs/msg/Cliffs"
_FULL = 4095  # of a 12-bit converter


@dataclass(frozen=True, slots=True)
class CliffParameters:
    """Where the beams start, and the distance beyond which the floor is missing."""

    links: dict[str, str] = field(default_factory=dict)  # name -> link; empty: one, at its mount
    threshold: float = number(0.04, above=0.0)  # m
    reach: float = number(0.2, above=0.0)  # m; beyond, no light is returned
    bright_at: float = number(0.02, above=0.0)  # m at which a white floor gives the full signal


class CliffSensor(Sensor):
    """Casts a ray along the x axis of each of its links."""

    Parameters: ClassVar[type] = CliffParameters
    types: ClassVar[dict[str, str]] = {"cliffs": _TYPE}
    state_fields = ("cliffs", "signals")

    def __init__(self, parameters: CliffParameters, site: Site) -> None:
        self._parameters = parameters
        self._site = site
        self._names = list(parameters.links) or [site.name]
        frames = [Frame(site.body, site.T_body_sensor)]
        if parameters.links:
            owner = site.robot.name
            links = parameters.links.values()
            site.check_links(links, "links")
            frames = [site.scene.assembly.frame(f"{owner}/{link}") for link in links]
        self._rays = [_Ray(frame) for frame in frames]
        self._class = message_class(_TYPE)
        count = len(self._names)
        self.cliffs: NDArray[np.bool_] = np.zeros(count, np.bool_)
        self.signals: NDArray[np.uint16] = np.zeros(count, np.uint16)

    def sample(self, _now_ns: int) -> None:
        """Look down with all of them at once."""
        p, site = self._parameters, self._site
        rays = [ray.now(site.state) for ray in self._rays]
        origins, directions = (np.array(part) for part in zip(*rays, strict=True))
        floor = cast_now(site, origins, directions, np.full(len(origins), p.reach))
        self.cliffs = (floor.shape < 0) | (floor.distance > p.threshold)
        nearness = p.bright_at / np.maximum(floor.distance, 1e-6)
        light = floor.reflectivity * floor.cosine * nearness * nearness  # none where no floor is
        self.signals = (np.minimum(light, 1.0) * _FULL).astype(np.uint16)

    def message(self, now_ns: int) -> Message:
        """Return what each of them sees."""
        stamp = header(now_ns, self._site.frame_id)
        return self._class(stamp, self._names, self.cliffs, self.signals)


class _Ray:
    """The x axis of a link."""

    def __init__(self, frame: Frame) -> None:
        self._body = frame.body
        self._start = frame.T_body_link.position
        self._along = matrix_from_quaternion(frame.T_body_link.rotation)[:, 0]

    def now(self, state: WorldState) -> tuple[Array, Array]:
        """Return where it begins and points to in the world."""
        if self._body == WORLD:
            return self._start, self._along
        body = state.bodies[self._body]
        turn = matrix_from_quaternion(body["rotation"])
        return body["position"] + turn @ self._start, turn @ self._along
