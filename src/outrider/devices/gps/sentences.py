"""Sentences of NMEA 0183: GGA, RMC, VTG, GSA, GSV and GLL from a receiver's data."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from typing import NamedTuple

from outrider.core.clock import date_of
from outrider.messages.plain_values import stamp_ns
from outrider.messages.types import Message

_KNOTS, _KMH = 1.0 / 0.514444, 3.6
_QUALITY = {-1: 0, 0: 1, 1: 2, 2: 4}  # no fix, single, satellite-based, ground-based corrections
_MODES = {0: "N", 1: "A", 2: "D", 4: "R", 5: "F"}
_IN_SENTENCE = 4  # satellites in one GSV
_SLOTS = 12  # satellites in one GSA
_SLOWEST = 0.05  # m/s below which a course means nothing


class Satellite(NamedTuple):
    """A satellite above the elevation mask."""

    number: int  # as NMEA counts them: from 1 GPS, 65 GLONASS, 201 BeiDou, 301 Galileo
    elevation_deg: float
    azimuth_deg: float
    used: bool  # not hidden


@dataclass(frozen=True, slots=True)
class Epoch:
    """A receiver's data of one epoch; angles in degrees, speed in m/s."""

    time_ns: int
    quality: int  # as in GGA; 0 is no fix
    latitude: float = math.nan
    longitude: float = math.nan
    altitude: float = math.nan  # m above the ellipsoid
    used: int = 0
    hdop: float = math.nan
    vdop: float = math.nan
    pdop: float = math.nan
    east: float = math.nan
    north: float = math.nan
    satellites: Sequence[Satellite] = field(default=())

    @property
    def talker(self) -> str:
        """GP, or GN where several systems give the fix."""
        systems = {_system(one.number) for one in self.satellites if one.used}
        return "GN" if len(systems) > 1 else "GP"

    @property
    def speed(self) -> float:
        """Speed over ground."""
        return math.hypot(self.east, self.north) if self.quality else math.nan

    @property
    def course(self) -> float:
        """Direction over ground, clockwise from north; not a number at rest."""
        if not self.speed > _SLOWEST:
            return math.nan
        return math.degrees(math.atan2(self.east, self.north)) % 360.0


def epoch_of(fix: Message, status: Message | None = None, velocity: Message | None = None) -> Epoch:
    """Return an epoch from a NavSatFix and, where there are some, the receiver's other messages."""
    quality = int(status.quality) if status else _QUALITY.get(int(fix.status.status), 1)
    if not (math.isfinite(fix.latitude) and math.isfinite(fix.longitude)):
        quality = 0
    # the axes of a receiver's own velocity message may be others than east and north
    speed = status.velocity if status else velocity.vector if velocity else None
    return Epoch(
        time_ns=stamp_ns(fix),
        quality=quality,
        latitude=float(fix.latitude),
        longitude=float(fix.longitude),
        altitude=float(fix.altitude),
        used=int(status.satellites) if status else 0,
        hdop=float(status.hdop) if status else math.nan,
        vdop=float(status.vdop) if status else math.nan,
        pdop=float(status.pdop) if status else math.nan,
        east=float(speed.x) if speed else math.nan,
        north=float(speed.y) if speed else math.nan,
        satellites=tuple(_satellites(status)) if status else (),
    )


def _satellites(status: Message) -> Iterator[Satellite]:
    rows = zip(status.numbers, status.elevations, status.azimuths, status.used, strict=True)
    return (Satellite(int(n), float(e), float(a), bool(u)) for n, e, a, u in rows)


def framed(body: str) -> str:
    """Return a sentence with ``$`` and its checksum."""
    return f"${body}*{checksum(body):02X}"


def checksum(body: str) -> int:
    """Return the exclusive or of all characters between ``$`` and ``*``."""
    return reduce(lambda total, letter: total ^ ord(letter), body, 0)


def gga(epoch: Epoch) -> str:
    """Return the fix: position, quality, altitude (above the ellipsoid; geoid separation 0)."""
    height = _fixed(epoch.altitude, 1) if epoch.quality else ""
    return framed(
        f"{epoch.talker}GGA,{_clock(epoch)},{_place(epoch)},{epoch.quality},{epoch.used:02d},"
        f"{_fixed(epoch.hdop, 1)},{height},M,{'0.0' if height else ''},M,,"
    )


