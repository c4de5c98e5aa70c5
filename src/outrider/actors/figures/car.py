"""A car: a body with windows and lamps, on four wheels that turn."""

import numpy as np

from outrider.actors.figures.figure import Figure, FigurePart, lengthwise, lofted, shown, surface
from outrider.actors.spec import RGB
from outrider.core.frames import Array, Pose
from outrider.props.patches import Patch, box, tube
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Cylinder

BODIES = ("body", "front_left_wheel", "front_right_wheel", "rear_left_wheel", "rear_right_wheel")
WHEELBASE, TRACK, WHEEL_RADIUS = 2.6, 1.57, 0.315  # m
LENGTH, WIDTH = 4.3, 1.78
FRONT, REAR = 3.42, -0.88  # of the bumpers, from the rear axle
PAINTS: tuple[RGB, ...] = (
    (0.55, 0.06, 0.06),
    (0.10, 0.20, 0.42),
    (0.78, 0.79, 0.80),
    (0.90, 0.90, 0.88),
    (0.14, 0.15, 0.16),
    (0.16, 0.34, 0.24),
    (0.72, 0.55, 0.12),
)


def car(random: np.random.Generator, paint: RGB | None = None) -> Figure:
    """Return a car that faces +x, with its rear axle above the origin."""
    coat = surface("paint", paint or PAINTS[random.integers(len(PAINTS))], 0.45, 0.4)
    wheels = [(x, y) for x in (WHEELBASE, 0.0) for y in (TRACK / 2, -TRACK / 2)]
    parts = [_body(coat)]
    parts += [_wheel(name, x, y) for name, (x, y) in zip(BODIES[1:], wheels, strict=True)]
    return Figure(tuple(parts))


def _body(coat: Material) -> FigurePart:
    glass = surface("car_glass", (0.05, 0.06, 0.07), 0.1, 0.4)
    dark = surface("rubber", (0.05, 0.05, 0.05), 0.1, 0.8)
    white, red = surface("lamp", (0.95, 0.94, 0.86), 0.8), surface("lamp", (0.6, 0.03, 0.03), 0.5)
    visuals = (
        shown([_hull(), _roof()], coat),
        shown([_windows()], glass),
        shown([*_arches(), _sill()], dark),
        shown([_lamp(FRONT - 0.135, side * 0.6, 0.6, 0.32) for side in (1, -1)], white),
        shown([_lamp(REAR + 0.09, side * 0.66, 0.76, 0.24) for side in (1, -1)], red),
        shown(_plates(), white),
    )
    middle = (FRONT + REAR) / 2
    solid = (
        Geometry(Box((LENGTH, WIDTH, 0.62)), Pose(np.array([middle, 0, 0.53])), coat),
        Geometry(Box((2.2, 1.4, 0.58)), Pose(np.array([0.85, 0, 1.13])), coat),
    )
    return FigurePart(BODIES[0], (0.0, 0.0, 0.0), visuals, solid)


def _hull() -> Patch:
    """Return what is below the windows, from bumper to bumper."""
    return lengthwise(
        [
            (REAR, 0.56, 0.72, 0.18),
            (REAR + 0.07, 0.58, 0.83, 0.32),
            (REAR + 0.35, 0.575, 0.865, 0.365),
            (0.4, 0.57, 0.87, 0.37),
            (1.9, 0.57, 0.87, 0.36),
            (2.3, 0.55, 0.87, 0.34),
            (3.0, 0.50, 0.86, 0.28),
            (FRONT - 0.12, 0.47, 0.82, 0.235),
            (FRONT, 0.45, 0.70, 0.15),
        ],
        24,
        5.0,
    )


