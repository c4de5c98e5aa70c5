"""A VLP-16 on the network: drivers of the real sensor read the simulated one."""

import socket
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from outrider.bridges.addresses import address, path
from outrider.bridges.bridge import Outside
from outrider.bridges.peer_errors import PeerErrors, speaker
from outrider.bridges.velodyne.firings import Firings, firings
from outrider.bridges.velodyne.packets import position_packet, rmc
from outrider.bridges.velodyne.pcap import PcapFile
from outrider.bridges.velodyne.stream import PacketStream
from outrider.bus.channel import TopicInfo
from outrider.bus.mailbox import Subscription
from outrider.core.clock import NS_PER_S, to_s
from outrider.core.errors import OutriderError
from outrider.core.process.service_thread import ServiceThread
from outrider.core.structure import number
from outrider.messages.types import Message

_say = speaker("velodyne")
_CLOUD, _FIX = "sensor_msgs/msg/PointCloud2", "sensor_msgs/msg/NavSatFix"
_OTHERS = ("depth-camera", "radar")  # sensors with clouds that no LiDAR measured
_LOOK_S = 0.2
_DEPTH = 4  # revolutions that may wait
_USUAL_HZ = 10.0
_MOST_AHEAD = 200  # packets that wait for their time; beyond it they go at once


@dataclass(frozen=True, slots=True)
class VelodyneOptions:
    """The options of ``--bridge velodyne:...``."""

    host: str = address("127.0.0.1")  # that packets are sent to
    port: int = number(2368, least=1, most=65535)  # of data packets
    position_port: int = number(8308, least=1, most=65535)
    topic: str = ""  # the cloud; empty: the first of the run
    fix: str = ""  # the GNSS receiver; empty: the first of the run
    returns: Literal["strongest", "last", "dual"] = "strongest"
    last: str = ""  # dual: the cloud of last returns; empty: the same as the strongest
    position_hz: float = number(1.0, least=0.0, most=1000.0)  # in simulated time
    pcap: str = path()  # also write all packets to this file


