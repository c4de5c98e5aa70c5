"""A GNSS receiver on a serial line: NMEA sentences at its rate, MediaTek (PMTK) commands."""

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from outrider.bus.bus import Bus
from outrider.core.clock import NS_PER_S
from outrider.devices.gps.sentences import (
    Epoch,
    checksum,
    epoch_of,
    framed,
    gga,
    gll,
    gsa,
    gsv,
    rmc,
    vtg,
)
from outrider.devices.topic_prefix import topics_under

FIX = "sensor_msgs/msg/NavSatFix"
_BESIDE = {"outrider_msgs/msg/GnssStatus": "status", "geometry_msgs/msg/Vector3Stamped": "velocity"}
_BAUDS = (4800, 9600, 19200, 38400, 57600, 115200)
_EPOCH_BYTES = 640  # of all sentences together, at the most
_LONGEST = 128  # characters of a command
_FASTEST_MS, _SLOWEST_MS = 10, 10_000
_Sentence: TypeAlias = Callable[[Epoch], str | list[str]]

# in the order in which a receiver says them; PMTK314 counts them otherwise
_SENTENCES: dict[str, _Sentence] = {
    "GGA": gga,
    "GLL": gll,
    "GSA": gsa,
    "GSV": gsv,
    "RMC": rmc,
    "VTG": vtg,
}
_PMTK314 = ("GLL", "RMC", "VTG", "GGA", "GSA", "GSV")
_DEFAULT = {"GGA": 1, "GLL": 0, "GSA": 1, "GSV": 1, "RMC": 1, "VTG": 1}
_DONE, _INVALID, _UNSUPPORTED = 3, 0, 1


class Receiver:
    """Sends NMEA sentences for every measurement of the simulated receiver."""

    kind: ClassVar[str] = "gps"

    def __init__(self, bus: Bus, topic: str) -> None:
        info = bus.channel(topic).info()
        self._fixes = bus.subscribe(topic, kept="all", depth=10)
        near = topics_under(bus, topic.rpartition("/")[0])
        self._beside = {
            name: bus.subscribe(near[kind]) for kind, name in _BESIDE.items() if kind in near
        }
        self._rate_hz = info.rate_hz or 1.0
        self.baud = _fitting(self._rate_hz)
        self._every = dict(_DEFAULT)
        self._interval_ns = 0
        self._said_ns = -NS_PER_S
        self._epochs = 0
        self._begun = b""
        self.refused = 0  # commands that were no sentences, or unknown

    def receive(self, data: bytes, _now_ns: int) -> bytes:
        """Carry out MediaTek commands, one per line."""
        *lines, rest = (self._begun + data).split(b"\n")
        self._begun = rest[-_LONGEST:]
        return b"".join(self._obey(line.strip()) for line in lines if line.strip())

    def tick(self, _now_ns: int) -> bytes:
        """Return the sentences of every new measurement."""
        said = b""
        while (item := self._fixes.poll()) is not None:
            epoch = epoch_of(item[1], self._latest("status"), self._latest("velocity"))
            since = epoch.time_ns - self._said_ns
            if since < 0 or since >= self._interval_ns - NS_PER_S // 1000:
                self._said_ns = epoch.time_ns
                said += self._told(epoch)
        return said

    def counts(self) -> dict[str, int]:
        """Return what was refused so far."""
        return {"refused": self.refused}

    def close(self) -> None:
        """Stop listening."""
        for box in (self._fixes, *self._beside.values()):
            box.close()

    def _latest(self, name: str) -> object | None:
        box = self._beside.get(name)
        return box.latest[1] if box and box.latest else None

    def _told(self, epoch: Epoch) -> bytes:
        lines: list[str] = []
        for name, sentence in _SENTENCES.items():
            if self._every[name] and self._epochs % self._every[name] == 0:
                said = sentence(epoch)
                lines += [said] if isinstance(said, str) else said
        self._epochs += 1
        return "".join(f"{line}\r\n" for line in lines).encode("ascii")

    def _obey(self, line: bytes) -> bytes:
        command = _command(line)
        if command is None:
            self.refused += 1
            return b""
        number, arguments = command
        if number == "605":
            return _line("PMTK705,AXN_1.30,0000,Outrider,1.0")
        act = _COMMANDS.get(number)
        flag = act(self, arguments) if act else _UNSUPPORTED
        self.refused += flag != _DONE
        return _line(f"PMTK001,{number},{flag}")

    def _set_interval(self, arguments: Sequence[str]) -> int:
        interval = _whole(arguments, 0)
        if interval is None or not _FASTEST_MS <= interval <= _SLOWEST_MS:
            return _INVALID
        self._interval_ns = interval * 1_000_000
        return _DONE

    def _set_baud(self, arguments: Sequence[str]) -> int:
        baud = _whole(arguments, 0)
        if baud not in (0, *_BAUDS):
            return _INVALID
        self.baud = baud or _fitting(self._rate_hz)
        return _DONE

    def _select(self, arguments: Sequence[str]) -> int:
        if list(arguments) == ["-1"]:
            self._every = dict(_DEFAULT)
            return _DONE
        wanted = [_whole(arguments, i) for i in range(len(_PMTK314))]
        if any(every is None or not 0 <= every <= 5 for every in wanted):
            return _INVALID
        self._every = {name: every or 0 for name, every in zip(_PMTK314, wanted, strict=True)}
        return _DONE

    def _restart(self, _arguments: Sequence[str]) -> int:
        return _DONE


_COMMANDS: dict[str, Callable[[Receiver, Sequence[str]], int]] = {
    "000": Receiver._restart,  # a test: only answered
    "101": Receiver._restart,
    "102": Receiver._restart,
    "103": Receiver._restart,
    "104": Receiver._restart,
    "220": Receiver._set_interval,
    "251": Receiver._set_baud,
    "314": Receiver._select,
}


def _command(line: bytes) -> tuple[str, list[str]] | None:
    """Return the number and arguments of a command with a valid checksum, or None."""
    if not line.isascii():  # two wrong characters may cancel out in the checksum
        return None
    text = line.decode("ascii")
    body, star, check = text[1:].partition("*")
    if not text.startswith("$PMTK") or not star or check.upper() != f"{checksum(body):02X}":
        return None
    head, *arguments = body.split(",")
    return head[4:], arguments


def _whole(arguments: Sequence[str], index: int) -> int | None:
    text = arguments[index] if index < len(arguments) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else None


def _line(body: str) -> bytes:
    return f"{framed(body)}\r\n".encode("ascii")


def _fitting(rate_hz: float) -> int:
    """Return the lowest common baud rate with enough bandwidth."""
    return next((b for b in _BAUDS if b >= 10 * _EPOCH_BYTES * rate_hz), _BAUDS[-1])
