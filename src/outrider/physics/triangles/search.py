"""Which triangles may meet a box: from the tree of a mesh, or from the cells of a height field."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.address import floats
from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles import records
from outrider.physics.triangles.field import next_run
from outrider.physics.triangles.records import Ints
from outrider.scene.box_tree import LEAF


@compiled
def next_leaf(
    nodes: NDArray[np.float32], leaves: int, low: Array, high: Array, stack: Ints
) -> int:  # pragma: no cover
    """Return the next leaf whose box meets another, or -1; the stack's first number is its size."""
    while stack[0] > 0:
        node = stack[stack[0]]
        stack[0] -= 1
        at = 6 * node
        if (
            nodes[at] > high[0]
            or nodes[at + 3] < low[0]
            or nodes[at + 1] > high[1]
            or nodes[at + 4] < low[1]
            or nodes[at + 2] > high[2]
            or nodes[at + 5] < low[2]
        ):
            continue
        if node >= leaves - 1:
            return int(node - leaves + 1)
        stack[stack[0] + 1] = 2 * node + 2
        stack[stack[0] + 2] = 2 * node + 1
        stack[0] += 2
    return -1


@compiled
def next_few(
    record: Ints, low: Array, high: Array, stack: Ints
) -> tuple[int, int]:  # pragma: no cover - compiled
    """Return the next triangles that may meet a box, from and up to; if equal, there are none."""
    if record[records.HEIGHTS]:
        return next_run(record, low, high, stack)
    leaves, triangles = record[records.LEAVES], record[records.TRIANGLES]
    nodes = floats(record[records.BOXES], 6 * (2 * leaves - 1))
    leaf = next_leaf(nodes, leaves, low, high, stack)
    return (0, 0) if leaf < 0 else (leaf * LEAF, min(leaf * LEAF + LEAF, triangles))
