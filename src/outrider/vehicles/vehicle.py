"""One robot in a running simulation: commands in, set points of its joints out."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from outrider.physics.tyres.data import TYRE, Records
from outrider.vehicles.controller import Controller
from outrider.vehicles.drivetrain import Targets
from outrider.vehicles.odometry import WheelOdometry
from outrider.vehicles.robot import Robot
from outrider.world.assembly import Assembly
from outrider.world.state import WorldState


@dataclass(slots=True, eq=False)
class Vehicle:
    """A robot under its name, with the numbers of its bodies, joints and motors."""

    name: str
    robot: Robot
    root: int
    driven: NDArray[np.intp]  # joint numbers
    steered: NDArray[np.intp]
    joints: NDArray[np.intp]  # all of its joints
    joint_names: tuple[str, ...]
    motors: slice  # its rows among all motors: driven, then steered, then held
    controller: Controller
    odometry: WheelOdometry
    tyres: Records = field(default_factory=lambda: np.zeros(0, TYRE))  # its rows among all tyres
    _written: Targets | None = None  # what the motors were last told

    @classmethod
    def make(cls, name: str, robot: Robot, assembly: Assembly, motors: slice) -> "Vehicle":
        """Look a robot up in an assembly."""
        prefix = f"{name}/"
        own = [i for i, j in enumerate(assembly.joints) if j.name.startswith(prefix)]
        drivetrain = robot.drivetrain
        driven = [assembly.joint_index(prefix + joint) for joint in drivetrain.driven]
        steered = [assembly.joint_index(prefix + joint) for joint in drivetrain.steered]
        return cls(
            name,
            robot,
            assembly.root(name),
            np.array(driven, np.intp),
            np.array(steered, np.intp),
            np.array(own, np.intp),
            tuple(assembly.joints[i].name.removeprefix(prefix) for i in own),
            motors,
            Controller(robot.spec, drivetrain),
            WheelOdometry(drivetrain),
        )

    def reset(self) -> None:
        """Forget commands and odometry."""
        self.controller.reset()
        self.odometry.reset()
        self._written = None

    def command(self, targets: NDArray[np.float64], now_ns: int, dt_s: float) -> Targets:
        """Write the set points of the motors for this step, and return what they mean."""
        wanted = self.controller.update(now_ns, dt_s)
        if wanted is not self._written:
            count = len(wanted.wheel_speeds)
            first = self.motors.start
            targets[first : first + count] = wanted.wheel_speeds
            targets[first + count : first + count + len(wanted.steering)] = wanted.steering
            self._written = wanted
        return wanted

    def measure_odometry(self, state: WorldState, dt_s: float) -> None:
        """Read the wheels and move the odometry on."""
        angles = state.joints["position"]
        self.odometry.update(angles[self.driven].tolist(), angles[self.steered].tolist(), dt_s)
