"""Triangle meshes as a browser takes them: arrays in one buffer, each face with its owner."""

import json
import struct
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import AnyArray
from outrider.scene.surface import Floats32

Indices = NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class WebMesh:
    """One draw call's mesh; ``owners`` are (first face, label) in ascending order."""

    positions: Floats32  # (n, 3)
    normals: Floats32
    uv: Floats32 | None  # (n, 2), v upward
    indices: Indices  # (3 m,)
    owners: tuple[tuple[int, int], ...]

    @property
    def key(self) -> str:
        """A key derived from the content: equal meshes have equal keys."""
        digest = blake2b(repr(self.owners).encode(), digest_size=12)
        for array in (self.positions, self.normals, self.uv, self.indices):
            if array is not None:
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def packed(self) -> bytes:
        """Return a length, a JSON head, and the arrays: positions, normals (int8), uv, indices."""
        head = {
            "vertices": len(self.positions),
            "indices": len(self.indices),
            "uv": self.uv is not None,
            "owners": [number for pair in self.owners for number in pair],
        }
        text = json.dumps(head).encode()
        text += b" " * (-len(text) % 4)
        normals = np.zeros((len(self.normals), 4), np.int8)
        normals[:, :3] = np.round(self.normals * 127.0)
        arrays: list[AnyArray] = [self.positions.astype(np.float32), normals]
        if self.uv is not None:
            arrays.append(self.uv.astype(np.float32))
        arrays.append(self.indices.astype(np.uint32))
        return b"".join([struct.pack("<I", len(text)), text, *(a.tobytes() for a in arrays)])


def merged(meshes: list[WebMesh]) -> WebMesh:
    """Return several meshes as one."""
    if len(meshes) == 1:
        return meshes[0]
    starts = np.cumsum([0, *(len(m.positions) for m in meshes)])
    faces = np.cumsum([0, *(len(m.indices) // 3 for m in meshes)])
    uv = None
    if meshes[0].uv is not None:
        uv = np.concatenate([m.uv for m in meshes if m.uv is not None])
    return WebMesh(
        np.concatenate([m.positions for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        uv,
        np.concatenate(
            [m.indices + np.uint32(s) for m, s in zip(meshes, starts[:-1], strict=True)]
        ),
        tuple(
            (int(first) + face, label)
            for m, first in zip(meshes, faces[:-1], strict=True)
            for face, label in m.owners
        ),
    )
