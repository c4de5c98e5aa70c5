"""The weather over time: changes one after the other, each reached evenly."""

from dataclasses import fields

from outrider.core.structure import with_fields
from outrider.weather.spec import WeatherChange, WeatherSpec

_TIMES = ("at_s", "over_s")
_KEYS = tuple(f.name for f in fields(WeatherChange) if f.name not in _TIMES)


def weather_at(spec: WeatherSpec, time_s: float) -> WeatherSpec:
    """Return what holds at a time; the hour goes on with the simulated time elsewhere."""
    now = spec
    for change in spec.changes:
        if change.at_s > time_s:
            break
        gone = time_s - change.at_s
        now = _changed(now, change, 1.0 if gone >= change.over_s else gone / change.over_s)
    return now


def _changed(now: WeatherSpec, change: WeatherChange, share: float) -> WeatherSpec:
    new = {key: getattr(change, key) for key in _KEYS if getattr(change, key) is not None}
    values = {key: _between(key, getattr(now, key), value, share) for key, value in new.items()}
    return with_fields(now, **values)


def _between(key: str, old: float | None, new: float, share: float) -> float:
    if old is None or share >= 1.0:
        return new
    if key == "visibility_m":  # fog grows evenly by what it takes away
        density = (1 - share) * _inverse(old) + share * _inverse(new)
        return _inverse(density)
    return old + share * (new - old)


def _inverse(value: float) -> float:
    return 1.0 / value if value > 0 else 0.0
