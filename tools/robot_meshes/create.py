"""The shapes of the Create."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robot_meshes.forms import lathe, sweep
from robot_meshes.mesh import Mesh, Point2, y_to_z
from robot_meshes.wheels import rim, tyre


def create() -> dict[str, Mesh]:
    """Create 2: a round body, the sprung front bumper, a light face plate."""
    return {
        "body": _create_body(),
        "bumper": _create_bumper(),
        "bin": _create_bin(),
        "face": y_to_z(
            lathe([(0.0, 0.074), (0.122, 0.074), (0.122, 0.0765), (0.117, 0.078), (0, 0.079)], 48)
        ),
        "ring": y_to_z(
            lathe([(0.121, 0.074), (0.133, 0.0735), (0.131, 0.0775), (0.123, 0.079)], 48)
        ),
        "tyre": tyre(0.036, 0.024, 0.022, 0.0025, 20),
        "rim": rim(0.0225, 0.022, 0.009, 5, 24),
    }


def _create_body() -> Mesh:
    side = [(0.0, 0.004), (0.15, 0.004), (0.162, 0.012), (0.166, 0.022), (0.1662, 0.06)]
    top = [(0.1635, 0.069), (0.155, 0.0745), (0.0, 0.0755)]
    return y_to_z(lathe([*side, *top], 64))


def _create_bumper() -> Mesh:
    """Make the front half ring, 0.3485 m across, a little proud of the body."""
    profile = [(0.1668, 0.008), (0.171, 0.009), (0.17425, 0.016), (0.17425, 0.05), (0.1715, 0.061)]
    return _sector([*profile, (0.1668, 0.064)], (-88.0, 88.0), 33)


def _create_bin() -> Mesh:
    """Make the lid of the dust bin in the rear wall."""
    profile = [(0.150, 0.014), (0.166, 0.018), (0.1685, 0.022), (0.1685, 0.058), (0.166, 0.064)]
    return _sector([*profile, (0.150, 0.066)], (150.0, 210.0), 13)


def _sector(profile: Sequence[Point2], angles_deg: Point2, steps: int) -> Mesh:
    turns = np.radians(np.linspace(*angles_deg, steps))
    rings = [[(r * np.cos(a), r * np.sin(a), z) for r, z in profile] for a in turns]
    return sweep(np.array(rings))
