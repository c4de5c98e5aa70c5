"""The shapes of the AutoMiny car."""

from __future__ import annotations

import numpy as np

from robot_meshes.forms import box, chamfered, disc, lathe, ring, slab, sweep
from robot_meshes.mesh import Mesh, both_sides, join, moved, y_to_z
from robot_meshes.wheels import rim, tyre


def autominy() -> dict[str, Mesh]:
    """AutoMiny: 1:10 car chassis, board, rotating lidar, stereo camera."""
    return {
        "tyre": tyre(0.0325, 0.025, 0.021, 0.0018, 24),
        "rim": rim(0.0215, 0.024, 0.007, 5, 24),
        "chassis": _autominy_chassis(),
        "bumper": _autominy_bumper(),
        "board": _autominy_board(),
        "lidar": _autominy_lidar(),
        "camera": _autominy_camera(),
        "spring": _autominy_spring(),
    }


def _autominy_chassis() -> Mesh:
    half = [(-0.045, 0.03), (-0.03, 0.045), (0.04, 0.045), (0.06, 0.055), (0.19, 0.055)]
    half += [(0.215, 0.04), (0.285, 0.035), (0.3, 0.025)]
    outline = [*half, *((x, -y) for x, y in reversed(half))]
    floor = np.array([[(x, y, z) for x, y in outline] for z in (0.016, 0.024)])
    walls = both_sides(slab([(0.05, 0.02), (0.2, 0.02), (0.19, 0.042), (0.06, 0.042)], 0.05, 0.055))
    boxes = [
        box((0.05, 0.04, 0.028), (0.0, 0.0, 0.035)),
        box((0.045, 0.04, 0.024), (0.255, 0, 0.035)),
    ]
    return join([sweep(floor), walls, *boxes])


def _autominy_bumper() -> Mesh:
    plan = [(0.292, -0.06), (0.315, -0.045), (0.327, 0.0), (0.315, 0.045), (0.292, 0.06)]
    inner = [(x - 0.018, y * 0.85) for x, y in reversed(plan)]
    levels = [(0.019, 0.985), (0.024, 1.0), (0.038, 1.0), (0.043, 0.985)]
    rings = [[(x * s, y * s, z) for x, y in plan + inner] for z, s in levels]
    return sweep(np.array(rings))


def _autominy_board() -> Mesh:
    """In the board frame: an acrylic plate over the whole car, 0.3875 m long with the bumper."""
    plate = np.array(
        [[(x, y, z) for x, y in chamfered(0.37, 0.13, 0.02)] for z in (-0.0025, 0.0025)]
    )
    return moved(sweep(plate), (0.125, 0.0, 0.0))


def _autominy_lidar() -> Mesh:
    """In lidar_base_link: base, neck and the turning head whose beam is at z 0.03086."""
    base = [(0.0, 0.0), (0.035, 0.0), (0.0375, 0.003), (0.0375, 0.012)]
    base += [(0.034, 0.017), (0.028, 0.018)]
    head = [(0.028, 0.0205), (0.0345, 0.0205), (0.0355, 0.022), (0.0355, 0.037), (0.033, 0.0405)]
    return y_to_z(lathe([*base, *head, (0.0, 0.0405)], 36))


def _autominy_camera() -> Mesh:
    """In camera_link: a bar 90 mm wide with a rounded back, x forward."""
    plan = [(0.0, 0.045), (0.0, -0.045), (-0.012, -0.045), (-0.025, -0.034), (-0.025, 0.034)]
    plan += [(-0.012, 0.045)]
    levels = [(-0.0125, 0.94), (-0.0105, 1.0), (0.0105, 1.0), (0.0125, 0.94)]
    return sweep(np.array([[(x * s, y * s, z) for x, y in plan] for z, s in levels]))


def _autominy_spring() -> Mesh:
    """Make a shock absorber along z, its coils as rings."""
    coils = [
        moved(ring(0.0045, 0.0065, -0.0009, 0.0009, 10), (0, y, 0))
        for y in np.arange(-3, 4) * 0.004
    ]
    return y_to_z(join([disc(0.0035, -0.022, 0.022, 8), *coils]))
