"""Plants with limbs, kept on disk: growing one takes far longer than reading it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

import numpy as np

from outrider.core.cache import Arrays, cached, content_key
from outrider.core.frames import AnyArray, Pose
from outrider.props.prop import Prop
from outrider.world.materials import Material
from outrider.world.model import Geometry
from outrider.world.shapes import Capsule, Mesh

_KEPT = 1000  # plants of all kinds and seeds, some 100 kB each

Rod: TypeAlias = tuple[Capsule, Pose]


@dataclass(frozen=True, slots=True, eq=False)
class Plant:
    """What grew: two meshes, and the rods that are bumped into."""

    wood: Mesh
    leaves: Mesh
    rods: tuple[Rod, ...]


def stored(
    make: Callable[[], Plant], parameters: tuple[object, ...], rough: Material, green: Material
) -> Prop:
    """Return a plant as a thing, grown from its parameters unless the disk has it."""
    key = content_key(_version(), np.__version__, parameters)
    plant = _unpacked(cached("plants", key, lambda: _packed(make()), most=_KEPT))
    return Prop(
        (Geometry(plant.wood, material=rough), Geometry(plant.leaves, material=green)),
        tuple(Geometry(shape, pose, rough) for shape, pose in plant.rods),
    )


def _packed(plant: Plant) -> Arrays:
    rods = [(c.radius, c.length, *pose.position, *pose.rotation) for c, pose in plant.rods]
    packed: dict[str, AnyArray] = {"rods": np.array(rods, np.float64).reshape(-1, 9)}
    for name, mesh in (("wood", plant.wood), ("leaves", plant.leaves)):
        packed |= {f"{name} vertices": mesh.vertices, f"{name} faces": mesh.faces}
        if mesh.uv is not None:
            packed[f"{name} uv"] = mesh.uv
    return packed


def _unpacked(arrays: Arrays) -> Plant:

    wood, leaves = (
        Mesh(arrays[f"{name} vertices"], arrays[f"{name} faces"], uv=arrays.get(f"{name} uv"))
        for name in ("wood", "leaves")
    )
    rods = (
        (Capsule(radius, length), Pose(np.array(rest[:3]), np.array(rest[3:])))
        for radius, length, *rest in arrays["rods"].tolist()
    )
    return Plant(wood, leaves, tuple(rods))


@lru_cache(maxsize=1)
def _version() -> str:
    """Return a hash of the text of everything here: what it makes changes with that."""
    digest = blake2b(digest_size=8)
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
