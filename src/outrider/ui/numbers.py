"""Parsing and formatting numbers for people."""

import math


def parsed(text: str) -> float | None:
    """Return the number in a text, or None; a decimal comma is accepted."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def shown(value: float) -> str:
    """Return a number formatted for display."""
    if 0.0 < abs(value) < 0.001:
        return f"{value:.4g}"  # the noise of a good gyroscope is not 0
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
