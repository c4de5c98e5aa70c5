"""Vehicles on a kinematic engine: the motion of their set points, and wheels that match it."""

import math
from dataclasses import dataclass

from outrider.core.errors import PhysicsError
from outrider.core.frames import Pose
from outrider.physics.engine import PhysicsEngine
from outrider.vehicles.drivetrain import Targets
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import Assembly


@dataclass(frozen=True, slots=True)
class _IdleWheel:
    """A wheel without a motor: where its hub is in the root's frame, and what steers it."""

    joint: int
    x: float
    y: float
    radius: float
    steered_by: int  # which of the vehicle's steered joints, or -1

    def spin(self, targets: Targets) -> float:
        """Return how fast it turns when it rolls without slipping along its heading."""
        angle = targets.steering[self.steered_by] if self.steered_by >= 0 else 0.0
        ahead = targets.speed - targets.yaw_rate * self.y
        aside = targets.yaw_rate * self.x
        return (ahead * math.cos(angle) + aside * math.sin(angle)) / self.radius


class KinematicDrive:
    """Replaces motors and tyres: set points are reached immediately and exactly."""

    def __init__(self, engine: PhysicsEngine) -> None:
        if engine.kinematics is None:
            raise PhysicsError(f"{type(engine).__name__} is driven by forces, not kinematically")
        self._kinematics = engine.kinematics
        self._assembly = engine.assembly
        self._idle: dict[str, list[_IdleWheel]] = {}

    def apply(self, vehicle: Vehicle, targets: Targets) -> None:
        """Set a vehicle's motion for the next step, the spin of its wheels and their steering."""
        engine = self._kinematics
        engine.drive(vehicle.root, targets.speed, targets.yaw_rate)
        engine.joint_speed[vehicle.driven] = targets.wheel_speeds
        for joint, angle in zip(vehicle.steered.tolist(), targets.steering, strict=True):
            engine.turn(joint, angle)
        for wheel in self._idle_wheels(vehicle):
            engine.joint_speed[wheel.joint] = wheel.spin(targets)

    def _idle_wheels(self, vehicle: Vehicle) -> list[_IdleWheel]:
        if vehicle.name not in self._idle:
            self._idle[vehicle.name] = _find_idle(vehicle, self._assembly)
        return self._idle[vehicle.name]


def _find_idle(vehicle: Vehicle, assembly: Assembly) -> list[_IdleWheel]:
    found = []
    for name in vehicle.robot.spec.idle_wheels:
        joint = assembly.joint_index(f"{vehicle.name}/{name}")
        pose, steered_by = Pose(), -1
        body = assembly.joints[joint].child
        while body != vehicle.root:
            row = assembly.bodies[body]
            pose, body = row.pose @ pose, row.parent
            if row.joint in vehicle.steered:
                steered_by = vehicle.steered.tolist().index(row.joint)
        x, y, _ = (float(v) for v in pose.position)
        found.append(_IdleWheel(joint, x, y, vehicle.robot.wheels[name].radius, steered_by))
    return found
