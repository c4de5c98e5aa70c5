"""Parts that only robots have: wheels, castors and sensors."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from outrider.builders.placed import Placed
from outrider.core.arguments import number_argument
from outrider.core.errors import ConfigError
from outrider.specs.robot import SuspensionSpec
from outrider.specs.sensor import SensorEntry

_WHEEL_DENSITY = 500.0  # kg/m^3: a tyre on a hub, half of it air


@dataclass(frozen=True, slots=True)
class Steering:
    """Steering range and rate of a wheel."""

    max_deg: float = 30.0
    rate_deg_s: float = 60.0


class Wheel(Placed):
    """A wheel on an axle along y, driven by a motor or idle."""

    def __init__(
        self,
        radius: float,
        width: float,
        *,
        driven: bool = True,
        mass: float | None = None,
        name: str = "",
    ) -> None:
        super().__init__(name)
        radius = number_argument(radius, "a wheel's radius")
        width = number_argument(width, "a wheel's width")
        if radius <= 0 or width <= 0:
            raise ConfigError(f"a wheel needs a radius and a width, got {radius} and {width}")
        self.radius, self.width, self.driven = radius, width, driven
        solid = math.pi * radius**2 * width * _WHEEL_DENSITY
        self.mass = float(f"{solid:.3g}") if mass is None else mass
        self.spring: SuspensionSpec | None = None
        self.steering: Steering | None = None

    def suspend(self, stiffness: float, damping: float, travel: float = 0.1) -> Self:
        """Put it on a spring (N/m) and damper (N s/m) with a travel (m)."""
        self.spring = SuspensionSpec(stiffness, damping, travel)
        return self

    def steer(self, max_deg: float = 30.0, rate_deg_s: float = 60.0) -> Self:
        """Make it steerable, like a car's front wheels."""
        self.steering = Steering(max_deg, rate_deg_s)
        return self


class Castor(Placed):
    """A ball that rolls in any direction; ``move`` places its centre."""

    def __init__(self, radius: float, *, friction: float = 0.05, name: str = "") -> None:
        super().__init__(name)
        self.radius = number_argument(radius, "a castor's radius")
        self.friction = number_argument(friction, "a castor's friction")


class Sensor(Placed):
    """A sensor by its name in the library (``outrider list sensors``), or by its own file."""

    def __init__(
        self,
        model: str,
        name: str = "",
        *,
        link: str = "",
        rate_hz: float | None = None,
        topics: Mapping[str, str] | None = None,
        **parameters: object,
    ) -> None:
        """``parameters`` overrule those of the model's file; outputs get their topics' names."""
        super().__init__(name)
        self.model, self.link, self.rate_hz = model, link, rate_hz
        self.topics, self.parameters = dict(topics or {}), parameters

    @property
    def word(self) -> str:
        """The model's name, in a form valid for topics."""
        return "".join(c if c.isalnum() else "_" for c in self.model)

    def entry(self, name: str, link: str = "") -> SensorEntry:
        """Return the sensor as in a robot or scenario file."""
        return SensorEntry(
            name,
            self.model,
            self.link or link,
            self.pose_inside,
            rate_hz=self.rate_hz,
            topics=self.topics,
            set=self.parameters,
        )
