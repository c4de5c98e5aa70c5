"""The robot behind the Open Interface, seen through the bus: sensor data in, speed commands out."""

import math
from collections.abc import Callable
from typing import Any

from outrider.bus.bus import Bus
from outrider.bus.mailbox import Subscription
from outrider.devices.topic_prefix import topics_under
from outrider.messages.types import Message, Twist, Vector3

_AGAIN_NS = 50_000_000  # a command is sent again before the robot's time-out for commands
_TYPES = {
    "bumper": "outrider_msgs/msg/Bumper",
    "cliffs": "outrider_msgs/msg/Cliffs",
    "drops": "outrider_msgs/msg/WheelDrops",
    "encoders": "outrider_msgs/msg/WheelEncoders",
    "odometer": "outrider_msgs/msg/Odometer",
    "battery": "sensor_msgs/msg/BatteryState",
    "drive": "outrider_msgs/msg/DrivePower",
}
_CAPACITY_MAH, _VOLTAGE_MV, _TEMPERATURE = 2696, 14400, 25
_BRIGHT_M = 0.05  # distance at which a wall gives a quarter of the full signal
_FULL = 4095
ODOMETER = _TYPES["odometer"]


class CreateBody:
    """Reads the newest messages of one robot and accumulates its travel."""

    def __init__(self, bus: Bus, prefix: str, may_drive: Callable[[], bool]) -> None:
        self._bus, self._may_drive = bus, may_drive
        self._cmd_vel = f"{prefix}/cmd_vel"
        here = topics_under(bus, prefix)
        self._boxes: dict[str, Subscription] = {
            key: bus.subscribe(here[kind], kept="all" if key == "odometer" else "latest")
            for key, kind in _TYPES.items()
            if kind in here
        }
        wall = f"{prefix}/wall"
        if bus.find(wall):
            self._boxes["wall"] = bus.subscribe(wall)
        self.values: dict[str, int] = {"infrared_byte": 255}
        self._sent: tuple[float, float] = (0.0, 0.0)
        self._sent_ns = 0

    def update(self) -> tuple[int, int]:
        """Read new messages; return the millimetres and degrees travelled since the last call."""
        found: dict[str, int] = {
            "infrared_byte": 255,
            "infrared_left": 0,
            "infrared_right": 0,
            "voltage": _VOLTAGE_MV,
            "capacity": _CAPACITY_MAH,
            "charge": _CAPACITY_MAH,
            "temperature": _TEMPERATURE,
        }
        readers: dict[str, Callable[[Message], dict[str, int]]] = {
            "cliffs": _cliffs,
            "encoders": _encoders,
            "battery": _battery,
            "drive": _currents,
            "wall": _wall,
        }
        for key, read in readers.items():
            if (message := self._latest(key)) is not None:
                found |= read(message)
        found["bumps_and_wheel_drops"] = self._bumps()
        self.values = found
        return self._travel()

    def drive(self, speed: float, yaw_rate: float, now_ns: int) -> None:
        """Keep a speed (m/s, rad/s): sent when it changes, and again before it times out."""
        wanted = (speed, yaw_rate)
        same = wanted == self._sent
        rested = same and wanted == (0.0, 0.0)
        if rested or (same and 0 <= now_ns - self._sent_ns < _AGAIN_NS) or not self._may_drive():
            return
        twist = Twist(Vector3(speed, 0.0, 0.0), Vector3(0.0, 0.0, yaw_rate))
        self._bus.publish(self._cmd_vel, twist, now_ns)
        self._sent, self._sent_ns = wanted, now_ns

    def close(self) -> None:
        """Stop listening."""
        for box in self._boxes.values():
            box.close()

    def _latest(self, key: str) -> Any:
        box = self._boxes.get(key)
        return box.latest[1] if box and box.latest else None

    def _travel(self) -> tuple[int, int]:
        distance = angle = 0
        box = self._boxes.get("odometer")
        while box and (item := box.poll()) is not None:
            distance += item[1].distance
            angle += item[1].angle
        return distance, angle

    def _bumps(self) -> int:
        bumper, drops = self._latest("bumper"), self._latest("drops")
        bits = 0
        if bumper is not None:
            bits |= bool(bumper.right) | bool(bumper.left) << 1
        if drops is not None:
            down = dict(zip(drops.names, drops.dropped, strict=True))
            bits |= bool(down.get("right")) << 2 | bool(down.get("left")) << 3
            bits |= bool(down.get("castor")) << 4
        return bits


def _cliffs(message: Message) -> dict[str, int]:
    found = {}
    for name, cliff, signal in zip(message.names, message.cliffs, message.signals, strict=True):
        found[f"cliff_{name}"] = int(cliff)
        found[f"cliff_{name}_signal"] = int(signal)
    return found


def _encoders(message: Message) -> dict[str, int]:
    left, right = message.ticks[:2]
    return {"left_encoder": int(left) & 0xFFFF, "right_encoder": int(right) & 0xFFFF}


def _battery(message: Message) -> dict[str, int]:
    return {
        "voltage": round(message.voltage * 1000),
        "current": round(message.current * 1000),
        "charge": round(message.charge * 1000),
        "capacity": round(message.capacity * 1000),
    }


def _currents(message: Message) -> dict[str, int]:
    left, right = (round(value * 1000) for value in message.currents)
    return {"left_motor_current": left, "right_motor_current": right}


def _wall(message: Message) -> dict[str, int]:
    distance = message.range
    seen = math.isfinite(distance) and distance <= message.max_range
    near = _BRIGHT_M / max(distance, 0.5 * _BRIGHT_M) if seen else 0.0
    return {"wall": int(seen), "wall_signal": round(0.25 * near * near * _FULL)}
