"""What the weather does to what moves: wind and drag, and wet ground under tyres."""

from outrider.physics.drag import Drag
from outrider.sim.rig import Rig
from outrider.weather.atmosphere import ZERO_C
from outrider.weather.water import grip
from outrider.weather.weather import Weather


class WeatherEffects:
    """Wind, drag and water, one step at a time; nothing at all in still and dry weather."""

    def __init__(self, rig: Rig, weather: Weather) -> None:
        self._rig, self._weather = rig, weather
        spec = weather.spec
        self.drags = weather.given and spec.drags
        self._drag = Drag(rig.assembly, spec.drag_areas) if self.drags else None
        wets = any(c.rain_mm_h or c.wetness or c.snow_cover for c in spec.changes)
        self._wets = weather.given and (wets or grip(spec) < 1.0)
        self._friction = rig.tyres.rows["friction"].copy()

    def __bool__(self) -> bool:
        return self.drags or self._wets

    def apply(self) -> None:
        """Add what the weather does to the loads of this step."""
        engine, weather = self._rig.engine, self._weather
        now_ns = engine.state.time_ns
        now = weather.at(now_ns)
        if self._wets:
            self._rig.tyres.rows["friction"] = self._friction * grip(now)
        if self._drag is not None:
            wind = weather.wind.step(now, self._rig.step_s)
            air = weather.density(now_ns), weather.air(now_ns).temperature_c + ZERO_C
            self._drag.apply(engine, wind, air, self._rig.step_s)
