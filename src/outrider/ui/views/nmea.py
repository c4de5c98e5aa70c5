"""A fix as the NMEA 0183 sentences that a GNSS receiver would send on its serial line."""

import math
from functools import reduce

from outrider.messages.types import Message

_QUALITY = {-1: 0, 0: 1, 1: 2, 2: 4}  # no fix, single, satellite-based, ground-based corrections


def sentences(message: Message) -> list[str]:
    """Return GGA and GLL of a NavSatFix; the time of day is simulated time."""
    clock = _clock(message.header.stamp)
    quality = _QUALITY.get(int(message.status.status), 1)
    known = quality > 0 and math.isfinite(message.latitude) and math.isfinite(message.longitude)
    place = _place(message) if known else ",,,"
    height = f"{message.altitude:.1f},M,,M" if known and math.isfinite(message.altitude) else ",,,"
    valid = "A" if known else "V"
    return [
        framed(f"GPGGA,{clock},{place},{quality if known else 0},,,{height},,"),
        framed(f"GPGLL,{place},{clock},{valid},{valid if known else 'N'}"),
    ]


def framed(body: str) -> str:
    """Return a sentence with its start character and checksum."""
    return f"${body}*{reduce(lambda total, letter: total ^ ord(letter), body, 0):02X}"


def _clock(stamp: Message) -> str:
    whole = int(stamp.sec) % 86400
    seconds = whole % 60 + stamp.nanosec * 1e-9
    return f"{whole // 3600:02d}{whole // 60 % 60:02d}{math.floor(100 * seconds) / 100:05.2f}"


def _place(message: Message) -> str:
    north = _angle(float(message.latitude), 2, "NS")
    east = _angle(float(message.longitude), 3, "EW")
    return f"{north},{east}"


def _angle(degrees: float, digits: int, signs: str) -> str:
    """Return whole degrees followed by minutes, and the hemisphere."""
    minutes = round(abs(degrees) * 60.0, 5)
    whole = int(minutes // 60)
    return f"{whole:0{digits}d}{minutes - 60 * whole:08.5f},{signs[degrees < 0]}"
