"""How costs grow: with robots, objects, rays, triangles and pixels, and by which law."""

import math
from collections.abc import Callable, Iterator

from outrider.bench import boxes, terrain
from outrider.bench.growth_law import fitted
from outrider.bench.measurement import Measurement, least_processor_time
from outrider.bench.pictures.filming import FilmedDrive, meadow
from outrider.bench.scanning import Scanner, entry, standing
from outrider.sim.simulation import Simulation

_ROBOTS = (1, 5, 20, 50)
_OBJECTS = (10, 100, 500, 2000)
_SAMPLES = (225, 900, 3600, 14400)  # of 16 channels
_CELLS = (71, 224, 708, 1225)  # a side: 10 thousand to 3 million triangles
_WIDTHS = (160, 320, 640, 1280)
_STEPS = 40
_REPEATS = 7
_LINEAR = 1.1  # the power from which on a cost is called more than linear


class Growth:
    """A row per size in processor time, the least of several; then the law fitted to them."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other."""
        yield from _grow("robots", "a step", _ROBOTS, _step_of_robots)
        yield from _grow("objects at rest", "a step", _OBJECTS, _step_of_objects)
        yield from _grow("objects around", "a turn", _OBJECTS, _turn_among_objects)
        yield from _grow("rays", "a scan", [16 * n for n in _SAMPLES], _scan_of_rays)
        yield from _grow("triangles", "a scan", [2 * n * n for n in _CELLS], _scan_of_triangles)
        yield from _grow("pixels", "a picture", [w * w * 3 // 4 for w in _WIDTHS], _picture)


def _grow(
    what: str, work: str, sizes: "tuple[int, ...] | list[int]", cost_s: Callable[[int], float]
) -> Iterator[Measurement]:
    costs = []
    for size in sizes:
        costs.append(cost_s(size) * 1e6)
        yield Measurement(f"{work}, {size} {what}", costs[-1], "us", "lower")
    law = fitted(sizes, costs)
    name = f"growth of {work} with {what}: {law} us"
    yield Measurement(name, law.power, "power", "lower", limit=_LINEAR)


def _step_of_robots(count: int) -> float:
    return _step(terrain.driving(95, count, listen=False))


def _step_of_objects(count: int) -> float:
    simulation = Simulation(boxes.resting(count))
    simulation.run(0.5)  # they come to rest
    return _step(simulation)


def _step(simulation: Simulation) -> float:
    steps_s = _STEPS * simulation.rig.step_s
    return least_processor_time(lambda: simulation.run(steps_s), 3 * _REPEATS) / _STEPS


def _scan_of_rays(rays: int) -> float:
    return least_processor_time(Scanner(256, "platt-vlp16", samples=rays // 16).scan, 3 * _REPEATS)


def _turn_among_objects(count: int) -> float:
    simulation = standing(boxes.resting(count), (entry("velodyne", "velodyne-vlp16"),))
    simulation.run(0.6)  # they come to rest
    return least_processor_time(lambda: simulation.run(0.1), _REPEATS)


def _scan_of_triangles(triangles: int) -> float:
    return least_processor_time(
        Scanner(math.isqrt(triangles // 2), "platt-vlp16").scan, 3 * _REPEATS
    )


def _picture(pixels: int) -> float:
    width = math.isqrt(pixels * 4 // 3)
    film = FilmedDrive(meadow(), "camera", {"width": width, "height": width * 3 // 4})
    film.listen()
    film.run(0.2)  # programs are compiled, maps are drawn
    try:
        return least_processor_time(film.take, _REPEATS)
    finally:
        film.close()
