"""Three axes of one kind of instrument, with the errors of data sheets, as data."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from outrider.core.structure import number
from outrider.sensors.noise import (
    Bias,
    Chain,
    Distortion,
    ErrorModel,
    GaussMarkov,
    HectorDrift,
    Quantisation,
    RandomWalk,
    Saturation,
    White,
)

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Triad:
    """Errors in the unit of the measured quantity; all are off unless set."""

    noise_density: float = number(0.0, least=0.0)  # unit/sqrt(Hz)
    noise_sigma: float = number(0.0, least=0.0)  # unit per sample, whatever the rate
    offset: Vector = (0.0, 0.0, 0.0)  # a known bias
    turn_on_sigma: float = number(0.0, least=0.0)  # of a bias drawn at each start
    random_walk: float = number(0.0, least=0.0)  # of the bias, unit/s/sqrt(Hz)
    correlation_s: float = number(0.0, least=0.0)  # of that walk; 0: unbounded
    drift_sigma: float = number(0.0, least=0.0)  # of a bias that drifts around zero
    drift_time_s: float = number(3600.0, above=0.0)
    drift: Literal["exact", "hector"] = "exact"  # hector: its formula with dt for sqrt(dt)
    scale_sigma: float = number(0.0, least=0.0)  # relative, drawn once per axis and unit
    misalignment_deg: float = number(0.0, least=0.0, most=45.0)  # of axes against each other
    limit: float = number(0.0, least=0.0)  # measuring range in both directions; 0: unlimited
    resolution: float = number(0.0, least=0.0)  # quantisation step; 0: exact

    def sigma(self, rate_hz: float) -> float:
        """Return the standard deviation of the white noise of samples at a rate."""
        return math.hypot(self.noise_sigma, self.noise_density * math.sqrt(rate_hz))

    @property
    def bias_sigma(self) -> float:
        """The standard deviation of the bias that is not known, in the long run."""
        walk = self.random_walk * math.sqrt(self.correlation_s / 2)
        return math.hypot(self.turn_on_sigma, self.drift_sigma, walk)

    def errors(self, random: np.random.Generator, size: int = 3) -> Chain:
        """Return the errors of one unit, in the order of the signal's way through it."""
        # one stream per kind: setting one error to zero leaves all others as they were
        distortion, bias, walk, drift, white = random.spawn(5)
        turn = math.radians(self.misalignment_deg)
        parts: list[tuple[object, Callable[[], ErrorModel]]] = [
            (
                self.scale_sigma or turn,
                lambda: Distortion(distortion, size, self.scale_sigma, turn),
            ),
            (
                self.turn_on_sigma or any(self.offset),
                lambda: Bias(bias, size, self.turn_on_sigma, self.offset[:size]),
            ),
            (self.random_walk, lambda: self._walk(walk, size)),
            (self.drift_sigma, lambda: self._drift(drift, size)),
            (
                self.noise_sigma or self.noise_density,
                lambda: White(white, size, self.noise_sigma, self.noise_density),
            ),
            (self.limit, lambda: Saturation(self.limit)),
            (self.resolution, lambda: Quantisation(self.resolution)),
        ]
        return Chain([make() for wanted, make in parts if wanted])

    def _walk(self, random: np.random.Generator, size: int) -> ErrorModel:
        if self.correlation_s:
            return GaussMarkov.from_random_walk(random, size, self.random_walk, self.correlation_s)
        return RandomWalk(random, size, self.random_walk)

    def _drift(self, random: np.random.Generator, size: int) -> ErrorModel:
        kind = HectorDrift if self.drift == "hector" else GaussMarkov
        return kind(random, size, self.drift_sigma, self.drift_time_s)
