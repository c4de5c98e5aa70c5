"""Ground detail below the mesh's resolution: periodic tiles of spectral noise."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.cache import cached, content_key
from outrider.core.compiled import compiled
from outrider.core.seeds import generator
from outrider.world.materials import Roughness

SIDE = 20.48  # m; a tile repeats after this
CELLS = 1024
LOWEST, HIGHEST = 0.5, 25.0  # cycles per metre; longer waves are the mesh's, shorter no tyre feels
_CELLS_PER_M = CELLS / SIDE
_KEPT = 64  # tiles on disk, 4 MB each: a sweep has a new one with every seed
REFERENCE = 0.1  # the wave number at which the density is given


def tile(slope: float, seed: int) -> NDArray[np.float32]:
    """Return heights (CELLS, CELLS) whose profiles have density 1 m^3 at 0.1 cycles per metre."""
    key = content_key("roughness", 3, slope, seed, SIDE, CELLS, LOWEST, HIGHEST)
    found = cached("roughness", key, lambda: {"heights": _make(slope, seed)}, most=_KEPT)
    return found["heights"]


def _make(slope: float, seed: int) -> NDArray[np.float32]:
    """Shape white noise: an isotropic field whose line profiles have spectrum n^-slope.

    A line through an isotropic field collects all waves along its own direction, so the plane's
    spectrum falls by one power more. The amplitude is then set on the measured line spectrum.
    """
    noise = np.fft.rfft2(generator(seed, "roughness").standard_normal((CELLS, CELLS)))
    along = np.fft.fftfreq(CELLS, SIDE / CELLS)
    across = np.fft.rfftfreq(CELLS, SIDE / CELLS)
    n = np.hypot(along[:, None], across[None, :])
    inside = (n >= LOWEST) & (n <= HIGHEST)
    shape = np.where(inside, np.maximum(n, LOWEST) ** (-(slope + 1) / 2), 0.0)
    field = np.fft.irfft2(noise * shape, s=(CELLS, CELLS))
    heights: NDArray[np.float32] = (field / np.sqrt(_line_density(field, slope))).astype(np.float32)
    return heights


def _line_density(field: NDArray[np.float64], slope: float) -> float:
    """Return the density at the reference wave number that fits the profiles between 0.5 and 10."""
    spectra = np.abs(np.fft.rfft(field, axis=1)) ** 2
    density = 2 * spectra.mean(axis=0) * (SIDE / CELLS) / CELLS  # one-sided, m^3
    n = np.fft.rfftfreq(CELLS, SIDE / CELLS)
    band = (n > 1.0) & (n < 10.0)
    return float(np.exp(np.mean(np.log(density[band] * (n[band] / REFERENCE) ** slope))))


def amplitude(roughness: Roughness) -> float:
    """Return what to multiply a tile's heights with."""
    return float(np.sqrt(roughness.density))


@compiled
def relief_height(
    tiles: NDArray[np.float32], tile: int, x: float, y: float
) -> float:  # pragma: no cover - compiled
    """Return the tile's height at a place, linear between its cells, repeating for ever."""
    fx = (x % SIDE) * _CELLS_PER_M
    fy = (y % SIDE) * _CELLS_PER_M
    i, j = int(fx), int(fy)
    u, v = fx - i, fy - j
    i, j = i % CELLS, j % CELLS
    i1, j1 = (i + 1) % CELLS, (j + 1) % CELLS
    return (  # type: ignore[no-any-return]
        (1 - u) * ((1 - v) * tiles[tile, i, j] + v * tiles[tile, i, j1])
        + u * ((1 - v) * tiles[tile, i1, j] + v * tiles[tile, i1, j1])
    )
