"""A sheep: a woolly trunk with a dark head, on four thin legs."""

import numpy as np

from outrider.actors.figures.figure import (
    Figure,
    FigurePart,
    ball,
    lengthwise,
    shown,
    surface,
    upright,
)
from outrider.core.frames import Pose
from outrider.props.patches import Patch
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Capsule, Sphere

BODIES = ("body", "left_fore_leg", "right_fore_leg", "left_hind_leg", "right_hind_leg")
HIP = 0.42  # m above the ground
_FORE, _HIND, _APART = 0.3, -0.3, 0.12
_WOOLS = ((0.86, 0.83, 0.75), (0.80, 0.76, 0.68), (0.90, 0.88, 0.82), (0.30, 0.26, 0.23))
_FACE = (0.10, 0.09, 0.08)


def sheep(random: np.random.Generator) -> Figure:
    """Return a sheep that faces +x, about a metre long."""
    colour = _WOOLS[random.integers(len(_WOOLS)) if random.uniform() < 0.9 else -1]
    wool, dark = surface("wool", colour, 0.6), surface("sheep", _FACE, 0.3)
    legs = [(x, y) for x in (_FORE, _HIND) for y in (_APART, -_APART)]
    parts = [_trunk(random, wool, dark)]
    parts += [_leg(name, x, y, dark) for name, (x, y) in zip(BODIES[1:], legs, strict=True)]
    return Figure(tuple(parts))


def _trunk(random: np.random.Generator, wool: Material, dark: Material) -> FigurePart:
    fleece = _curled(lengthwise(_barrel(), 20), random)
    tuft = _curled(ball((0.545, 0.0, 0.935), (0.075, 0.07, 0.05), 8, 4), random)
    tail = ball((-0.58, 0.0, 0.58), (0.035, 0.04, 0.11), 8, 4)
    head = lengthwise(
        [
            (0.46, 0.86, 0.06, 0.085),
            (0.54, 0.865, 0.075, 0.09),
            (0.62, 0.845, 0.068, 0.075),
            (0.72, 0.80, 0.045, 0.05),
            (0.76, 0.785, 0.032, 0.034),
        ],
        10,
    )
    ears = [ball((0.545, side * 0.115, 0.88), (0.022, 0.055, 0.018), 6, 3) for side in (1, -1)]
    visuals = (shown([fleece, tuft, tail], wool), shown([head, *ears], dark))
    along = Pose.from_rpy([-0.03, 0.0, 0.62], [0.0, np.pi / 2, 0.0])
    solid = (
        Geometry(Capsule(0.25, 0.5), along, wool),
        Geometry(Sphere(0.11), Pose(np.array([0.6, 0.0, 0.85])), dark),
    )
    return FigurePart(BODIES[0], (0.0, 0.0, 0.0), visuals, solid)


def _barrel() -> list[tuple[float, float, float, float]]:
    """Return the sections of the fleece, from the tail to the neck."""
    places = np.array([-0.56, -0.53, -0.46, -0.36, -0.1, 0.16, 0.36, 0.47, 0.54])
    middle = np.array([0.65, 0.65, 0.64, 0.62, 0.60, 0.61, 0.65, 0.72, 0.80])
    wide = np.array([0.06, 0.12, 0.19, 0.24, 0.265, 0.255, 0.215, 0.15, 0.10])
    tall = np.array([0.07, 0.13, 0.21, 0.255, 0.27, 0.265, 0.24, 0.18, 0.12])
    x = np.concatenate([places[:3], np.linspace(-0.40, 0.36, 12), places[-2:]])
    curves = [np.interp(x, places, values) for values in (middle, wide, tall)]
    return list(zip(x.tolist(), *(curve.tolist() for curve in curves), strict=True))


def _leg(name: str, x: float, y: float, dark: Material) -> FigurePart:
    sections = [
        (-HIP, 0.015, 0.034, 0.028),
        (-HIP + 0.05, 0.005, 0.025, 0.022),
        (-0.22, 0.0, 0.024, 0.022),
        (-0.05, 0.0, 0.045, 0.035),
        (0.05, 0.0, 0.05, 0.04),
    ]
    solid = Geometry(Capsule(0.03, 0.32), Pose(np.array([0.0, 0.0, -0.2])), dark)
    return FigurePart(name, (x, y, HIP), (shown([upright(sections, 8)], dark),), (solid,))


def _curled(patch: Patch, random: np.random.Generator) -> Patch:
    """Return a surface as uneven as wool is."""
    middle = patch.vertices.mean(axis=0)
    away = patch.vertices - middle
    away *= random.uniform(0.955, 1.03, (len(away), 1))
    return Patch(middle + away, patch.faces, patch.uv)
