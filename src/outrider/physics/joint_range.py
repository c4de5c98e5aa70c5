"""The way a joint has, as engines take it: one that is held has a range, too."""

from outrider.world.model import Joint

_BOUNDLESS = 1e9  # rad or m
_HELD = 1e-6  # rad or m to each side: engines refuse or pass over a range without any


def joint_range(joint: Joint) -> tuple[float, float]:
    """Return the lower and upper limit, the upper one above the lower."""
    lower, upper = max(joint.lower, -_BOUNDLESS), min(joint.upper, _BOUNDLESS)
    slack = 0.0 if upper > lower else _HELD * max(1.0, abs(lower))
    return lower - slack, upper + slack
