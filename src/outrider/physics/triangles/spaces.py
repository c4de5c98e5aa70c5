"""Boxes without triangles around bodies: who stays inside touches none, and need not search."""

from outrider.core.address import doubles, words
from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array
from outrider.physics.triangles import records
from outrider.physics.triangles.apart import meets
from outrider.physics.triangles.facet import place_corners
from outrider.physics.triangles.field import within
from outrider.physics.triangles.records import Ints
from outrider.physics.triangles.search import next_few

_ROOM = 0.05  # m around a body that are searched for triangles, so that it may move that far
_EVERY = 8  # steps between two such searches


@compiled
def in_space(
    record: Ints, geom: int, data: int, frame: Array, work: Array
) -> bool:  # pragma: no cover - compiled
    """Tell whether a body is where no triangles are, as a search has found; move its anchor there.

    work[4] and work[5] are the ends of the box around it.
    """
    if record[records.DATA] != data:
        return False
    space = doubles(record[records.SPACES] + 48 * geom, 6)
    anchor = doubles(record[records.ANCHORS] + 32 * geom, 4)
    tick = words(record[records.TICK], 1)[0]
    kept = not record[records.HEIGHTS]  # a height field needs no anchors
    holds = kept and anchor[3] >= tick - 1
    for k in range(3):
        least, most = min(work[4, k], frame[3, k]), max(work[5, k], frame[3, k])
        if holds:
            least, most = min(least, anchor[k]), max(most, anchor[k])
        if not (least > space[k] and most < space[3 + k]):
            return False
    if kept:
        for k in range(3):
            anchor[k] = frame[3, k]
        anchor[3] = tick
    return True


@compiled
def find_space(
    record: Ints, geom: int, data: int, work: Array, stack: Ints
) -> None:  # pragma: no cover - compiled
    """Note a larger box around a body if it has no triangles either; now and then is enough."""
    if record[records.DATA] != data or words(record[records.TICK], 1)[0] % _EVERY != 0:
        return
    low, high, corners = work[4], work[5], work[8:12]
    for k in range(3):
        low[k] -= _ROOM
        high[k] += _ROOM
    if record[records.HEIGHTS] and not within(record, low, high):
        return  # beside the field, what is below its surface could be in the box unseen
    stack[0], stack[1] = 1, 0
    while True:
        first, last = next_few(record, low, high, stack)
        if first == last:
            break
        for f in range(first, last):
            place_corners(record, f, corners)
            if meets(corners, low, high):
                return
    space = doubles(record[records.SPACES] + 48 * geom, 6)
    for k in range(3):
        space[k], space[3 + k] = low[k], high[k]
