"""Runs a simulation against the wall clock, and lets other threads pause, step and reset it."""

import math
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeAlias, TypeVar

from outrider.core.clock import to_ns
from outrider.core.errors import ConfigError, OutriderError, SimulationError
from outrider.core.process.chores import pending, put_off
from outrider.core.process.interpreter import giving_way, looping
from outrider.messages.services.reading import (
    Answer,
    Arguments,
    Handler,
    Preparing,
    Service,
    plain_reply,
    read_request,
    settled,
)
from outrider.messages.services.replies import RunStatus
from outrider.messages.services.requests import LockstepTerms, SpeedFactor, Steps
from outrider.messages.services.table import ServiceRow, service_row
from outrider.sim.lockstep import Lockstep
from outrider.sim.loop_share import LoopShare
from outrider.sim.pacing import Pacer
from outrider.sim.performance import Performance
from outrider.sim.simulation import Simulation
from outrider.sim.start_poses import explaining

T = TypeVar("T")
Request: TypeAlias = tuple[Callable[[], Any], "Future[Any]"]
Watcher: TypeAlias = Callable[["Runner"], None]

# What somebody at the run's terminal would wonder about.
_TOLD = {
    "pause": "pause ('outrider call resume' continues)",
    "resume": "resume",
    "reset": "reset",
    "reset_world": "reset_world",
    "put_back": "put_back",
    "set_speed": "another speed",
    "lockstep": "lockstep",
    "load_world": "another world",
    "load_state": "a saved state",
    "stop": "stop",
    "reload_components": "new code for components",
}

_ANSWER_S = 30.0  # how long a caller waits for the loop
_CHANGE_S = 120.0  # the same for what was built beside it, and for others who build
_SLICE_S = 0.02  # that the loop may be held while others ask for something


