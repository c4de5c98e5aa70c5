"""Seamless random patterns from a random number generator."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array

Image = NDArray[np.uint8]


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


def spots(
    random: np.random.Generator, shape: tuple[int, int], count: int, size: tuple[float, float]
) -> Array:
    """Return soft round spots, each of its own size (pixels) and strength from -1 to 1."""
    image = np.zeros(shape)
    centres = random.integers(0, (shape[0], shape[1]), (count, 2))
    radii = size[0] * (size[1] / size[0]) ** random.random(count)
    strength = random.uniform(-1.0, 1.0, count)
    for (row, column), radius, value in zip(centres, radii, strength, strict=True):
        _stamp(image, row, column, radius, value)
    return image


def _stamp(image: Array, row: int, column: int, radius: float, value: float) -> None:
    reach = int(np.ceil(radius))
    offset = np.arange(-reach, reach + 1)
    inside = offset[:, None] ** 2 + offset[None, :] ** 2 <= radius**2
    rows = (row + offset) % image.shape[0]
    columns = (column + offset) % image.shape[1]
    image[np.ix_(rows, columns)] += inside * value


def coloured(base: tuple[float, float, float], light: Array, tint: Array | None = None) -> Array:
    """Return an image (rows, columns, 3) of one colour, lighter and darker, and some hue."""
    image = np.asarray(base) * np.maximum(0.0, 1.0 + light)[..., None]
    if tint is not None:
        image = image * (1.0 + tint[..., None] * np.array([0.5, 0.1, -0.6]))
    return image


def as_pixels(image: Array, opacity: Array | None = None) -> Image:
    """Return colours from 0 to 1 as bytes, with opacity as a fourth channel where it is given."""
    if opacity is not None:
        image = np.concatenate([image, opacity[..., None]], axis=-1)
    return np.rint(np.clip(image, 0.0, 1.0) * 255.0).astype(np.uint8)
