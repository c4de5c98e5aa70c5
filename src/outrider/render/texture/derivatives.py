"""How texture coordinates change over the triangles of a shape."""

import numpy as np

from outrider.core.compiled import compiled_nogil
from outrider.render.geometry import DrawPiece
from outrider.scene.surface import Floats32
from outrider.world.shapes import Faces


def slopes_of(piece: DrawPiece) -> Floats32:
    """Return for each face (m, 6) how u, and v, change per metre along its plane."""
    out = np.zeros((len(piece.faces), 6), np.float32)
    if piece.uv is not None:
        _fill(piece.vertices, piece.uv, piece.faces, out)
    return out


@compiled_nogil
def _fill(
    vertices: Floats32, uv: Floats32, faces: Faces, out: Floats32
) -> None:  # pragma: no cover - compiled
    for f in range(faces.shape[0]):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        g11, g12, g22 = 0.0, 0.0, 0.0
        for k in range(3):
            one, two = vertices[b, k] - vertices[a, k], vertices[c, k] - vertices[a, k]
            g11, g12, g22 = g11 + one * one, g12 + one * two, g22 + two * two
        det = g11 * g22 - g12 * g12
        if det <= 1e-30:
            continue
        for m in range(2):
            first, second = uv[b, m] - uv[a, m], uv[c, m] - uv[a, m]
            p, q = (g22 * first - g12 * second) / det, (g11 * second - g12 * first) / det
            for k in range(3):
                one, two = vertices[b, k] - vertices[a, k], vertices[c, k] - vertices[a, k]
                out[f, 3 * m + k] = p * one + q * two