class VelodyneBridge:
    """Turns each revolution into packets and sends them at the sensor's own pace."""

    Options: ClassVar[type] = VelodyneOptions

    def __init__(self, outside: Outside, options: VelodyneOptions) -> None:
        self._outside, self._options = outside, options
        self._peer_errors = PeerErrors(_say)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        self._pcap = PcapFile(Path(options.pcap)) if options.pcap else None
        self._stream = PacketStream(options.returns)
        self._wake = threading.Event()
        self._closed = False
        self._boxes: dict[str, Subscription] = {}
        self._names: dict[str, str] = {}  # "cloud", "last" and "fix" -> topic
        self._lasts: dict[int, Firings] = {}  # last returns, by the time of their revolution
        self._turns: deque[Firings] = deque()  # revolutions that are not packets yet
        self._ready: deque[tuple[int, int, bytes]] = deque()  # time, port, packet
        self._position_ns = 0
        self._sentence = ""
        self.packets = 0  # sent so far
        self._thread = ServiceThread(self._run, "outrider-velodyne")

    def start(self) -> None:
        """Begin; a sensor that is not there yet is waited for."""
        self._thread.start()

    def close(self) -> None:
        """Send what is ready and end."""
        if self._closed:
            return
        self._closed = True
        self._wake.set()
        self._thread.wait_for_end()
        for box in self._boxes.values():
            box.close()
        self._socket.close()
        if self._pcap is not None:
            self._pcap.close()

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far."""
        dropped = sum(box.dropped for role, box in list(self._boxes.items()) if role != "fix")
        return {**self._peer_errors.counts, "dropped": dropped}

    def _run(self) -> None:
        self._look()
        self._tell_what_is_missing()
        while not self._closed:
            if not self._ready:
                self._wake.wait(_LOOK_S)
                self._wake.clear()
            self._look()
            try:
                self._convert()
            except OutriderError as error:
                topic = self._names.get("cloud", "")
                self._peer_errors.note(
                    "left out",
                    f"'{topic}' is not a VLP-16's: {error}; choose another with 'topic='",
                )
            except Exception as error:  # a cloud of an unexpected kind must not end the thread
                self._peer_errors.note("failed", f"a cloud is left out: {error!r:.120}")
            self._send_due()
        self._convert()
        while self._ready:
            self._send()

    def _look(self) -> None:
        """Find the topics that are not yet known."""
        options = self._options
        wanted = {"cloud": (options.topic, _CLOUD), "fix": (options.fix, _FIX)}
        if options.last:
            wanted["last"] = (options.last, _CLOUD)
        for role, (named, kind) in wanted.items():
            if role in self._boxes:
                continue
            found = [t for t in self._outside.bus.topics() if t.type == kind]
            name = named or _first(found)
            if name in (topic.name for topic in found):
                self._names[role] = name
                self._boxes[role] = self._outside.bus.subscribe(
                    name, kept="latest" if role == "fix" else "all", depth=_DEPTH, wake=self._wake
                )

    def _tell_what_is_missing(self) -> None:
        """Say what is waited for: without it, nothing is ever sent."""
        for role, named in (("cloud", self._options.topic), ("last", self._options.last)):
            if role in self._boxes or (role == "last" and not named):
                continue
            where = f" on '{named}'" if named else ""
            _say(
                f"nothing is sent yet: no LiDAR publishes a point cloud{where}; give the robot a "
                "sensor with 'model: velodyne-vlp16'"
            )

    def _convert(self) -> None:
        """Turn what was measured since the last look into packets."""
        for _, message in self._new("fix"):
            stamp_ns = message.header.stamp.sec * NS_PER_S + message.header.stamp.nanosec
            valid = message.status.status >= 0
            self._sentence = rmc(stamp_ns, message.latitude, message.longitude, valid)
        for _, message in self._new("last"):
            found = firings(message, self._rate_hz("last"))
            self._lasts = {**dict(list(self._lasts.items())[-_DEPTH:]), found.start_ns: found}
        for _, message in self._new("cloud"):
            self._turns.append(firings(message, self._rate_hz("cloud")))
        while self._turns and self._complete():
            turn = self._turns.popleft()
            for time_ns, packet in self._stream.add(turn, self._lasts.pop(turn.start_ns, None)):
                self._add_position(time_ns)
                self._ready.append((time_ns, self._options.port, packet))

    def _complete(self) -> bool:
        """Return whether the oldest revolution has its last returns, or will not get them."""
        has_last = not self._options.last or self._turns[0].start_ns in self._lasts
        return has_last or len(self._turns) > 1

    def _new(self, role: str) -> list[tuple[int, Message]]:
        box = self._boxes.get(role)
        found: list[tuple[int, Message]] = []
        while box is not None and (item := box.poll()) is not None:
            found.append(item)
        return found

    def _rate_hz(self, role: str) -> float:
        channel = self._outside.bus.find(self._names[role])
        return (channel.rate_hz if channel else 0.0) or _USUAL_HZ

    def _add_position(self, time_ns: int) -> None:
        hz = self._options.position_hz
        if hz and not 0 <= time_ns - self._position_ns < NS_PER_S / hz:
            self._position_ns = time_ns
            packet = position_packet(time_ns, self._sentence)
            self._ready.append((time_ns, self._options.position_port, packet))

    def _send_due(self) -> None:
        """Send what waits, with the pauses between firings; without them where it is behind."""
        while self._ready and not self._closed:
            time_ns = self._send()
            if self._ready and len(self._ready) < _MOST_AHEAD:
                time.sleep(min(max(to_s(self._ready[0][0] - time_ns), 0.0), 0.01))
            if any(box.waiting for box in self._boxes.values()):
                return

    def _keep(self, pcap: PcapFile, time_ns: int, port: int, packet: bytes) -> None:
        """Append a packet to the file; one that cannot be written ends it, and packets go on."""
        try:
            pcap.add(time_ns, port, packet)
        except OSError as error:
            self._pcap = None
            pcap.close()
            self._peer_errors.note(
                "not kept", f"{self._options.pcap}: ended early: {error.strerror or error}"
            )

    def _send(self) -> int:
        time_ns, port, packet = self._ready.popleft()
        try:
            self._socket.sendto(packet, (self._options.host, port))
            self.packets += 1
        except OSError as error:
            self._peer_errors.note("unsendable", f"cannot send to {self._options.host}: {error}")
        if self._pcap is not None:
            self._keep(self._pcap, time_ns, port, packet)
        return time_ns


def _first(topics: Sequence[TopicInfo]) -> str:
    """Return the first topic, a LiDAR's if there is one: a depth camera's cloud is none."""
    fitting = [topic for topic in topics if topic.source not in _OTHERS]
    return min(fitting, key=lambda t: t.source != "lidar").name if fitting else ""
