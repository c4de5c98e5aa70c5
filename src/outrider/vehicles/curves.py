"""Calibration curves between what a program sends and what a car does, as editable files.

A file has one ``in : out`` pair per line; what follows a ``#`` is a comment.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path

from outrider.core.errors import ConfigError, near_match
from outrider.core.files.atomic_file import write_whole
from outrider.core.files.package_files import LIBRARY, is_file, real_path

CURVES = LIBRARY / "curves"

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """Linear between points, constant beyond the first and the last."""

    points: tuple[Pair, ...]  # input strictly rising

    def __post_init__(self) -> None:
        if len(self.points) < 2:
            raise ConfigError(f"a curve needs at least two points, got {len(self.points)}")
        if not all(math.isfinite(value) for point in self.points for value in point):
            raise ConfigError("a curve's points must be finite numbers")
        if any(b[0] <= a[0] for a, b in pairwise(self.points)):
            raise ConfigError("a curve's inputs must increase from point to point")

    def __call__(self, value: float) -> float:
        """Return the output for an input."""
        points = self.points
        if value <= points[0][0]:
            return points[0][1]
        if value >= points[-1][0]:
            return points[-1][1]
        k = bisect_right(points, value, key=_input)
        (x0, y0), (x1, y1) = points[k - 1], points[k]
        return y0 + (y1 - y0) * ((value - x0) / (x1 - x0))

    @classmethod
    def from_pairs(cls, pairs: Iterable[Pair]) -> "Curve":
        """Make a curve from measured pairs in any order; repeated inputs are averaged."""
        ordered = sorted((float(x), float(y)) for x, y in pairs)
        same = ((x, [y for _, y in group]) for x, group in groupby(ordered, key=_input))
        return cls(tuple((x, math.fsum(ys) / len(ys)) for x, ys in same))

    @classmethod
    def load(cls, path: Path | str) -> "Curve":
        """Read a file; its lines may be in any order."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: cannot read this curve: {error}") from None
        found: dict[float, float] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            content = line.partition("#")[0].strip()
            if content:
                value, output = _pair(content, f"{path}: line {number}")
                if value in found:
                    raise ConfigError(f"{path}: line {number}: the input {value:g} occurs twice")
                found[value] = output
        if len(found) < 2:
            last = len(text.splitlines())
            raise ConfigError(
                f"{path}: line {last}: the file ends with {len(found)} points, a curve needs two"
            )
        return cls(tuple(sorted(found.items())))

    def save(self, path: Path | str) -> None:
        """Write a file that `load` reads back exactly; a reader never sees half of it."""
        path = Path(path)
        lines = (f"{value!r} : {output!r}\n" for value, output in self.points)
        write_whole(path, "".join(lines).encode())


def find_curve(name: str, folder: Path) -> Curve:
    """Load a curve by its file name: from the robot's own folder, else from the library."""
    for place in (folder, CURVES):
        path = real_path(place / name)
        # a robot may come from a stranger: it must not reach beyond its folder
        if path.is_relative_to(place.resolve()) and is_file(path):
            return Curve.load(path)
    hint = near_match(name, (path.name for path in CURVES.glob("*.txt")))
    raise ConfigError(f"there is no curve '{name}' in {folder} or the library{hint}")


def own_curve(name: str, folder: Path) -> str:
    """Return the path of a curve in a robot's folder; any other name is one of the library."""
    if Path(name).name != name:
        raise ConfigError(
            f"curve '{name}': a curve must be in the robot's folder or in the library"
        )
    own = folder.resolve() / name  # a link is followed where it is read, and not beyond the folder
    return str(own) if is_file(own) else name


def _input(point: Pair) -> float:
    return point[0]


def _pair(content: str, where: str) -> Pair:
    """Read ``in : out``."""
    left, _, right = content.partition(":")
    try:
        value, output = float(left), float(right)
    except ValueError:
        raise ConfigError(f"{where}: expected 'in : out' as two numbers, got '{content}'") from None
    if not (math.isfinite(value) and math.isfinite(output)):
        raise ConfigError(f"{where}: expected finite numbers, got '{content}'")
    return value, output
