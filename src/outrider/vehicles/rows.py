"""A robot of an assembly as rows for the tyre and motor kernels."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array, matrix_from_quaternion
from outrider.physics.tyres.data import TYRE, Records
from outrider.specs.robot import CastorSpec, MotorSpec, TyreSpec
from outrider.vehicles.belt import TrackSpec
from outrider.vehicles.held_joints import HOLD_RATE, Moved, holding, moved_by_joints
from outrider.vehicles.motors import ANGLE, HELD, MOTOR, SPEED
from outrider.vehicles.robot import Robot, WheelSize
from outrider.world.assembly import Assembly


@dataclass(frozen=True, slots=True, eq=False)
class Wheels:
    """Hubs, axles and sizes, a row for each."""

    hubs: Array
    axles: Array
    radius: Array
    half_width: Array


class RowMaker:
    """Makes the rows of one named robot in an assembly."""

    def __init__(self, robot: Robot, name: str, assembly: Assembly) -> None:
        self.robot = robot
        self.name = name
        self.assembly = assembly
        self.root = assembly.root(name)
        own = [b for b in assembly.bodies if b.model == assembly.bodies[self.root].model]
        self.mass = sum(body.inertial.mass for body in own)

    def joint(self, name: str) -> int:
        """Return the number of one of the robot's joints."""
        return self.assembly.joint_index(f"{self.name}/{name}")

    def tyres(self) -> Records:
        """Return a row for every wheel, castor and piece of belt."""
        spec = self.robot.spec
        rows = [self._wheel(name, size) for name, size in self.robot.wheels.items()]
        rows += [self._castor(castor) for castor in spec.castors]
        for belt in self.robot.drivetrain.belts:
            rows += self._belt(belt)
        share = self.mass / max(1, len(rows))
        load = share * float(np.linalg.norm(self.assembly.world.gravity))
        for row in rows:
            self._check_stiffness(row, load)
            row["mass"] = share
            # a radius is what the wheel rolls on under its load: a third of the compression less
            row["radius"] += load / row["stiffness"] / 3
        return np.array(rows, TYRE) if rows else np.zeros(0, TYRE)

    def _check_stiffness(self, row: Records, load: float) -> None:
        """Refuse a tyre that its load would press flat."""
        radius, least = float(row["radius"]), load / float(row["radius"])
        if row["stiffness"] < least:
            raise ConfigError(
                f"robot '{self.name}': tyre.stiffness: {row['stiffness']:g} N/m is too soft for"
                f" {load:.3g} N on a radius of {radius:g} m; expected {2 * least:.0f} or more"
            )

    @cached_property
    def stance(self) -> tuple[float, tuple[float, float]]:
        """The height of the root link, and the length and width of its footprint."""
        rows, hubs = self._standing, self.wheels.hubs
        if not len(rows):
            return 0.0, (0.5, 0.5)
        sag = rows["mass"] * np.linalg.norm(self.assembly.world.gravity) / rows["stiffness"]
        height = float(np.max(rows["radius"] - sag - hubs[:, 2]))
        length, width = np.maximum(np.ptp(hubs[:, :2], axis=0), 0.05)
        return height, (float(length), float(width))

    @cached_property
    def wheels(self) -> Wheels:
        """Where all wheels, castors and pieces of belt are in the root link's frame."""
        rows = self._standing
        hubs = [self._in_root(int(row["body"]), row["hub"]) for row in rows]
        tips = [self._in_root(int(row["body"]), row["hub"] + row["axle"]) for row in rows]
        middle, ends = np.reshape(hubs, (-1, 3)), np.reshape(tips, (-1, 3))
        return Wheels(middle, ends - middle, rows["radius"], rows["half_width"])

    @cached_property
    def _standing(self) -> Records:
        return self.tyres()

    def _in_root(self, body: int, point: Array) -> Array:
        while body != self.root:
            row = self.assembly.bodies[body]
            point = row.pose.apply(point)
            body = row.parent
        return point

    def motors(self) -> Records:
        """Return a row for every driven, steered and otherwise held joint."""
        robot = self.robot
        spec = robot.spec
        rows = [self._motor(name, spec.motor, SPEED) for name in robot.drivetrain.driven]
        rows += [self._motor(n, spec.steering_motor, ANGLE) for n in robot.drivetrain.steered]
        if loose := self._loose():
            moved = moved_by_joints(self.assembly, self.root)
            rows += [self._hold(name, moved[self.joint(name)]) for name in loose]
        return np.array(rows, MOTOR) if rows else np.zeros(0, MOTOR)

    def _loose(self) -> list[str]:
        """Return the joints that nothing moves: turrets, arms; they hold still."""
        moved = {*self.robot.drivetrain.driven, *self.robot.drivetrain.steered}
        moved |= {*self.robot.wheels, *(f"{n}_suspension" for n in self.robot.spec.suspension)}
        prefix = f"{self.name}/"
        own = [
            j.name.removeprefix(prefix) for j in self.assembly.joints if j.name.startswith(prefix)
        ]
        return [name for name in own if name not in moved]

    def _spin_inertia(self, joint: int) -> float:
        row = self.assembly.joints[joint]
        inertial = self.assembly.bodies[row.child].inertial
        axis = matrix_from_quaternion(inertial.pose.rotation).T @ np.asarray(row.joint.axis)
        return float(axis @ inertial.inertia @ axis) + row.joint.armature

    def _base_row(self, body: int, hub: Array, tyre: TyreSpec, size: WheelSize) -> Records:
        row = np.zeros((), TYRE)
        row["body"], row["base"], row["joint"] = body, self.root, -1
        row["model"] = self.assembly.bodies[self.root].model
        row["hub"], row["axle"] = hub, (0.0, 1.0, 0.0)
        row["radius"], row["half_width"] = size.radius, size.width / 2
        for key in (
            "stiffness",
            "damping",
            "bristle_stiffness",
            "bristle_damping",
            "relaxation_length",
            "friction",
            "rolling_resistance",
        ):
            row[key] = getattr(tyre, key)
        row["spin_inertia"] = 1.0
        row["ground"] = row["mover"] = -1
        return row

    def _wheel(self, name: str, size: WheelSize) -> Records:
        joint = self.joint(name)
        body = self.assembly.joints[joint].child
        row = self._base_row(body, np.zeros(3), self.robot.spec.tyre, size)
        row["joint"], row["axle"] = joint, self.assembly.joints[joint].joint.axis
        row["spin_inertia"] = self._spin_inertia(joint)
        return row

    def _castor(self, castor: CastorSpec) -> Records:
        frame = self.assembly.frame(f"{self.name}/{castor.link}")
        size = WheelSize(castor.radius, castor.radius)
        row = self._base_row(frame.body, frame.T_body_link.position, self.robot.spec.tyre, size)
        row["friction"] = castor.friction
        return row

    def _belt(self, belt: TrackSpec) -> list[Records]:
        frame = self.assembly.frame(f"{self.name}/{belt.link}")
        joint = self.joint(belt.sprocket)
        rows = []
        for x in np.linspace(belt.x_rear, belt.x_front, belt.contacts):
            hub = frame.T_body_link.apply(np.array([x, belt.y, belt.z]))
            size = WheelSize(belt.radius, belt.width)
            row = self._base_row(frame.body, hub, self.robot.spec.tyre, size)
            row["joint"], row["belt"] = joint, belt.contacts
            row["spin_inertia"] = self._spin_inertia(joint) / belt.contacts
            rows.append(row)
        return rows

    def _motor(self, name: str, motor: MotorSpec, mode: int) -> Records:
        row = np.zeros((), MOTOR)
        joint = self.joint(name)
        row["joint"], row["mode"] = joint, mode
        row["power"], row["torque"] = motor.power_w, motor.torque_nm
        row["gain"], row["integral"] = motor.gain, motor.integral
        row["time_constant"], row["resistance"] = motor.time_constant_s, motor.resistance_nm
        row["brake"], row["inertia"] = motor.brake_nm, self._spin_inertia(joint)
        row["rate"] = self.robot.drivetrain.steering_rate
        return row

    def _hold(self, name: str, moved: Moved) -> Records:
        row = self._motor(name, holding(moved), HELD)
        row["rate"], row["inertia"] = HOLD_RATE, moved.at_once
        return row
