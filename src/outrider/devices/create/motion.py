"""What drive commands mean for the wheels, in mm/s."""

from typing import NamedTuple

_MOST = 500  # mm/s
_STRAIGHT = (-32768, 32767)
_WIDEST = 2000  # mm


class Wheels(NamedTuple):
    """Requested speeds in mm/s, and the request itself (packets 39 and 40)."""

    left: int = 0
    right: int = 0
    velocity: int = 0
    radius: int = 0

    @property
    def moving(self) -> bool:
        """Whether any wheel is commanded to turn."""
        return bool(self.left or self.right)


def drive(velocity: int, radius: int, track_mm: float) -> Wheels:
    """Drive along a circle: a positive radius turns left, 1 and -1 turn on the spot."""
    velocity = _limited(velocity, _MOST)
    if radius in _STRAIGHT:
        return Wheels(velocity, velocity, velocity, radius)
    if radius in (1, -1):
        return Wheels(-radius * velocity, radius * velocity, velocity, radius)
    radius = _limited(radius, _WIDEST) or _WIDEST
    share = 0.5 * track_mm / radius
    left, right = round(velocity * (1.0 - share)), round(velocity * (1.0 + share))
    return Wheels(_limited(left, _MOST), _limited(right, _MOST), velocity, radius)


def drive_direct(right: int, left: int) -> Wheels:
    """Drive each wheel at its own speed."""
    return Wheels(_limited(left, _MOST), _limited(right, _MOST))


def drive_pwm(right: int, left: int) -> Wheels:
    """Set each motor's duty cycle; on level ground, that is the share of its full speed."""
    return drive_direct(*(round(_limited(pwm, 255) / 255 * _MOST) for pwm in (right, left)))


def _limited(value: int, most: int) -> int:
    return max(-most, min(most, value))
