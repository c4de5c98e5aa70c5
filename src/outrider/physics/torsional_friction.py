"""Friction against spinning on the spot, the same in all engines; nothing resists rolling.

Bodies touch in small patches, over which friction has a lever arm: its torque is at most the load
times this coefficient. A ball that rolls along a groove spins on both of its contacts, and so it
stays in one that hardly slopes.
"""

_PER_METRE = 160.0  # inverse of the mean lever arm of friction in a contact patch: 6.25 mm


def torsional_friction(friction: float) -> float:
    """Return the coefficient, torque over load (m), of a surface."""
    return friction / _PER_METRE
