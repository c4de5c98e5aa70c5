"""How much of a surface is seen: the rules of files that mean the opposite of what they say."""

_NOTHING = 0.005  # what exporters write for solid surfaces when they mean the transparency
_SKETCHUP = 0.055  # SketchUp writes 0.01 to 0.05 for surfaces that hide everything behind them


def visible(opacity: float, nothing: float = _NOTHING) -> float:
    """Return the opacity meant; nobody models what cannot be seen, so that is turned round."""
    opacity = min(1.0, max(0.0, opacity)) if opacity == opacity else 1.0
    return 1.0 if opacity < nothing else opacity


def collada_opacity(rule: str, colour: tuple[float, float, float, float], amount: float) -> float:
    """Return the opacity of Collada's ``transparent`` colour and ``transparency`` by its rule."""
    r, g, b, a = colour
    luminance = 0.212671 * r + 0.715160 * g + 0.072169 * b
    meant = {
        "A_ONE": a * amount,
        "A_ZERO": 1 - a * amount,
        "RGB_ONE": luminance * amount,
        "RGB_ZERO": 1 - luminance * amount,
    }
    return visible(meant.get(rule, a * amount), _SKETCHUP)
