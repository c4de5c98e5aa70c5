"""How robots stand at rest: pressed in by their weight, held by the bristles of their tyres.

Put down with its tyres just touching, a robot would fall into its springs and rock for seconds.
Newton's steps lead to where springs and weight are in balance. A robot keeps its place on the map
and its heading: what it would give way along the ground, down a slope, bends the bristles instead.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array, Pose
from outrider.physics.tyres.data import Records
from outrider.physics.tyres.tyres import Tyres
from outrider.world.assembly import Assembly
from outrider.world.state import Loads, WorldState

_MOST_STEPS = 60
_FULL_STEPS = 20  # after so many they are halved: tyres that touch by turns
_STEP = 0.1  # radii that a step moves a tyre at most
_DONE = 1e-7  # m, of the last step
_FARTHEST = 0.15  # m, and rad, that one settles by: who moves farther does not stand
_SINGULAR = 1e-6
_SOFT = 1e-5  # of the stiffness of all tyres, where none holds: on two wheels, or in the air
_CLOSE = 1e-4  # m, of the last of all steps: tyres take hold of the ground in steps of that size
_SCALE = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])  # a turn by 1 rad counts as half a metre


@dataclass(slots=True, eq=False)
class Standing:
    """A robot to settle: its root body, its tyres, and the joints that its brakes hold."""

    root: int
    tyres: slice  # rows among all
    held: NDArray[np.int32]


@dataclass(slots=True, eq=False)
class _Trial:
    """A state in which the tyres feel the ground, and loads that nobody takes."""

    state: WorldState
    loads: Loads
    in_parts: bool = False


def settle(
    tyres: Tyres, assembly: Assembly, state: WorldState, robots: list[Standing], dt: float
) -> dict[int, Pose]:
    """Return where the roots of these robots are at rest; their tyres are left as they are there.

    Who finds no rest near where it is is left out.
    """
    trial = _Trial(state.copy(), Loads.zeros(len(assembly.bodies), len(assembly.joints)))
    before, still = tyres.rows.copy(), np.zeros(len(assembly.joints))
    parts = [_Robot(robot, tyres, assembly, trial.state) for robot in robots]
    for step in range(_MOST_STEPS):
        tyres.apply(trial, still, dt)
        for part in parts:
            part.step(1.0 if step < _FULL_STEPS else 0.5)
        if all(part.moved < _DONE or part.lost for part in parts):
            break
    for part in parts:
        if part.rests:
            part.keep(before)
    tyres.rows[:] = before
    return {part.robot.root: part.pose for part in parts if part.rests}


class _Robot:
    """The steps of one robot, which moves as one solid body."""

    def __init__(
        self, robot: Standing, tyres: Tyres, assembly: Assembly, state: WorldState
    ) -> None:
        self.robot = robot
        self._tyres, self._rows = tyres, tyres.rows[robot.tyres]
        model = assembly.bodies[robot.root].model
        own = [i for i, body in enumerate(assembly.bodies) if body.model == model]
        self._bodies = [(state.bodies[i : i + 1], _pose(state.bodies[i])) for i in own]
        self.pose = self._start = _pose(state.bodies[robot.root])
        away = self._start.inverse()
        self._bodies = [(row, away @ pose) for row, pose in self._bodies]
        mass = np.array([assembly.bodies[i].inertial.mass for i in own])
        centres = [
            (away @ _pose(state.bodies[i])).apply(assembly.bodies[i].inertial.pose.position)
            for i in own
        ]
        self._centre: Array = mass @ np.array(centres) / mass.sum()
        self._weight = mass.sum() * np.asarray(assembly.world.gravity, np.float64)
        joint = self._rows["joint"]
        self._held = (joint < 0) | np.isin(joint, robot.held)
        self._wheel = (joint >= 0) & (self._rows["belt"] == 0)
        self._bristle: Array = np.zeros((len(joint), 2))
        self._force: Array = np.zeros((len(joint), 3))  # normal, along, across
        self.moved = np.inf
        self.lost = not len(joint)

    @property
    def rests(self) -> bool:
        """Whether its last step was a short one."""
        return not self.lost and self.moved < _CLOSE

    def step(self, share: float) -> None:
        """Move it nearer to where it rests, after its tyres have felt the ground."""
        if self.lost:
            return
        rows, centre = self._rows, self.pose.apply(self._centre)
        springs, touches = self._feel(), (rows["ground"] >= 0)[:, None]
        below = rows["hub_world"] + rows["radius"][:, None] * rows["down"]
        normal = np.where(touches, rows["normal"], -rows["down"])
        ways = np.stack([normal, rows["along"], rows["axle_world"]], axis=1)
        arms = np.where(touches, rows["point"], below) - centre
        columns = np.concatenate([ways, np.cross(arms[:, None], ways)], axis=2) / _SCALE
        balance = np.einsum("nk,nki->i", self._force, columns)
        balance[:3] += self._weight
        balance[3:] += self._spin_torque(ways) @ rows["axle_world"] / _SCALE[3:]
        stiffness = np.einsum("nk,nki,nkj->ij", springs, columns, columns)
        stiffness += _SOFT * float(rows["stiffness"].sum()) * self._unheld()
        twist = np.linalg.lstsq(stiffness, balance, rcond=_SINGULAR)[0]
        moves = np.einsum("nki,i->nk", columns, twist)
        moves[:, 1:] *= springs[:, 1:] > 0.0
        size, most = float(np.abs(moves).max()), _STEP * float(rows["radius"].min())
        share *= min(1.0, most / size) if size > 0.0 else 1.0
        self._bristle += share * moves[:, 1:]
        self.moved = share * size
        self._move(centre, share * twist / _SCALE)

    def _unheld(self) -> Array:
        """Return the ways to rise, roll and pitch: without a tyre that resists it moves far."""
        up = self.pose.matrix[:3, 2]
        ways = np.zeros((6, 6))
        ways[:3, :3] = np.outer(up, up)
        ways[3:, 3:] = np.eye(3) - ways[:3, :3]
        return ways

    def _feel(self) -> Array:
        """Set the forces of all tyres; return the stiffness of those that do not slide."""
        rows, ground = self._rows, self._tyres.ground_under(self._rows)
        touches = rows["ground"] >= 0
        normal = _in_series(rows["stiffness"], ground["stiffness"]) * touches
        shear = _in_series(rows["bristle_stiffness"], ground["shear_stiffness"]) * touches
        load = normal * rows["penetration"]
        self._bristle[~touches] = 0.0
        self._bristle[~self._held, 0] = 0.0
        limit = ground["friction"] * rows["friction"] * ground["static_ratio"] * load
        pull = shear * np.hypot(*self._bristle.T)
        slides = pull > limit
        self._bristle *= (np.where(slides, limit, 1.0) / np.where(slides, pull, 1.0))[:, None]
        across = shear * ground["lateral_ratio"]
        self._force[:] = np.column_stack(
            [load, -shear * self._bristle[:, 0], -across * self._bristle[:, 1]]
        )
        return np.column_stack([normal, shear * self._held * ~slides, across * ~slides])

    def _spin_torque(self, ways: Array) -> Array:
        """Return what wheels feel about their axles beyond the moment of their forces.

        It is that of the rolling radius, for which the contact's distance stands in the moments.
        """
        rows = self._rows
        moment = np.cross(rows["arm"], np.einsum("nk,nki->ni", self._force, ways))
        own = -rows["roll_radius"] * self._force[:, 1]
        torque: Array = (own - np.einsum("ni,ni->n", moment, rows["axle_world"])) * self._wheel
        return torque

    def _move(self, centre: Array, twist: Array) -> None:
        """Turn and lift it by a twist at its centre of mass, but neither aside nor about."""
        matrix, position = self.pose.matrix, self.pose.position
        forward, up = matrix[:3, 0], matrix[:3, 2]
        turn = twist[3:] - (twist[3:] @ up) * up
        rise = (twist[:3] + np.cross(turn, position - centre)) @ up
        up = up + np.cross(turn, up)
        # keeps its heading on the map
        ahead = np.array([*forward[:2], -(forward[:2] @ up[:2]) / up[2]])
        ahead, up = ahead / np.linalg.norm(ahead), up / np.linalg.norm(up)
        turned = np.eye(4)
        turned[:3, :3] = np.column_stack([ahead, np.cross(up, ahead), up])
        turned[:3, 3] = position[0], position[1], position[2] + rise / matrix[2, 2]
        self.pose = Pose.from_matrix(turned)
        for row, local in self._bodies:
            pose = self.pose @ local
            row["position"], row["rotation"] = pose.position, pose.rotation
        settled = abs(turned[2, 3] - self._start.position[2])
        tilted = float(np.linalg.norm(up - self._start.matrix[:3, 2]))
        self.lost = not max(settled, tilted) < _FARTHEST

    def keep(self, rows: Records) -> None:
        """Write down how its tyres are at rest."""
        kept = rows[self.robot.tyres]
        kept[:] = self._rows
        kept["bristle"], kept["force"] = self._bristle, self._force[:, 1:]
        kept["load"], kept["slip"], kept["drag"] = self._force[:, 0], 0.0, 0.0


def _in_series(one: Array, other: Array) -> Array:
    found: Array = one * other / (one + other)
    return found


def _pose(row: Records) -> Pose:
    return Pose(row["position"].copy(), row["rotation"].copy())
