"""Wheel-drop switches: a wheel without load for a moment has dropped."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from outrider.core.clock import to_ns
from outrider.core.errors import ConfigError, near_match
from outrider.core.structure import number
from outrider.messages.types import Message, header, message_class
from outrider.sensors.sensor import Sensor
from outrider.sensors.site import Site

_TYPE = "outrider_msgs/msg/WheelDrops"


@dataclass(frozen=True, slots=True)
class WheelDropParameters:
    """Which wheels, and how long they must be unloaded."""

    wheels: dict[str, str] | None = None  # name -> wheel joint or castor link; none: all of them
    least_load: float = number(0.2, least=0.0)  # N: below, the wheel's spring extends
    delay_s: float = number(0.05, least=0.0)  # that the spring takes; shorter hops do not count


class WheelDrop(Sensor):
    """Reads the load of each tyre."""

    Parameters: ClassVar[type] = WheelDropParameters
    types: ClassVar[dict[str, str]] = {"wheel_drops": _TYPE}
    state_fields = ("_loaded_ns", "dropped")

    def __init__(self, parameters: WheelDropParameters, site: Site) -> None:
        self._site = site
        self._least = parameters.least_load
        self._delay_ns = to_ns(parameters.delay_s)
        known = _tyre_names(site)
        wheels = parameters.wheels or {name: name for name in known}
        self._names = list(wheels)
        self._rows = [_row(site, known, wheel) for wheel in wheels.values()]
        self._class = message_class(_TYPE)
        self._loaded_ns = np.full(len(self._rows), site.state.time_ns, np.int64)
        self.dropped: NDArray[np.bool_] = np.zeros(len(self._rows), np.bool_)

    def sample(self, now_ns: int) -> None:
        """See which wheels carry nothing, and for how long."""
        tyres = self._site.robot.tyres[self._rows]
        # tyres that were never felt (kinematic driving) follow the ground by definition
        felt = tyres["axle_world"].any(axis=1)
        loaded = ~felt | (tyres["load"] > self._least)
        self._loaded_ns[loaded] = now_ns
        self.dropped = now_ns - self._loaded_ns > self._delay_ns

    def message(self, now_ns: int) -> Message:
        """Return the switches."""
        return self._class(header(now_ns, self._site.frame_id), self._names, self.dropped)


def _tyre_names(site: Site) -> list[str]:
    """Return what a robot's rows of tyres are, in their order; belts drop nowhere."""
    robot = site.robot.robot
    return [*robot.wheels, *(castor.link for castor in robot.spec.castors)]


def _row(site: Site, known: list[str], wheel: str) -> int:
    if wheel not in known:
        raise ConfigError(
            f"robot '{site.robot.name}': sensor '{site.name}': there is no wheel '{wheel}'"
            f"{near_match(wheel, known)}"
        )
    return known.index(wheel)
