"""Trees: a trunk and limbs with colliders, leaves as cutouts without."""

from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array, Pose, quaternion_from_matrix
from outrider.core.seeds import generator
from outrider.props.finishes import finish
from outrider.props.leaves import leaf_cards
from outrider.props.limbs import Limb, Order, grow_limbs, grow_trunk, scaled, wood
from outrider.props.patches import Patch, frames_along
from outrider.props.plant import Plant, Rod, stored
from outrider.props.prop import Prop
from outrider.props.textures.images import texture
from outrider.props.textures.leaves import BROAD, OLIVE, PINE, Foliage, twig
from outrider.props.textures.outline import CORNERS
from outrider.props.textures.wood import bark
from outrider.world.shapes import Capsule

THICK = 0.035  # m: thinner limbs give way
REACH = 2.5  # m: limbs that begin higher are bumped into by nothing on the ground


@dataclass(frozen=True, slots=True)
class Species:
    """How a kind of tree grows; lengths in metres of a tree of the usual height."""

    height: float
    spread: float
    bole: float  # length of the trunk, as a share of the height
    radius: float  # of the trunk, as a share of the height
    trunk: Order
    orders: tuple[Order, ...]
    foliage: Foliage
    card: float  # size of a leaf card, as a share of the spread
    bark: tuple[float, float, float]
    droop: float = 0.0


SPECIES = {
    "olive": Species(
        3.0,
        2.9,
        0.42,
        radius=0.045,
        trunk=Order(1, 1, 0, wiggle=0.13, pieces=4, sides=8, taper=0.62),
        orders=(
            Order(
                5,
                0.85,
                48,
                first=0.5,
                lift=0.10,
                wiggle=0.16,
                radius=0.6,
                pieces=4,
                sides=5,
                shrink=0.1,
            ),
            Order(4, 0.55, 52, first=0.3, lift=0.06, wiggle=0.20, radius=0.55, pieces=2, sides=3),
        ),
        foliage=OLIVE,
        card=0.165,
        bark=(0.50, 0.45, 0.38),
    ),
    "broadleaf": Species(
        9.0,
        7.0,
        0.55,
        radius=0.022,
        trunk=Order(1, 1, 0, wiggle=0.05, pieces=5, sides=9, taper=0.5),
        orders=(
            Order(
                8,
                0.66,
                54,
                first=0.38,
                lift=0.12,
                wiggle=0.10,
                radius=0.5,
                pieces=3,
                sides=4,
                shrink=0.3,
            ),
            Order(5, 0.55, 50, first=0.25, lift=0.05, wiggle=0.16, radius=0.5, pieces=1, sides=3),
        ),
        foliage=BROAD,
        card=0.175,
        bark=(0.38, 0.32, 0.26),
    ),
    "pine": Species(
        11.0,
        5.0,
        0.96,
        radius=0.016,
        trunk=Order(1, 1, 0, wiggle=0.02, pieces=6, sides=8, taper=0.12),
        orders=(
            Order(
                34,
                0.30,
                82,
                first=0.16,
                lift=-0.05,
                wiggle=0.06,
                radius=0.32,
                pieces=2,
                sides=3,
                shrink=0.9,
            ),
        ),
        foliage=PINE,
        card=0.30,
        bark=(0.40, 0.30, 0.24),
        droop=0.1,
    ),
}


def tree(
    seed: int,
    *,
    species: str = "broadleaf",
    height: float = 0.0,
    spread: float = 0.0,
    triangles: int = 1400,
) -> Prop:
    """Return a tree of about so many triangles; a height or spread of 0 is the species' own."""
    kind = SPECIES.get(species)
    if kind is None:
        raise ValueError(f"species must be one of {', '.join(SPECIES)}, got '{species}'")
    if triangles < 300 or height < 0 or spread < 0:
        raise ValueError(f"triangles must be at least 300 and sizes positive, got {triangles}")
    height = height or kind.height * (spread / kind.spread if spread else 1.0)
    spread = spread or kind.spread * height / kind.height
    return stored(
        lambda: _made(seed, species, height, spread, triangles),
        ("tree", seed, species, height, spread, triangles),
        finish("wood", texture(bark, kind.bark)),
        finish("leaves", texture(twig, kind.foliage)),
    )


def _made(seed: int, species: str, height: float, spread: float, triangles: int) -> Plant:
    kind = SPECIES[species]
    random = generator(seed, "tree", species)
    limbs = _grown(random, kind, height)
    count = max(0, round((triangles - sum(limb.triangles for limb in limbs)) / (CORNERS - 2)))
    twigs = [limb for limb in limbs if limb.order == len(kind.orders)]
    picture = texture(twig, kind.foliage)
    size = _card_size(kind, spread, count)
    leaves = leaf_cards(random, twigs, count, size, picture, kind.droop)
    fit = _fit(limbs, leaves, spread, height)
    limbs, leaves = scaled(limbs, fit), leaves.rotated(np.diag(fit))
    return Plant(wood(limbs).mesh(), leaves.mesh(), tuple(_rods(limbs)))


def _grown(random: np.random.Generator, kind: Species, height: float) -> list[Limb]:
    """Return all limbs, the trunk first."""
    trunk = grow_trunk(random, kind.bole * height, kind.radius * height, kind.trunk)
    limbs, last = [trunk], [trunk]
    for rank, order in enumerate(kind.orders, 1):
        last = grow_limbs(random, last, order, rank)
        limbs += last
    return limbs


def _card_size(kind: Species, spread: float, count: int) -> float:
    """Return the size of a leaf card: fewer ones are larger."""
    crowded: float = (140 / max(count, 30)) ** 0.35
    return kind.card * spread * crowded


def _fit(limbs: list[Limb], leaves: Patch, spread: float, height: float) -> Array:
    """Return the factors along x, y and z that bring a tree to its size."""
    points = np.concatenate([leaves.vertices, *(limb.points for limb in limbs)])
    across = spread / float(np.ptp(points[:, :2], axis=0).mean())
    return np.array([across, across, height / float(points[:, 2].max())])


def _rods(limbs: list[Limb]) -> list[Rod]:
    """Return the trunk piece by piece and each thick limb within reach as round rods."""
    trunk = limbs[0]
    pieces = [[i, i + 1] for i in range(len(trunk.points) - 1) if trunk.points[i, 2] < REACH]
    if pieces[-1][1] < len(trunk.points) - 1:
        pieces.append([pieces[-1][1], len(trunk.points) - 1])
    found = [_rod(trunk.points[piece], float(trunk.radii[piece].mean())) for piece in pieces]
    for limb in limbs[1:]:
        half, last = len(limb.points) // 2, len(limb.points) - 1
        if limb.radii[0] > THICK and limb.points[:, 2].min() < REACH:
            found += [
                _rod(limb.points[piece], float(limb.radii[piece].mean()))
                for piece in ([0, half], [half, last])
            ]
    return found


def _rod(ends: Array, radius: float) -> Rod:
    along, across, other = frames_along(ends)
    turn = np.column_stack([across[0], other[0], along[0]])
    pose = Pose(ends.mean(axis=0), quaternion_from_matrix(turn))
    return Capsule(radius, float(np.linalg.norm(ends[1] - ends[0]))), pose
