"""Maps as map_saver writes them: a PGM picture and a YAML file beside it."""

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray
from PIL import Image

from outrider.core.errors import AutonomyError
from outrider.core.files.atomic_file import write_whole
from outrider.core.files.yaml_file import read_yaml
from outrider.core.frames import Array
from outrider.core.structure import from_data, number

OCCUPIED, UNKNOWN, CLEAR = 0, 205, 254  # grey values of map_saver
_MOST_PIXELS = 100_000_000


@dataclass(frozen=True, slots=True, eq=False)
class GridMap:
    """Values as in ROS (-1, 0 to 100), rows from the lowest y up."""

    values: NDArray[np.int8]
    resolution: float
    origin: Array  # x, y and yaw of the lower left corner


@dataclass(frozen=True, slots=True)
class _MapFacts:
    """The YAML file of a map."""

    image: str
    resolution: float = number(above=0.0)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    negate: int = 0
    occupied_thresh: float = 0.65
    free_thresh: float = 0.196
    mode: str = "trinary"


def save_map(path: Path, grid: GridMap) -> tuple[Path, Path]:
    """Write ``path`` with the suffixes .pgm and .yaml; return both."""
    values = grid.values
    picture = np.full(values.shape, UNKNOWN, np.uint8)
    picture[(values >= 0) & (values <= 25)] = CLEAR
    picture[values >= 65] = OCCUPIED
    image, text = path.with_suffix(".pgm"), path.with_suffix(".yaml")
    pixels = io.BytesIO()
    Image.fromarray(picture[::-1]).save(pixels, "PPM")
    write_whole(image, pixels.getvalue())
    facts = {
        "image": image.name,
        "resolution": float(grid.resolution),
        "origin": [float(value) for value in grid.origin],
        "negate": 0,
        "occupied_thresh": 0.65,
        "free_thresh": 0.196,
    }
    write_whole(text, yaml.safe_dump(facts, sort_keys=False).encode())
    return image, text


def load_map(path: Path) -> GridMap:
    """Read a map from its YAML file, as map_server does (mode trinary)."""
    facts = _facts(path)
    image = path.parent / Path(facts.image).name  # beside its description, never elsewhere
    try:
        with Image.open(image) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                raise AutonomyError(f"{image}: a map of more than {_MOST_PIXELS} pixels")
            grey = np.asarray(opened.convert("L"), np.float64)[::-1]
    except AutonomyError:
        raise
    except Exception:  # whatever Pillow throws at a bad file
        raise AutonomyError(f"{path}: image: there is no image '{image}'") from None
    share = grey / 255.0 if facts.negate else 1.0 - grey / 255.0
    values = np.full(grey.shape, -1, np.int8)
    values[share < facts.free_thresh] = 0
    values[share > facts.occupied_thresh] = 100
    return GridMap(values, facts.resolution, np.array(facts.origin))


def _facts(path: Path) -> _MapFacts:
    return from_data(_MapFacts, read_yaml(path), str(path))