def rmc(epoch: Epoch) -> str:
    """Return the recommended minimum: position, speed, course, date."""
    day = f"{date_of(epoch.time_ns):%d%m%y}"
    return framed(
        f"{epoch.talker}RMC,{_clock(epoch)},{'A' if epoch.quality else 'V'},{_place(epoch)},"
        f"{_fixed(epoch.speed * _KNOTS, 2)},{_fixed(epoch.course, 2)},{day},,,{_mode(epoch)}"
    )


def vtg(epoch: Epoch) -> str:
    """Return course and speed over ground."""
    knots, kmh = _fixed(epoch.speed * _KNOTS, 2), _fixed(epoch.speed * _KMH, 2)
    course = _fixed(epoch.course, 2)
    return framed(f"{epoch.talker}VTG,{course},T,,M,{knots},N,{kmh},K,{_mode(epoch)}")


def gll(epoch: Epoch) -> str:
    """Return position and time."""
    valid = "A" if epoch.quality else "V"
    return framed(f"{epoch.talker}GLL,{_place(epoch)},{_clock(epoch)},{valid},{_mode(epoch)}")


def gsa(epoch: Epoch) -> list[str]:
    """Return the satellites in use, a sentence for each system, and the DOPs."""
    dilutions = ",".join(_fixed(d, 1) for d in (epoch.pdop, epoch.hdop, epoch.vdop))
    fix = 3 if epoch.quality else 1
    used = [one for one in epoch.satellites if one.used] if epoch.quality else []
    systems = [list(group) for _, group in groupby(_sorted(used), key=_key)] or [[]]
    return [framed(f"{epoch.talker}GSA,A,{fix},{_slots(system)},{dilutions}") for system in systems]


def gsv(epoch: Epoch) -> list[str]:
    """Return the satellites in view, four to a sentence, system by system."""
    found: list[str] = []
    for talker, group in groupby(_sorted(epoch.satellites), key=_key):
        found += _views(talker, list(group))
    return found or [framed("GPGSV,1,1,00")]


def _views(talker: str, satellites: Sequence[Satellite]) -> Iterator[str]:
    parts = [satellites[i : i + _IN_SENTENCE] for i in range(0, len(satellites), _IN_SENTENCE)]
    for number, part in enumerate(parts, 1):
        views = ",".join(_view(one) for one in part)
        yield framed(f"{talker}GSV,{len(parts)},{number},{len(satellites):02d},{views}")


def _view(one: Satellite) -> str:
    strength = f"{30 + 18 * math.sin(math.radians(one.elevation_deg)):02.0f}" if one.used else ""
    azimuth = round(one.azimuth_deg) % 360
    return f"{one.number:02d},{round(one.elevation_deg):02d},{azimuth:03d},{strength}"


def _slots(satellites: Sequence[Satellite]) -> str:
    numbers = [f"{one.number:02d}" for one in satellites[:_SLOTS]]
    return ",".join(numbers + [""] * (_SLOTS - len(numbers)))


def _sorted(satellites: Iterable[Satellite]) -> list[Satellite]:
    return sorted(satellites, key=lambda one: one.number)


def _key(one: Satellite) -> str:
    return _system(one.number)


def _system(number: int) -> str:
    """Return the talker ID of a satellite's system."""
    firsts = ((301, "GA"), (201, "GB"), (65, "GL"))
    return next((talker for first, talker in firsts if number >= first), "GP")


def _mode(epoch: Epoch) -> str:
    return _MODES.get(epoch.quality, "A")


def _clock(epoch: Epoch) -> str:
    moment = date_of(epoch.time_ns)
    return f"{moment:%H%M%S}.{moment.microsecond // 1000:03d}"


def _place(epoch: Epoch) -> str:
    if not epoch.quality:
        return ",,,"
    return f"{_angle(epoch.latitude, 2, 'NS')},{_angle(epoch.longitude, 3, 'EW')}"


def _angle(degrees: float, digits: int, signs: str) -> str:
    """Return degrees and minutes as NMEA joins them (ddmm.mmmm), and the hemisphere."""
    minutes = round(abs(degrees) * 60.0, 5)
    whole = int(minutes // 60)
    return f"{whole:0{digits}d}{minutes - 60 * whole:08.5f},{signs[degrees < 0]}"


def _fixed(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else ""
