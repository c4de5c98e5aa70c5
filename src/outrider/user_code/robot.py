"""The robot as beginners see it: drive it, read its sensors; lengths in m, angles in degrees."""

import math
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple, SupportsFloat

from outrider.bridges.local.client import connect
from outrider.core.errors import BridgeError, near_match
from outrider.core.structure import Data
from outrider.user_code.latest_message import Callback, LatestMessage

_RANGE = "sensor_msgs/msg/Range"
_IMU = "sensor_msgs/msg/Imu"
_COMPASS = "std_msgs/msg/Float64"
_SCAN = "sensor_msgs/msg/LaserScan"
_FIX = "sensor_msgs/msg/NavSatFix"
_BUMPER = "outrider_msgs/msg/Bumper"
_ODOMETRY = "nav_msgs/msg/Odometry"
_TWIST = "geometry_msgs/msg/Twist"
_OF_SIMULATION = {"/clock", "/tf", "/tf_static", "/performance_metrics"}
_AGAIN_S = 0.05  # a command is repeated before the robot's time-out for commands


class Triple(NamedTuple):
    """Values along the three axes of the sensor."""

    x: float
    y: float
    z: float


class Place(NamedTuple):
    """A position on Earth, in degrees and metres."""

    latitude: float
    longitude: float
    altitude: float


class Scan(NamedTuple):
    """Distances (m; infinite without an echo) and their directions (degrees, left is positive)."""

    distances: Sequence[float]
    angles: Sequence[float]


