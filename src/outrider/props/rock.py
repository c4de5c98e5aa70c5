"""A rock: a ball of triangles, cut flat here and there and roughened, one metre across."""

import numpy as np

from outrider.core.frames import Array, Pose
from outrider.core.seeds import generator
from outrider.props.prop import Prop
from outrider.props.textures.images import texture as drawn
from outrider.props.textures.recipe import recipe
from outrider.props.textures.tiling import Image, as_pixels, coloured, fractal, spots
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Box, Faces, Mesh

RGB = tuple[float, float, float]
_STONE = Material(
    "rock", friction=0.75, rolling_resistance=0.02, reflectivity=0.3, colour=(0.48, 0.46, 0.44, 1.0)
)
_PLAIN = 1  # detail
_COPIES = 0.8  # of the texture per radius
_ROUND = 0.94
_COLLIDER = 0.68  # of the rock's extent: a box inside it, whose corners hardly stick out


def rock(
    seed: int,
    *,
    detail: int = 1,
    cuts: int = 9,
    flatness: float = 0.7,
    roughness: float = 0.06,
    colour: tuple[float, float, float] = (0.48, 0.46, 0.44),
    reflectivity: float = 0.3,
    texture: str = "",
) -> Prop:
    """Return a rock of ``20 * 4 ** detail`` triangles, standing with its lowest point at z = 0."""
    if not 0 <= detail <= 5:
        raise ValueError(f"detail must lie between 0 and 5, got {detail}")
    random = generator(seed, "rock")
    ball, faces = sphere(detail)
    corners = _cut(ball, random, cuts)
    corners *= 1 + roughness * _bumps(ball, random, (1.5, 7.0))[:, None]
    if detail > _PLAIN + 1:  # large ones show smaller bumps too
        corners *= 1 + 0.4 * roughness * _bumps(ball, random, (8.0, 18.0))[:, None]
    corners *= np.array([1.0, random.uniform(0.7, 1.0), flatness * random.uniform(0.8, 1.1)])
    corners /= np.ptp(corners[:, :2], axis=0).max()
    corners -= (corners.max(axis=0) + corners.min(axis=0)) / 2
    size = np.ptp(corners, axis=0)
    corners[:, 2] += size[2] / 2
    mesh = Mesh(corners, faces, uv=_around(ball))
    stone = Material(
        "rock",
        friction=_STONE.friction,
        rolling_resistance=_STONE.rolling_resistance,
        reflectivity=reflectivity,
        colour=(*colour, 1.0),
        texture=texture or drawn(surface, tuple(colour)),
    )
    return Prop((Geometry(mesh, Pose(), stone),), (_collider(size, detail, stone),))


def _collider(size: Array, detail: int, stone: Material) -> Geometry:
    """Return a box for a plain rock, a convex ball of triangles for a boulder of finer ones."""
    middle = Pose(np.array([0.0, 0.0, size[2] / 2]))
    if detail > _PLAIN:
        ball, faces = sphere(1)
        return Geometry(Mesh(_ROUND * ball * size / 2, faces), middle, stone)
    box = Box((_COLLIDER * size[0], _COLLIDER * size[1], _COLLIDER * size[2]))
    return Geometry(box, middle, stone)


def sphere(detail: int) -> tuple[Array, Faces]:
    """Return a ball of even triangles: an icosahedron, each face cut in four ``detail`` times."""
    corners, faces = _icosahedron()
    for _ in range(detail):
        corners, faces = _quartered(corners, faces)
    return corners, faces


def _icosahedron() -> tuple[Array, Faces]:
    g = (1 + 5**0.5) / 2
    corners = [[s, t * g, 0.0] for s in (-1, 1) for t in (-1, 1)]
    corners += [[0.0, s, t * g] for s in (-1, 1) for t in (-1, 1)]
    corners += [[t * g, 0.0, s] for s in (-1, 1) for t in (-1, 1)]
    points = np.array(corners) / np.sqrt(1 + g * g)
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    near = (apart > 0) & (apart < 1.1)
    triples = [
        (i, j, k)
        for i in range(12)
        for j in range(i + 1, 12)
        for k in range(j + 1, 12)
        if near[i, j] and near[j, k] and near[i, k]
    ]
    faces = np.array(triples)
    a, b, c = (points[faces[:, k]] for k in range(3))
    inside_out = np.einsum("ij,ij->i", np.cross(b - a, c - a), a) < 0
    faces[inside_out] = faces[inside_out][:, [0, 2, 1]]
    return points, faces.astype(np.int32)


def _quartered(corners: Array, faces: Faces) -> tuple[Array, Faces]:
    edges = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    unique, back = np.unique(edges, axis=0, return_inverse=True)
    middle = corners[unique].mean(axis=1)
    middle /= np.linalg.norm(middle, axis=1)[:, None]
    ab, bc, ca = (len(corners) + back.reshape(-1, 3)).T
    a, b, c = faces.T
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    quarters = np.concatenate([np.stack(part, axis=1) for part in parts])
    return np.concatenate([corners, middle]), quarters.astype(np.int32)


def _cut(ball: Array, random: np.random.Generator, cuts: int) -> Array:
    """Press the ball flat along random planes: what breaks off a rock leaves a face."""
    corners = ball.copy()
    normals = random.standard_normal((cuts, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    normals = np.concatenate([normals, [[0.0, 0.0, -1.0]]])  # it lies on a broad face
    depths = np.append(random.uniform(0.55, 0.9, cuts), 0.5)
    for normal, depth in zip(normals, depths, strict=True):
        beyond = np.maximum(corners @ normal - depth, 0.0)
        corners = corners - beyond[:, None] * normal
    return corners


@recipe("outrider.props.rock.surface")
def surface(random: np.random.Generator, colour: RGB, side: int = 512) -> Image:
    """Return the surface of a rock: grains, stains, pits and cracks."""
    shape = (side, side)
    light = 0.16 * fractal(random, shape, 1.1) + 0.10 * fractal(random, shape, 0.3)
    light += 0.10 * spots(random, shape, 700, (1.0, 9.0))
    light -= 0.5 * np.exp(-((fractal(random, shape, 1.6) / 0.025) ** 2))  # cracks
    return as_pixels(coloured(colour, light, 0.03 * fractal(random, shape, 1.4)))


def _bumps(ball: Array, random: np.random.Generator, waves_of: tuple[float, float]) -> Array:
    """Return dents and bumps all over a ball, of deviation one: waves in random directions."""
    waves = 24
    along = random.standard_normal((waves, 3)) * random.uniform(*waves_of, waves)[:, None]
    phase = random.uniform(0, 2 * np.pi, waves)
    bumps: Array = np.cos(ball @ along.T + phase).sum(axis=1)
    return bumps / max(float(bumps.std()), 1e-9)


def _around(ball: Array) -> Array:
    """Return texture coordinates as seen from aslant above and below: without a seam."""
    aslant = np.stack([ball[:, 0] + 0.7 * ball[:, 2], ball[:, 1] + 0.4 * ball[:, 2]], axis=1)
    return _COPIES * aslant
