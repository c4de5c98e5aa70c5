"""Driving by hand: what keys and joysticks say becomes commands, as long as somebody says so."""

import asyncio
import math
from dataclasses import dataclass

from outrider.scenarios.motions import MotionDriver
from outrider.scenarios.run import Run
from outrider.vehicles.ackermann import AckermannSpec
from outrider.vehicles.vehicle import Vehicle

_RATE_HZ = 30.0
_HELD_S = 0.6  # a browser that says nothing for so long has let go
_SPEED = 1.0  # m/s of a robot whose file sets no limit
_YAW_RATE = 1.0  # rad/s


@dataclass(slots=True)
class _Hand:
    """What one robot is told: shares of its greatest speed and yaw rate, -1 to 1."""

    forward: float
    left: float
    until_s: float


class Driving:
    """Sends commands to the robots that somebody drives; others go on as before."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._hands: dict[str, _Hand] = {}
        self._task: asyncio.Task[None] | None = None

    def hold(self, robot: str, forward: float, left: float) -> None:
        """Be told how a robot is to be driven now; to be said again while it is so."""
        until_s = asyncio.get_running_loop().time() + _HELD_S
        self._hands[robot] = _Hand(_share(forward), _share(left), until_s)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drive())

    def give_back(self, robot: str) -> None:
        """Let a robot's scripted motion go on; to be called between two steps."""
        self._hands.pop(robot, None)
        self._yield(robot, False)

    def by_hand(self, robot: str) -> bool:
        """Tell whether a robot's scripted motion waits."""
        return any(driver.yields for driver in self._drivers(robot))

    async def _drive(self) -> None:
        """Send commands until nobody drives any more."""
        while self._hands:
            now_s = asyncio.get_running_loop().time()
            for robot, hand in list(self._hands.items()):
                let_go = now_s > hand.until_s or not (hand.forward or hand.left)
                if let_go:
                    hand.forward = hand.left = 0.0
                    del self._hands[robot]
                self._run.runner.ask(lambda r=robot, h=hand: self._send(r, h))  # type: ignore[misc]
            await asyncio.sleep(1.0 / _RATE_HZ)

    def _send(self, robot: str, hand: _Hand) -> None:
        simulation = self._run.simulation
        vehicle = next((v for v in simulation.rig.vehicles if v.name == robot), None)
        if vehicle is None:
            return
        self._yield(robot, True)
        handle = simulation.robots[robot]
        speed, turn = greatest(vehicle)
        if isinstance(vehicle.robot.spec.drivetrain, AckermannSpec):
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
    """Return a robot's greatest speed and yaw rate (of a car: steering angle) by hand."""
    spec = vehicle.robot.spec
    speed = spec.limits.speed or _SPEED
    if isinstance(spec.drivetrain, AckermannSpec):
        return speed, spec.drivetrain.max_steering_rad
    turn = min(spec.limits.yaw_rate or _YAW_RATE, math.pi / 2)
    return speed, turn


def _share(value: float) -> float:
    return max(-1.0, min(1.0, value)) if math.isfinite(value) else 0.0
