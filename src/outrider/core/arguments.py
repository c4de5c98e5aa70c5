"""Arguments of the Python interface: each is what was expected, or one sentence says so."""

import math
from collections.abc import Iterable
from numbers import Integral, Real
from pathlib import Path

from outrider.core.errors import ConfigError


def file_argument(given: object, what: str) -> Path:
    """Return the name of a file as a path."""
    if not isinstance(given, str | Path):
        raise ConfigError(f"{what}: expected the name of a file, got {given!r:.60}")
    return Path(given)


def number_argument(given: object, what: str) -> float:
    """Return a finite number."""
    if not isinstance(given, Real) or not math.isfinite(given):
        raise ConfigError(f"{what}: expected a finite number, got {given!r:.60}")
    return float(given)


def count_argument(given: object, what: str) -> int:
    """Return a whole number from 0 on."""
    if not isinstance(given, Integral) or given < 0:
        raise ConfigError(f"{what}: expected a whole number from 0 on, got {given!r:.60}")
    return int(given)


def numbers_argument(given: object, what: str, *counts: int) -> tuple[float, ...]:
    """Return finite numbers, as many as one of ``counts``."""
    values = list(given) if isinstance(given, Iterable) else []
    real = all(isinstance(value, Real) and math.isfinite(value) for value in values)
    if len(values) not in counts or not real:
        many = " or ".join(map(str, counts))
        raise ConfigError(f"{what}: expected {many} finite numbers, got {given!r:.60}")
    return tuple(float(value) for value in values)


def text_argument(given: object, what: str, kind: str) -> str:
    """Return a text, such as the name of a topic."""
    if not isinstance(given, str):
        raise ConfigError(f"{what}: expected {kind}, got {given!r:.60}")
    return given


def names_argument(given: object, what: str) -> tuple[str, ...]:
    """Return a list of names; a single one stands for itself, not for its letters."""
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Iterable) or isinstance(names, bytes):
        raise ConfigError(f"{what}: expected a list of names, got {given!r:.60}")
    return tuple(text_argument(name, what, "names") for name in names)
