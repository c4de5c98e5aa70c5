"""Real-time factor and sensor rates of a run."""

from collections.abc import Iterable

from outrider.core.structure import Data
from outrider.sensors.sampling import Sampled


def sensor_rates(sensors: Iterable[Sampled], simulated_s: float) -> dict[str, dict[str, float]]:
    """Return for each sensor its nominal rate, and measurements per simulated second."""
    return {
        sensor.name: {
            "asked_hz": float(sensor.schedule.rate_hz),
            "rate_hz": max(0, sensor.taken - 1) / simulated_s if simulated_s > 0 else 0.0,
        }
        for sensor in sensors
    }


def real_time_factor(runs: Iterable[Data]) -> float:
    """Return equation 2 of Farley et al.: simulated over real time, both summed over the runs."""
    found = list(runs)
    wall_s = sum(float(run["wall_time_s"]) for run in found)
    simulated_s = sum(float(run["sim_time_s"]) for run in found)
    return simulated_s / wall_s if wall_s > 0 else 0.0
