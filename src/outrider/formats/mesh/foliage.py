"""What is cut out of a picture: leaves and grass are seen, but stop no vehicle."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np

from outrider.core.errors import FormatError
from outrider.formats.textures import WITH_OPACITY, load_texture, texture_info
from outrider.world.model import Geometry

_OPAQUE = 250  # below, a pixel shows something of what is behind it
_SHARE = 0.05  # of the pixels: fewer are the rounded corners of a sticker


def is_cut_out(texture: str) -> bool:
    """Return whether parts of a picture let see what is behind it."""
    if not texture:
        return False
    try:
        return _has_holes(texture, Path(texture).stat().st_mtime_ns)
    except (OSError, FormatError):  # what cannot be read hides what is behind it
        return False


def solid_geometry(geometry: Iterable[Geometry]) -> tuple[Geometry, ...]:
    """Return what can be felt of what is seen."""
    return tuple(g for g in geometry if not g.material.soft)


@lru_cache(maxsize=256)
def _has_holes(texture: str, mtime_ns: int) -> bool:
    del mtime_ns  # part of the key only: a changed picture is looked at anew
    if texture_info(texture).mode not in WITH_OPACITY:
        return False
    opacity = load_texture(texture)[:, :, 3]
    return bool(np.mean(opacity < _OPAQUE) > _SHARE)
