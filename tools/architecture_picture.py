"""Draw the rooms and shelves of the program and who imports whom: docs/images/architecture.png.

``python tools/architecture_picture.py`` draws what is: rooms in the order of the import contract,
their shelves with the number of files, and an arc for the imports from one room to another.
"""

import math
import tomllib
from collections import Counter
from pathlib import Path

import grimp
import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Arc, FancyBboxPatch

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "outrider"
PICTURE = ROOT / "docs" / "images" / "architecture.png"

ROW, NAME_WIDTH, GAP, LETTER = 1.0, 2.3, 0.14, 0.118
EDGE, FILL, SHELF, INK, QUIET = "#4a6785", "#e9eff6", "#ffffff", "#1d2b3a", "#64748b"


def layers() -> list[list[str]]:
    """Return the rooms from top to bottom, as the import contract has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    return [[name.strip().split(".")[-1] for name in row.split("|")] for row in contract["layers"]]


def shelves(room: str) -> dict[str, int]:
    """Return a room's shelves with their numbers of files, and its loose files under ''."""
    counts: Counter[str] = Counter()
    for file in (SOURCE / room).rglob("*.py"):
        inside = file.relative_to(SOURCE / room).parts
        if file.name != "__init__.py":
            counts[inside[0] if len(inside) > 1 else ""] += 1
    return dict(sorted(counts.items()))


def imports(rooms: list[str]) -> dict[tuple[str, str], int]:
    """Return how many imports go from one room to another."""
    graph = grimp.build_graph("outrider")
    counts: Counter[tuple[str, str]] = Counter()
    for module in graph.modules:
        for other in graph.find_modules_directly_imported_by(module):
            pair = _room(module), _room(other)
            if pair[0] != pair[1] and set(pair) <= set(rooms):
                counts[pair] += 1
    return dict(counts)


def _room(module: str) -> str:
    return [*module.split("."), ""][1]


def draw(axes: Axes) -> float:
    """Draw everything and return how wide the rooms are."""
    stacked = layers()
    rooms = [room for row in stacked for room in row]
    heights = {room: -ROW * number for number, room in enumerate(rooms)}
    width = max(_draw_room(axes, room, heights[room]) for room in rooms)
    for room in rooms:
        axes.plot([_width(room) + 0.1, width + 0.15], [heights[room]] * 2, lw=0.5, color="#cbd5e1")
    for (importer, imported), count in imports(rooms).items():
        _draw_arc(axes, width + 0.2, (heights[importer], heights[imported]), count)
    return width


def _box(axes: Axes, x: float, y: float, width: float, colour: str) -> None:
    height = 0.66 if colour == FILL else 0.46
    axes.add_patch(
        FancyBboxPatch(
            (x, y - height / 2),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.09",
            facecolor=colour,
            edgecolor=EDGE,
            linewidth=1.1 if colour == FILL else 0.7,
        )
    )


def _labels(room: str) -> list[tuple[str, str]]:
    """Return what stands in a room's row: shelves, then how many files stand beside them."""
    found = shelves(room)
    loose = found.pop("", 0)
    labels = [(f"{name} {count}", SHELF) for name, count in found.items()]
    return labels + ([(f"{loose} files", "")] if loose else [])


def _width(room: str) -> float:
    words = [text for text, _ in _labels(room)]
    return NAME_WIDTH + sum(len(text) * LETTER + 0.22 + GAP for text in words) + 0.05


def _draw_room(axes: Axes, room: str, y: float) -> float:
    _box(axes, 0.0, y, _width(room), FILL)
    axes.text(0.16, y, room, va="center", fontsize=12, weight="bold", color=INK)
    x = NAME_WIDTH
    for text, colour in _labels(room):
        width = len(text) * LETTER + 0.22
        if colour:
            _box(axes, x, y, width, colour)
        ink = INK if colour else QUIET
        axes.text(x + width / 2, y, text, ha="center", va="center", fontsize=9, color=ink)
        x += width + GAP
    return _width(room)


def _draw_arc(axes: Axes, x: float, ends: tuple[float, float], count: int) -> None:
    """Draw an arc from the room that imports down to the one that is imported."""
    upper, lower = max(ends), min(ends)
    upward = ends[0] < ends[1]
    axes.add_patch(
        Arc(
            (x, (upper + lower) / 2),
            width=0.62 * (upper - lower),
            height=upper - lower,
            theta1=-90,
            theta2=90,
            color="#c0392b" if upward else EDGE,
            linewidth=0.5 + 0.55 * math.log2(count + 1),
            alpha=0.42,
        )
    )


def main() -> None:
    """Draw it and write the file."""
    rooms = sum(len(row) for row in layers())
    figure, axes = plt.subplots(figsize=(15.5, 0.56 * rooms + 0.7), dpi=110)
    width = draw(axes)
    axes.set_xlim(-0.15, width + 0.36 * ROW * rooms * 0.98)
    axes.set_ylim(-ROW * rooms + 0.35, 1.05)
    axes.text(0.0, 0.72, "rooms, with their shelves and numbers of files", color=QUIET, fontsize=10)
    axes.text(
        width + 0.2,
        0.72,
        "imports go downward only; thicker: more of them",
        color=QUIET,
        fontsize=10,
    )
    axes.axis("off")
    figure.tight_layout(pad=0.4)
    figure.savefig(PICTURE)
    print(f"wrote {PICTURE}")


if __name__ == "__main__":
    main()
