"""Draw the packages of the program and who imports whom: docs/images/architecture.png.

``python tools/architecture_picture.py`` draws what is: packages in the order of the import
contract, their subpackages with the number of files, and a matrix of imports between packages.
"""

import math
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import grimp
import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "outrider"
PICTURE = ROOT / "docs" / "images" / "architecture.png"

ROW, GAP, LETTER = 1.0, 0.12, 0.125
BOLD = 0.205  # width of a letter of a package's name
CELL, HEADER = 0.62, 2.4  # of the matrix: width of a column, height of the names above it
EDGE, FILL, INNER, INK, QUIET = "#4a6785", "#e9eff6", "#ffffff", "#1d2b3a", "#64748b"
UPWARD = "#c0392b"  # an import against the contract
NOTES = (
    "Left: packages, with their subpackages and numbers of files.",
    "Right: imports from the row's package into the column's. None is below the diagonal.",
)


def layers() -> list[list[str]]:
    """Return the packages from top to bottom, as the import contract has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    return [[name.strip().split(".")[-1] for name in row.split("|")] for row in contract["layers"]]


def subpackages(package: str) -> dict[str, int]:
    """Return a package's subpackages with their numbers of files, and its own files under ''."""
    counts: Counter[str] = Counter()
    for file in (SOURCE / package).rglob("*.py"):
        inside = file.relative_to(SOURCE / package).parts
        if file.name != "__init__.py":
            counts[inside[0] if len(inside) > 1 else ""] += 1
    return dict(sorted(counts.items()))


def imports(packages: list[str]) -> dict[tuple[str, str], int]:
    """Return how many imports go from one package to another."""
    graph = grimp.build_graph("outrider")
    counts: Counter[tuple[str, str]] = Counter()
    for module in graph.modules:
        for other in graph.find_modules_directly_imported_by(module):
            pair = _package(module), _package(other)
            if pair[0] != pair[1] and set(pair) <= set(packages):
                counts[pair] += 1
    return dict(counts)


def _package(module: str) -> str:
    return [*module.split("."), ""][1]


def draw(axes: Axes, packages: list[str]) -> float:
    """Draw packages and matrix, and return where the matrix ends."""
    heights = {package: -ROW * number for number, package in enumerate(packages)}
    left = max(_draw_package(axes, package, heights[package]) for package in packages) + 0.3
    columns = {package: left + CELL * (n + 0.5) for n, package in enumerate(packages)}
    right = left + CELL * len(packages)
    _draw_grid(axes, columns, heights, right)
    for (importer, imported), count in imports(packages).items():
        upward = heights[importer] < heights[imported]
        _draw_count(axes, columns[imported], heights[importer], count, upward)
    return right


def _draw_grid(
    axes: Axes, columns: dict[str, float], heights: dict[str, float], right: float
) -> None:
    """Draw the lines and names of the matrix; a package meets itself on the diagonal."""
    for package, y in heights.items():
        start = _width(package) + 0.1
        axes.plot([start, right], [y, y], lw=0.5, color="#e2e8f0", zorder=0)
        x = columns[package]
        axes.text(x, ROW * 0.6, package, rotation=90, ha="center", va="bottom", fontsize=10)
        axes.add_patch(_cell(x, y, "#cbd5e1"))


def _cell(x: float, y: float, colour: str | tuple[float, ...]) -> Rectangle:
    return Rectangle((x - CELL / 2, y - ROW / 2), CELL, ROW, facecolor=colour, edgecolor="white")


def _draw_count(axes: Axes, x: float, y: float, count: int, upward: bool) -> None:
    """Draw one number of imports, darker the more there are."""
    depth = min(1.0, math.log2(count + 1) / 7.5)
    axes.add_patch(_cell(x, y, UPWARD if upward else plt.get_cmap("Blues")(0.12 + 0.7 * depth)))
    ink = "white" if depth > 0.65 or upward else INK
    axes.text(x, y, str(count), ha="center", va="center", fontsize=8.5, color=ink)


def _box(axes: Axes, x: float, y: float, width: float, colour: str) -> None:
    height = 0.72 if colour == FILL else 0.5
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


def _labels(package: str) -> list[tuple[str, str]]:
    """Return what stands in a package's row: its subpackages, then how many files it has itself."""
    found = subpackages(package)
    own = found.pop("", 0)
    labels = [(f"{name} {count}", INNER) for name, count in found.items()]
    return labels + ([(f"{own} files", "")] if own else [])


def _width(package: str) -> float:
    words = [text for text, _ in _labels(package)]
    return _name_width() + sum(len(text) * LETTER + 0.2 + GAP for text in words) + 0.05


@cache
def _name_width() -> float:
    """Return the width of the column of names: the longest fits."""
    return 0.4 + BOLD * max(len(package) for row in layers() for package in row)


def _draw_package(axes: Axes, package: str, y: float) -> float:
    _box(axes, 0.0, y, _width(package), FILL)
    axes.text(0.16, y, package, va="center", fontsize=12, weight="bold", color=INK)
    x = _name_width()
    for text, colour in _labels(package):
        width = len(text) * LETTER + 0.2
        if colour:
            _box(axes, x, y, width, colour)
        ink = INK if colour else QUIET
        axes.text(x + width / 2, y, text, ha="center", va="center", fontsize=9.5, color=ink)
        x += width + GAP
    return _width(package)


def main() -> None:
    """Draw it and write the file."""
    packages = [package for row in layers() for package in row]
    figure, axes = plt.subplots(figsize=(22.0, 0.42 * (len(packages) + HEADER)), dpi=100)
    right = draw(axes, packages)
    axes.set_xlim(-0.15, right + 0.1)
    axes.set_ylim(-ROW * (len(packages) - 0.4), HEADER)
    axes.text(0.0, 1.35, NOTES[0], color=QUIET, fontsize=11)
    axes.text(0.0, 0.65, NOTES[1], color=QUIET, fontsize=11)
    axes.axis("off")
    figure.tight_layout(pad=0.4)
    figure.savefig(PICTURE)
    print(f"wrote {PICTURE}")


if __name__ == "__main__":
    main()
