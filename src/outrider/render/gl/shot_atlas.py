"""Shots side by side in one atlas, drawn in one pass where possible."""

from __future__ import annotations

from outrider.render.gl.canvas import GlCanvas
from outrider.render.gl.targets import AtlasCell
from outrider.render.shot import Shot

SETS = 2  # of targets: one is read while the other is drawn into


def atlas_cells(
    shots: list[Shot], blended: list[bool], canvas: GlCanvas, number: int
) -> list[AtlasCell | None]:
    """Return where each shot is drawn in a set's atlases, or none if it needs more than one step.

    What is ``blended`` does: its light is mixed before it is developed. Each keeps its seat, so
    that its picture is the same without its neighbours.
    """
    parts: list[AtlasCell | None] = [None] * len(shots)
    most = canvas.context.most_side
    ways = enumerate(zip(shots, blended, strict=True))
    cells = {n: _cell(shot, most) for n, (shot, mixed) in ways if _direct(shot) and not mixed}
    for n, (w, h, left) in cells.items():
        before = [cell for other, cell in cells.items() if other < n]
        atlas = before.count((w, h, left))  # two on one seat need two atlases
        width = max(cell[2] + w for cell in cells.values() if cell[:2] == (w, h))
        target = canvas.target(SETS * atlas + number, (width, h), ("bytes",))
        parts[n] = AtlasCell(target, left, w)
    for target in dict.fromkeys(part.target for part in parts if part):
        target.use()
    return parts


def _direct(shot: Shot) -> bool:
    """Say whether finished bytes can be drawn at once."""
    film = shot.film
    plain = film.lens_is_plain and film.samples == 1 and not shot.intrinsics.distorted
    return plain and "colour" in shot.wants


def _cell(shot: Shot, most_side: int) -> tuple[int, int, int]:
    """Return a shot's width and height, and the column where it begins."""
    w, h = shot.intrinsics.width, shot.intrinsics.height
    left = w * shot.seat
    return w, h, left if left + w <= most_side else 0
