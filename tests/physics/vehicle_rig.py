"""A robot on a piece of ground: engine, tyres and motors put together as a simulation does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.physics.mujoco.engine import MujocoEngine
from outrider.physics.tyres.tyres import Tyres
from outrider.scene.ground_pose import place_on_ground
from outrider.scene.scene import Scene
from outrider.vehicles.motors import Motors
from outrider.vehicles.robot import Robot, load_robot
from outrider.vehicles.rows import RowMaker
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import Assembly, assemble
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Plane, Shape

GRAVITY = 9.80665
SMOOTH = Material(friction=0.8)


@dataclass(slots=True, eq=False)
class Rig:
    """One robot that can be driven step by step."""

    engine: MujocoEngine
    tyres: Tyres
    motors: Motors
    vehicle: Vehicle
    dt: float

    @property
    def base(self) -> Any:
        """The row of the robot's root body."""
        return self.engine.state.bodies[self.vehicle.root]

    @property
    def mass(self) -> float:
        """The robot's mass."""
        bodies = self.engine.assembly.bodies
        return sum(b.inertial.mass for b in bodies if b.model == bodies[self.vehicle.root].model)

    @property
    def up(self) -> NDArray[np.float64]:
        """The base's z axis in the world."""
        return matrix_from_quaternion(self.base["rotation"])[:, 2]

    @property
    def forward(self) -> NDArray[np.float64]:
        """The base's x axis in the world."""
        return matrix_from_quaternion(self.base["rotation"])[:, 0]

    @property
    def yaw(self) -> float:
        """The base's heading."""
        return float(np.arctan2(self.forward[1], self.forward[0]))

    def drive(self, speed: float, yaw_rate: float = 0.0) -> None:
        """Command a twist that does not time out."""
        command = self.vehicle.controller.input
        command.twist(speed, yaw_rate, self.engine.state.time_ns)
        command._deadline_ns = 2**62

    def step(self) -> None:
        """Advance by one step."""
        self.vehicle.command(self.engine.state.time_ns, self.dt)
        self.motors.apply(self.engine, self.dt)
        self.tyres.apply(self.engine, self.motors.predicted, self.dt)
        self.engine.step()

    def run(self, seconds: float, watch: Callable[[], Any] | None = None) -> NDArray[Any]:
        """Advance for a while; return what ``watch`` saw after every step."""
        seen = []
        for _ in range(round(seconds / self.dt)):
            self.step()
            if watch is not None:
                seen.append(watch())
        return np.array(seen)

    def ground_force(self) -> NDArray[np.float64]:
        """Return the sum of what the ground does to the tyres."""
        rows = self.tyres.rows
        along, across = rows["force"][:, :1], rows["force"][:, 1:]
        forces = rows["load"][:, None] * rows["normal"]
        forces = forces + along * rows["along"] + across * rows["axle_world"]
        total: NDArray[np.float64] = forces.sum(axis=0)
        return total

    def vertical_accelerations(self, seconds: float) -> NDArray[np.float64]:
        """Advance; return how fast the base's vertical velocity changed in every step."""
        return np.diff(self.run(seconds, lambda: self.base["velocity"][2])) / self.dt


def still(name: str, shape: Shape, pose: Pose | None = None, material: Material = SMOOTH) -> Model:
    """Return a thing that never moves."""
    geometry = Geometry(shape, pose or Pose(), material)
    return Model(name, (Link("link", colliders=(geometry,)),), mobility="static")


def plane(material: Material = SMOOTH, slope_deg: float = 0.0) -> Model:
    """Return the ground as a plane that rises towards x."""
    return still(
        "ground", Plane(), Pose.from_rpy([0, 0, 0], [0, -np.radians(slope_deg), 0]), material
    )


def stand(
    robot: str | Robot = "husky",
    ground: Model | None = None,
    *others: Model,
    dt: float = 0.0025,
    at: tuple[float, float] = (0.0, 0.0),
    yaw: float = 0.0,
    height: float | None = None,
    seed: int = 1,
) -> Rig:
    """Put a robot on the ground (or its wheels' lowest points at a height), with other things."""
    robot = load_robot(robot) if isinstance(robot, str) else robot
    ground = ground or plane()
    pose = Pose.from_rpy([*at, 0.0], [0.0, 0.0, yaw])
    model = replace(robot.model, name="robot")
    alone = assemble(World("alone", (model,)))
    stance, footprint = RowMaker(robot, "robot", alone).stance
    if height is None:
        pose = place_on_ground(Scene(assemble(World("world", (ground,)))), pose, footprint, stance)
    else:
        pose = Pose(np.array([*at, height + stance]), pose.rotation)
    assembly = assemble(World("world", (ground, *others, replace(model, pose=pose))))
    return _put_together(robot, assembly, dt, seed)


def _put_together(robot: Robot, assembly: Assembly, dt: float, seed: int) -> Rig:
    rows = RowMaker(robot, "robot", assembly)
    motors = Motors(rows.motors(), len(assembly.joints))
    vehicle = Vehicle.make("robot", robot, assembly)
    vehicle.motors = motors.rows
    tyres = Tyres(rows.tyres(), Scene(assembly), seed)
    return Rig(MujocoEngine(assembly, dt), tyres, motors, vehicle, dt)
