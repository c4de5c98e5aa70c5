"""Twigs as cutouts: leaves along a stem that enters at the middle of the lower edge."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.props.textures.recipe import recipe
from outrider.props.textures.tiling import Image, as_pixels

SIDE = 384  # pixels


@dataclass(frozen=True, slots=True)
class Foliage:
    """Leaves of one kind; lengths are shares of the image."""

    pairs: int = 9  # along each stem
    stems: int = 5
    length: float = 0.14
    width: float = 0.038
    spread_deg: float = 55.0  # of a leaf against its stem
    colour: tuple[float, float, float] = (0.35, 0.42, 0.22)
    back: tuple[float, float, float] = (0.52, 0.57, 0.42)
    wood: tuple[float, float, float] = (0.36, 0.30, 0.22)


OLIVE = Foliage(pairs=11, width=0.042)
BROAD = Foliage(7, 6, 0.135, 0.085, 52.0, (0.22, 0.40, 0.12), (0.34, 0.50, 0.18))
PINE = Foliage(26, 3, 0.20, 0.016, 38.0, (0.13, 0.29, 0.14), (0.22, 0.38, 0.19))
BUSH = Foliage(11, 6, 0.105, 0.058, 52.0, (0.16, 0.33, 0.11), (0.28, 0.44, 0.17))
GRASS = Foliage(0, 0, 0.95, 0.045, 0.0, (0.30, 0.46, 0.14), (0.48, 0.55, 0.22))


@recipe("outrider.props.textures.leaves.twig")
def twig(random: np.random.Generator, kind: Foliage) -> Image:
    """Return a twig with leaves."""
    canvas = _Canvas(kind.colour)
    for stem in range(kind.stems):
        fan = 0.0 if kind.stems == 1 else (stem / (kind.stems - 1) - 0.5) * 1.9
        _stem(canvas, random, kind, fan + random.normal(0, 0.08))
    return canvas.pixels()


@recipe("outrider.props.textures.leaves.tuft")
def tuft(random: np.random.Generator, kind: Foliage, blades: int = 34) -> Image:
    """Return blades of grass that rise from the lower edge."""
    canvas = _Canvas(kind.colour)
    for _ in range(blades):
        foot = np.array([random.uniform(0.2, 0.8), 0.0])
        lean = random.normal(0, 0.28) + (foot[0] - 0.5) * 0.9
        length = kind.length * random.uniform(0.45, 0.95) * math.cos(min(1.2, abs(lean)))
        colour = _mixed(random, kind) * (0.75 + 0.4 * random.random())
        canvas.leaf(foot, math.pi / 2 - lean, length, kind.width, colour, blade=True)
    return canvas.pixels()


def _stem(canvas: _Canvas, random: np.random.Generator, kind: Foliage, fan: float) -> None:
    """Draw one stem and its leaves, the lower ones first."""
    root = np.array([0.5, 0.0])
    reach = (0.95 - 0.25 * abs(fan) - kind.length * 0.6) * random.uniform(0.62, 1.0)
    heading = math.pi / 2 - fan * 0.75
    along = np.array([math.cos(heading), math.sin(heading)])
    canvas.line(root, root + along * reach, 0.006, np.asarray(kind.wood))
    spread = math.radians(kind.spread_deg)
    for step in np.linspace(0.16, 1.0, kind.pairs):
        point = root + along * reach * step
        for side in (-1.0, 1.0):
            angle = heading + side * spread * (1.1 - 0.55 * step) + random.normal(0, 0.14)
            size = kind.length * random.uniform(0.75, 1.1) * (1.05 - 0.3 * step)
            canvas.leaf(point, angle, size, kind.width, _mixed(random, kind))
    canvas.leaf(root + along * reach, heading, kind.length * 0.9, kind.width, _mixed(random, kind))


def _mixed(random: np.random.Generator, kind: Foliage) -> Array:
    """Return the colour of one leaf: mostly its face, at times its back, lighter or darker."""
    share = random.random() ** 2.2
    face, back = np.asarray(kind.colour), np.asarray(kind.back)
    mixed: Array = (face * (1 - share) + back * share) * random.uniform(0.95, 1.7)
    return mixed


class _Canvas:
    """An image to draw on, x to the right and y up, both from 0 to 1."""

    def __init__(self, colour: tuple[float, float, float]) -> None:
        self.colour = np.tile(np.asarray(colour) * 1.1, (SIDE, SIDE, 1))
        self.opacity = np.zeros((SIDE, SIDE))

    def leaf(
        self,
        root: Array,
        angle: float,
        length: float,
        width: float,
        colour: Array,
        *,
        blade: bool = False,
    ) -> None:
        """Draw a pointed leaf with a lighter rib; a blade is widest at its root."""
        tip = root + length * np.array([math.cos(angle), math.sin(angle)])
        window, t, s = self._local(root, tip, width)
        profile = (
            (1 - np.clip(t, 0, 1)) ** 0.7 if blade else np.sin(np.pi * np.clip(t, 0, 1) ** 0.85)
        )
        inside = (t >= 0) & (t <= 1) & (np.abs(s) <= width / 2 * profile + 0.4 / SIDE)
        shade = 0.86 + 0.2 * t + 0.22 * (np.abs(s) < 0.35 / SIDE + width * 0.06) - 0.1 * (s > 0)
        self._put(window, inside, colour * shade[..., None])

    def line(self, start: Array, end: Array, width: float, colour: Array) -> None:
        """Draw a straight line."""
        window, t, s = self._local(start, end, width)
        inside = (t >= 0) & (t <= 1) & (np.abs(s) <= width / 2 + 0.4 / SIDE)
        self._put(window, inside, np.broadcast_to(colour, (*inside.shape, 3)))

    def _local(
        self, start: Array, end: Array, width: float
    ) -> tuple[tuple[slice, slice], Array, Array]:
        """Return a window of pixels around a stroke, and where they are along and across it."""
        low = np.minimum(start, end) - width
        high = np.maximum(start, end) + width
        first = np.clip(np.floor(low * SIDE), 0, SIDE - 1).astype(int)
        last = np.clip(np.ceil(high * SIDE), 1, SIDE).astype(int)
        x = (np.arange(first[0], last[0]) + 0.5) / SIDE - start[0]
        y = (np.arange(first[1], last[1]) + 0.5) / SIDE - start[1]
        along = end - start
        length2 = float(along @ along)
        t = (x[None, :] * along[0] + y[:, None] * along[1]) / length2
        s = (x[None, :] * -along[1] + y[:, None] * along[0]) / math.sqrt(length2)
        return (slice(first[1], last[1]), slice(first[0], last[0])), t, s

    def _put(self, window: tuple[slice, slice], inside: NDArray[np.bool_], colour: Array) -> None:
        self.colour[window][inside] = colour[inside]
        self.opacity[window][inside] = 1.0

    def pixels(self) -> Image:
        """Return the image, its top row first."""
        return as_pixels(self.colour[::-1], self.opacity[::-1])
