"""The disk cache of collision shapes, keyed by the hash of the mesh."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.cache import Arrays, cached, content_key
from outrider.core.frames import Pose
from outrider.physics.colliders.choice import ColliderChoice, Made
from outrider.world.shapes import Box, Cylinder, Mesh, Shape, Sphere

VERSION = 15  # of the way colliders are made: part of the key

Store = dict[str, NDArray[np.generic]]


def stored(choice: ColliderChoice) -> Made:
    """Return what a choice leads to, made once for each content."""
    key = content_key(VERSION, *choice.key())
    arrays = cached("colliders", key, lambda: _packed(choice.make()))
    return _unpacked(arrays)


def _packed(made: Made) -> Store:
    store: Store = {
        "kinds": np.array([type(shape).__name__ for shape, _ in made.pieces], "U16"),
        "notes": np.array(made.notes, "U400"),
        "poses": np.array([[*p.position, *p.rotation] for _, p in made.pieces]).reshape(-1, 7),
    }
    for i, (shape, _) in enumerate(made.pieces):
        match shape:
            case Box(size=size):
                store[f"a{i}"] = np.array(size)
            case Sphere(radius=radius):
                store[f"a{i}"] = np.array([radius])
            case Cylinder(radius=radius, length=length):
                store[f"a{i}"] = np.array([radius, length])
            case Mesh():
                store[f"a{i}"], store[f"b{i}"] = shape.vertices, shape.faces
    return store


def _unpacked(store: Arrays) -> Made:
    pieces = []
    for i, (kind, pose) in enumerate(zip(store["kinds"], store["poses"], strict=True)):
        row = np.asarray(pose, np.float64)
        pieces.append((_shape(str(kind), store, i), Pose(row[:3], row[3:])))
    return Made(tuple(pieces), tuple(str(note) for note in store["notes"]))


def _shape(kind: str, store: Arrays, i: int) -> Shape:
    first: NDArray[np.float64] = np.asarray(store[f"a{i}"], np.float64)
    if kind == "Box":
        return Box((float(first[0]), float(first[1]), float(first[2])))
    if kind == "Sphere":
        return Sphere(float(first[0]))
    if kind == "Cylinder":
        return Cylinder(float(first[0]), float(first[1]))
    second = np.asarray(store[f"b{i}"])
    return Mesh(first, second.astype(np.int32))
