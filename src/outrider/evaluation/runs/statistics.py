"""Summary of several runs: mean, standard deviation, minimum, maximum and worst of every figure."""

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence

from outrider.core.structure import Data
from outrider.scenarios.result import Result

_LEFT_OUT = {"seed", "facts", "met", "autonomy", "expectations", "component_faults"}
_MORE_IS_BETTER = {
    "completed",
    "real_time_factor",
    "occupied_as_occupied",
    "clear_as_clear",
    "reached",
}


def leaves(result: Mapping[str, object], above: str = "") -> Iterator[tuple[str, float]]:
    """Yield all numbers of a result with dotted names."""
    for key, value in result.items():
        name = f"{above}{key}"
        if key in _LEFT_OUT and not above:
            continue
        if isinstance(value, Mapping):
            yield from leaves(value, f"{name}.")
        elif isinstance(value, list):
            axes = "xyz" if len(value) == 3 else [str(i) for i in range(len(value))]
            yield from leaves(dict(zip(axes, value, strict=True)), f"{name}.")
        elif isinstance(value, int | float) and math.isfinite(value):
            yield name, float(value)


def figures_of(results: Sequence[Result]) -> dict[str, list[float]]:
    """Return every figure with its values over the runs that have it."""
    found: dict[str, list[float]] = {}
    for result in results:
        for name, value in leaves(result):
            found.setdefault(name, []).append(value)
    return found


def worst(name: str, values: Sequence[float]) -> float:
    """Return the worst of some values: the largest, or the smallest where more is better."""
    return min(values) if name.rpartition(".")[2] in _MORE_IS_BETTER else max(values)


def spread(values: Sequence[float]) -> float:
    """Return the standard deviation between runs; 0 for a single one."""
    return statistics.stdev(values) if len(values) > 1 else 0.0


def summarised(results: Sequence[Result]) -> Data:
    """Return mean, standard deviation and worst in the shape of a single result."""
    figures = figures_of(results)

    def shaped(measure: Callable[[str, list[float]], float]) -> Data:
        out: Data = {}
        for name, values in figures.items():
            *path, last = name.split(".")
            place = out
            for part in path:
                place = place.setdefault(part, {})
            place[last] = measure(name, values)
        return out

    return {
        "mean": shaped(lambda _, values: statistics.fmean(values)),
        "spread": shaped(lambda _, values: spread(values)),
        "worst": shaped(worst),
    }


def whole(results: Sequence[Result]) -> Data:
    """Return the JSON of one run, or of several with their summary."""
    if len(results) == 1:
        return results[0]
    return {"runs": list(results), **summarised(results)}
