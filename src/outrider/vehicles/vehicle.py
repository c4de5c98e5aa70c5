"""One robot in a running simulation: commands in, set points of its joints out."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.core.state import Later, State
from outrider.physics.tyres.data import TYRE, TYRE_STATE, Records
from outrider.vehicles.controller import Controller
from outrider.vehicles.drivetrain import Targets
from outrider.vehicles.held_joints import held_torque
from outrider.vehicles.motors import HELD, MOTOR, MOTOR_STATE, braked, hold_with
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
    controller: Controller
    odometry: WheelOdometry
    motors: Records = field(default_factory=lambda: np.zeros(0, MOTOR))  # its rows among all
    tyres: Records = field(default_factory=lambda: np.zeros(0, TYRE))  # its rows among all
    _written: Targets | None = None  # what the motors were last told
    _turning: NDArray[np.intp] = field(init=False)  # driven, then steered

    def __post_init__(self) -> None:
        self._turning = np.concatenate([self.driven, self.steered])

    @classmethod
    def make(cls, name: str, robot: Robot, assembly: Assembly) -> "Vehicle":
        """Look a robot up in an assembly."""
        prefix = f"{name}/"
        own = [i for i, j in enumerate(assembly.joints) if j.name.startswith(prefix)]
        drivetrain = robot.drivetrain
        driven = [assembly.joint_index(prefix + joint) for joint in drivetrain.driven]
        steered = [assembly.joint_index(prefix + joint) for joint in drivetrain.steered]
        return cls(
            name=name,
            robot=robot,
            root=assembly.root(name),
            driven=np.array(driven, np.intp),
            steered=np.array(steered, np.intp),
            joints=np.array(own, np.intp),
            joint_names=tuple(assembly.joints[i].name.removeprefix(prefix) for i in own),
            controller=Controller(robot.spec, drivetrain),
            odometry=WheelOdometry(drivetrain),
        )

    def get_state(self) -> State:
        """Return the state of controller, odometry, motors and tyres."""
        return State(
            controller=self.controller.get_state(),
            odometry=self.odometry.get_state(),
            motors=_rows_state(self.motors, MOTOR_STATE),
            tyres=_rows_state(self.tyres, TYRE_STATE),
        )

    def last_state(self) -> State:
        """Return the same of one that will not move any more: most is worked out later."""
        return State(
            controller=self.controller.get_state(),
            odometry=self.odometry.get_state(),
            motors=Later(lambda: _rows_state(self.motors, MOTOR_STATE)),
            tyres=Later(lambda: _rows_state(self.tyres, TYRE_STATE)),
        )

    def set_state(self, state: State) -> None:
        """Restore that state."""
        self._set_control(state)
        _set_rows(self.motors, MOTOR_STATE, state.part("motors"))
        _set_rows(self.tyres, TYRE_STATE, state.part("tyres"))

    def take_over(self, other: "Vehicle", state: State) -> None:
        """Go on in place of one with the same file, in its state."""
        self._set_control(state)
        for mine, theirs, names in (
            (self.motors, other.motors, MOTOR_STATE),
            (self.tyres, other.tyres, TYRE_STATE),
        ):
            for name in names:
                mine[name] = theirs[name]

    def _set_control(self, state: State) -> None:
        self.controller.set_state(state.part("controller"))
        self.odometry.set_state(state.part("odometry"))
        self._written = None

    def command(self, now_ns: int, dt_s: float) -> Targets:
        """Write the set points of the motors for this step, and return what they mean."""
        wanted = self.controller.update(now_ns, dt_s)
        if wanted is not self._written:
            count = len(wanted.wheel_speeds)
            targets = self.motors["target"]  # driven, then steered, then held
            targets[:count] = wanted.wheel_speeds
            targets[count : count + len(wanted.steering)] = wanted.steering
            self._written = wanted
        return wanted

    def brakes(self) -> NDArray[np.int32]:
        """Return the joints that brakes hold while it is parked."""
        held: NDArray[np.int32] = self.motors["joint"][braked(self.motors)]
        return held

    def park(self, assembly: Assembly, state: WorldState) -> None:
        """Let motors and brakes hold what tyres and weight pull at now, as after a long rest."""
        torque = np.zeros(len(state.joints))
        wheels = self.tyres[self.tyres["joint"] >= 0]
        np.add.at(torque, wheels["joint"], wheels["roll_radius"] * wheels["force"][:, 0])
        for joint in self.motors["joint"][self.motors["mode"] == HELD].tolist():
            torque[joint] = held_torque(assembly, state, joint)
        hold_with(self.motors, state.joints["position"], torque)

    def rest(self, start: State, turned: Array) -> None:
        """Forget all commands; motors and tyres hold as at its start, joints ``turned`` since."""
        self.controller.set_state(Controller(self.robot.spec, self.robot.drivetrain).get_state())
        _set_rows(self.motors, MOTOR_STATE, start.part("motors"))
        _set_rows(self.tyres, TYRE_STATE, start.part("tyres"))
        self.motors["anchor"] += turned[self.motors["joint"]]
        self._written = None

    def hold(self, joints: NDArray[np.intp], positions: Array) -> None:
        """Hold those of some joints that have no motor of their own where they were put."""
        for joint, position in zip(joints.tolist(), positions.tolist(), strict=True):
            rows = (self.motors["mode"] == HELD) & (self.motors["joint"] == joint)
            self.motors["target"][rows] = position
            self.motors["wound"][rows] = 0.0

    def let_go(self) -> None:
        """Forget what the tyres held on to."""
        self.tyres["bristle"] = self.tyres["force"] = 0.0

    def measure_odometry(self, state: WorldState, dt_s: float) -> None:
        """Read the wheels and move the odometry on."""
        self.odometry.update(*self._wheel_angles(state), dt_s)

    def odometry_now(self, state: WorldState) -> tuple[float, float, float]:
        """Return x, y and yaw of the odometry as the wheels are, between two of its messages."""
        return self.odometry.pose_at(*self._wheel_angles(state))

    def _wheel_angles(self, state: WorldState) -> tuple[list[float], list[float]]:
        """Return the angles of the driven and of the steered joints."""
        angles, count = state.joints["position"][self._turning].tolist(), len(self.driven)
        return angles[:count], angles[count:]


def _rows_state(rows: Records, names: tuple[str, ...]) -> State:
    return State({name: rows[name] for name in names})


def _set_rows(rows: Records, names: tuple[str, ...], state: State) -> None:
    for name in names:
        rows[name] = state.array(name, rows[name])
