"""Force-torque sensors: all six components of what a joint passes on."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from outrider.core.declared_state import DeclaredState
from outrider.core.frames import Array
from outrider.messages.types import Vector3, Wrench, WrenchStamped, header
from outrider.sensors.force.joint_load import JointLoad
from outrider.sensors.gauge import Gauge
from outrider.sensors.sensor import Sensor
from outrider.sensors.site import Site
from outrider.sensors.triad import Triad


@dataclass(frozen=True, slots=True)
class ForceTorqueParameters:
    """Errors in N and N m; data sheets often tell those along z apart from those of x and y."""

    force: Triad = field(default_factory=Triad)
    torque: Triad = field(default_factory=Triad)
    force_z: Triad | None = None  # null: as along the other axes
    torque_z: Triad | None = None
    measure_direction: Literal["child_to_parent", "parent_to_child"] = "child_to_parent"


class ForceTorque(Sensor):
    """Sits in the joint that carries its link, and measures in its own frame."""

    Parameters: ClassVar[type] = ForceTorqueParameters
    types: ClassVar[dict[str, str]] = {"wrench": "geometry_msgs/msg/WrenchStamped"}
    state_fields = ("_force", "_torque")

    def __init__(self, parameters: ForceTorqueParameters, site: Site) -> None:
        p = parameters
        self._site = site
        self._load = JointLoad(site)
        self._sign = 1.0 if p.measure_direction == "child_to_parent" else -1.0
        force, torque = site.random.spawn(2)
        self._force = _Axes(p.force, p.force_z, force, site.rate_hz)
        self._torque = _Axes(p.torque, p.torque_z, torque, site.rate_hz)

    @property
    def force(self) -> Array:
        """The measured force, N."""
        return self._force.values

    @property
    def torque(self) -> Array:
        """The measured torque about the sensor's origin, N m."""
        return self._torque.values

    def sample(self, now_ns: int) -> None:
        """Measure the mean over the last step."""
        true = self._sign * self._load.measure()
        self._force.show(true[:3], now_ns)
        self._torque.show(true[3:], now_ns)

    def message(self, now_ns: int) -> WrenchStamped:
        """Return force and torque in the sensor's frame."""
        wrench = Wrench(Vector3(*self.force.tolist()), Vector3(*self.torque.tolist()))
        return WrenchStamped(header(now_ns, self._site.frame_id), wrench)


class _Axes(DeclaredState):
    """Three axes; the last one may be an instrument of its own."""

    state_fields = ("_gauges",)

    def __init__(
        self, spec: Triad, along_z: Triad | None, random: np.random.Generator, rate_hz: float
    ) -> None:
        across, along = random.spawn(2)
        self._gauges: tuple[Gauge, ...] = (Gauge(spec, across, rate_hz, 3),)
        if along_z is not None:
            self._gauges += (Gauge(along_z, along, rate_hz),)

    @property
    def values(self) -> Array:
        """All three as shown last."""
        return np.append(self._gauges[0].values[:2], self._gauges[-1].values[-1])

    def show(self, true: Array, now_ns: int) -> None:
        """Take a reading."""
        self._gauges[0].show(true, now_ns)
        for own in self._gauges[1:]:
            own.show(true[2], now_ns)
