"""Where the time of a step goes, for ``outrider run --profile``."""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from outrider.sensors.sampling import Sampled
from outrider.sim.simulation import Simulation

Work: TypeAlias = Callable[..., object]


class Share(NamedTuple):
    """A part of the step: its own time in microseconds a step, and the share of the whole."""

    part: str
    us: float
    share: float


class StepProfile:
    """Times every part of a simulation's step; what a part calls counts for the part called.

    Time is wall time: beside other busy programs, all parts look slower.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._own_s: dict[str, float] = {}
        self._steps = -1  # the first loads compiled code, and does not count
        self._called_s = 0.0  # spent in parts called by the one that runs now
        self.follow(simulation)

    def follow(self, simulation: Simulation) -> None:
        """Go on with a simulation that has taken the place of the one before."""
        for owner, method, part in _parts(simulation):
            setattr(owner, method, self._timed(part, getattr(owner, method)))
        for sampled in simulation.sampler.sensors:
            self._watch(sampled)
        step = simulation.step

        def counted() -> None:
            step()
            self._steps += 1
            if self._steps == 0:
                self._own_s = dict.fromkeys(self._own_s, 0.0)

        setattr(simulation, "step", counted)  # noqa: B010 - of this one only, not of its class

    def shares(self) -> list[Share]:
        """Return the parts, the slowest first."""
        steps, whole = max(1, self._steps), max(sum(self._own_s.values()), 1e-12)
        found = [Share(part, s / steps * 1e6, s / whole) for part, s in self._own_s.items()]
        return sorted(found, key=lambda share: -share.us)

    def _watch(self, sampled: Sampled) -> None:
        """Time what a sensor measures and writes; several outputs of one count together."""
        part = f"sensor {sampled.name}"
        setattr(sampled.sensor, "sample", self._timed(part, sampled.sensor.sample))  # noqa: B010
        written = [(channel, self._timed(part, write)) for channel, write in sampled.outputs]
        sampled.outputs[:] = written

    def _timed(self, part: str, work: Work) -> Work:
        self._own_s.setdefault(part, 0.0)

        def timed(*arguments: object, **named: object) -> object:
            before, self._called_s = self._called_s, 0.0
            began = time.perf_counter()
            try:
                return work(*arguments, **named)
            finally:
                took = time.perf_counter() - began
                self._own_s[part] += took - self._called_s
                self._called_s = before + took

        return timed


def _parts(simulation: Simulation) -> Iterator[tuple[object, str, str]]:
    """Return whose method is which part of the step, in the step's order."""
    rig = simulation.rig
    yield simulation, "_take_commands", "commands and scripted motions"
    yield simulation, "_move", "health and book-keeping"
    yield rig, "drive", "vehicles"
    yield rig.motors, "apply", "motors"
    yield rig.tyres, "apply", "tyres"
    yield rig.engine, "step", "engine"
    yield simulation.history, "record", "history"
    yield simulation.watch, "update", "contacts"
    yield simulation.sampler, "measure", "sampling"
    yield simulation, "_publish", "publishing"
    yield simulation, "_judge", "conditions"
    yield simulation, "step", "the step itself"
