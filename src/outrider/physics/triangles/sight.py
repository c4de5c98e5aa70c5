"""What stands between two points."""

from outrider.core.address import floats
from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles import records
from outrider.physics.triangles.facet import crossed, load
from outrider.physics.triangles.records import Ints
from outrider.physics.triangles.search import next_leaf
from outrider.scene.box_tree import LEAF


@compiled
def blocked(
    record: Ints, start: Array, end: Array, corners: Array, work: Array, stack: Ints
) -> int:  # pragma: no cover
    """Return the first triangle between two points, or -1."""
    leaves, triangles = record[records.LEAVES], record[records.TRIANGLES]
    nodes = floats(record[records.BOXES], 6 * (2 * leaves - 1))
    low, high = work[4], work[5]
    for k in range(3):
        low[k], high[k] = min(start[k], end[k]), max(start[k], end[k])
    best, which = 1.5, -1
    stack[0], stack[1] = 1, 0
    while True:
        leaf = next_leaf(nodes, leaves, low, high, stack)
        if leaf < 0:
            return which
        for f in range(leaf * LEAF, min(leaf * LEAF + LEAF, triangles)):
            if load(record, f, corners):
                t = crossed(corners, start, end, work[2], work[3])
                if t < best:
                    best, which = t, f
