"""The shapes of the tracked UGV."""

from __future__ import annotations

from robot_meshes.belts import belt
from robot_meshes.forms import box, lathe, slab
from robot_meshes.mesh import Mesh, join, y_to_x
from robot_meshes.wheels import dished_wheel, sprocket


def tracked_ugv() -> dict[str, Mesh]:
    """Tracked UGV: belts round two wheels a side, a body, a fluid tank, a spray arm."""
    wheels = [(-0.25, 0.01855, 0.0745), (0.25, 0.01855, 0.0745)]
    return {
        "belt": belt(wheels, 0.09728, 0.008, 0.00797, 44),
        "sprocket": sprocket(0.0785, 0.104, 14),
        "idler": dished_wheel(0.0735, 0.1),
        "road_wheel": dished_wheel(0.04, 0.09),
        "body": _ugv_body(),
        "pump": _ugv_pump(),
        "tank": _ugv_tank(),
        "nozzle": _ugv_nozzle(),
        "guard": _ugv_guard(),
    }


def _ugv_body() -> Mesh:
    low, high = 0.0485, 0.1875
    outline = [(-0.35, low), (0.13, low), (0.13, high), (-0.33, high)]
    outline += [(-0.372, 0.15), (-0.372, 0.075)]
    vents = [box((0.012, 0.16, 0.006), (-0.33 + 0.02 * i, 0.0, high + 0.001)) for i in range(4)]
    return join([slab(outline, -0.1205, 0.1205, 0.008), *vents])


def _ugv_pump() -> Mesh:
    """In pump_link, at x 0.21 z 0.12: the housing in the front bay, with a sloped nose."""
    outline = [(-0.08, -0.07), (0.06, -0.07), (0.11, -0.03), (0.11, 0.01)]
    outline += [(0.06, 0.068), (-0.08, 0.068)]
    return slab(outline, -0.12, 0.12, 0.008)


def _ugv_tank() -> Mesh:
    """In tank_link: a lying pressure tank, 0.34 m long, radius 0.085, with two weld rings."""
    half = [(0.0, 0.17), (0.04, 0.163), (0.068, 0.148), (0.085, 0.12), (0.085, 0.085)]
    half += [(0.088, 0.082), (0.088, 0.072), (0.085, 0.069)]
    return y_to_x(lathe(half + [(r, -y) for r, y in reversed(half)], 32))


def _ugv_nozzle() -> Mesh:
    """In nozzle_link: the spray head along x, its tip in the origin."""
    outline = [(0.0, -0.075), (0.012, -0.075), (0.012, -0.04), (0.02, -0.03), (0.02, -0.018)]
    return y_to_x(
        lathe([*outline, (0.026, -0.004), (0.026, 0.0), (0.008, -0.003), (0.0, -0.003)], 20)
    )


def _ugv_guard() -> Mesh:
    """In the track's frame: the plate over the upper run of the belt."""
    plate = [(-0.26, 0.113), (0.26, 0.113), (0.30, 0.104), (0.303, 0.11)]
    plate += [(0.262, 0.12), (-0.262, 0.12)]
    return slab([*plate, (-0.303, 0.11), (-0.30, 0.104)], -0.053, 0.053)
