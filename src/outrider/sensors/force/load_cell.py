"""Load cells: the force along one axis, and the counts of the converter behind the bridge."""

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.state import State
from outrider.core.structure import number
from outrider.messages.types import Float64, Int32
from outrider.sensors.force.joint_load import JointLoad
from outrider.sensors.gauge import Gauge
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site
from outrider.sensors.triad import Triad


@dataclass(frozen=True, slots=True)
class LoadCellParameters:
    """Errors in N, the axis along which it bends, and its converter."""

    force: Triad = field(default_factory=Triad)
    axis: tuple[float, float, float] = (0.0, 0.0, -1.0)  # loads in this direction are positive
    counts_per_newton: float = number(1000.0, above=0.0)
    bits: int = number(24, least=2, most=32)  # of the converter, including the sign

    def __post_init__(self) -> None:
        if not 0.0 < math.hypot(*self.axis) < math.inf:
            raise ConfigError(f"axis: a direction is needed, not {list(self.axis)}")


class LoadCell(Sensor):
    """Sits in the joint that carries its link: a scale, if that joint is fixed."""

    Parameters: ClassVar[type] = LoadCellParameters
    types: ClassVar[dict[str, str]] = {"force": "std_msgs/msg/Float64", "raw": "std_msgs/msg/Int32"}

    def __init__(self, parameters: LoadCellParameters, site: Site) -> None:
        self._parameters = parameters
        self._load = JointLoad(site)
        self._axis = np.array(parameters.axis) / math.hypot(*parameters.axis)
        self._gauge = Gauge(parameters.force, site.random, site.rate_hz)

    @property
    def counts(self) -> int:
        """What the converter says, at most its full scale."""
        p = self._parameters
        full = 1 << (p.bits - 1)
        return min(max(round(self._gauge.value * p.counts_per_newton), -full), full - 1)

    @property
    def force(self) -> float:
        """The load in N, as the counts tell it."""
        return self.counts / self._parameters.counts_per_newton

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {"force": self.force_message, "raw": self.raw_message}

    def sample(self, now_ns: int) -> None:
        """Weigh: the mean over the last step."""
        self._gauge.show(float(self._axis @ self._load.measure()[:3]), now_ns)

    def get_state(self) -> State:
        """Return its errors and the last measurement."""
        return self._gauge.get_state()

    def set_state(self, state: State) -> None:
        """Go on with the same errors."""
        self._gauge.set_state(state)

    def force_message(self, _now_ns: int) -> Float64:
        """Return the load in N."""
        return Float64(self.force)

    def raw_message(self, _now_ns: int) -> Int32:
        """Return the converter's counts."""
        return Int32(self.counts)
