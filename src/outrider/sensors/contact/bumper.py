"""A bumper on the front of a robot, with a switch behind its left and its right half."""

import math
from dataclasses import dataclass
from typing import ClassVar

from outrider.core.frames import Pose
from outrider.core.state import State
from outrider.core.structure import number
from outrider.messages.types import Message, header, message_class
from outrider.sensors.contact.feed import ContactFeed, FeltContact
from outrider.sensors.sensor import Sensor
from outrider.sensors.site import Site

_TYPE = "outrider_msgs/msg/Bumper"
_STEEP = 0.7  # the share of a push along z from which on it lifts rather than presses


@dataclass(frozen=True, slots=True)
class BumperParameters:
    """Sectors about the sensor's z axis, x forward."""

    parts: tuple[str, ...] = ()  # its links; empty: any part of the robot in the sector
    half_angle_deg: float = number(90.0, above=0.0, most=180.0)  # half of the angle it covers
    centre_deg: float = number(15.0, least=0.0, most=180.0)  # up to this angle both switches close


class Bumper(Sensor):
    """Pressed while something touches it, and reported at least once for the shortest impact."""

    Parameters: ClassVar[type] = BumperParameters
    types: ClassVar[dict[str, str]] = {"bumper": _TYPE}

    def __init__(self, parameters: BumperParameters, site: Site) -> None:
        self._reach = math.radians(parameters.half_angle_deg)
        self._centre = math.radians(parameters.centre_deg)
        self._site = site
        self._feed = ContactFeed(site, parameters.parts)
        self._class = message_class(_TYPE)
        self._touching: list[FeltContact] | None = None
        self._held: set[str] = set()
        self.sectors: set[str] = set()  # of left, centre, right

    def get_state(self) -> State:
        """Return where it is pressed."""
        return State(
            feed=self._feed.get_state(),
            current=self._touching is self._feed.last,
            held=sorted(self._held),
            sectors=sorted(self.sectors),
        )

    def set_state(self, state: State) -> None:
        """Stay pressed there."""
        self._feed.set_state(state.part("feed"))
        self._touching = self._feed.last if state.flag("current") else None
        self._held, self.sectors = set(state.texts("held")), set(state.texts("sectors"))

    @property
    def left(self) -> bool:
        """Whether the left switch is closed."""
        return not self.sectors.isdisjoint({"left", "centre"})

    @property
    def right(self) -> bool:
        """Whether the right switch is closed."""
        return not self.sectors.isdisjoint({"right", "centre"})

    def sample(self, _now_ns: int) -> None:
        """Feel where it is pressed."""
        touching = self._feed.now()
        if touching is not self._touching:
            # an engine renews the points of a lasting contact only when contacts come or go
            self._touching = touching
            self._held = self._pressed(touching)
        self.sectors = self._held | self._pressed(self._feed.news())

    def message(self, now_ns: int) -> Message:
        """Return the switches."""
        stamp = header(now_ns, self._site.frame_id)
        return self._class(stamp, self.left, self.left and self.right, self.right)

    def _pressed(self, touches: list[FeltContact]) -> set[str]:
        if not touches:
            return set()
        T_sensor_world = self._site.pose.inverse()
        found = {self._sector(touch, T_sensor_world) for touch in touches}
        return found - {""}

    def _sector(self, touch: FeltContact, T_sensor_world: Pose) -> str:
        x, y, _ = T_sensor_world.apply(touch.point).tolist()
        ahead, aside, up = Pose(rotation=T_sensor_world.rotation).apply(touch.normal).tolist()
        # one and the same on a round bumper; on one made of boxes their mean is nearer to that
        angle = 0.5 * (math.atan2(y, x) + math.atan2(aside, ahead))
        if abs(angle) > self._reach or abs(up) > _STEEP:
            return ""
        if abs(angle) <= self._centre:
            return "centre"
        return "left" if angle > 0 else "right"
