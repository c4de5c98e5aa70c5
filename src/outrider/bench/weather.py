"""What weather costs: pictures and scans in fog and rain, next to a clear day's."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from outrider.bench.measurement import Measurement, least_processor_time
from outrider.bench.pictures.filming import FilmedDrive, meadow
from outrider.weather.spec import WeatherSpec

_REPEATS = 5
_TURNS = 8  # each kind in turn, so that what else runs slows both
_KINDS = {
    "fog": (WeatherSpec(visibility_m=100.0), 1.10),
    "rain 10 mm/h": (WeatherSpec(rain_mm_h=10.0), None),
}


class WeatherCost:
    """Processor time of one stereo pair and of one VLP-16 scan, over that of a clear day."""

    def __call__(self) -> Iterator[Measurement]:
        """Measure both."""
        yield from self._cost("one pair 1024x768", "bumblebee2", lambda film: film.take)
        yield from self._cost("one VLP-16 scan", "velodyne-vlp16", _scan)

    def _cost(
        self, what: str, sensor: str, work: Callable[[FilmedDrive], Callable[[], object]]
    ) -> Iterator[Measurement]:
        world = meadow()
        clear = FilmedDrive(world, sensor, {})
        for name, (weather, most) in _KINDS.items():
            limit = most if sensor == "bumblebee2" else None
            other = FilmedDrive(replace(world, weather=weather), sensor, {})
            times = [_least(work(film)) for _ in range(_TURNS) for film in (clear, other)]
            share = min(times[1::2]) / min(times[::2])
            yield Measurement(
                f"{what} in {name} over a clear day", share, "x", "lower", limit=limit
            )


def _scan(film: FilmedDrive) -> Callable[[], object]:
    """Return what casts one more scan of a LiDAR."""
    sampled: Any = film.sensor

    def scan() -> None:
        film.run(0.1)
        sampled.points(0)

    return scan


def _least(work: Callable[[], object]) -> float:
    work()
    return least_processor_time(work, _REPEATS)
