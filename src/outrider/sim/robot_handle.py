"""A robot as user code in Python sees it."""

from collections.abc import Mapping
from types import MappingProxyType

from outrider.bus.bus import Bus
from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.core.state import State
from outrider.messages.types import Twist, Vector3
from outrider.sim.sensor_handle import SensorHandle, Sensors
from outrider.vehicles.vehicle import Vehicle
from outrider.world.state import WorldState


class RobotHandle:
    """Drives a robot and returns its true pose."""

    def __init__(
        self,
        vehicle: Vehicle,
        state: WorldState,
        bus: Bus,
        topics: dict[str, str],
        sensors: Sensors,
    ) -> None:
        self.name = vehicle.name
        # by key of the topic table or sensor's name
        self.topics: dict[str, str] = Topics({**sensors.topics(), **topics})
        self._sensors = MappingProxyType(sensors)
        self._vehicle = vehicle
        self._state = state
        self._bus = bus
        self.start = self.pose

    def get_state(self) -> State:
        """Return where it started."""
        return State(position=self.start.position, rotation=self.start.rotation)

    def set_state(self, state: State) -> None:
        """Count the distance from there."""
        start = self.start
        self.start = Pose(
            state.array("position", start.position), state.array("rotation", start.rotation)
        )

    def drive(self, speed: float, yaw_rate: float = 0.0) -> None:
        """Send a speed (m/s) and a yaw rate (rad/s) on cmd_vel, like any program."""
        try:
            twist = Twist(Vector3(float(speed), 0.0, 0.0), Vector3(0.0, 0.0, float(yaw_rate)))
        except (TypeError, ValueError, OverflowError):
            raise ConfigError(
                f"drive: expected a speed in m/s and a yaw rate in rad/s, "
                f"got {speed!r}, {yaw_rate!r}"
            ) from None
        self._bus.publish(self.topics["cmd_vel"], twist, self._state.time_ns)

    def steer(self, speed: float, steering_rad: float) -> None:
        """Set a car's speed (m/s) and steering angle (rad, positive to the left) directly."""
        now_ns = self._state.time_ns
        self._vehicle.controller.input.steering(steering_rad, now_ns)
        self._vehicle.controller.input.speed(speed, now_ns)

    def stop(self) -> None:
        """Send a zero command."""
        self.drive(0.0)

    @property
    def sensors(self) -> Mapping[str, SensorHandle]:
        """Its sensors: ``sensors["imu"].latest`` is the newest message."""
        return self._sensors

    @property
    def pose(self) -> Pose:
        """The true pose of the root link in the world."""
        body = self._state.bodies[self._vehicle.root]
        return Pose(body["position"].copy(), body["rotation"].copy())

    @property
    def velocity(self) -> Array:
        """The true velocity (m/s) in the robot's own axes."""
        body = self._state.bodies[self._vehicle.root]
        along: Array = matrix_from_quaternion(body["rotation"]).T @ body["velocity"]
        return along

    @property
    def angular_velocity(self) -> Array:
        """The true angular velocity (rad/s) in the robot's own axes."""
        body = self._state.bodies[self._vehicle.root]
        turning: Array = matrix_from_quaternion(body["rotation"]).T @ body["angular_velocity"]
        return turning

    @property
    def ignored_commands(self) -> int:
        """How many commands were ignored because they were not finite."""
        return self._vehicle.controller.input.ignored


class UnknownNameError(ConfigError, KeyError):
    """A robot that a simulation does not have, or a topic that a robot does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


class Robots(dict[str, RobotHandle]):
    """The robots of a simulation by name."""

    def __missing__(self, name: str) -> RobotHandle:
        known = ", ".join(self) or "none"
        raise UnknownNameError(
            f"there is no robot '{name}'{near_match(name, self)}; there are: {known}"
        )


class Topics(dict[str, str]):
    """The names of a robot's topics."""

    def __missing__(self, key: str) -> str:
        known = ", ".join(self)
        raise UnknownNameError(
            f"the robot has no topic or sensor '{key}'{near_match(key, self)}; it has: {known}"
        )
