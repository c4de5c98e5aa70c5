"""A collision sensor: which objects its robot hit, where and how hard."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outrider.core.frames import Pose
from outrider.core.state import State
from outrider.loader.ground import GROUND
from outrider.messages.types import Message, Point, Vector3, header, message_class
from outrider.sensors.contact.feed import NO_TOUCH, ContactFeed, FeltContact
from outrider.sensors.sensor import Sensor
from outrider.sensors.site import Site

_TYPE = "outrider_msgs/msg/Collisions"


@dataclass(frozen=True, slots=True)
class CollisionParameters:
    """Which contacts count."""

    parts: tuple[str, ...] = ()  # links whose contacts count; empty: the whole robot
    ground: bool = False  # whether touching the ground counts too
    least_impulse: float = 0.0  # N s: weaker impacts are ignored


class CollisionSensor(Sensor):
    """Reports every impact once, and lasting contacts as long as they last."""

    Parameters: ClassVar[type] = CollisionParameters
    types: ClassVar[dict[str, str]] = {"collisions": _TYPE}

    def __init__(self, parameters: CollisionParameters, site: Site) -> None:
        self._parameters = parameters
        self._site = site
        self._feed = ContactFeed(site, parameters.parts)
        self._class = message_class(_TYPE)
        self._collision = message_class("outrider_msgs/msg/Collision")
        self.impacts: list[FeltContact] = []  # since the last measurement
        self.touching: list[str] = []

    def get_state(self) -> State:
        """Return what was felt."""
        return State(
            feed=self._feed.get_state(),
            impacts=[State.of(impact) for impact in self.impacts],
            touching=self.touching,
        )

    def set_state(self, state: State) -> None:
        """Feel what comes after."""
        self._feed.set_state(state.part("feed"))
        self.impacts = [impact.record(NO_TOUCH) for impact in state.parts("impacts")]
        self.touching = state.texts("touching")

    def sample(self, _now_ns: int) -> None:
        """Gather what has happened."""
        least = self._parameters.least_impulse
        self.impacts = [t for t in self._feed.news() if self._counts(t) and t.impulse >= least]
        self.touching = sorted({t.other for t in self._feed.now() if self._counts(t)})

    def message(self, now_ns: int) -> Message:
        """Return it in the sensor's frame, where that was when the impact fell."""
        impacts = [self._written(impact) for impact in self.impacts]
        return self._class(header(now_ns, self._site.frame_id), impacts, self.touching)

    def _counts(self, touch: FeltContact) -> bool:
        return self._parameters.ground or touch.other != GROUND

    def _written(self, impact: FeltContact) -> Message:
        places, turns = self._site.poses(np.array([impact.time_ns]))
        T_sensor_world = Pose(places[0], turns[0]).inverse()
        normal = Pose(rotation=T_sensor_world.rotation).apply(impact.normal)
        return self._collision(
            header(impact.time_ns, self._site.frame_id),
            impact.own,
            impact.other,
            Point(*T_sensor_world.apply(impact.point).tolist()),
            Vector3(*normal.tolist()),
            impact.impulse,
        )
