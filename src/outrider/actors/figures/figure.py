"""A figure: the parts of an actor, each a rigid body, with their places when it stands."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.props.patches import Patch, joined
from outrider.world.materials import Material
from outrider.world.model import Geometry, Joint, Link, Model


@dataclass(frozen=True, slots=True, eq=False)
class FigurePart:
    """One rigid part: its frame is where it is hinged, given in the frame of the first part."""

    name: str
    origin: tuple[float, float, float]
    visuals: tuple[Geometry, ...]
    colliders: tuple[Geometry, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """All parts of one actor; the first stands on the ground below it and carries the others."""

    parts: tuple[FigurePart, ...]

    @property
    def origins(self) -> Array:
        """Where parts are hinged (parts, 3), in the frame of the first."""
        return np.array([part.origin for part in self.parts])

    def model(self, name: str, pose: Pose) -> Model:
        """Return it as a model that is moved part by part."""
        root = self.parts[0].name
        links = tuple(Link(p.name, None, p.visuals, p.colliders) for p in self.parts)
        joints = tuple(
            Joint(p.name, "continuous", root, p.name, Pose(np.array(p.origin)), (0.0, 1.0, 0.0))
            for p in self.parts[1:]
        )
        return Model(name, links, joints, pose, mobility="scripted")


def shown(patches: Sequence[Patch], material: Material) -> Geometry:
    """Return surfaces of one look as one piece."""
    return Geometry(joined(patches).mesh(), material=material)


def surface(
    kind: str, colour: tuple[float, float, float], reflectivity: float, friction: float = 0.6
) -> Material:
    """Return a surface of one colour; reflectivity is that of near infrared light."""
    return Material(kind, friction=friction, reflectivity=reflectivity, colour=(*colour, 1.0))


def lofted(rings: Array) -> Patch:
    """Return the closed surface through rings (k, n, 3), each counter-clockwise seen from the next.

    Both ends are closed by fans about their middle.
    """
    k, n, _ = rings.shape
    middles = rings[[0, -1]].mean(axis=1)
    vertices = np.concatenate([rings.reshape(-1, 3), middles])
    i, j = np.meshgrid(np.arange(k - 1), np.arange(n), indexing="ij")
    a, b = i * n + j, i * n + (j + 1) % n
    sides = np.stack([a, b, b + n, a, b + n, a + n], axis=-1).reshape(-1, 3)
    step = np.arange(n)
    after = (step + 1) % n
    first = np.stack([np.full(n, k * n), after, step], axis=-1)
    top = (k - 1) * n
    last = np.stack([np.full(n, k * n + 1), top + step, top + after], axis=-1)
    faces = np.concatenate([sides, first, last]).astype(np.int32)
    return Patch(vertices, faces, np.zeros((len(vertices), 2)))


def upright(sections: Sequence[Sequence[float]], sides: int = 10, square: float = 2.0) -> Patch:
    """Return a loft up along z through sections (z, x, half x, half y, y = 0)."""
    rows = np.array([(*s, 0.0)[:5] for s in sections])
    x, y = _outline(sides, square)
    rings = np.empty((len(rows), sides, 3))
    rings[:, :, 0] = rows[:, 1, None] + rows[:, 2, None] * x
    rings[:, :, 1] = rows[:, 4, None] + rows[:, 3, None] * y
    rings[:, :, 2] = rows[:, 0, None]
    return lofted(rings)


def lengthwise(sections: Sequence[Sequence[float]], sides: int = 12, square: float = 2.0) -> Patch:
    """Return a loft forward along x through sections (x, middle z, half y, half z)."""
    rows = np.array(sections)
    y, z = _outline(sides, square)
    rings = np.empty((len(rows), sides, 3))
    rings[:, :, 0] = rows[:, 0, None]
    rings[:, :, 1] = rows[:, 2, None] * y
    rings[:, :, 2] = rows[:, 1, None] + rows[:, 3, None] * z
    return lofted(rings)


def ball(centre: Sequence[float], half: Sequence[float], sides: int = 10, rows: int = 6) -> Patch:
    """Return an ellipsoid by its half axes."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, rows + 2)[1:-1]
    return upright(
        [
            (
                centre[2] + half[2] * np.sin(a),
                centre[0],
                half[0] * np.cos(a),
                half[1] * np.cos(a),
                centre[1],
            )
            for a in angles
        ],
        sides,
    )


def _outline(sides: int, square: float) -> tuple[Array, Array]:
    """Return a unit ellipse, or with ``square`` above 2 a rounded square (a superellipse)."""
    angle = np.linspace(0.0, 2 * np.pi, sides, endpoint=False) + np.pi / sides
    c, s = np.cos(angle), np.sin(angle)
    power = 2.0 / square
    return np.sign(c) * np.abs(c) ** power, np.sign(s) * np.abs(s) ** power
