"""Manual driving: key and joystick input becomes commands for as long as it is held."""

import asyncio
import math
from dataclasses import dataclass
from functools import partial

from outrider.scenarios.movers.motions import MotionDriver
from outrider.scenarios.run import Run
from outrider.vehicles.vehicle import Vehicle

_RATE_HZ = 30.0
_HELD_S = 0.6  # a browser that says nothing for so long has let go
_SPEED = 1.0  # m/s of a robot whose file sets no limit
_YAW_RATE = 1.0  # rad/s


@dataclass(slots=True)
class _Hand:
    """The input for one robot: fractions of its maximum speed and yaw rate, -1 to 1."""

    forward: float
    left: float
    until_s: float


class Driving:
    """Sends commands to robots that are driven manually; others continue as before."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._hands: dict[str, _Hand] = {}
        self._task: asyncio.Task[None] | None = None

    def hold(self, robot: str, forward: float, left: float) -> None:
        """Set a robot's input; repeat the call while it is held."""
        until_s = asyncio.get_running_loop().time() + _HELD_S
        self._hands[robot] = _Hand(_share(forward), _share(left), until_s)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drive())

    def take_over(self, robot: str) -> None:
        """Suspend a robot's scripted motion: a program drives it; call between two steps."""
        self._yield(robot, True)

    def halt(self, robot: str) -> None:
        """Stop a robot; call between two steps."""
        self._hands.pop(robot, None)
        if robot in self._run.simulation.robots:
            self._run.simulation.robots[robot].drive(0.0, 0.0)

    def give_back(self, robot: str) -> None:
        """Resume a robot's scripted motion; call between two steps."""
        self._hands.pop(robot, None)
        self._yield(robot, False)

    def by_hand(self, robot: str) -> bool:
        """Return whether a robot's scripted motion is suspended; call between two steps."""
        return any(driver.yields for driver in self._drivers(robot))

    async def _drive(self) -> None:
        """Send commands until no robot is driven any more."""
        while self._hands:
            now_s = asyncio.get_running_loop().time()
            for robot, hand in list(self._hands.items()):
                let_go = now_s > hand.until_s or not (hand.forward or hand.left)
                if let_go:
                    hand.forward = hand.left = 0.0
                    del self._hands[robot]
                self._run.runner.ask(partial(self._send, robot, hand))
            await asyncio.sleep(1.0 / _RATE_HZ)

    def _send(self, robot: str, hand: _Hand) -> None:
        simulation = self._run.simulation
        vehicle = next((v for v in simulation.rig.vehicles if v.name == robot), None)
        if vehicle is None:
            return
        self._yield(robot, True)
        handle = simulation.robots[robot]
        speed, turn = greatest(vehicle)
        if vehicle.robot.drivetrain.max_steering:
            handle.steer(speed * hand.forward, turn * hand.left)
        else:
            handle.drive(speed * hand.forward, turn * hand.left)

    def _yield(self, robot: str, yields: bool) -> None:
        for driver in self._drivers(robot):
            driver.yields = yields

    def _drivers(self, robot: str) -> list[MotionDriver]:
        drivers = self._run.simulation.drivers
        return [d for d in drivers if isinstance(d, MotionDriver) and d.name == robot]


def greatest(vehicle: Vehicle) -> tuple[float, float]:
    """Return a robot's maximum speed and yaw rate (for a car: steering angle) by hand."""
    spec = vehicle.robot.spec
    speed = spec.limits.speed or _SPEED
    if steering := vehicle.robot.drivetrain.max_steering:
        return speed, steering
    turn = min(spec.limits.yaw_rate or _YAW_RATE, math.pi / 2)
    return speed, turn


def _share(value: float) -> float:
    return max(-1.0, min(1.0, value)) if math.isfinite(value) else 0.0
