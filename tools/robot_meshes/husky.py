"""The shapes of the Husky."""

from __future__ import annotations

import numpy as np

from robot_meshes.forms import bevelled_box, box, disc, slab, sweep, tube
from robot_meshes.mesh import Mesh, Point2, both_sides, join, moved, y_to_z
from robot_meshes.wheels import rim, tyre


def husky() -> dict[str, Mesh]:
    """Husky: big lugged tyres, black tub, yellow shell, bumpers, rails and top plate."""
    return {
        "tyre": tyre(0.1651, 0.1143, 0.085, 0.014, 20),
        "rim": rim(0.087, 0.096, 0.032, 5),
        "tub": _husky_tub(),
        "shell": _husky_shell(),
        "bumper": _husky_bumper(),
        "rails": _husky_rails(),
        "top_plate": _husky_top_plate(),
    }


def _husky_tub() -> Mesh:
    outline = [(-0.40, 0.0), (0.40, 0.0), (0.455, 0.045), (0.455, 0.13), (-0.455, 0.13)]
    axles = [moved(disc(0.03, -0.23, 0.23, 16), (x, 0.0, 0.03282)) for x in (-0.256, 0.256)]
    return join([slab([*outline, (-0.455, 0.045)], -0.205, 0.205, 0.008), *axles])


def _husky_shell() -> Mesh:
    outline = [(-0.465, 0.125), (0.465, 0.125), (0.455, 0.165), (0.36, 0.225), (0.33, 0.232)]
    outline += [(-x, z) for x, z in reversed(outline[2:])]
    body = slab(outline, -0.222, 0.222, 0.012)
    eave = slab([(-0.4, 0.2), (0.4, 0.2), (0.362, 0.226), (-0.362, 0.226)], -0.272, 0.272, 0.008)
    return join([body, eave])


def _husky_bumper() -> Mesh:
    """In the bumper frame: x = 0 is its mounting plane, 0.48 m ahead of base_link."""
    plan = [(-0.02, -0.28), (0.0, -0.28), (0.045, -0.2), (0.045, 0.2), (0.0, 0.28), (-0.02, 0.28)]
    rings = [[(x * s, y * s, z) for x, y in plan] for s, z in _bumper_levels()]
    stays = box((0.05, 0.05, 0.04), (-0.03, 0.12, 0.0))
    return join([sweep(np.array(rings)), both_sides(stays)])


def _bumper_levels() -> list[Point2]:
    return [(0.94, -0.055), (1.0, -0.04), (1.0, 0.04), (0.94, 0.055)]


def _husky_rails() -> Mesh:
    """In user_rail_link, 0.272 m ahead of base_link: a low tube frame over the shell."""
    side = [(0.0, 0.2, -0.03), (0.0, 0.2, 0.02), (-0.03, 0.2, 0.05), (-0.52, 0.2, 0.05)]
    side += [(-0.55, 0.2, 0.02), (-0.55, 0.2, -0.03)]
    bars = [[(x, -0.2, 0.05), (x, 0.2, 0.05)] for x in (-0.04, -0.51)]
    across = [tube(bar, 0.0095, (0.0, 0.0, 1.0)) for bar in bars]
    return join([both_sides(tube(side, 0.0095, (0.0, 1.0, 0.0))), *across])


def _husky_top_plate() -> Mesh:
    """In top_plate_link: a drilled aluminium plate."""
    grid = [(x, y) for x in np.linspace(-0.3, 0.14, 8) for y in (-0.12, -0.04, 0.04, 0.12)]
    dot = y_to_z(disc(0.005, 0.0, 0.0084, 6))
    plate = bevelled_box((0.50, 0.34, 0.00635), 0.002, (-0.08, 0.0, 0.00318))
    return join([plate, *(moved(dot, (x, y, 0.0)) for x, y in grid)])
