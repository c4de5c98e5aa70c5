"""``--bridge serial``: a serial port for every device in the simulation."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, TextIO, TypeAlias

from outrider.bridges.addresses import address, path
from outrider.bridges.bridge import Outside
from outrider.bridges.peer_errors import PeerErrors, speaker
from outrider.bus.channel import TopicInfo
from outrider.bus.topic_watch import TopicWatch
from outrider.core.errors import BridgeError, OutriderError, near_match
from outrider.core.process.service_thread import ServiceThread
from outrider.core.structure import number
from outrider.devices.create.body import ODOMETER, CreateBody
from outrider.devices.create.create import CreateInterface
from outrider.devices.device import Device
from outrider.devices.gps.receiver import FIX, Receiver
from outrider.devices.ports.line import Line, Log
from outrider.devices.ports.port import Port
from outrider.devices.ports.pseudo_terminal import PseudoTerminal, ports_folder
from outrider.devices.ports.tcp import TcpPort
from outrider.devices.sick.scanner import SCAN, SickScanner

_say = speaker("serial")
_TURN_S = 0.002  # polling period of the lines
_LOOK = 100  # polls of the lines per check for new topics
_MOST = 64  # devices
_KINDS = ("create", "sick", "gps")
_Found: TypeAlias = tuple[str, str, Callable[[], Device]]  # topic, name, device


@dataclass(frozen=True, slots=True)
class SerialOptions:
    """The options of ``--bridge serial:...``."""

    device: tuple[str, ...] = ()  # which kinds: create, sick, gps; none is all
    folder: str = path()  # of the links to the ports; empty: "serial" in the user's cache
    oi: Literal["create1", "create2"] = "create2"  # whose Open Interface
    track_mm: float = number(235.0, above=0.0)  # between the wheels
    baud: bool = False  # bytes take as long as on the wire, and baud rates must match
    tcp: int = number(-1, least=-1, most=65000)  # first port for RFC 2217; 0: any; -1: none
    host: str = address("127.0.0.1")  # where RFC 2217 listens
    log: str = path()  # a file for all bytes, both ways


class SerialBridge:
    """Opens a port for every Create, SICK scanner and GNSS receiver."""

    Options: ClassVar[type] = SerialOptions

    def __init__(self, outside: Outside, options: SerialOptions) -> None:
        for kind in options.device:
            if kind not in _KINDS:
                raise BridgeError(
                    f"serial: there is no device '{kind}'{near_match(kind, _KINDS)};"
                    f" known: {', '.join(_KINDS)}"
                )
        self._outside, self._options = outside, options
        self._kinds = options.device or _KINDS
        self._folder = Path(options.folder) if options.folder else ports_folder()
        self._peer_errors = PeerErrors(_say)
        self._watch = TopicWatch(outside.bus)
        self._log: TextIO | None = None
        self.lines: dict[str, Line] = {}  # by their topic
        self._gone: dict[str, int] = {}
        self._closed = threading.Event()
        self._thread = ServiceThread(self._run, "outrider-serial")

    def start(self) -> None:
        """Open a port for every device that already exists."""
        if self._options.log:
            self._log = _opened(Path(self._options.log))
        self._look()
        self._thread.start()

    def close(self) -> None:
        """Close all ports."""
        self._closed.set()
        self._thread.wait_for_end()
        with ExitStack() as closing:
            for line in self.lines.values():
                closing.callback(line.close)
            self.lines = {}
            closing.callback(self._end_log)

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far."""
        total = dict(self._gone)
        for line in list(self.lines.values()):
            _merge(total, line.counts())
        _merge(total, dict(self._peer_errors.counts))
        return total

    def _run(self) -> None:
        turns = 0
        while not self._closed.wait(_TURN_S):
            turns += 1
            if turns % _LOOK == 0:
                self._look()
            for line in list(self.lines.values()):
                self._turn(line)

    def _turn(self, line: Line) -> None:
        try:
            line.turn(self._outside.now_ns())
        except Exception as error:  # nothing that a program sends ends the bridge
            name = line.device.kind
            self._peer_errors.note(
                f"failed_{name}", f"{name} at {line.port.address}: {error!r:.200}"
            )

    def _look(self) -> None:
        """Open ports for new devices, and close those of devices that have disappeared."""
        came, gone = self._watch.changes()
        for topic in gone:
            if line := self.lines.pop(topic.name, None):
                _merge(self._gone, line.counts())
                line.close()
        for topic in came:
            for found in self._found(topic):
                try:
                    self._add(found)
                except OutriderError as error:
                    if not self._thread.is_alive():
                        raise
                    self._peer_errors.note("refused_port", str(error))

    def _found(self, topic: TopicInfo) -> Iterator[_Found]:
        """Yield the device that represents a topic."""
        bus, prefix = self._outside.bus, topic.name.rpartition("/")[0]
        if topic.type == ODOMETER and "create" in self._kinds:
            generation = 1 if self._options.oi == "create1" else 2
            yield (
                topic.name,
                _named(prefix, "create"),
                lambda: CreateInterface(
                    CreateBody(bus, prefix, lambda: self._outside.policy.commands),
                    generation,
                    self._options.track_mm,
                ),
            )
        elif topic.type == SCAN and "sick" in self._kinds:
            yield topic.name, _named(topic.name, "sick"), lambda: SickScanner(bus, topic.name)
        elif topic.type == FIX and "gps" in self._kinds:
            yield topic.name, _named(topic.name, "gps"), lambda: Receiver(bus, topic.name)

    def _add(self, found: _Found) -> None:
        topic, name, make = found
        if len(self.lines) >= _MOST:
            raise BridgeError(f"serial: more than {_MOST} devices; choose with device=KIND")
        port = self._port(name)
        device = make()
        log = self._logged(name) if self._log else None
        self.lines[topic] = Line(port, device, paced=self._options.baud, log=log)
        _say(f"{name} at {port.address} ({device.baud} baud)")

    def _port(self, name: str) -> Port:
        first = self._options.tcp
        if first >= 0:
            return TcpPort(self._options.host, first + len(self.lines) if first else 0)
        return PseudoTerminal(self._folder / name)

    def _end_log(self) -> None:
        log, self._log = self._log, None
        with suppress(OSError):  # what a full disk did not take
            if log:
                log.close()

    def _logged(self, name: str) -> Log:
        def log(direction: str, data: bytes, now_ns: int) -> None:
            if not self._log:
                return
            try:
                self._log.write(f"{now_ns * 1e-9:.3f} {name} {direction} {data.hex(' ')}\n")
            except OSError as error:  # a full disk ends the log, not the devices
                self._end_log()
                _say(f"{self._options.log}: the log ended early: {error.strerror or error}")

        return log


def _named(topic: str, kind: str) -> str:
    """Return a port's name: the kind of device, then its robot or sensor if needed."""
    words = [word for word in topic.split("/") if word and word != kind]
    return "-".join([kind, *words]) if kind == "create" else "-".join([kind, *words[:-1]])


def _merge(total: dict[str, int], more: dict[str, int]) -> None:
    for name, count in more.items():
        total[name] = total.get(name, 0) + count


def _opened(file: Path) -> TextIO:
    try:
        return file.open("w", encoding="ascii", buffering=1)
    except OSError as error:
        raise BridgeError(f"serial: '{file}' cannot be written: {error.strerror}") from None
