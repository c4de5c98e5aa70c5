"""Tyres, rims, bolts, gears and wheels."""

from __future__ import annotations

import numpy as np

from robot_meshes.forms import disc, lathe, slab, sweep
from robot_meshes.mesh import TAU, Mesh, Point2, around, both_sides, join, mirrored, moved, rolled


def lug(radii: Point2, y: Point2, half_angle: float, skew: float) -> Mesh:
    """Make a tread block on the +x side of a wheel, leaning by `skew` rad from y[0] to y[1]."""
    rings = []
    for radius, spread in zip(radii, (half_angle, half_angle * 0.75), strict=True):
        corners = [(-spread, y[0]), (spread, y[0]), (skew + spread, y[1]), (skew - spread, y[1])]
        rings.append([(radius * np.cos(a), v, radius * np.sin(a)) for a, v in corners])
    return sweep(np.array(rings))


def tyre(radius: float, width: float, bore: float, lug_height: float, lugs: int) -> Mesh:
    """Make a tyre about y with a chevron tread whose lugs reach exactly `radius`."""
    carcass, half = radius - lug_height, width / 2
    wall = [
        (bore, half * 0.8),
        (bore + 0.35 * (carcass - bore), half),
        (carcass * 0.93, half * 0.97),
    ]
    profile = [*wall, (carcass, half * 0.72)]
    body = lathe(profile + [(r, -y) for r, y in reversed(profile)], 2 * lugs)
    step = TAU / lugs
    block = lug((carcass * 0.96, radius), (half * 0.1, half * 0.96), step * 0.26, step * 0.35)
    other = rolled(mirrored(block), step / 2)
    return join([body, around(block, lugs), around(other, lugs)])


def rim(radius: float, width: float, hub: float, spokes: int, segments: int = 32) -> Mesh:
    """Make a spoked wheel rim about y; both faces look the same."""
    half, inner = width / 2, radius * 0.86
    lip = [(inner, -half * 0.7), (radius, -half), (radius, half), (inner, half * 0.7)]
    centre = disc(hub, -half * 0.95, half * 0.95, 16, hub * 0.15)
    return join([lathe(lip, segments), centre, around(_spoke(hub, inner, half), spokes)])


def _spoke(hub: float, inner: float, half: float) -> Mesh:
    rings = []
    for radius, wide, deep in (
        (hub * 0.8, hub * 0.42, half * 0.75),
        (inner * 1.03, hub * 0.3, half * 0.5),
    ):
        rings.append(
            [(radius, y * deep, z * wide) for y, z in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
        )
    return sweep(np.array(rings, dtype=float))


def bolts(count: int, circle: float, radius: float, y: Point2) -> Mesh:
    """Make a ring of bolt heads about y."""
    return around(moved(disc(radius, *y, segments=6), (circle, 0.0, 0.0)), count)


def gear(pitch: float, teeth: int, depth: float, y: Point2) -> Mesh:
    """Make a toothed plate about y; half the depth of the teeth is beyond the pitch circle."""
    shape = ((0.0, -0.5), (0.25, -0.5), (0.42, 0.5), (0.58, 0.5), (0.75, -0.5))
    outline = []
    for tooth in range(teeth):
        for turn, rise in shape:
            angle, radius = TAU * (tooth + turn) / teeth, pitch + rise * depth
            outline.append((radius * np.cos(angle), radius * np.sin(angle)))
    return slab(outline, *y)


def sprocket(pitch: float, width: float, teeth: int) -> Mesh:
    """Make a drive sprocket: two toothed plates, a drum and a bolted hub."""
    half = width / 2
    plate = gear(pitch, teeth, pitch * 0.16, (half * 0.45, half * 0.75))
    drum = disc(pitch * 0.72, -half * 0.7, half * 0.7, 20)
    hub = disc(pitch * 0.45, -half, half, 16, pitch * 0.06)
    heads = bolts(8, pitch * 0.58, pitch * 0.055, (-half * 0.95, half * 0.95))
    return join([both_sides(plate), drum, hub, heads])


def dished_wheel(radius: float, width: float) -> Mesh:
    """Make a pressed steel road wheel: a rim on each side, dished to a hub, with bolts."""
    half, r = width / 2, radius
    face = [(r, half), (r * 0.86, half), (r * 0.72, half * 0.55), (r * 0.42, half * 0.65)]
    hub = [(r * 0.3, half * 1.08), (0.0, half * 1.1)]
    profile = [(r, half * 0.2), *face, *hub]
    middle = [(r * 0.75, half * 0.1)]
    full = profile[::-1] + middle + [(r * 0.75, -half * 0.1)] + [(a, -y) for a, y in profile]
    return join([lathe(full, 28), bolts(8, r * 0.5, r * 0.05, (-half * 0.8, half * 0.8))])
