"""A person: trunk with head, arms, thighs and shanks, in clothes of drawn colours."""

import numpy as np

from outrider.actors.figures.figure import Figure, FigurePart, ball, shown, surface, upright
from outrider.actors.spec import RGB
from outrider.core.frames import Pose
from outrider.props.patches import Patch
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Capsule, Sphere

BODIES = ("body", "left_arm", "right_arm", "left_thigh", "right_thigh", "left_shank", "right_shank")
HEIGHT = 1.75  # m, of the figure that all others are scaled from
HIP, KNEE, SHOULDER = 0.92, 0.49, 1.40  # m above the ground
SKINS: tuple[RGB, ...] = ((0.87, 0.68, 0.56), (0.72, 0.52, 0.39), (0.46, 0.31, 0.22))
HAIRS: tuple[RGB, ...] = ((0.10, 0.07, 0.05), (0.30, 0.19, 0.10), (0.62, 0.47, 0.24))
JACKETS: tuple[RGB, ...] = (
    (0.62, 0.13, 0.12),
    (0.12, 0.27, 0.52),
    (0.18, 0.42, 0.25),
    (0.86, 0.83, 0.76),
    (0.79, 0.58, 0.15),
    (0.33, 0.31, 0.36),
    (0.44, 0.20, 0.42),
)
TROUSERS: tuple[RGB, ...] = ((0.13, 0.17, 0.30), (0.16, 0.15, 0.15), (0.50, 0.43, 0.32))
_SHOES: RGB = (0.09, 0.08, 0.08)


def person(random: np.random.Generator, height: float, jacket: RGB | None = None) -> Figure:
    """Return a person of a height (m), facing +x."""
    drawn = [choices[random.integers(len(choices))] for choices in (SKINS, HAIRS, JACKETS)]
    skin, hair = surface("skin", drawn[0], 0.55), surface("hair", drawn[1], 0.3)
    coat = surface("cloth", jacket or drawn[2], 0.5)
    legs = surface("cloth", TROUSERS[random.integers(len(TROUSERS))], 0.4)
    k = height / HEIGHT
    parts = [_trunk(skin, hair, coat, legs, k)]
    parts += [_arm(side, skin, coat, k) for side in (1, -1)]
    parts += [_thigh(side, legs, k) for side in (1, -1)]
    parts += [_shank(side, legs, k) for side in (1, -1)]
    return Figure(tuple(parts))


def _trunk(skin: Material, hair: Material, coat: Material, legs: Material, k: float) -> FigurePart:
    chest = [
        (0.86, 0.0, 0.125, 0.172),
        (0.90, 0.0, 0.132, 0.178),
        (1.05, 0.005, 0.115, 0.158),
        (1.22, 0.01, 0.125, 0.175),
        (1.36, 0.0, 0.118, 0.19),
        (1.42, -0.01, 0.095, 0.175),
        (1.465, -0.01, 0.07, 0.115),
        (1.49, -0.005, 0.055, 0.062),
    ]
    seat = [(0.80, 0.0, 0.07, 0.10), (0.84, -0.01, 0.12, 0.165), (0.92, -0.005, 0.122, 0.168)]
    neck = [(1.46, -0.005, 0.05, 0.052), (1.56, 0.005, 0.046, 0.048)]
    face = ball((0.022, 0.0, 1.635), (0.092, 0.075, 0.118))
    nose = ball((0.112, 0.0, 1.625), (0.018, 0.012, 0.02), 6, 3)
    ears = [ball((0.005, side * 0.076, 1.63), (0.016, 0.01, 0.028), 6, 3) for side in (1, -1)]
    mop = ball((-0.008, 0.0, 1.668), (0.1, 0.083, 0.098))
    visuals = (
        shown(_scaled([upright(chest, 14)], k), coat),
        shown(_scaled([upright(seat, 14)], k), legs),
        shown(_scaled([upright(neck, 8), face, nose, *ears], k), skin),
        shown(_scaled([mop], k), hair),
    )
    trunk = Geometry(Capsule(0.17 * k, 0.34 * k), Pose(np.array([0, 0, 1.15 * k])), coat)
    head = Geometry(Sphere(0.11 * k), Pose(np.array([0.01 * k, 0, 1.64 * k])), skin)
    return FigurePart(BODIES[0], (0.0, 0.0, 0.0), visuals, (trunk, head))


