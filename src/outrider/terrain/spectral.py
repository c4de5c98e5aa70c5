"""Random patterns that repeat without a seam, from a generator of random numbers."""

import numpy as np

from outrider.core.frames import Array


def fractal(random: np.random.Generator, shape: tuple[int, int], slope: float = 1.0) -> Array:
    """Return noise of mean 0 and deviation 1 whose amplitude falls as frequency ** -slope."""
    return shaped(random, shape, slope, (1.0, 1.0))


def shaped(
    random: np.random.Generator,
    shape: tuple[int, int],
    slope: float,
    stretch: tuple[float, float],
    shortest: float = 0.0,
) -> Array:
    """Return such noise, drawn out along rows and columns, without waves below some pixels."""
    rows, columns = shape
    down = np.fft.fftfreq(rows)[:, None] * rows * stretch[0]
    right = np.fft.rfftfreq(columns)[None, :] * columns * stretch[1]
    frequency = np.hypot(down, right)
    frequency[0, 0] = np.inf
    spectrum = frequency**-slope
    if shortest > 0:
        spectrum *= np.exp(-((frequency * shortest / max(shape)) ** 2))
    white = np.fft.rfft2(random.standard_normal(shape))
    values: Array = np.fft.irfft2(white * spectrum, shape)
    deviation = float(values.std()) or 1.0
    return values / deviation
