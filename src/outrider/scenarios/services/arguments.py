"""Arguments of services: plain values, checked before anything is done with them."""

import math
from typing import Any, TypeAlias

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array

Arguments: TypeAlias = dict[str, Any]


def name_of(arguments: Arguments, key: str) -> str:
    """Return a name; ``model::link`` is ``model/link``."""
    value = arguments.get(key)
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{key}: expected a name, got {value!r:.60}")
    return value.replace("::", "/")


def frame_name(arguments: Arguments) -> str:
    """Return the frame that is asked for; the world's is empty."""
    value = arguments.get("frame") or ""
    if not isinstance(value, str):
        raise ConfigError(f"frame: expected a name, got {value!r:.60}")
    return "" if value in ("world", "map") else value.replace("::", "/")


def figure(arguments: Arguments, key: str, default: float) -> float:
    """Return a finite number."""
    value = arguments.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ConfigError(f"{key}: expected a number, got {value!r:.60}")
    return float(value)


def vector(arguments: Arguments, key: str, default: Array) -> Array:
    """Return as many finite numbers as the default has."""
    value = arguments.get(key)
    return default if value is None else numbers(value, key, len(default))


def numbers(value: Any, key: str, count: int) -> Array:
    """Return so many finite numbers."""
    try:
        found: Array = np.array(value, np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (count,) or not np.isfinite(found).all():
        raise ConfigError(f"{key}: expected {count} numbers, got {value!r:.60}")
    return found


def unit(rotation: Array) -> Array:
    """Return a quaternion of length one; all zeros stand for no turn."""
    length = float(np.linalg.norm(rotation))
    if length == 0.0:
        return np.array([0.0, 0.0, 0.0, 1.0])
    return rotation / length
