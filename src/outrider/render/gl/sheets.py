"""Shots side by side on one sheet: what can be drawn at once is drawn in one go."""

from __future__ import annotations

from outrider.render.gl.canvas import Canvas
from outrider.render.gl.targets import Part
from outrider.render.shot import Shot

SETS = 2  # of targets: one is read while the other is drawn into


def parts_of(shots: list[Shot], canvas: Canvas, number: int) -> list[Part | None]:
    """Return where each shot is drawn in a set's sheets, or none if it needs more than one step.

    Each keeps its seat, so that its picture is the same without its neighbours.
    """
    parts: list[Part | None] = [None] * len(shots)
    most = canvas.context.most_side
    places = {n: _place(shot, most) for n, shot in enumerate(shots) if _direct(shot)}
    for n, (w, h, left) in places.items():
        before = [place for other, place in places.items() if other < n]
        sheet = before.count((w, h, left))  # two on one seat need two sheets
        width = max(place[2] + w for place in places.values() if place[:2] == (w, h))
        target = canvas.target(SETS * sheet + number, (width, h), ("bytes",))
        parts[n] = Part(target, left, w)
    for target in dict.fromkeys(part.target for part in parts if part):
        target.use()
    return parts


def _direct(shot: Shot) -> bool:
    """Say whether finished bytes can be drawn at once."""
    film = shot.film
    plain = film.lens_is_plain and film.samples == 1 and not shot.intrinsics.distorted
    return plain and "colour" in shot.wants


def _place(shot: Shot, most_side: int) -> tuple[int, int, int]:
    """Return a shot's width and height, and the column where it begins."""
    w, h = shot.intrinsics.width, shot.intrinsics.height
    left = w * shot.seat
    return w, h, left if left + w <= most_side else 0
