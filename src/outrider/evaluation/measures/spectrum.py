"""Spectrum of a signal: Welch's power density, its centroid and shares of bands."""

import numpy as np

from outrider.core.errors import EvaluationError
from outrider.core.frames import Array

_SEGMENT = 256


def power_density(samples: Array, rate_hz: float, segment: int = _SEGMENT) -> tuple[Array, Array]:
    """Return frequencies and power density (unit^2/Hz): Hann windows that overlap by half."""
    size = min(segment, len(samples))
    if size < 8:
        raise EvaluationError(f"a spectrum needs at least 8 samples, got {len(samples)}")
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(size) / size)
    starts = range(0, len(samples) - size + 1, max(1, size // 2))
    pieces = np.array([samples[start : start + size] for start in starts])
    pieces = (pieces - pieces.mean(axis=1, keepdims=True)) * window
    power = (np.abs(np.fft.rfft(pieces, axis=1)) ** 2).mean(axis=0)
    power /= rate_hz * float((window**2).sum())
    power[1 : (size + 1) // 2] *= 2.0  # what lies at negative frequencies
    frequencies = np.arange(len(power), dtype=np.float64) * rate_hz / size
    return frequencies, power


def centroid_hz(frequencies: Array, power: Array) -> float:
    """Return the power-weighted mean frequency."""
    total = float(power.sum())
    return float((frequencies * power).sum()) / total if total > 0 else 0.0