def _arm(side: int, skin: Material, coat: Material, k: float) -> FigurePart:
    """Return an arm that hangs from the shoulder, a little bent."""
    sleeve = [
        (0.055, 0.0, 0.018, 0.02, -0.02),
        (0.042, 0.0, 0.045, 0.042, -0.012),
        (0.0, 0.0, 0.06, 0.052, 0.0),
        (-0.12, 0.0, 0.048, 0.046, 0.012),
        (-0.28, -0.005, 0.042, 0.04, 0.02),
        (-0.42, 0.03, 0.037, 0.035, 0.022),
        (-0.50, 0.055, 0.035, 0.033, 0.022),
    ]
    turned = [(z, x, hx, hy, side * y) for z, x, hx, hy, y in reversed(sleeve)]
    hand = ball((0.078, side * 0.022, -0.565), (0.032, 0.02, 0.072), 8, 4)
    visuals = (
        shown(_scaled([upright(turned, 8)], k), coat),
        shown(_scaled([hand], k), skin),
    )
    centre = np.array([0.02, side * 0.015, -0.28]) * k
    solid = Geometry(Capsule(0.045 * k, 0.5 * k), Pose(centre), coat)
    name = BODIES[1] if side > 0 else BODIES[2]
    return FigurePart(name, (-0.005 * k, side * 0.19 * k, SHOULDER * k), visuals, (solid,))


def _thigh(side: int, legs: Material, k: float) -> FigurePart:
    long = HIP - KNEE
    sections = [
        (-long - 0.03, 0.0, 0.045, 0.045),
        (-long, 0.0, 0.06, 0.058),
        (-0.25, 0.0, 0.076, 0.072),
        (-0.08, -0.01, 0.092, 0.086),
        (0.03, -0.01, 0.08, 0.07),
    ]
    visuals = (shown(_scaled([upright(sections, 10)], k), legs),)
    solid = Geometry(Capsule(0.075 * k, 0.3 * k), Pose(np.array([0, 0, -0.2 * k])), legs)
    name = BODIES[3] if side > 0 else BODIES[4]
    return FigurePart(name, (0.0, side * 0.092 * k, HIP * k), visuals, (solid,))


def _shank(side: int, legs: Material, k: float) -> FigurePart:
    """Return a lower leg with its shoe."""
    sections = [
        (-KNEE + 0.07, -0.02, 0.05, 0.048),
        (-0.30, -0.015, 0.05, 0.048),
        (-0.14, -0.012, 0.06, 0.056),
        (0.0, 0.0, 0.058, 0.056),
        (0.03, 0.0, 0.04, 0.04),
    ]
    shoes = surface("leather", _SHOES, 0.25)
    visuals = (
        shown(_scaled([upright(sections, 10)], k), legs),
        shown(_scaled([_shoe()], k), shoes),
    )
    shin = Geometry(Capsule(0.055 * k, 0.34 * k), Pose(np.array([-0.01, 0, -0.2]) * k), legs)
    foot = Geometry(
        Box((0.27 * k, 0.095 * k, 0.08 * k)), Pose(np.array([0.05, 0, -KNEE + 0.04]) * k), shoes
    )
    name = BODIES[5] if side > 0 else BODIES[6]
    return FigurePart(name, (0.0, side * 0.092 * k, KNEE * k), visuals, (shin, foot))


def _shoe() -> Patch:
    rows = [
        (0.0, 0.05, 0.135, 0.046),
        (0.03, 0.05, 0.138, 0.05),
        (0.06, 0.04, 0.12, 0.046),
        (0.10, -0.02, 0.06, 0.044),
        (0.12, -0.025, 0.05, 0.042),
    ]
    return upright([(z - KNEE, x, hx, hy) for z, x, hx, hy in rows], 12, square=2.6)


def _scaled(patches: list[Patch], k: float) -> list[Patch]:
    return [Patch(patch.vertices * k, patch.faces, patch.uv) for patch in patches]