def _cabin(grow: float, top: float) -> Patch:
    """Return the cabin, by the corners of its window line and of its roof."""
    low, high = 0.88, top
    half_low, half_high = 0.80 + grow, 0.58 + grow
    below = (-0.62 - grow, 2.05 + grow)
    above = (-0.12 - grow, 1.16 + grow)
    rings = []
    for share in (0.0, 0.5, 0.9, 1.0):
        bulge = 0.05 * np.sin(np.pi * share)
        back, front = (b + (a - b) * share for a, b in zip(above, below, strict=True))
        half = half_low + (half_high - half_low) * share + bulge
        rings.append(_rectangle(back - bulge, front + bulge, half, low + (high - low) * share))
    return lofted(np.array(rings))


def _windows() -> Patch:
    return _cabin(0.0, 1.40)


def _roof() -> Patch:
    """Return the roof with a little of its edge."""
    rings = [
        _rectangle(-0.17, 1.20, 0.60, 1.385),
        _rectangle(-0.14, 1.14, 0.585, 1.425),
        _rectangle(0.0, 1.0, 0.50, 1.455),
    ]
    return lofted(np.array(rings))


def _rectangle(back: float, front: float, half: float, z: float) -> Array:
    """Return a ring with rounded corners, counter-clockwise from above."""
    r = min(0.14, half / 2)
    corners = [
        (front - r, half - r),
        (back + r, half - r),
        (back + r, r - half),
        (front - r, r - half),
    ]
    points = []
    for quarter, (x, y) in enumerate(corners):
        angles = np.pi / 2 * (quarter + np.array([0.0, 0.5, 1.0]))
        points += [(x + r * np.cos(angle), y + r * np.sin(angle), z) for angle in angles]
    return np.array(points)


def _arches() -> list[Patch]:
    """Return dark discs behind the wheels: the hull has no holes for them."""
    found = []
    for x in (0.0, WHEELBASE):
        for side in (1.0, -1.0):
            at = np.array([[x, side * 0.5, 0.34], [x, side * 0.876, 0.34]])
            found.append(tube(at, [0.37, 0.37], 20, closed=(True, True)))
    return found


def _sill() -> Patch:
    return box((LENGTH - 0.5, WIDTH - 0.25, 0.14), ((FRONT + REAR) / 2, 0.0, 0.24))


def _lamp(x: float, y: float, z: float, wide: float) -> Patch:
    return box((0.16, wide, 0.12), (x, y, z))


def _plates() -> list[Patch]:
    return [
        box((0.02, 0.5, 0.11), (FRONT + 0.005, 0, 0.45)),
        box((0.02, 0.5, 0.11), (REAR - 0.005, 0, 0.6)),
    ]


def _wheel(name: str, x: float, y: float) -> FigurePart:
    """Return a wheel about its own axle, which lies along y."""
    tyre = surface("rubber", (0.06, 0.06, 0.06), 0.1, 0.8)
    rim = surface("rim", (0.62, 0.63, 0.65), 0.5, 0.4)
    side = 1.0 if y > 0 else -1.0
    r = WHEEL_RADIUS
    across = np.array([[0, -0.105, 0], [0, -0.09, 0], [0, 0.09, 0], [0, 0.105, 0]])
    rubber = tube(across, [r * 0.9, r, r, r * 0.9], 20, closed=(True, True))
    hub = tube([[0, side * 0.05, 0], [0, side * 0.109, 0]], [0.21, 0.2], 16, closed=(True, True))
    spokes = [_spoke(side, angle) for angle in np.arange(5) * 2 * np.pi / 5]
    visuals = (shown([rubber, *spokes], tyre), shown([hub], rim))
    axle = Pose.from_rpy([0.0, 0.0, 0.0], [np.pi / 2, 0.0, 0.0])
    solid = Geometry(Cylinder(r, 0.21), axle, tyre)
    return FigurePart(name, (x, y, r), visuals, (solid,))


def _spoke(side: float, angle: float) -> Patch:
    """Return a dark gap of the rim, by which one sees it turn."""
    c, s = np.cos(angle), np.sin(angle)
    flat = box((0.05, 0.012, 0.11), (0.0, side * 0.107, 0.13))
    return flat.rotated(np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]))
