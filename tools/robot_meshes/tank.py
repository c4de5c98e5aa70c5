"""The shapes of the tank."""

from __future__ import annotations

import numpy as np

from robot_meshes.belts import belt
from robot_meshes.forms import box, lathe, ring, slab, sweep
from robot_meshes.mesh import Mesh, Point3, both_sides, join, y_to_x
from robot_meshes.wheels import dished_wheel, sprocket


def tank() -> dict[str, Mesh]:
    """Light tank: 5.5 m hull, five road wheels a side, turret and gun."""
    return {
        "belt": belt(_tank_wheels(), 0.42, 0.035, 0.025, 92, 0.6),
        "sprocket": sprocket(0.29, 0.40, 13),
        "idler": dished_wheel(0.265, 0.36),
        "road_wheel": dished_wheel(0.285, 0.36),
        "tyre": both_sides(ring(0.284, 0.33, 0.03, 0.185)),
        "hull": _tank_hull(),
        "fender": _tank_fender(),
        "turret": _tank_turret(),
        "mantlet": _tank_mantlet(),
        "barrel": _tank_barrel(),
        "grille": join(box((0.03, 0.9, 0.05), (0.07 * i, 0.0, 0.0)) for i in range(-5, 6)),
    }


def _tank_wheels() -> list[Point3]:
    road = [(x, -0.03, 0.33) for x in (-1.5, -0.75, 0.0, 0.75, 1.5)]
    return [(-2.25, 0.33, 0.2725), (2.25, 0.30, 0.27), *road]


def _tank_hull() -> Mesh:
    low = [(-2.3, 0.0), (1.9, 0.0), (2.6, 0.42), (2.6, 0.72), (-2.7, 0.74), (-2.7, 0.35)]
    high = [(-2.72, 0.72), (2.62, 0.70), (1.15, 1.13), (-2.35, 1.15), (-2.72, 0.95)]
    return join([slab(low, -0.85, 0.85, 0.02), slab(high, -1.22, 1.22, 0.03)])


def _tank_fender() -> Mesh:
    """Make the shelves and side skirts over the tracks."""
    shelf = [(-2.75, 0.60), (-2.62, 0.72), (2.45, 0.72), (2.75, 0.52), (2.77, 0.56), (2.46, 0.755)]
    shelf += [(-2.64, 0.755), (-2.77, 0.62)]
    skirt = [(-2.5, 0.73), (-2.35, 0.52), (2.2, 0.52), (2.42, 0.73)]
    return both_sides(join([slab(shelf, 0.86, 1.32), slab(skirt, 1.32, 1.345)]))


def _tank_turret() -> Mesh:
    """In turret_link, on the turret ring: a wedge-nosed octagon with a bustle."""
    plan = [(1.0, 0.35), (0.62, 0.82), (-0.55, 0.86), (-1.15, 0.6)]
    outline = np.array(plan + [(x, -y) for x, y in reversed(plan)])
    levels = (
        (0.0, 0.93, 0.0),
        (0.06, 1.0, 0.0),
        (0.3, 0.97, -0.02),
        (0.54, 0.72, -0.1),
        (0.57, 0.66, -0.1),
    )
    rings = [[(x * s + dx, y * s, z) for x, y in outline] for z, s, dx in levels]
    return sweep(np.array(rings))


def _tank_mantlet() -> Mesh:
    """In gun_link: the rounded block that closes the slot in the turret."""
    outline = [(-0.25, -0.17), (0.12, -0.18), (0.24, -0.1), (0.24, 0.1)]
    outline += [(0.12, 0.18), (-0.25, 0.17)]
    return slab(outline, -0.3, 0.3, 0.04)


def _tank_barrel() -> Mesh:
    """In gun_link: barrel with a bore evacuator and a muzzle brake, along x."""
    outline = [(0.0, 0.1), (0.11, 0.1), (0.1, 0.5), (0.07, 0.6)]
    outline += [(0.062, 1.35), (0.09, 1.4), (0.09, 1.75)]
    outline += [
        (0.058, 1.8),
        (0.05, 2.6),
        (0.075, 2.62),
        (0.075, 2.68),
        (0.055, 2.7),
        (0.055, 2.74),
    ]
    outline += [(0.08, 2.76), (0.08, 2.84), (0.045, 2.86), (0.038, 2.86), (0.038, 2.7), (0.0, 2.7)]
    return y_to_x(lathe(outline, 20))
