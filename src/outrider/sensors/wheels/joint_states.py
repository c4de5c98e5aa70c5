"""Angles, speeds and torques of a robot's joints, as its drivers report them."""

from outrider.messages.types import JointState, header
from outrider.sensors.sensor import Sensor, Writer
from outrider.vehicles.vehicle import Vehicle
from outrider.world.state import WorldState


class JointStates(Sensor):
    """Reads all movable joints of one robot."""

    def __init__(self, vehicle: Vehicle, state: WorldState) -> None:
        self._joints = vehicle.joints
        self._names = list(vehicle.joint_names)
        self._state = state

    @property
    def outputs(self) -> dict[str, Writer]:
        """Its outputs."""
        return {"joint_states": self.message}

    def sample(self, now_ns: int) -> None:
        """Do nothing: the state is read when the message is written."""

    def message(self, now_ns: int) -> JointState:
        """Return the joints as they are."""
        joints = self._state.joints[self._joints]
        return JointState(
            header(now_ns, ""),
            self._names,
            joints["position"].copy(),
            joints["velocity"].copy(),
            joints["effort"].copy(),
        )
