"""Poses and velocities of models and links, read and set in place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.physics.health import check_bounds, check_spin
from outrider.sim.simulation import Simulation
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import WORLD, Assembly, Frame
from outrider.world.state import BODY, JOINT, Placement, Records, body_row

_SAME_PLACE, _SAME_TURN = 1e-3, 1e-6  # m; a cosine: 0.16 degrees


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """A pose, and the velocities of its origin, all in one frame."""

    pose: Pose
    velocity: Array
    angular_velocity: Array

    @classmethod
    def still(cls) -> "Motion":
        """Return the motion of the world's own frame."""
        return cls(Pose(), np.zeros(3), np.zeros(3))

    def seen_through(self, base: "Motion") -> "Motion":
        """Return in the world what is given in a frame that stands there; it does not carry."""
        turn = matrix_from_quaternion(base.pose.rotation)
        return Motion(base.pose @ self.pose, turn @ self.velocity, turn @ self.angular_velocity)

    def is_at(self, pose: Pose) -> bool:
        """Tell whether it is at a pose, but for what numbers in messages are rounded by."""
        apart = float(np.abs(self.pose.position - pose.position).max())
        turned = 1.0 - abs(float(self.pose.rotation @ pose.rotation))
        return apart < _SAME_PLACE and turned < _SAME_TURN


def slashed(name: str) -> str:
    """Return a name as it is known here; Gazebo's ``model::link`` is ``model/link``."""
    return name.replace("::", "/")


def frame_name(name: str) -> str:
    """Return the frame that is asked for; the world's is empty."""
    return "" if name in ("world", "map") else slashed(name)


def unit(rotation: Array) -> Array:
    """Return a unit quaternion; all zeros mean no rotation."""
    length = float(np.linalg.norm(rotation))
    if length == 0.0:
        return np.array([0.0, 0.0, 0.0, 1.0])
    return rotation / length


def motion_of(simulation: Simulation, name: str) -> Motion:
    """Return how a model (its root link) or a link ``model/link`` moves in the world."""
    return motion_at(_frame(simulation.rig.assembly, name), simulation.state.bodies)


def motion_at(frame: Frame, bodies: Records) -> Motion:
    """Return how a link's frame moves in the world, by the state of all bodies."""
    if frame.body == WORLD:
        return Motion(frame.T_body_link, np.zeros(3), np.zeros(3))
    row = bodies[frame.body]
    body = Pose(row["position"].copy(), row["rotation"].copy())
    arm = matrix_from_quaternion(body.rotation) @ frame.T_body_link.position
    turning = row["angular_velocity"].copy()
    return Motion(body @ frame.T_body_link, row["velocity"] + np.cross(turning, arm), turning)


def to_frame(motion: Motion, base: Motion) -> Motion:
    """Return a motion as seen from a moving frame."""
    turn = matrix_from_quaternion(base.pose.rotation).T
    apart = motion.pose.position - base.pose.position
    drift = motion.velocity - base.velocity - np.cross(base.angular_velocity, apart)
    return Motion(
        base.pose.inverse() @ motion.pose,
        turn @ drift,
        turn @ (motion.angular_velocity - base.angular_velocity),
    )


def placement(simulation: Simulation, name: str, asked: Motion) -> Placement | None:
    """Return how the model that a name belongs to is placed so that the name is where asked.

    None: what never moves must be built anew.
    """
    assembly = simulation.rig.assembly
    frame = _frame(assembly, name)
    if frame.body == WORLD:
        return None
    root = _root(assembly, frame.body)
    if assembly.bodies[root].mobility != "dynamic":
        raise ConfigError(f"'{name}' is scripted and cannot be moved")
    now, whole = motion_of(simulation, name), motion_of(simulation, assembly.bodies[root].name)
    target = asked.pose @ now.pose.inverse() @ whole.pose
    arm = target.position - asked.pose.position
    velocity = asked.velocity + np.cross(asked.angular_velocity, arm)
    check_bounds(name, target.position, velocity)
    check_spin(name, asked.angular_velocity)
    row = body_row(target, velocity, asked.angular_velocity)
    return Placement(np.array([root], np.intp), row)


def moving_model(simulation: Simulation, name: str) -> str | None:
    """Return the model that a name belongs to, if it has bodies that move."""
    assembly = simulation.rig.assembly
    body = _frame(assembly, name).body
    return None if body == WORLD else assembly.models[assembly.bodies[body].model]


def everything_back(simulation: Simulation) -> Placement:
    """Return every movable model where it was at the start, at rest, with its joints as there.

    Wheels of robots keep their angle, as if the robot were carried back: what counts their turns
    must not take the way back for a drive.
    """
    assembly = simulation.rig.assembly
    return _back(simulation, range(len(assembly.bodies)), range(len(assembly.joints)))


def robots_back(simulation: Simulation, vehicles: Iterable[Vehicle]) -> Placement:
    """Return some robots where they started, at rest."""
    chosen = list(vehicles)
    joints = [joint for vehicle in chosen for joint in vehicle.joints.tolist()]
    return _back(simulation, [vehicle.root for vehicle in chosen], joints)


def _back(simulation: Simulation, bodies: Iterable[int], joints: Sequence[int]) -> Placement:
    assembly, start = simulation.rig.assembly, simulation.start
    own = {int(j) for vehicle in simulation.rig.vehicles for j in vehicle.joints}
    rolls = [j in own and assembly.joints[j].joint.kind == "continuous" for j in joints]
    numbers = np.array(joints, np.intp)
    still = np.zeros(len(numbers), JOINT)
    now, first = simulation.state.joints["position"], start.joints["position"]
    still["position"] = np.where(rolls, now[numbers], first[numbers])
    every = ((number, assembly.bodies[number]) for number in bodies)
    free = [n for n, body in every if body.joint < 0 and body.mobility == "dynamic"]
    rows = np.zeros(len(free), BODY)
    rows["position"], rows["rotation"] = (
        start.bodies["position"][free],
        start.bodies["rotation"][free],
    )
    return Placement(np.array(free, np.intp), rows, numbers, still)


def let_go(simulation: Simulation, placed: Placement) -> None:
    """Forget what the tyres of robots held on to that were put elsewhere."""
    for vehicle in simulation.rig.vehicles:
        if vehicle.root in placed.bodies:
            vehicle.let_go()


def _root(assembly: Assembly, body: int) -> int:
    while assembly.bodies[body].joint >= 0:
        body = assembly.bodies[body].parent
    return body


def _frame(assembly: Assembly, name: str) -> Frame:
    if name in assembly.frames:
        return assembly.frames[name]
    models = {model.name: model for model in assembly.world.models}
    if name not in models:
        known = [*models, *assembly.frames]
        raise ConfigError(f"there is no model or link '{name}'{near_match(name, known)}")
    return assembly.frames[f"{name}/{models[name].roots[0].name}"]