class Robot:
    """One robot of a running simulation."""

    def __init__(self, pid: int, name: str = "") -> None:
        self._pid, self.name = pid, name
        self._client = connect(pid)
        self._lock = threading.Lock()
        self._feeds: dict[str, LatestMessage] = {}
        rows = self._client.topics()
        self._types = {str(row["name"]): str(row["type"]) for row in rows}
        self._commands = {str(row["name"]) for row in rows if row["direction"] == "in"}
        self._prefix = f"/{name}" if name else ""  # of its topics
        self._cmd_vel = self._topic(_TWIST, "cmd_vel")
        self._prefix = self._cmd_vel.rpartition("/")[0]
        self._wanted = (0.0, 0.0)
        self._alive_until = math.inf
        threading.Thread(target=self._keep_driving, name="driving", daemon=True).start()

    # --- driving

    def drive(self, speed: float, turn: float = 0.0) -> None:
        """Drive on at this speed (m/s), turning this fast (degrees/s, left is positive)."""
        if not all(isinstance(x, SupportsFloat) and math.isfinite(x) for x in (speed, turn)):
            raise ValueError(f"drive({speed!r}, {turn!r}): expected two numbers, m/s and degrees/s")
        self._wanted = (float(speed), math.radians(turn))
        self._send()

    def stop(self) -> None:
        """Stand still."""
        self.drive(0.0)

    def reset(self) -> None:
        """Put everything back to the start."""
        with self._lock:
            self._client.call("reset")

    def sleep(self, seconds: float) -> None:
        """Wait, in simulated time."""
        end = self.time() + seconds
        while self.time() < end:
            time.sleep(0.002)

    def time(self) -> float:
        """Return the simulated time in seconds."""
        clock = self._feed("/clock").latest()["clock"]
        return float(clock["sec"] + clock["nanosec"] * 1e-9)

    # --- sensors

    def distance(self, sensor: str = "") -> float:
        """Return the distance that a sensor measures; without an echo, its maximum range."""
        message = self._latest(_RANGE, sensor)
        return max(float(message["min_range"]), _limited(message["range"], message["max_range"]))

    def heading(self, sensor: str = "") -> float:
        """Return the robot's heading: from north with a compass, else from the x axis."""
        if any(kind == _COMPASS for kind in self._near().values()):
            return float(self._latest(_COMPASS, sensor)["data"])
        return _yaw(self._latest(_IMU, sensor)["orientation"])

    def acceleration(self, sensor: str = "") -> Triple:
        """Return the measurement of an accelerometer (m/s^2); at rest, 9.8 upward."""
        return _triple(self._latest(_IMU, sensor)["linear_acceleration"])

    def gyro(self, sensor: str = "") -> Triple:
        """Return the angular velocity (degrees/s)."""
        return Triple(
            *(math.degrees(w) for w in _triple(self._latest(_IMU, sensor)["angular_velocity"]))
        )

    def gps(self, sensor: str = "") -> Place:
        """Return the robot's position on Earth."""
        fix = self._latest(_FIX, sensor)
        return Place(*(_number(fix[key]) for key in ("latitude", "longitude", "altitude")))

    def scan(self, sensor: str = "") -> Scan:
        """Return a laser scan."""
        message = self._latest(_SCAN, sensor)
        distances = [_number(value) for value in message["ranges"]]
        first, step = message["angle_min"], message["angle_increment"]
        return Scan(distances, [math.degrees(first + i * step) for i in range(len(distances))])

    def bumped(self, sensor: str = "") -> str:
        """Return which side of a bumper is pressed: '', 'left', 'right' or 'both'."""
        message = self._latest(_BUMPER, sensor)
        sides = {(True, True): "both", (True, False): "left", (False, True): "right"}
        return sides.get((bool(message["left"]), bool(message["right"])), "")

    def position(self) -> tuple[float, float]:
        """Return the position by wheel odometry, relative to the start (m)."""
        place = self._latest(_ODOMETRY, "odom")["pose"]["pose"]["position"]
        return float(place["x"]), float(place["y"])

    def on(self, sensor: str, callback: Callback) -> None:
        """Call a function with each new measurement of a sensor, as a dictionary."""
        self._feed(self._named(list(self._near()), sensor)).each(callback)

    def sensors(self) -> list[str]:
        """Return the topics of sensors: no commands, and nothing of the simulation's own."""
        return sorted(set(self._near()) - self._commands - _OF_SIMULATION)

    # --- for the program that runs user code

    def alive_until(self, deadline: float) -> None:
        """Set until when the last command holds (monotonic time): a stuck program's robot stops."""
        self._alive_until = deadline

    def check(self) -> None:
        """Raise the exception of a callback, if there was one."""
        for feed in self._feeds.values():
            if feed.error is not None:
                error, feed.error = feed.error, None
                raise error

    def _keep_driving(self) -> None:
        while True:
            time.sleep(_AGAIN_S)
            if self._wanted != (0.0, 0.0) and time.monotonic() < self._alive_until:
                try:
                    self._send()
                except BridgeError:
                    return

    def _send(self) -> None:
        speed, yaw_rate = self._wanted
        twist = {"linear": {"x": speed}, "angular": {"z": yaw_rate}}
        with self._lock:
            self._client.publish(self._cmd_vel, twist)

    # --- topics

    def _latest(self, kind: str, sensor: str) -> Data:
        return self._feed(self._topic(kind, sensor)).latest()

    def _feed(self, topic: str) -> LatestMessage:
        if topic not in self._feeds:
            self._feeds[topic] = LatestMessage(self._pid, topic)
        return self._feeds[topic]

    def _near(self) -> dict[str, str]:
        """Return the topics of this robot."""
        return {t: kind for t, kind in self._types.items() if t.startswith(f"{self._prefix}/")}

    def _topic(self, kind: str, sensor: str) -> str:
        """Return the topic of a sensor; its name may be left out if there is only one."""
        found = [topic for topic, other in self._near().items() if other == kind]
        if not sensor and len(found) == 1:
            return found[0]
        if not found:
            listed = ", ".join(self.sensors())
            raise BridgeError(f"the robot has no sensor with {kind} messages; it has {listed}")
        return self._named(found, sensor)

    def _named(self, topics: list[str], sensor: str) -> str:
        if sensor in topics:
            return sensor
        matching = [topic for topic in topics if sensor in topic.split("/")]
        if matching:
            return min(matching, key=len)
        listed = ", ".join(sorted(topics))
        hint = near_match(sensor, [word for topic in topics for word in topic.split("/") if word])
        raise BridgeError(f"there is no sensor '{sensor}'{hint}; there are: {listed}")


def _number(value: object) -> float:
    """Return a number; what JSON cannot express is NaN."""
    return float(value) if isinstance(value, int | float | str) else math.nan


def _limited(value: object, most: float) -> float:
    number = _number(value)
    return min(number, float(most)) if not math.isnan(number) else float(most)


def _triple(vector: Data) -> Triple:
    return Triple(*(float(vector[axis]) for axis in "xyz"))


def _yaw(q: Data) -> float:
    x, y, z, w = (float(q[axis]) for axis in "xyzw")
    return math.degrees(math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
