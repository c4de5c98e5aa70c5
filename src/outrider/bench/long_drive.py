"""A drive of a kilometre over 15 x 15 km, in its own process: prints its cost as JSON."""

import json
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import psutil

from outrider.core.frames import Pose
from outrider.core.structure import from_data
from outrider.loader.world import build_world
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.world import WorldSpec
from outrider.terrain.noise import fractal
from outrider.vehicles.robot import load_robot

SIZE = 15_000.0  # m
CELLS = 7500
SPEED = 20.0  # m/s
WAY = 1000.0  # m
_STRIP = 500


def write_map(path: Path) -> None:
    """Write a height map as an array on disk, strip by strip."""
    line = np.linspace(-SIZE / 2, SIZE / 2, CELLS + 1)
    heights = np.lib.format.open_memmap(path, "w+", np.float32, (CELLS + 1, CELLS + 1))
    for first in range(0, CELLS + 1, _STRIP):
        rows = line[first : first + _STRIP]
        wave = fractal(rows, line, 1, "map", wavelength=3000.0, octaves=6, gain=0.4)
        heights[first : first + _STRIP] = 150.0 * wave
    heights.flush()


def start(path: Path) -> Simulation:
    """Return a Husky on the map, four kilometres from the middle."""
    ground = {"type": "endless", "size": [SIZE, SIZE], "base": {"type": "file", "file": str(path)}}
    world = build_world(from_data(WorldSpec, {"ground": ground}))
    pose = Pose(np.array([4000.0, -3000.0, 0.0]))
    return Simulation(world, [Participant(load_robot("husky"), "husky", pose)])


def cross(simulation: Simulation) -> dict[str, float]:
    """Carry the robot along at a speed that its wheels do not have; every step is a whole one."""
    engine, scene = simulation.rig.engine, simulation.rig.scene
    body, dt = simulation.rig.assembly.root("husky"), simulation.rig.step_s
    times: list[float] = []
    worked: list[float] = []  # processor time: without what other processes took from it
    here = simulation.robots["husky"].pose.position.copy()
    for _ in range(round(WAY / SPEED / dt)):
        here[0] += SPEED * dt
        here[2] = float(scene.ground_below(here[None, :2])[0]) + 0.14
        began, work = time.perf_counter(), time.thread_time()
        engine.place(body, Pose(here), np.array([SPEED, 0.0, 0.0]), np.zeros(3))
        simulation.step()
        times.append(time.perf_counter() - began)
        worked.append(time.thread_time() - work)
    return {
        "median_us": 1e6 * statistics.median(times),
        "longest_us": 1e6 * max(times),
        "worked_us": 1e6 * max(worked),
        "step_us": 1e6 * dt,
    }


def main() -> None:
    """Make the map, start, cross, print."""
    path = Path(sys.argv[1]) / "map.npy"
    write_map(path)
    began = time.perf_counter()
    simulation = start(path)
    simulation.step()
    took = time.perf_counter() - began
    simulation.run(0.1)  # each sensor loads its compiled code at its first sample, on any ground
    found = {"start_s": took, **cross(simulation)}
    found["memory_mb"] = psutil.Process().memory_info().rss / 1e6
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
