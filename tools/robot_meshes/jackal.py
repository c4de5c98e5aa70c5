"""The shapes of the Jackal."""

from __future__ import annotations

import numpy as np

from robot_meshes.forms import arch, bevelled_box, box, disc, slab
from robot_meshes.mesh import Mesh, both_sides, join, moved, y_to_z
from robot_meshes.wheels import rim, tyre


def jackal() -> dict[str, Mesh]:
    """Jackal: chunky tyres, dark chassis, yellow end fenders, drilled deck."""
    stud = y_to_z(disc(0.004, 0.005, 0.0075, 6))
    grid = [(x, y) for x in np.linspace(-0.15, 0.15, 6) for y in (-0.1, -0.04, 0.04, 0.1)]
    dots = [moved(stud, (x, y, 0.0)) for x, y in grid]
    deck = bevelled_box((0.40, 0.27, 0.012), 0.004)
    return {
        "tyre": tyre(0.098, 0.040, 0.062, 0.008, 18),
        "rim": rim(0.063, 0.036, 0.022, 6),
        "chassis": _jackal_chassis(),
        "deck": join([deck, *dots]),
        "fender": _jackal_fender(),
    }


def _jackal_chassis() -> Mesh:
    outline = [(-0.19, 0.0), (0.19, 0.0), (0.21, 0.025), (0.21, 0.125), (0.185, 0.172)]
    outline += [(-0.185, 0.172), (-0.21, 0.125), (-0.21, 0.025)]
    ribs = [box((0.006, 0.314, 0.09), (x, 0.0, 0.095)) for x in (-0.03, -0.015, 0.0, 0.015, 0.03)]
    return join([slab(outline, -0.155, 0.155, 0.012), *ribs])


def _jackal_fender() -> Mesh:
    nose = [(0.206, 0.028), (0.236, 0.028), (0.254, 0.05), (0.254, 0.098), (0.222, 0.152)]
    nose += [(0.196, 0.16), (0.196, 0.125)]
    guard = arch((0.131, 0.0345), (0.108, 0.116), (2.0, 112.0), (0.15, 0.214), 12)
    skirt = arch((0.131, 0.0345), (0.108, 0.123), (2.0, 68.0), (0.206, 0.214), 10)
    return join([slab(nose, -0.16, 0.16, 0.006), both_sides(guard), both_sides(skirt)])
