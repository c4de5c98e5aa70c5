"""A triangle cut by the faces of a solid: planes, each a normal and an offset."""

from outrider.core.compiled import compiled_part as compiled
from outrider.core.frames import Array

CORNERS = 64  # of the cut-out part, at most


@compiled
def cut(
    corners: Array, planes: Array, part: Array, spare: Array
) -> tuple[Array, int]:  # pragma: no cover - compiled
    """Return the triangle's part inside of all planes (normal, offset), and how many corners."""
    count = 3
    for c in range(3):
        for k in range(3):
            part[c, k] = corners[c, k]
    for f in range(len(planes)):
        inside = 0
        for i in range(count):
            part[i, 3] = before(planes[f], part[i])
            if part[i, 3] <= 0.0:
                inside += 1
        if inside == 0:
            return part, 0
        if inside < count:
            count = clip(part, spare, count)
            part, spare = spare, part
    return part, count


@compiled
def before(plane: Array, p: Array) -> float:  # pragma: no cover - compiled
    """Return how far a point lies before a plane."""
    found: float = plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] - plane[3]
    return found


@compiled
def clip(part: Array, out: Array, count: int) -> int:  # pragma: no cover - compiled
    """Leave out what lies before a plane; the heights over it stand in column 3."""
    made = 0
    for i in range(count):
        a, b = part[i], part[(i + 1) % count]
        if a[3] <= 0.0 and made < CORNERS:
            for k in range(3):
                out[made, k] = a[k]
            made += 1
        if (a[3] <= 0.0) != (b[3] <= 0.0) and made < CORNERS:
            t = a[3] / (a[3] - b[3])
            for k in range(3):
                out[made, k] = a[k] + t * (b[k] - a[k])
            made += 1
    return made


@compiled
def passes(
    a: Array, b: Array, planes: Array
) -> tuple[float, float, int, int]:  # pragma: no cover - compiled
    """Return where on the way from a to b a solid begins and ends, 0 to 1; none: 1 and 0.

    And through which faces the way enters and leaves; -1 where a or b is inside.
    """
    enter, leave, first, last = 0.0, 1.0, -1, -1
    for p in range(len(planes)):
        start, end = before(planes[p], a), before(planes[p], b)
        if start > 0.0 and end > 0.0:
            return 1.0, 0.0, -1, -1
        if start <= 0.0 and end <= 0.0:
            continue
        t = start / (start - end)
        if start > 0.0 and t > enter:
            enter, first = t, p
        if end > 0.0 and t < leave:
            leave, last = t, p
    if enter >= leave:
        return 1.0, 0.0, -1, -1
    return enter, leave, first, last
