"""Statistics of IMU data, and its error against other data: equations 5 to 7 of Farley et al."""

import math
from dataclasses import dataclass

import numpy as np

from outrider.core.errors import EvaluationError
from outrider.core.frames import Array

_SHARE = 0.01  # of the samples at either end


@dataclass(frozen=True, slots=True, eq=False)
class AxisFigures:
    """Mean, top and bottom per axis; top and bottom are means of one percent of the samples."""

    mean: Array
    top: Array
    bottom: Array

    @property
    def range(self) -> Array:
        """Top minus bottom: what the paper uses in place of its equation 6."""
        difference: Array = self.top - self.bottom
        return difference


@dataclass(frozen=True, slots=True, eq=False)
class ImuError:
    """Equation 7 for one test: range and mean errors per axis."""

    range: Array
    mean: Array

    @property
    def total(self) -> float:
        """The sum over the axes."""
        return float(self.range.sum() + self.mean.sum())


def axis_figures(samples: Array) -> AxisFigures:
    """Return the statistics of samples (n, axes)."""
    if not len(samples):
        raise EvaluationError("there are no IMU samples to measure")
    count = math.ceil(_SHARE * len(samples))
    ordered = np.sort(samples, axis=0)
    return AxisFigures(
        samples.mean(axis=0), ordered[-count:].mean(axis=0), ordered[:count].mean(axis=0)
    )


def imu_error(simulated: AxisFigures, real: AxisFigures) -> ImuError:
    """Return the error of simulated statistics against real ones."""
    return imu_error_of(simulated.range, simulated.mean, real.range, real.mean)


def imu_error_of(
    sim_range: Array, sim_mean: Array, real_range: Array, real_mean: Array
) -> ImuError:
    """Return the errors of ranges and means as a table prints them."""
    return ImuError(np.abs(sim_range - real_range), np.abs(sim_mean - real_mean))
