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
    gear: float = number(1.0, above=0.0)  # motor over wheel speed
    gear_efficiency: float = number(1.0, above=0.0, most=1.0)  # output over input power
    resistance: float = number(0.0, least=0.0)  # ohm
    no_load_current: float = number(0.0, least=0.0)  # A while it rotates
    rest_current: float = number(0.0, least=0.0)  # A reported by the driver at rest
    voltage: float = number(24.0, above=0.0)  # V, without load
    capacity_ah: float = number(20.0, above=0.0)
    cold_loss_per_c: float = number(0.0, least=0.0, most=0.05)  # of capacity, below 20 degrees C
    battery_resistance: float = number(0.0, least=0.0)  # ohm
    idle_w: float = number(0.0, least=0.0)  # power of computer and sensors


@dataclass(frozen=True, slots=True)
class _Side:
    """The motors of one side, in plain numbers: small arrays would take five times as long."""

    torque: float
    speed: float

    def current(self, p: PowerParameters) -> float:
        """Return what it draws (A); brakes draw nothing."""
        return self._loaded(p) if abs(self.speed) > _REST else p.rest_current

    def power(self, p: PowerParameters) -> float:
        """Return what it takes (W)."""
        if abs(self.speed) <= _REST:
            return 0.0
        loaded = self._loaded(p)
        shaft = max(0.0, self.torque * self.speed) / p.gear_efficiency
        return shaft + p.resistance * (loaded * loaded)

    def _loaded(self, p: PowerParameters) -> float:
        per_amp = p.torque_constant * p.gear * p.gear_efficiency
        return abs(self.torque) / per_amp + p.no_load_current + p.rest_current


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
        torques = self._site.robot.motors["last_torque"].tolist()
        speeds = self._site.state.joints["velocity"][self._site.robot.driven].tolist()
        each = len(speeds) // 2  # motors of a side
        ends = (0, each), (each, 2 * each)
        sides = [_Side(sum(torques[i:k]), sum(speeds[i:k]) / each) for i, k in ends]
        self.torques = np.array([side.torque for side in sides])
        self.velocities = np.array([side.speed for side in sides])
        self.currents = np.array([side.current(self._parameters) for side in sides])
        self.powers = np.array([side.power(self._parameters) for side in sides])
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
