"""The table of docs/speed.md, in processor time of one core: the least of several short repeats."""

import time
from collections.abc import Iterator

import mujoco
import numpy as np

from outrider.bench import bare_mujoco, boxes, terrain
from outrider.bench.measurement import Measurement, least_processor_time, least_time
from outrider.bench.scanning import driving, entry
from outrider.bench.starting import starts
from outrider.components.component import Component
from outrider.components.handle import Handle
from outrider.core.process.helper_threads import at_most, helpers
from outrider.scenarios.api import scenario
from outrider.scenarios.build import build
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot

_CELLS = 95  # a side of the ground: 18,050 triangles
_STEP_S = 0.0025
_REPEATS = 25
_BOXES = 3000


class Speed:
    """What a step costs, and how much of everything runs in real time on one core."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other."""
        yield from self._huskies()
        yield from self._lidars()
        yield from self._boxes()
        yield _components()
        yield from starts()

    def _huskies(self) -> Iterator[Measurement]:
        bare = _step_us(terrain.driving(_CELLS, 1, listen=False))
        peers = {"MuJoCo, its own wheels": _bare_mujoco_us()}
        yield Measurement("bare Husky, a step", bare, "us", "lower", peers=peers, limit=21.0)
        heard = _step_us(terrain.driving(_CELLS, 1, robot=load_robot("husky")))
        yield Measurement("Husky, every topic heard, a step", heard, "us", "lower", limit=30.0)
        many = _step_us(terrain.driving(_CELLS, 100, listen=False), 10)
        real_time = 100 * _STEP_S * 1e6 / many
        yield Measurement("Huskies in real time", real_time, "robots", "higher", limit=135.0)

    def _lidars(self) -> Iterator[Measurement]:
        what = "Jackal, full VLP-16 of 28,928 rays"
        hills = driving(256, (entry("velodyne", "velodyne-vlp16"),))
        yield from _factors(f"{what}, hills", hills, 26.0, 35.0)
        for world in ("hratc", "campus"):
            mast = "[{name: velodyne, model: velodyne-vlp16, pose: {z: 0.3}}]"
            made = build(scenario(f"{world}-lidar", f"robots.0.sensors={mast}"))
            for topic in made.bus.topics():
                if "Image" not in topic.type:
                    made.bus.subscribe(topic.name, kept="latest")
            made.run(0.3)
            yield from _factors(f"{what}, {world}", made)

    def _boxes(self) -> Iterator[Measurement]:
        still = Simulation(boxes.resting(_BOXES))
        still.run(0.5)  # they come to rest and fall asleep
        real_time = _BOXES * _STEP_S * 1e6 / _step_us(still, 10)
        yield Measurement("resting boxes in real time", real_time, "boxes", "higher", limit=3000.0)
        what = "500 boxes pushed together, a step"
        yield Measurement(what, _push_ms(500), "ms", "lower", limit=8.0)
        for count, fall_s, steps, limit in ((200, 0.15, 40, None), (500, 0.11, 8, 8.0)):
            cost = _heap_ms(count, fall_s, steps)
            what = f"falling heap of {count} boxes, a step"
            yield Measurement(what, cost, "ms", "lower", limit=limit)


class _Empty(Component):
    """Does nothing, in every step."""

    def step(self, me: Handle) -> None:
        """Do nothing."""


def _components() -> Measurement:
    """Return what components cost by themselves: physics would hide it in its noise."""
    simulation = Simulation(boxes.resting(1))
    for _ in range(100):
        simulation.attach(_Empty())
    simulation.step()

    def work() -> None:
        for _ in range(40):
            simulation.components.step()

    cost = least_processor_time(work, _REPEATS) / 40 * 1e6
    return Measurement("100 empty components, a step", cost, "us", "lower", limit=20.0)


def _step_us(simulation: Simulation, repeats: int = _REPEATS, steps: int = 40) -> float:
    seconds = least_processor_time(lambda: simulation.run(steps * _STEP_S), repeats)
    return seconds / steps * 1e6


def _push_ms(count: int) -> float:
    """Return what a step costs when a blade has pushed most of the boxes against each other."""
    simulation = Simulation(boxes.before_a_blade(count))
    engine, blade = simulation.rig.engine, simulation.rig.assembly.root(boxes.BLADE)
    engine.lead(np.array([blade]), np.array([[0.5, 0.0, 0.0, 0.0, 0.0, 0.0]]))
    simulation.run(1.5)
    return _step_us(simulation, repeats=3) / 1e3


def _heap_ms(count: int, fall_s: float, steps: int) -> float:
    """Return what a step of a heap costs: the same steps every time, for a heap does not repeat."""
    heap = Simulation(boxes.heap(count))
    heap.run(fall_s)
    began = time.process_time()
    heap.run(steps * _STEP_S)
    return (time.process_time() - began) / steps * 1e3


def _factors(
    what: str, simulation: Simulation, one: float | None = None, two: float | None = None
) -> Iterator[Measurement]:
    """Measure how much faster than real time it runs, over whole turns of the LiDAR.

    On one core in processor time; with another one in wall time, so only on a quiet machine.
    """
    with at_most(0):
        seconds = least_processor_time(lambda: simulation.run(0.2), _REPEATS)
    name = f"real-time factor on one core, {what}"
    yield Measurement(name, 0.2 / seconds, "x", "higher", limit=one)
    with at_most(min(1, helpers().most)):
        seconds = least_time(lambda: simulation.run(0.2), _REPEATS)
    yield Measurement(f"the same on two cores, {what}", 0.2 / seconds, "x", "higher", limit=two)


def _bare_mujoco_us(steps: int = 40) -> float:
    model, data = bare_mujoco.make(_CELLS)

    def work() -> None:
        for _ in range(steps):
            mujoco.mj_step(model, data)

    return least_processor_time(work, _REPEATS) / steps * 1e6
