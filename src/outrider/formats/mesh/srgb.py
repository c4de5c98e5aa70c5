"""Colours as screens count them, and as light."""


def srgb_from_linear(value: float) -> float:
    """Return a colour as screens and image files count it; glTF counts light."""
    value = min(1.0, max(0.0, value))
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def linear_from_srgb(value: float) -> float:
    """Return the amount of light of a colour as screens count it."""
    value = min(1.0, max(0.0, value))
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
