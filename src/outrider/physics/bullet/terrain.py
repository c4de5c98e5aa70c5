"""Height fields in tiles, as meshes: Bullet holds the interpreter while it makes a shape.

Its own height fields would be made sooner and written with its state in no time, but things that
slide on them catch on edges between cells.
"""

from collections.abc import Iterator

from outrider.core.frames import Array
from outrider.world.shapes import Faces, HeightField
from outrider.world.tessellate import heightfield_axes, heightfield_mesh

_CELLS = 24  # along a side of a tile: 1,152 triangles, which take 2 ms


def tiles(field: HeightField) -> Iterator[tuple[Array, Faces]]:
    """Cut a height field into tiles with common edges: the vertices and faces of each."""
    axes = heightfield_axes(field)
    for i, i_end in _cuts(len(axes[0])):
        for j, j_end in _cuts(len(axes[1])):
            heights = field.heights[i : i_end + 1, j : j_end + 1]
            x, y = axes[0][i : i_end + 1], axes[1][j : j_end + 1]
            size = float(x[-1] - x[0]), float(y[-1] - y[0])
            mesh = heightfield_mesh(HeightField(heights, size))
            mesh.vertices[:, 0] += (x[0] + x[-1]) / 2
            mesh.vertices[:, 1] += (y[0] + y[-1]) / 2
            yield mesh.vertices, mesh.faces


def _cuts(points: int) -> list[tuple[int, int]]:
    """Return the first and the last points of tiles along an axis."""
    firsts = range(0, points - 1, _CELLS)
    return [(first, min(first + _CELLS, points - 1)) for first in firsts]
