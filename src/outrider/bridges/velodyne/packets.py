"""The packets of a VLP-16, byte for byte: 1206 bytes of data, 512 of position."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.clock import NS_PER_S, date_of

_RETURN = np.dtype([("distance", "<u2"), ("reflectivity", "u1")])
_BLOCK = np.dtype([("flag", "<u2"), ("azimuth", "<u2"), ("returns", _RETURN, (32,))])
DATA = np.dtype(
    [("blocks", _BLOCK, (12,)), ("microseconds", "<u4"), ("mode", "u1"), ("model", "u1")]
)
POSITION = np.dtype(
    [
        ("unused", "u1", (198,)),
        ("microseconds", "<u4"),
        ("pps", "u1"),
        ("reserved", "u1", (3,)),
        ("nmea", "S306"),
    ]
)
LASERS = 16
FIRING_NS = 2304  # from laser to laser
SEQUENCE_NS = 55_296  # from one firing of all lasers to the next
UNIT_M = 0.002  # of a distance
MODES = {"strongest": 0x37, "last": 0x38, "dual": 0x39}
_VLP16, _FLAG, _PPS_LOCKED = 0x22, 0xEEFF, 2
_HOUR_NS = 3600 * NS_PER_S
RING_OF_LASER = np.array([0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15])
LASER_OF_RING = np.argsort(RING_OF_LASER)


def data_packets(
    distance: NDArray[np.uint16],
    reflectivity: NDArray[np.uint8],
    azimuth: NDArray[np.uint16],
    time_ns: NDArray[np.int64],
    mode: str,
) -> NDArray[np.void]:
    """Return packets of firing sequences.

    ``distance`` and ``reflectivity`` are (packets, 12 blocks, 2 sequences, 16 lasers), ``azimuth``
    is (packets, 12) in hundredths of a degree, ``time_ns`` (packets,) of the first firing of each.
    """
    made = np.zeros(len(time_ns), DATA)
    blocks = made["blocks"]
    blocks["flag"] = _FLAG
    blocks["azimuth"] = azimuth
    blocks["returns"]["distance"] = distance.reshape(-1, 12, 32)
    blocks["returns"]["reflectivity"] = reflectivity.reshape(-1, 12, 32)
    made["microseconds"] = time_ns % _HOUR_NS // 1000
    made["mode"], made["model"] = MODES[mode], _VLP16
    return made


def position_packet(time_ns: int, sentence: str) -> bytes:
    """Return the packet that tells where and when the sensor is, as its GPS receiver said."""
    made = np.zeros((), POSITION)
    made["microseconds"] = time_ns % _HOUR_NS // 1000
    made["pps"] = _PPS_LOCKED if sentence else 0
    made["nmea"] = f"{sentence}\r\n".encode() if sentence else b""
    return made.tobytes()


def rmc(time_ns: int, latitude_deg: float, longitude_deg: float, valid: bool) -> str:
    """Return the sentence GPRMC, with the date that other devices of the run show too."""
    moment = date_of(time_ns)
    if not valid or not (math.isfinite(latitude_deg) and math.isfinite(longitude_deg)):
        where = ",,,"
        valid = False
    else:
        north, east = "N" if latitude_deg >= 0 else "S", "E" if longitude_deg >= 0 else "W"
        where = f"{_angle(latitude_deg, 2)},{north},{_angle(longitude_deg, 3)},{east}"
    body = (
        f"GPRMC,{moment:%H%M%S},{'A' if valid else 'V'},{where},000.0,000.0,{moment:%d%m%y},,,"
        f"{'A' if valid else 'N'}"
    )
    checksum = 0
    for letter in body.encode():
        checksum ^= letter
    return f"${body}*{checksum:02X}"


def _angle(angle_deg: float, digits: int) -> str:
    """Return degrees and minutes as NMEA writes them, rounded once."""
    units = round(abs(angle_deg) * 60 * 10_000)
    degrees, rest = divmod(units, 60 * 10_000)
    return f"{degrees:0{digits}d}{rest / 10_000:07.4f}"
