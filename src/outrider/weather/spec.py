"""The ``weather:`` section of a world or scenario file."""

import calendar
from dataclasses import dataclass, field

from outrider.core.structure import number


@dataclass(frozen=True, slots=True, kw_only=True)
class WeatherChange:
    """New values of some keys from ``at_s`` on, reached evenly over ``over_s`` seconds."""

    at_s: float = number(least=0.0)
    over_s: float = number(0.0, least=0.0)
    hour: float | None = number(None, least=0.0, most=24.0)  # of the day
    clouds: float | None = number(None, least=0.0, most=1.0)  # fraction of the sky
    visibility_m: float | None = number(None, least=0.0)
    rain_mm_h: float | None = number(None, least=0.0, most=300.0)
    snow_mm_h: float | None = number(None, least=0.0, most=100.0)
    dust_mg_m3: float | None = number(None, least=0.0, most=1e5)
    wetness: float | None = number(None, least=0.0, most=1.0)  # of the ground
    snow_cover: float | None = number(None, least=0.0, most=1.0)  # of the ground
    wind_m_s: float | None = number(None, least=0.0, most=100.0)
    wind_from_deg: float | None = number(None, least=-360.0, most=360.0)
    gusts_m_s: float | None = number(None, least=0.0, most=50.0)
    temperature_c: float | None = number(None, least=-90.0, most=60.0)
    pressure_hpa: float | None = number(None, least=300.0, most=1100.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeatherSpec:
    """Sun, sky, fog, rain, snow, dust, wind and air; see docs/weather.md."""

    hour: float | None = number(None, least=0.0, most=24.0)  # null: the world's own lights apply
    year: int = number(2026, least=1901, most=2099)
    month: int = number(6, least=1, most=12)
    day: int = number(21, least=1, most=31)
    utc_offset_h: float | None = number(None, least=-14.0, most=14.0)  # None: from the longitude
    clouds: float = number(0.0, least=0.0, most=1.0)  # fraction of the sky
    night_lux: float = number(0.0, least=0.0, most=1000.0)  # on level ground, from moon or town
    visibility_m: float = number(0.0, least=0.0)  # fog leaves 5 % of contrast there; 0: none
    rain_mm_h: float = number(0.0, least=0.0, most=300.0)
    snow_mm_h: float = number(0.0, least=0.0, most=100.0)  # of water
    dust_mg_m3: float = number(0.0, least=0.0, most=1e5)
    wetness: float | None = number(None, least=0.0, most=1.0)  # of the ground; None: from the rain
    snow_cover: float = number(0.0, least=0.0, most=1.0)  # of the ground
    wind_m_s: float = number(0.0, least=0.0, most=100.0)
    wind_from_deg: float = number(270.0, least=-360.0, most=360.0)  # 0 from north, 90 from east
    gusts_m_s: float = number(0.0, least=0.0, most=50.0)  # standard deviation
    gust_length_m: float = number(50.0, above=0.0, most=1e4)  # correlation length
    drag: bool | None = None  # on everything that moves freely; None: if there is wind
    drag_areas: dict[str, float] = field(default_factory=dict)  # model -> m^2 times coefficient
    temperature_c: float | None = number(None, least=-90.0, most=60.0)  # at z = 0; null: standard
    pressure_hpa: float | None = number(None, least=300.0, most=1100.0)  # at z = 0; null: standard
    humidity: float = number(0.5, least=0.0, most=1.0)  # relative, at 1 saturated
    changes: tuple[WeatherChange, ...] = ()

    def __post_init__(self) -> None:
        last = calendar.monthrange(self.year, self.month)[1]
        if self.day > last:
            raise ValueError(f"day: month {self.month} of {self.year} has {last} days")
        for model, area in self.drag_areas.items():
            if not area >= 0:
                raise ValueError(f"drag_areas.{model}: must be at least 0, got {area}")
        times = [change.at_s for change in self.changes]
        if times != sorted(times):
            raise ValueError("changes: expected rising at_s")
        if self.hour is None and any(change.hour is not None for change in self.changes):
            raise ValueError("changes: an hour can change only if 'hour' is given")

    @property
    def drags(self) -> bool:
        """Whether the air holds back what moves."""
        windy = self.wind_m_s > 0 or self.gusts_m_s > 0
        windy |= any(c.wind_m_s or c.gusts_m_s for c in self.changes)
        return windy if self.drag is None else self.drag


FAIR = WeatherSpec()
