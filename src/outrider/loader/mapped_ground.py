"""Ground that stays on disk: from a file, or from noise."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.core.cache import content_key
from outrider.core.errors import ConfigError, FormatError, OutriderError
from outrider.core.files.package_files import is_file
from outrider.loader.ground_file import read_ground_file
from outrider.specs.file_kinds import is_kind
from outrider.terrain.grid import Grid
from outrider.terrain.layers import waves
from outrider.terrain.mapped import Strip, mapped_field
from outrider.terrain.recipe import EndlessGround, FileBase, NoiseBase
from outrider.world.shapes import MappedField

T = TypeVar("T")
MOST = 2_000_000_000  # heights: 8 GB on disk
_VERSION = 1
_WHOLE = 2**28  # pixels of an image that may be read


@lru_cache(maxsize=2)
def mapped_ground(ground: EndlessGround) -> MappedField:
    """Return the field of a ground; it is written to disk once."""
    if min(ground.size) <= 0 or max(ground.size) > 1e6:
        raise ConfigError(f"ground.size: must lie between 0 and 1000000 m, got {list(ground.size)}")
    if isinstance(ground.base, FileBase):
        return _from_file(ground, ground.base)
    n_x, n_y = (max(2, round(length / ground.cell) + 1) for length in ground.size)
    if n_x * n_y > MOST:
        raise ConfigError(f"ground.cell: {n_x} x {n_y} heights are more than {MOST}")
    shape = n_x, n_y
    key = content_key("mapped", _VERSION, ground.size, shape, ground.seed, ground.base)
    return mapped_field(key, shape, ground.size, _noise(ground, shape))


def _noise(ground: EndlessGround, shape: tuple[int, int]) -> Strip:
    """Return hills from the seed; their height is that of the waves added up, not of a map."""
    grid = Grid(*(np.linspace(-s / 2, s / 2, n) for s, n in zip(ground.size, shape, strict=True)))
    base = ground.base

    def strip(first: int, last: int) -> NDArray[np.float32]:
        if not isinstance(base, NoiseBase):
            return np.zeros((last - first, shape[1]), np.float32)
        wave = waves(base, grid.x[first:last], grid.y, ground.seed, "base")
        return (wave * (0.5 * base.height)).astype(np.float32)

    return strip


def _from_file(ground: EndlessGround, base: FileBase) -> MappedField:
    path = Path(base.file)
    if not base.file or not is_file(path):
        raise ConfigError(f"ground.base.file: there is no file '{base.file}'")
    stamp = path.stat()
    key = content_key(
        "mapped", _VERSION, str(path.resolve()), stamp.st_mtime_ns, stamp.st_size, ground.size, base
    )
    heights = _HeightReader(path, ground, base)
    return mapped_field(key, heights.shape, ground.size, heights.strip)


class _HeightReader:
    """Reads a file's heights: an array on disk, a large image, or an elevation file."""

    def __init__(self, path: Path, ground: EndlessGround, base: FileBase) -> None:
        self.path, self.ground, self.base = path, ground, base
        self._values: NDArray[np.float32] | None = None
        self.shape = self._checked(self._shape)

    def strip(self, first: int, last: int) -> NDArray[np.float32]:
        """Return some rows (along x) of heights in metres."""
        return self._checked(lambda: self._strip(first, last))

    def _checked(self, read: Callable[[], T]) -> T:
        try:
            return read()
        except OutriderError:
            raise
        except Exception as error:  # whatever numpy and Pillow throw at a bad file
            reason = str(error).partition(". ")[0]
            raise FormatError(f"{self.path}: cannot be read as heights: {reason}") from None

    def _shape(self) -> tuple[int, int]:
        if self.path.suffix.lower() == ".npy":
            shape = np.load(self.path, mmap_mode="r").shape
            if len(shape) != 2 or min(shape) < 2:
                raise FormatError(f"{self.path}: expected an array of two dimensions, got {shape}")
            return int(shape[0]), int(shape[1])
        if is_kind(self.path, "height image") and self.base.height is not None:
            Image.MAX_IMAGE_PIXELS = _WHOLE
            with Image.open(self.path) as image:
                return image.size
        found = read_ground_file(self.path, None).field.heights
        self._values = found.astype(np.float32)
        return found.shape[0], found.shape[1]

    def _strip(self, first: int, last: int) -> NDArray[np.float32]:
        if self.path.suffix.lower() == ".npy":
            rows = np.asarray(np.load(self.path, mmap_mode="r")[first:last], np.float32)
            holes = rows.size - int(np.isfinite(rows).sum())
            if holes:
                raise FormatError(
                    f"{self.path}: {holes} heights in rows {first} to {last - 1} are not finite;"
                    " fill them, or give the map as an elevation file, whose holes are filled"
                )
            return rows * np.float32(self._scale())
        if self._values is None:
            self._values = self._image()
        return self._values[first:last]

    def _scale(self) -> float:
        return 1.0 if self.base.height is None else self.base.height

    def _image(self) -> NDArray[np.float32]:
        """Return an image's heights, x first and north up."""
        with Image.open(self.path) as image:
            pixels = np.asarray(image)
        if pixels.ndim != 2:
            raise FormatError(f"{self.path}: expected one channel, got {pixels.shape}")
        white = np.iinfo(pixels.dtype).max if pixels.dtype.kind in "iu" else 1.0
        white = 65535 if pixels.dtype == np.int32 else white  # 16 bits are read into 32
        heights = pixels[::-1].T.astype(np.float32)
        heights *= np.float32(self._scale() / white)
        return heights
