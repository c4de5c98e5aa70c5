"""How much of a surface is seen: the rules of files that mean the opposite of what they say."""

from typing import NamedTuple

_NOTHING = 0.005  # what exporters write for solid surfaces when they mean the transparency
_SKETCHUP = 0.055  # SketchUp writes 0.01 to 0.05 for surfaces that hide everything behind them
LUMINANCE = (0.212671, 0.715160, 0.072169)  # of red, green and blue, as Collada weighs them


class OpacityMap(NamedTuple):
    """A picture of how opaque a surface is: the opacity where a channel is 0, and where it is 1.

    ``channel`` is r, g, b, m (the picture's own opacity) or l (its brightness); empty: its own
    opacity if it has one, else its brightness.
    """

    address: str
    channel: str = ""
    at_0: float = 0.0
    at_1: float = 1.0


def visible(opacity: float, nothing: float = _NOTHING) -> float:
    """Return the opacity meant; nobody models what cannot be seen, so that is turned round."""
    opacity = min(1.0, max(0.0, opacity)) if opacity == opacity else 1.0
    return 1.0 if opacity < nothing else opacity


def collada_opacity(rule: str, colour: tuple[float, float, float, float], amount: float) -> float:
    """Return the opacity of Collada's ``transparent`` colour and ``transparency`` by its rule."""
    r, g, b, a = colour
    luminance = sum(share * part for share, part in zip(LUMINANCE, (r, g, b), strict=True))
    meant = {
        "A_ONE": a * amount,
        "A_ZERO": 1 - a * amount,
        "RGB_ONE": luminance * amount,
        "RGB_ZERO": 1 - luminance * amount,
    }
    return visible(meant.get(rule, a * amount), _SKETCHUP)


def collada_map(rule: str, address: str, amount: float) -> tuple[float, OpacityMap]:
    """Return Collada's ``transparent`` picture by its rule, and the opacity it is multiplied by."""
    channel = "l" if rule.startswith("RGB") else ""
    if rule.endswith("_ZERO"):
        return 1.0, OpacityMap(address, channel, 1.0, 1.0 - min(1.0, max(0.0, amount)))
    return visible(amount, _SKETCHUP), OpacityMap(address, channel)
