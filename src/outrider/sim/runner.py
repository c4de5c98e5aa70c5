"""Runs a simulation against the wall clock, and lets other threads pause, step and reset it."""

import queue
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

from outrider.core.clock import to_ns
from outrider.core.errors import ConfigError, SimulationError
from outrider.sim.lockstep import Lockstep
from outrider.sim.pacing import Pacer
from outrider.sim.performance import Performance
from outrider.sim.simulation import Simulation

T = TypeVar("T")
Request: TypeAlias = tuple[Callable[[], Any], "Future[Any]"]
Service: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
Watcher: TypeAlias = Callable[["Runner"], None]

_ANSWER_S = 30.0  # how long a caller waits for the loop


class Runner:
    """The loop around ``Simulation.step``: pacing, pause, and requests between two steps."""

    def __init__(self, simulation: Simulation, pacer: Pacer | None = None) -> None:
        self.simulation = simulation
        self.pacer = pacer or Pacer()
        self.performance = Performance(simulation, self.pacer, simulation.bus)
        self.paused = False
        self.restart: Callable[[], object] | None = None  # in place of a plain reset
        self.more: dict[str, Service] = {}  # services of whoever may change the simulation
        self._stop = False
        self._over = False  # nobody is left to carry requests out
        self._requests: queue.SimpleQueue[Request] = queue.SimpleQueue()

    def run(self, duration_s: float, watch: Watcher | None = None, watch_hz: float = 10.0) -> None:
        """Run until the time is over, a condition ends the run, or ``stop`` is called."""
        self._over = False
        try:
            self._loop(to_ns(duration_s), watch, watch_hz)
        finally:
            self._over = True
            self._refuse_requests()

    def stop(self) -> None:
        """End ``run`` after the current step; callable from any thread."""
        self._stop = True

    def services(self) -> dict[str, Service]:
        """Return what other threads may ask for; each is carried out between two steps."""
        return {name: self._between(work) for name, work in self.services_between().items()}

    def services_between(self) -> dict[str, Service]:
        """Return the same for who is between two steps already."""
        return {
            "status": lambda _: self._status(),
            "pause": lambda _: self._set_paused(True),
            "resume": lambda _: self._set_paused(False),
            "step": self._step_service,
            "reset": lambda _: self._reset(),
            "set_speed": self._set_speed,
            "lockstep": self._set_lockstep,
            "stop": lambda _: self._end(),
            **self.more,
        }

    def ask(self, work: Callable[[], T]) -> "Future[T]":
        """Have something done between two steps; who asks may wait for it, or need not."""
        answer: Future[T] = Future()
        self._requests.put((work, answer))
        if self._over:
            self._refuse_requests()
        return answer

    def renew(self, simulation: Simulation) -> None:
        """Go on with a simulation that takes the place of the one before."""
        self.simulation = simulation
        self.performance = Performance(simulation, self.pacer, simulation.bus)
        self.pacer.start(simulation.time_ns)

    def status(self) -> dict[str, Any]:
        """Return how the run stands, after a change: the pace starts anew."""
        self.pacer.start(self.simulation.time_ns)
        self.performance.start()
        return self._status()

    def _loop(self, end_ns: int, watch: Watcher | None, watch_hz: float) -> None:
        next_watch = time.perf_counter()
        self.pacer.start(self.simulation.time_ns)
        self.performance.start()
        while self._going(end_ns):
            now = time.perf_counter()
            if watch is not None and now >= next_watch:
                watch(self)
                next_watch = now + 1.0 / watch_hz
            self._answer_requests()
            if self.paused:
                self._rest()
            else:
                self._step()

    def _going(self, end_ns: int) -> bool:
        running = self.simulation.finished is None and self.simulation.time_ns < end_ns
        return running and not self._stop

    def _step(self) -> None:
        began = time.perf_counter()
        self.simulation.step()
        ended = time.perf_counter()
        self.performance.count(ended - began)
        self.performance.speak_if_due(ended)
        self.pacer.wait(self.simulation.time_ns)

    def _rest(self) -> None:
        """Wait for a request while paused."""
        try:
            self._carry_out(self._requests.get(timeout=0.05))
        except queue.Empty:
            self.performance.start()

    def _answer_requests(self) -> None:
        while not self._requests.empty():
            self._carry_out(self._requests.get())

    def _refuse_requests(self) -> None:
        """Let nobody wait for a loop that has ended."""
        with suppress(queue.Empty):
            while True:
                _, answer = self._requests.get_nowait()
                if answer.set_running_or_notify_cancel():
                    answer.set_exception(SimulationError("the simulation has ended"))

    def _carry_out(self, request: Request) -> None:
        work, answer = request
        if not answer.set_running_or_notify_cancel():
            return  # who asked has given up
        try:
            answer.set_result(work())
        except Exception as error:  # whatever it is belongs to who asked
            answer.set_exception(error)

    def _between(
        self, work: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> Callable[[dict[str, Any]], dict[str, Any]]:
        def ask(args: dict[str, Any]) -> dict[str, Any]:
            answer = self.ask(lambda: work(args))
            if wait([answer], _ANSWER_S).not_done:
                answer.cancel()
                raise SimulationError("the simulation did not answer in time")
            return answer.result()

        return ask

    def _status(self) -> dict[str, Any]:
        return {
            "time_s": self.simulation.time_s,
            "steps": self.simulation.steps,
            "paused": self.paused,
            "speed": self.pacer.speed,
            "real_time_factor": self.performance.real_time_factor,
            "dropped_time_s": self.pacer.dropped_s,
            "state_hash": self.simulation.state_hash,
        }

    def _set_paused(self, paused: bool) -> dict[str, Any]:
        self.paused = paused
        self.pacer.start(self.simulation.time_ns)
        return self._status()

    def _step_service(self, args: dict[str, Any]) -> dict[str, Any]:
        count = _number(args, "steps", 1)
        if not self.paused or count != int(count) or not 1 <= count <= 1e6:
            raise ConfigError("step needs a paused simulation and a count of 1 to 1000000 steps")
        for _ in range(int(count)):
            if self.simulation.finished is None:
                self.simulation.step()
        self.pacer.start(self.simulation.time_ns)
        return self._status()

    def _reset(self) -> dict[str, Any]:
        (self.restart or self.simulation.reset)()
        self.pacer.start(0)
        self.performance.start()
        return self._status()

    def _set_speed(self, args: dict[str, Any]) -> dict[str, Any]:
        speed = _number(args, "speed", 1.0)
        if not 0 <= speed <= 1e4:
            raise ConfigError(f"speed must lie between 0 (flat out) and 10000, got {speed}")
        self.pacer.speed = speed
        self.pacer.start(self.simulation.time_ns)
        return self._status()

    def _set_lockstep(self, args: dict[str, Any]) -> dict[str, Any]:
        period_s, timeout_s = _number(args, "period_s", 0.0), _number(args, "timeout_s", 10.0)
        step_ns = to_ns(self.simulation.rig.step_s)
        if period_s < 0 or to_ns(period_s) % step_ns:
            raise ConfigError(f"period_s must be a multiple of the step, {step_ns * 1e-9} s, or 0")
        self.simulation.lockstep = Lockstep(to_ns(period_s), timeout_s) if period_s else None
        return self._status()

    def _end(self) -> dict[str, Any]:
        self._stop = True
        return self._status()


def _number(args: dict[str, Any], key: str, default: float) -> float:
    value = args.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"{key} must be a number, got {value!r}")
    return float(value)
