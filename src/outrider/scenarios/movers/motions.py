"""Scripted motions: they send commands like any other program, at 20 Hz of simulated time."""

import math
from collections import deque
from typing import assert_never

from outrider.core.clock import to_ns
from outrider.core.errors import ConfigError
from outrider.core.frames import yaw_of
from outrider.core.state import State
from outrider.scenarios.scenario import Drive, Motion, RobotEntry, Steer, Waypoints
from outrider.sim.robot_handle import RobotHandle
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import Robot

_PERIOD_NS = 50_000_000  # shorter than any robot's time-out of commands
_NEVER_NS = 2**63 - 1
_TURN_GAIN = 2.5  # rad/s per rad off the way to a waypoint
_FASTEST_TURN = 1.2  # rad/s
_MOST_AT_ONCE = 1000  # motions that are over, or waypoints that are reached, at one time


def motions_of(entry: RobotEntry) -> tuple[Motion, ...]:
    """Return a robot's motions in their order."""
    return entry.motion if isinstance(entry.motion, tuple) else (entry.motion,)


def check_motions(entry: RobotEntry, robot: Robot, where: str) -> None:
    """Refuse motions that a robot cannot make."""
    for motion in motions_of(entry):
        if isinstance(motion, Steer) and not robot.drivetrain.steered:
            raise ConfigError(f"{where}: motion: '{entry.name}' has no steering; use type: drive")
        if isinstance(motion, Waypoints) and not motion.points:
            raise ConfigError(f"{where}: motion.points: waypoints need at least one point")


class MotionDriver:
    """Carries out the motions of one robot, one after another, and stops it after each."""

    def __init__(self, robot: RobotHandle, motions: tuple[Motion, ...], pivots: bool) -> None:
        self.name = robot.name
        self.yields = False  # somebody drives by hand: it says nothing
        self._robot = robot
        self._motions = motions
        self._steer_to = _pivot if pivots else _arc
        self._left: deque[Motion] = deque()
        self._since_ns = self._next_ns = self._waypoint = 0
        self._restart()

    def __call__(self, simulation: Simulation) -> None:
        """Send a command if one is due."""
        if simulation.steps == 0:
            self._restart()
        if simulation.time_ns >= self._next_ns and not self.yields:
            self._act(simulation.time_ns)

    def get_state(self) -> State:
        """Return how far it has come."""
        return State(
            left=len(self._left),
            since_ns=self._since_ns,
            next_ns=self._next_ns,
            waypoint=self._waypoint,
            yields=self.yields,
        )

    def set_state(self, state: State) -> None:
        """Go on where another driver of the same motions is."""
        done = len(self._motions) - state.integer("left")
        self._left = deque(self._motions[max(0, done) :])
        self._since_ns, self._next_ns = state.integer("since_ns"), state.integer("next_ns")
        self._waypoint = state.integer("waypoint")
        self.yields = state.flag("yields")

    def _restart(self) -> None:
        self._left = deque(self._motions)
        self._since_ns = 0  # the motion before ended
        self._next_ns = 0
        self._waypoint = 0

    def _act(self, now_ns: int) -> None:
        ended = False
        for _ in range(min(len(self._left), _MOST_AT_ONCE)):
            motion = self._left[0]
            start_ns = self._since_ns + to_ns(motion.start_s)
            end_ns = start_ns + to_ns(motion.duration_s)
            if now_ns < start_ns:
                self._rest(start_ns, ended)
                return
            if now_ns < end_ns and self._send(motion):
                self._next_ns = min(now_ns + _PERIOD_NS, end_ns)
                return
            self._left.popleft()
            self._since_ns, self._waypoint, ended = now_ns, 0, True
        self._rest(now_ns if self._left else _NEVER_NS, ended)

    def _rest(self, until_ns: int, ended: bool) -> None:
        if ended:
            self._robot.stop()
        self._next_ns = until_ns

    def _send(self, motion: Motion) -> bool:
        """Send the current command; return whether the motion continues."""
        match motion:
            case Drive():
                self._robot.drive(motion.speed, math.radians(motion.yaw_rate_deg))
            case Steer():
                self._robot.steer(motion.speed, math.radians(motion.steering_deg))
            case Waypoints():
                return self._send_waypoint(motion)
            case _:
                assert_never(motion)
        return True

    def _send_waypoint(self, motion: Waypoints) -> bool:
        pose = self._robot.pose
        x, y = float(pose.position[0]), float(pose.position[1])
        for _ in range(_MOST_AT_ONCE):
            if math.dist((x, y), motion.points[self._waypoint]) > motion.tolerance:
                break
            self._waypoint += 1
            if self._waypoint == len(motion.points):
                self._waypoint = 0
                return motion.loop and len(motion.points) > 1
        to_x, to_y = motion.points[self._waypoint]
        off = _wrapped(math.atan2(to_y - y, to_x - x) - yaw_of(pose.rotation))
        way = math.dist((x, y), (to_x, to_y))
        self._robot.drive(*self._steer_to(motion.speed, off, way))
        return True


def _pivot(speed: float, off: float, _way: float) -> tuple[float, float]:
    """Return speed and yaw rate of a robot that can turn on the spot."""
    turn = max(-_FASTEST_TURN, min(_FASTEST_TURN, _TURN_GAIN * off))
    return speed * max(0.0, math.cos(off)), turn


def _arc(speed: float, off: float, way: float) -> tuple[float, float]:
    """Return speed and yaw rate of a car: the arc that ends in the point, or full lock."""
    if abs(off) > math.pi / 2:
        return speed, math.copysign(10.0, off) * speed
    return speed, 2.0 * speed * math.sin(off) / way


def _wrapped(angle: float) -> float:
    return math.remainder(angle, 2 * math.pi)
