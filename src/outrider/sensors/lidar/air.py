"""What fog, rain, snow and dust do to a LiDAR's beams.

* **Attenuation.** What comes back from a distance r is less by ``exp(-2 a r)``, where a is the
  extinction at the LiDAR's wavelength (``weather/extinction.py``). A return is seen by its power as
  in clear air (``kernels.py``), so that a surface of 10 % is lost where
  ``r exp(a r) = range_at_10_percent``. A LiDAR without that figure is taken to see 10 % at its
  range_max.
* **Early returns.** The air sends light back: over the length of a pulse as much as a surface
  of the reflectivity ``pi a pulse / 18.8 sr`` would (the lidar ratio of droplets: E. J. O'Connor,
  A. J. Illingworth and R. J. Hogan, J. Atmos. Oceanic Technol. 21, 777, 2004), times the
  overlap of beam and view, which grows evenly from 0 at 1 m to 1 at 5 m (R. H. Rasshofer, M. Spies
  and H. Spies, Adv. Radio Sci. 9, 49, 2011, have it so; the distances are ours). Its power varies
  from shot to shot exponentially, as speckle does. Each shot has one such echo, at a distance drawn
  by the power that comes from there; the LiDAR's choice of echoes decides what is reported.
* **Drops and flakes** are few: one must be in the pulse. Their number per cubic metre is that of
  pictures (``render/precipitation.py``); what one sends back is larger for it.
"""

import math

import numpy as np

from outrider.core.compiled import compiled_nogil
from outrider.render.precipitation import rain_drops, snow_flakes
from outrider.scene.past_poses import Record
from outrider.scene.surface import Floats32
from outrider.sensors.lidar.kernels import seen_share
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.weather.extinction import extinction, rain, snow
from outrider.weather.spec import WeatherSpec

LIDAR_RATIO_SR = 18.8
OVERLAP_M = (1.0, 5.0)
DRAWS = 3  # random numbers of a beam: where, how strong, whether a drop is there
_STEPS = 256
_APERTURE_M = 0.006  # radius of a beam where it leaves
_DIVERGENCE_MRAD = 3.0  # where it is not given

AIR = np.dtype(
    [
        ("extinction", np.float32),  # 1/m
        ("soft", np.float32),  # reflectivity of a pulse's length of air
        ("grains_m3", np.float32),  # drops in a cubic metre; 0: as fine as fog
        ("half_angle", np.float32),
        ("pulse", np.float32),
    ]
)


class BeamAir:
    """The air before one LiDAR at one time."""

    def __init__(self, now: WeatherSpec, p: LidarParameters) -> None:
        per_m = extinction(now, p.wavelength_nm)
        coarse = rain(now.rain_mm_h) + snow(
            now.snow_mm_h, p.wavelength_nm, now.temperature_c or 0.0
        )
        row = np.zeros(1, AIR)
        row["extinction"], row["pulse"] = per_m, p.pulse_m
        row["soft"] = math.pi * per_m / LIDAR_RATIO_SR * p.pulse_m
        row["grains_m3"] = _grains(now) if coarse > per_m / 2 else 0.0
        row["half_angle"] = (p.divergence_mrad or _DIVERGENCE_MRAD) / 2000.0
        self.row = row[0]
        self.places = _places(per_m, p.range_max)

    @property
    def clear(self) -> bool:
        """Whether nothing is in the air."""
        return not self.row["extinction"] > 0


def _grains(now: WeatherSpec) -> float:
    drops = rain_drops(now.rain_mm_h).per_m3 if now.rain_mm_h > 0 else 0.0
    return drops + (snow_flakes(now.snow_mm_h).per_m3 if now.snow_mm_h > 0 else 0.0)


def _places(per_m: float, range_max: float) -> Floats32:
    """Return the distances below which even shares of all that the air sends back come from."""
    first, full = OVERLAP_M
    r = np.geomspace(first, max(range_max, 2 * first), 4096)
    power = np.clip((r - first) / (full - first), 0.0, 1.0) * np.exp(-2 * per_m * r) / r**2
    total = np.concatenate([[0.0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(r))])
    return np.interp(np.linspace(0, 1, _STEPS + 1), total / total[-1], r).astype(np.float32)


@compiled_nogil
def through_air(
    air: Record,
    places: Floats32,
    draws: Floats32,
    limits: Record,
    chance: Floats32,
    ranges: Floats32,
    echoes: Floats32,
) -> None:  # pragma: no cover - compiled
    """Weaken what came back, and put what the air sends back in its place where that is reported.

    Ranges are from the housing on; ``draws`` (DRAWS, n) lie between 0 and 1.
    """
    for i in range(ranges.shape[0]):
        r = ranges[i] + limits.housing
        hard = 0.0
        if r < np.inf:
            echoes[i] *= math.exp(-2.0 * air.extinction * r)
            hard = limits.gain * echoes[i] / max(r * r, 1e-6)
        at, back = _soft(air, places, draws[0, i], draws[1, i], draws[2, i])
        if not at < r or back <= 0.0:
            continue
        soft = limits.gain * back / (at * at)
        taken = soft > hard
        if limits.choice == 1:
            taken = soft > 1.0 or soft > hard
        elif limits.choice == 2:
            taken = not r < np.inf or chance[i] >= seen_share(limits, echoes[i], r)
        if taken:
            ranges[i] = at - limits.housing
            echoes[i] = back


@compiled_nogil
def _soft(
    air: Record, places: Floats32, where: float, strength: float, chance: float
) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return the distance of an echo of the air, and the reflectivity it looks like."""
    place = where * (places.shape[0] - 1)
    k = min(int(place), places.shape[0] - 2)
    at = places[k] + (place - k) * (places[k + 1] - places[k])
    overlap = min(1.0, max(0.0, (at - OVERLAP_M[0]) / (OVERLAP_M[1] - OVERLAP_M[0])))
    back = air.soft * overlap * math.exp(-2.0 * air.extinction * at)
    if air.grains_m3 > 0.0:
        radius = _APERTURE_M + air.half_angle * at
        hit = 1.0 - math.exp(-air.grains_m3 * math.pi * radius * radius * air.pulse)
        if chance >= hit:
            return at, 0.0
        back /= hit
    return at, -back * math.log(max(1.0 - strength, 1e-12))
