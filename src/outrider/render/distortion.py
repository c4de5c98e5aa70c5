"""plumb_bob distortion and its inverse, on image points (x/z, y/z)."""

import numpy as np

from outrider.core.compiled import compiled
from outrider.core.frames import Array

_ROUNDS = 50


@compiled
def _bent(x: float, y: float, d: Array) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return where a undistorted point falls; d is k1 k2 p1 p2 k3."""
    r2 = x * x + y * y
    radial = 1.0 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]))
    bx = x * radial + 2.0 * d[2] * x * y + d[3] * (r2 + 2.0 * x * x)
    by = y * radial + d[2] * (r2 + 2.0 * y * y) + 2.0 * d[3] * x * y
    return bx, by


@compiled
def _slopes(
    x: float, y: float, d: Array
) -> tuple[float, float, float, float]:  # pragma: no cover - compiled
    """Return the four derivatives of ``_bent``."""
    r2 = x * x + y * y
    radial = 1.0 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]))
    growth = 2.0 * (d[0] + r2 * (2.0 * d[1] + r2 * 3.0 * d[4]))
    xx = radial + x * x * growth + 2.0 * d[2] * y + 6.0 * d[3] * x
    xy = x * y * growth + 2.0 * d[2] * x + 2.0 * d[3] * y
    yy = radial + y * y * growth + 6.0 * d[2] * y + 2.0 * d[3] * x
    return xx, xy, xy, yy


@compiled
def bend(points: Array, d: Array) -> None:  # pragma: no cover - compiled
    """Distort points (n, 2), in point."""
    for i in range(points.shape[0]):
        points[i, 0], points[i, 1] = _bent(points[i, 0], points[i, 1], d)


@compiled
def straighten(points: Array, d: Array, tolerance: float) -> bool:  # pragma: no cover - compiled
    """Take distortion off points (n, 2), in point, by Newton steps; say whether all were found.

    A point beyond the fold, where rays further out fall further in, is not found.
    """
    for i in range(points.shape[0]):
        u, v = points[i, 0], points[i, 1]
        x, y = u, v
        found = False
        for _ in range(_ROUNDS):
            bx, by = _bent(x, y, d)
            ex, ey = bx - u, by - v
            xx, xy, yx, yy = _slopes(x, y, d)
            det = xx * yy - xy * yx
            if det <= 1e-9 or xx <= 0.0 or not np.isfinite(det):
                x, y = 0.5 * x, 0.5 * y  # too far out: come back towards the middle
                continue
            if abs(ex) < tolerance and abs(ey) < tolerance:
                found = True
                break
            x -= (yy * ex - xy * ey) / det
            y -= (xx * ey - yx * ex) / det
        if not found:
            return False
        points[i, 0], points[i, 1] = x, y
    return True
