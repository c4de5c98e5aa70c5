"""The points of a sweep: one value for each of its parameters."""

from itertools import product
from typing import Any, TypeAlias

import numpy as np

from outrider.core.frames import Array
from outrider.core.seeds import generator
from outrider.sweeps.spec import Sweep

Point: TypeAlias = dict[str, Any]  # key of the scenario -> value


def points(sweep: Sweep) -> list[Point]:
    """Return all points: every combination of lists and grids with the same samples."""
    listed, drawn = sweep.lists, sweep.distributions
    combinations = [dict(zip(listed, values, strict=True)) for values in product(*listed.values())]
    shares = _shares(sweep, len(drawn))
    samples = [
        {key: p.at(float(s)) for (key, p), s in zip(drawn.items(), row, strict=True)}
        for row in shares
    ]
    order = list(sweep.parameters)
    return [_in_order(order, one | other) for one in combinations for other in samples]


def count_points(sweep: Sweep) -> int:
    """Return how many points there are, without making them."""
    listed = [len(values) for values in sweep.lists.values()]
    return int(np.prod(listed, dtype=np.float64)) * (sweep.samples or 1)


def latin_hypercube(random: np.random.Generator, count: int, dimensions: int) -> Array:
    """Return points of the unit cube with one in each of ``count`` slices along every axis."""
    slices = np.stack([random.permutation(count) for _ in range(dimensions)], axis=1)
    return (slices + random.random((count, dimensions))) / count


def _shares(sweep: Sweep, dimensions: int) -> Array:
    """Return where each sample lies in its distributions, from 0 to 1."""
    if not dimensions:
        return np.zeros((1, 0))
    random = generator(sweep.seed, "sweep")
    count = sweep.samples or 1
    if sweep.sampling == "latin-hypercube":
        return latin_hypercube(random, count, dimensions)
    return random.random((count, dimensions))


def _in_order(keys: list[str], point: Point) -> Point:
    return {key: point[key] for key in keys}
