"""Parsing and formatting numbers for people."""

import math


def parsed(text: str) -> float | None:
    """Return the number that a text says, or None; a decimal comma is as good as a point."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def shown(value: float) -> str:
    """Return a number as people write it."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
