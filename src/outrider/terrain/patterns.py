"""Seamless patterns of the ground at close range: stones, blades, cracks, ripples."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array
from outrider.props.textures.tiling import fractal, shaped

Random = np.random.Generator
SUN: Array = np.array([0.55, 0.35])  # stones are lit from one side


def rough(random: Random, side: int, slope: float = 1.0) -> Array:
    """Return noise of all sizes."""
    return fractal(random, (side, side), slope)


def streaks(random: Random, side: int, slope: float, stretch: float) -> Array:
    """Return noise drawn out along one direction."""
    return shaped(random, (side, side), slope, (1.0, stretch))


def stones(random: Random, side: int, across: int, filled: float = 1.0) -> tuple[Array, Array]:
    """Return the light on and the tone of stones, so many across the picture, lying in gaps.

    Where there is none the light is 0 and the tone is NaN-free 0. ``filled`` is their share.
    """
    near, second, owner, away = _cells(random, side, across)
    count = across * across
    there = random.random(count) < filled
    radius = random.uniform(0.55, 1.0, count)
    tone = random.standard_normal(count)
    gap = np.clip((second - near) / 0.22, 0.0, 1.0) * np.clip((radius[owner] - near) / 0.18, 0, 1)
    lit = 0.9 * (away[0] * SUN[0] + away[1] * SUN[1]) / np.maximum(radius[owner], 1e-6)
    body = gap * there[owner]
    shadow = -0.6 * (1.0 - gap) * there[owner]
    return body * (0.25 + lit) + shadow, body * tone[owner]


def _cells(random: Random, side: int, across: int) -> tuple[Array, Array, NDArray[np.int64], Array]:
    """Return distances to the nearest two random points, the nearest's number and the way to it.

    One point lies in each of ``across`` x ``across`` cells; distances are in cells.
    """
    spot = random.random((across, across, 2))
    place = (np.arange(side) + 0.5) * across / side
    cell = np.floor(place).astype(np.int64)
    inside = place - cell
    near = np.full((side, side), np.inf)
    second = near.copy()
    owner = np.zeros((side, side), np.int64)
    away = np.zeros((2, side, side))
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            row, column = (cell + down) % across, (cell + right) % across
            point = spot[np.ix_(row, column)]
            d_y = point[..., 0] + down - inside[:, None]
            d_x = point[..., 1] + right - inside[None, :]
            distance = np.hypot(d_x, d_y)
            closer = distance < near
            second = np.where(closer, near, np.minimum(second, distance))
            near = np.where(closer, distance, near)
            owner = np.where(closer, row[:, None] * across + column[None, :], owner)
            away = np.where(closer, np.stack([d_x, d_y]), away)
    return near, second, owner, away


def cracks(random: Random, side: int, across: int, width: float) -> Array:
    """Return 1 along the borders of random cells, 0 elsewhere."""
    near, second, _, _ = _cells(random, side, across)
    bent = 0.25 * (1 + rough(random, side, 1.2))
    return np.clip(1.0 - (second - near) / np.maximum(width * bent, 1e-6), 0.0, 1.0)


def blades(random: Random, side: int, count: int, length: tuple[int, int]) -> tuple[Array, Array]:
    """Return the light on and the hue of blades of grass, those drawn last on top."""
    light, hue = np.full((side, side), -1.1), np.zeros((side, side))
    order = np.linspace(-0.9, 1.0, count)  # the lower, the darker
    angle = random.uniform(0, 2 * np.pi, count)
    reach = random.integers(length[0], length[1], count)
    start = random.random((count, 2)) * side
    bend = random.uniform(-0.6, 0.6, count)
    own = order * 0.8 + 0.35 * random.standard_normal(count)
    tint = random.standard_normal(count)
    for step in range(length[1]):
        share = step / reach
        alive = share <= 1.0
        turned = angle[alive] + bend[alive] * share[alive]
        row = (start[alive, 0] + step * np.sin(turned)).astype(np.int64)
        column = (start[alive, 1] + step * np.cos(turned)).astype(np.int64)
        for wide in (0, 1):
            at = row % side, (column + wide) % side
            light[at] = own[alive] + 0.5 * share[alive] - 0.25 * wide
            hue[at] = tint[alive]
    return light, hue


def pits(random: Random, side: int, count: int, radius: tuple[float, float]) -> Array:
    """Return the light in and around many small craters, the largest first."""
    light = np.zeros((side, side))
    sizes = np.sort(radius[0] * (1 - random.random(count)) ** -0.6)[::-1].clip(*radius)
    centres = random.integers(0, side, (count, 2))
    for (row, column), size in zip(centres, sizes, strict=True):
        reach = int(np.ceil(1.6 * size))
        line = np.arange(-reach, reach + 1)
        y, x = line[:, None] / size, line[None, :] / size
        r = np.hypot(x, y)
        slope = np.where(r < 1.0, r, -0.6 * np.clip(1.6 - r, 0, 1))
        lit = slope * (x * SUN[0] + y * SUN[1]) / np.maximum(r, 0.1)
        at = np.ix_((row + line) % side, (column + line) % side)
        light[at] = light[at] * np.where(r < 1.0, 0.5, 1.0) - lit * (r < 1.6)
    return light
