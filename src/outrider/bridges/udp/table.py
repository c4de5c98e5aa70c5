"""The message index table: the number of each message type, as MsgType in the header."""

import threading

from outrider.core.errors import BridgeError, ConfigError
from outrider.messages.store import full_name, message_class, register_whole

SUBSCRIBE = 7
TOPICS = -1  # which topics the sender has; only from and to those who know it
RECEIVED = -2  # how far a receiver has come, so that its buffer is never overrun

STANDARD = {
    1: "sensor_msgs/msg/PointCloud2",
    2: "sensor_msgs/msg/Imu",
    3: "sensor_msgs/msg/CompressedImage",
    4: "sensor_msgs/msg/NavSatFix",
    5: "outrider_msgs/msg/WheelEncoders",
    6: "sensor_msgs/msg/Range",
    SUBSCRIBE: "outrider_msgs/msg/UdpSubscribe",
    8: "rosgraph_msgs/msg/Clock",
    9: "geometry_msgs/msg/Twist",
    10: "geometry_msgs/msg/PoseStamped",
    11: "nav_msgs/msg/OccupancyGrid",
    12: "sensor_msgs/msg/LaserScan",
    13: "nav_msgs/msg/Odometry",
    14: "sensor_msgs/msg/JointState",
    15: "tf2_msgs/msg/TFMessage",
    16: "sensor_msgs/msg/Image",
    17: "sensor_msgs/msg/CameraInfo",
    18: "sensor_msgs/msg/MagneticField",
    19: "geometry_msgs/msg/TwistStamped",
    20: "std_msgs/msg/String",
    TOPICS: "outrider_msgs/msg/UdpTopics",
}
FIRST_OWN, LAST_OWN = 64, 127  # numbers of users' types


class MessageTable:
    """The standard types and those that a user or the other side has registered."""

    def __init__(self, own: tuple[str, ...] = ()) -> None:
        """``own`` fixes numbers: ``70=my_msgs/msg/Thing``."""
        self._lock = threading.Lock()
        self._names = dict(STANDARD)
        self._numbers = {name: number for number, name in STANDARD.items()}
        for text in own:
            number, equals, name = text.partition("=")
            if not equals or not number.strip().isdecimal():
                raise ConfigError(f"udp: type: expected NUMBER=PACKAGE/Name, got '{text}'")
            self.register(int(number), name.strip())

    def register(self, number: int, name: str, definition: str = "") -> None:
        """Give a type a number; ``definition`` is its .msg text, if the type may be unknown."""
        full = full_name(name)
        if not FIRST_OWN <= number <= LAST_OWN:
            raise BridgeError(f"udp: own types have numbers {FIRST_OWN} to {LAST_OWN}: {number}")
        if definition:
            register_whole(full, definition)
        message_class(full)  # says so if there is none
        with self._lock:
            if self._names.get(number, full) != full or self._numbers.get(full, number) != number:
                raise BridgeError(f"udp: number {number} or type {full} is already taken")
            self._names[number], self._numbers[full] = full, number

    def name(self, number: int) -> str | None:
        """Return the type of a number, or None."""
        return self._names.get(number)

    def number(self, name: str) -> int | None:
        """Return the number of a type, or None."""
        return self._numbers.get(name)

    def number_for(self, name: str) -> int:
        """Return the number of a type; one without gets the next that is free."""
        known = self._numbers.get(name)
        if known is not None:
            return known
        free = next((n for n in range(FIRST_OWN, LAST_OWN + 1) if n not in self._names), None)
        if free is None:
            raise BridgeError(f"udp: there is no number left for the type {name}")
        self.register(free, name)
        return free

    def own(self) -> dict[int, str]:
        """Return the registered types by their numbers."""
        with self._lock:
            return {n: name for n, name in self._names.items() if n not in STANDARD}