class Runner:
    """The loop around ``Simulation.step``: pacing, pause, and requests between two steps."""

    def __init__(self, simulation: Simulation, pacer: Pacer | None = None) -> None:
        self.simulation = simulation
        self.pacer = pacer or Pacer()
        self.performance = Performance(simulation, self.pacer, simulation.bus)
        self.paused = False
        self.paused_s = 0.0  # wall time of all pauses
        self._pauses = 0  # how often somebody asked for it: that ends steps under way
        self.has_loop = True  # else who asks steps the simulation itself
        self.more: dict[str, Handler] = {}  # services of whoever may change the simulation
        self.beside: dict[str, Preparing] = {}  # those that take longer: prepared beside the loop
        self.beside_of_clients: dict[str, Preparing] = {}  # the same, with bounds on what is added
        self.notice: Callable[[str], object] = _say_nothing  # told what others asked for
        self.remove: Callable[[str], object] | None = None  # takes a model out of the world
        self._stepped = 0  # over all resets
        self._reached_ns = simulation.time_ns  # by the last step
        self._stop = False
        self._over = False  # nobody is left to carry requests out
        self._requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._preparing = threading.Lock()
        self._share = LoopShare()
        self._waiting_since_s = math.inf  # for a command, in lockstep
        self._listen()

    def run(self, duration_s: float, watch: Watcher | None = None, watch_hz: float = 10.0) -> None:
        """Run until the time is over, a condition ends the run, or ``stop`` is called."""
        self._over = False
        try:
            with looping():
                self._loop(to_ns(duration_s), watch, watch_hz)
        finally:
            self._over = True
            self._refuse_requests()

    @property
    def simulated_s(self) -> float:
        """How much time was simulated, over all resets."""
        return self._stepped * self.simulation.rig.step_s

    def stop(self) -> None:
        """End ``run`` after the current step; callable from any thread."""
        self._stop = True

    def services(
        self, asker: str = "another program", *, of_clients: bool = False
    ) -> dict[str, Service]:
        """Return the services for other threads; each is carried out between two steps.

        ``asker`` stands in what is reported to watchers. What is ``of_clients`` is bounded, and
        leaves the run most of its speed.
        """
        beside = self.beside_of_clients if of_clients else self.beside
        quick = {
            name: self._between(service_row(name), do, asker) for name, do in self._quick().items()
        }
        slow = {name: self._prepared(service_row(name), do, asker) for name, do in beside.items()}
        services = {**quick, **slow, "step": self._steps_for_others}
        if not of_clients:
            return services
        return {name: self._of_client(do) for name, do in services.items()}

    def _of_client(self, service: Service) -> Service:
        def ask(arguments: Arguments) -> Answer:
            with self._share.of_client():
                return service(arguments)

        return ask

    def handlers(self) -> dict[str, Handler]:
        """Return the handlers of the services, for the stepping thread."""
        whole = {name: _at_once(prepare) for name, prepare in self.beside.items()}
        return self._quick() | whole

    def _quick(self) -> dict[str, Handler]:
        return {
            "status": lambda _: self.status(),
            "pause": lambda _: self._set_paused(True),
            "resume": lambda _: self._set_paused(False),
            "step": self._step_at_once,
            "reset": lambda _: self._reset(),
            "set_speed": self._set_speed,
            "lockstep": self._set_lockstep,
            "stop": lambda _: self._end(),
            **self.more,
        }

    def ask(self, work: Callable[[], T]) -> "Future[T]":
        """Have a request carried out between two steps; the caller may wait for it."""
        answer: Future[T] = Future()
        self._requests.put((work, answer))
        if self._over:
            self._refuse_requests()
        return answer

    def renew(self, simulation: Simulation) -> None:
        """Continue with another simulation in place of the current one."""
        self.simulation = simulation
        self._listen()
        self.performance.renew(simulation)
        if simulation.time_ns != self._reached_ns:
            self._pace_from_now()

    def may_remove(self, remove: Callable[[str], object]) -> None:
        """Let components take models out of the world by ``remove``."""
        self.remove = remove
        self._listen()

    def _listen(self) -> None:
        """Pass on what components say."""
        components = self.simulation.components
        components.tell, components.may_remove = self._tell, self.remove is not None

    def _tell(self, text: str) -> None:
        if self.notice is _say_nothing:
            sys.stderr.write(f"outrider: {' '.join(text.split())}\n")
        else:
            self.notice(f"at {self.simulation.time_s:.2f} s {text}")

    def status(self) -> RunStatus:
        """Return the status of the run."""
        return RunStatus(
            time_s=self.simulation.time_s,
            steps=self.simulation.steps,
            paused=self.paused,
            speed=self.pacer.speed,
            real_time_factor=self.performance.real_time_factor,
            dropped_time_s=self.pacer.dropped_s,
            state_hash=self.simulation.state_hash,
        )

    def _loop(self, end_ns: int, watch: Watcher | None, watch_hz: float) -> None:
        next_watch = time.perf_counter()
        self._pace_from_now()
        self.performance.start()
        self._answer_requests()
        while self._going(end_ns):
            now = time.perf_counter()
            if watch is not None and now >= next_watch:
                watch(self)
                next_watch = now + 1.0 / watch_hz
            if self.paused:
                self._rest()
                self.paused_s += time.perf_counter() - now
            elif self._commanded():
                self._step()
            else:
                self._answer_requests()

    def _pace_from_now(self) -> None:
        """Let simulated time and wall time coincide now."""
        self._reached_ns = self.simulation.time_ns
        self.pacer.start(self._reached_ns)

    def _going(self, end_ns: int) -> bool:
        running = self.simulation.finished is None and self.simulation.time_ns < end_ns
        return running and not self._stop

    def _commanded(self) -> bool:
        """Wait for the command that lockstep asks for, but briefly: requests come in between."""
        if self.simulation.may_step(_SLICE_S):
            self._waiting_since_s = math.inf
            return True
        now_s, lockstep = time.monotonic(), self.simulation.lockstep
        self._waiting_since_s = min(self._waiting_since_s, now_s)
        if lockstep is None or now_s - self._waiting_since_s < lockstep.timeout_s:
            return False
        lockstep.give_up(self.simulation.time_ns)
        return True

    def _step(self) -> None:
        """Step, and wait for the time of the next step; requests use this time, not the next's."""
        began = time.perf_counter()
        self._one_step()
        ended = time.perf_counter()
        self.performance.count(ended - began)
        self.performance.speak_if_due(ended)
        self._answer_requests()
        while not self.pacer.wait(self.simulation.time_ns) and not self._stop:
            self._answer_requests()  # however slow it runs

    def _one_step(self) -> None:
        self.simulation.step()
        self._stepped += 1
        self._reached_ns = self.simulation.time_ns
        removals = self.simulation.components.removals
        if removals:
            self._remove(removals)

    def _remove(self, removals: list[str]) -> None:
        """Carry out what components asked for, in its order, between two steps."""
        names = list(dict.fromkeys(removals))
        removals.clear()
        for name in names:
            try:
                if self.remove is not None:
                    self.remove(name)
            except OutriderError as error:
                self.simulation.components.tell(f"a component asked to remove '{name}': {error}")

    def _rest(self) -> None:
        """Wait for a request while paused."""
        self._waiting_since_s = math.inf
        try:
            self._carry_out(self._requests.get(timeout=0.05))
        except queue.Empty:
            self.performance.start()

    def _answer_requests(self) -> None:
        """Carry out what others ask for; when a step's time is over, the rest waits for a step."""
        end_s = time.perf_counter() + self.simulation.rig.step_s
        while not self._requests.empty() and time.perf_counter() < end_s:
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
            with put_off():
                result = work()
            answer.set_result(result)
        except Exception as error:  # whatever it is belongs to who asked
            answer.set_exception(error)

    def _between(self, row: ServiceRow, handler: Handler, asker: str) -> Service:
        """Return a service: parsed in the caller's thread, carried out by the loop."""

        def ask(arguments: Arguments) -> Answer:
            request = read_request(row, arguments)
            return self._answer(lambda: self._do(row, handler, request, asker))

        return ask

    def _prepared(self, row: ServiceRow, prepare: Preparing, asker: str) -> Service:
        """Return a service: prepared in the caller's thread, put in between two steps."""

        def ask(arguments: Arguments) -> Answer:
            request = read_request(row, arguments)

            def prepared() -> Callable[[], Any]:
                finish = prepare(request)
                return partial(self._do, row, lambda _: finish(), request, asker)

            return self._said(self.change(prepared))

        return ask

    def _answer(self, work: Callable[[], Any]) -> Answer:
        """Have something done between two steps; return the reply as plain values."""
        return self._said(self.do(work))

    def _said(self, reply: Any) -> Answer:
        """Return a reply as plain values, worked out in the caller's thread."""
        with giving_way():
            answer: Answer = plain_reply(settled(reply))
        return answer

    def change(self, prepare: Callable[[], Callable[[], T]]) -> T:
        """Prepare something in the caller's thread, one at a time, while the loop goes on.

        Only what it has prepared is put in between two steps.
        """
        with self._turn_to_change(), giving_way():
            return self.do(prepare(), _CHANGE_S)

    @contextmanager
    def _turn_to_change(self) -> Iterator[None]:
        """Wait for others who change something, and until the run has made up for the last one."""
        end_s = time.monotonic() + _CHANGE_S
        while self._preparing.acquire(timeout=max(0.0, end_s - time.monotonic())):
            if not self._too_early():
                break
            self._preparing.release()
            time.sleep(_SLICE_S)
        else:
            raise SimulationError("the simulation is being changed by others; try again")
        self._share.begin(time.monotonic(), self.simulated_s)
        try:
            yield
        finally:
            self._share.end(time.monotonic())
            self._preparing.release()

    def _too_early(self) -> bool:
        """Return whether a client's next change would take too much of the run's speed."""
        if self._over or self.paused or self.simulation.lockstep or not self.has_loop:
            return False
        now_s = time.monotonic()
        if pending():  # what the last change has left to others takes from the run, too
            self._share.end(now_s)
        return self._share.must_wait(now_s, self.simulated_s, self.pacer.speed)

    def do(self, work: Callable[[], T], patience_s: float | None = None) -> T:
        """Have something done between two steps, and wait for it, but not for ever."""
        with explaining():
            if not self.has_loop:
                return work()
            reply = self.ask(work)
            if wait([reply], _ANSWER_S if patience_s is None else patience_s).not_done:
                reply.cancel()
                raise SimulationError("the simulation did not answer in time")
            return reply.result()

    def _do(self, row: ServiceRow, handler: Handler, request: object, asker: str) -> Any:
        """Carry out a service; changes are reported to watchers."""
        before_s = self.simulation.time_s
        reply = handler(request)
        if row.name in _TOLD:
            self.notice(f"at {before_s:.2f} s {asker} asked for: {_TOLD[row.name]}")
        return reply

    def _set_paused(self, paused: bool) -> RunStatus:
        self.paused = paused
        self._pauses += paused
        self._pace_from_now()
        return self.status()

    def _steps_for_others(self, arguments: Arguments) -> Answer:
        """Carry out the service ``step``: a few steps at a time, others may ask in between."""
        request: Steps = read_request(service_row("step"), arguments)
        left, pauses = request.count(self.simulation.rig.step_s), self._pauses
        while left > 0:
            if self._pauses != pauses:
                raise ConfigError(f"step: 'pause' was called, {left} steps were not taken")
            left -= self.do(partial(self._some_steps, left, _SLICE_S))
        return self._answer(self._stepped_status)

    def _step_at_once(self, request: Steps) -> RunStatus:
        self._some_steps(request.count(self.simulation.rig.step_s), math.inf)
        return self._stepped_status()

    def _some_steps(self, most: int, seconds: float) -> int:
        """Step while paused, at least once; return how many of ``most`` steps are done with."""
        if not self.paused:
            raise ConfigError("step: the simulation must be paused first")
        end_s = time.monotonic() + seconds
        for number in range(1, most + 1):
            if self.simulation.finished is not None:
                return most
            self._one_step()
            if time.monotonic() > end_s:
                return number
        return most

    def _stepped_status(self) -> RunStatus:
        self._pace_from_now()
        return self.status()

    def _reset(self) -> RunStatus:
        self.simulation.reset()
        return self.restarted()

    def restarted(self) -> RunStatus:
        """Begin to count anew after a reset."""
        self._pace_from_now()
        self.performance.start()
        return self.status()

    def _set_speed(self, request: SpeedFactor) -> RunStatus:
        self.pacer.speed = request.speed
        self._pace_from_now()
        return self.status()

    def _set_lockstep(self, request: LockstepTerms) -> RunStatus:
        period_ns, step_ns = to_ns(request.period_s), to_ns(self.simulation.rig.step_s)
        if period_ns % step_ns:
            step_s = step_ns * 1e-9
            raise ConfigError(f"lockstep: period_s: must be a multiple of the step, {step_s} s")
        terms = Lockstep(period_ns, request.timeout_s) if period_ns else None
        self.simulation.lockstep = terms
        return self.status()

    def _end(self) -> RunStatus:
        self._stop = True
        return self.status()


def _at_once(prepare: Preparing) -> Handler:
    return lambda request: prepare(request)()


def _say_nothing(_: str) -> None:
    """Keep it to oneself."""
