"""Ground out of images and elevation files."""

from dataclasses import dataclass
from pathlib import Path

from outrider.world.model import GeoOrigin
from outrider.world.shapes import HeightField


@dataclass(frozen=True, slots=True, eq=False)
class HeightMap:
    """Ground centred on x = y = 0; ``origin`` is where that lies on Earth, if the file says so."""

    field: HeightField
    notes: tuple[str, ...] = ()
    origin: GeoOrigin | None = None
    lowest: float = 0.0  # m above sea level (or the file's zero) that became z = 0


def read_heightmap(
    path: Path | str,
    size: tuple[float, float, float] | None = None,
    *,
    keep_elevation: bool = False,
) -> HeightMap:
    """Return the ground a file describes; images need a ``size`` (x, y, z) in metres.

    An elevation file starts at z = 0 at its lowest point unless ``keep_elevation``.
    """
    raise NotImplementedError
