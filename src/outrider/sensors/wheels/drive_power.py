"""What a drive draws: current and power of each side, and the battery that gives them."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outrider.core.clock import to_s
from outrider.core.errors import ConfigError
from outrider.core.frames import Array
from outrider.core.structure import number
from outrider.messages.types import Message, header, message_class
from outrider.sensors.sensor import Sensor, Writer
from outrider.sensors.site import Site

_DRIVE, _BATTERY = "outrider_msgs/msg/DrivePower", "sensor_msgs/msg/BatteryState"
_SIDES = ("left", "right")
_REST = 0.02  # rad/s
_DISCHARGING, _GOOD = 2, 1  # as BatteryState numbers them
_FULL_TO_EMPTY = 0.12  # of its voltage that a battery loses, a lead battery's share


@dataclass(frozen=True, slots=True)
class PowerParameters:
    """The motors of one side as a single one with a gear; a battery with internal resistance."""

    torque_constant: float = number(0.044, above=0.0)  # N m/A
    gear: float = number(1.0, above=0.0)
    gear_efficiency: float = number(1.0, above=0.0, most=1.0)
    resistance: float = number(0.0, least=0.0)  # ohm
    no_load_current: float = number(0.0, least=0.0)  # A while it rotates
    rest_current: float = number(0.0, least=0.0)  # A reported by the driver at rest
    voltage: float = number(24.0, above=0.0)
    capacity_ah: float = number(20.0, above=0.0)
    cold_loss_per_c: float = number(0.0, least=0.0, most=0.05)  # of capacity, below 20 degrees C
    battery_resistance: float = number(0.0, least=0.0)  # ohm
    idle_w: float = number(0.0, least=0.0)  # power of computer and sensors


class DrivePower(Sensor):
    """Reads the torque of the motors; adds up what the battery has given."""

    Parameters: ClassVar[type] = PowerParameters
    types: ClassVar[dict[str, str]] = {"drive": _DRIVE, "battery": _BATTERY}
    state_fields = ("_used_ah", "_last_ns", "torques", "velocities", "currents", "powers")

    def __init__(self, parameters: PowerParameters, site: Site) -> None:
        robot, drivetrain = site.robot, site.robot.robot.drivetrain
        if len(drivetrain.driven) % 2 or drivetrain.steered:
            raise ConfigError(
                f"robot '{robot.name}': sensor '{site.name}': it needs a drive with two sides"
            )
        self._parameters, self._site = parameters, site
        self._sides = np.split(robot.driven, 2)  # left ones come first
        self._drive, self._battery = message_class(_DRIVE), message_class(_BATTERY)
        self._used_ah, self._last_ns = 0.0, -1
        self.torques: Array = np.zeros(2)
        self.velocities: Array = np.zeros(2)
        self.currents: Array = np.full(2, parameters.rest_current)
        self.powers: Array = np.zeros(2)

    @property
    def outputs(self) -> dict[str, Writer]:
        """What it says."""
        return {"drive": self.drive_message, "battery": self.battery_message}

    def sample(self, now_ns: int) -> None:
        """Read the drive."""
        p, joints = self._parameters, self._site.state.joints
        motors = self._site.robot.motors["last_torque"][: 2 * len(self._sides[0])]
        self.torques = motors.reshape(2, -1).sum(axis=1)
        self.velocities = np.array([joints["velocity"][side].mean() for side in self._sides])
        turning = np.abs(self.velocities) > _REST
        per_amp = p.torque_constant * p.gear * p.gear_efficiency
        loaded = np.abs(self.torques) / per_amp + p.no_load_current + p.rest_current
        self.currents = np.where(turning, loaded, p.rest_current)  # brakes draw nothing
        shaft = np.maximum(0.0, self.torques * self.velocities) / p.gear_efficiency
        self.powers = np.where(turning, shaft + p.resistance * loaded**2, 0.0)
        if 0 <= self._last_ns < now_ns:
            self._used_ah += self._drawn() * to_s(now_ns - self._last_ns) / 3600.0
        self._last_ns = now_ns

    def drive_message(self, now_ns: int) -> Message:
        """Return the reading of both sides."""
        return self._drive(
            header(now_ns, self._site.frame_id),
            list(_SIDES),
            self.torques,
            self.velocities,
            self.currents,
            self.powers,
        )

    def battery_message(self, now_ns: int) -> Message:
        """Return the battery as ROS has it: current is negative while it is drawn."""
        p = self._parameters
        capacity = self._capacity_ah(now_ns)
        left = max(0.0, capacity - self._used_ah)
        share = left / capacity
        drawn = self._drawn()
        open_v = p.voltage * (1.0 + _FULL_TO_EMPTY * (share - 0.5))
        return self._battery(
            header=header(now_ns, self._site.frame_id),
            voltage=open_v - drawn * p.battery_resistance,
            temperature=self._temperature_c(now_ns),
            current=-drawn,
            charge=left,
            capacity=capacity,
            design_capacity=p.capacity_ah,
            percentage=share,
            power_supply_status=_DISCHARGING,
            power_supply_health=_GOOD,
            power_supply_technology=0,
            present=True,
            cell_voltage=np.zeros(0, np.float32),
            cell_temperature=np.zeros(0, np.float32),
            location="",
            serial_number="",
        )

    def _temperature_c(self, now_ns: int) -> float:
        """Return the weather's temperature; not known where that gives none."""
        if self._site.weather.at(now_ns).temperature_c is None:
            return math.nan
        return self._site.air(now_ns).temperature_c

    def _capacity_ah(self, now_ns: int) -> float:
        """Return what the battery gives when it is as cold as the weather."""
        p, warmth = self._parameters, self._temperature_c(now_ns)
        cold = 0.0 if math.isnan(warmth) else max(0.0, 20.0 - warmth)
        return p.capacity_ah * max(0.05, 1.0 - p.cold_loss_per_c * cold)

    def _drawn(self) -> float:
        """Return the battery's current (A)."""
        p = self._parameters
        return (float(self.powers.sum()) + p.idle_w) / p.voltage
