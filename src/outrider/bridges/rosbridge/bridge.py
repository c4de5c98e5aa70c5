"""rosbridge: every topic, service and parameter for web pages and programs in any language."""

from dataclasses import dataclass
from typing import Any, ClassVar

from outrider.bridges.addresses import address, token_for
from outrider.bridges.bridge import Outside
from outrider.bridges.complaints import Complaints, speaker
from outrider.bridges.rosbridge.encoding.forms import Form
from outrider.bridges.rosbridge.gate import Admission
from outrider.bridges.rosbridge.server import ListenAddress, RosbridgeServer
from outrider.core.structure import number

_say = speaker("rosbridge")


@dataclass(frozen=True, slots=True)
class RosbridgeOptions:
    """The options of ``--bridge rosbridge:...``."""

    port: int = number(9090, least=0, most=65535)  # 0 takes a free one
    host: str = address("127.0.0.1")  # to listen on; any other address asks for a token
    tcp_port: int | None = number(None, least=0, most=65535)  # JSON on a plain socket, too
    token: str = ""  # asked of every client; on other addresses than loopback one is made up
    origin: tuple[str, ...] = address(())  # more pages that may connect: http://host:port, null, *
    form: Form = "ros2"  # for clients that spell no type: with /msg/ or without, sec or secs
    most_bytes: int = number(16_000_000, least=1000, most=1_000_000_000)  # of one message in
    clients: int = number(64, least=1, most=10_000)
    stall_s: float = number(15.0, least=0.1, most=3600.0)  # until one that reads nothing is cut off


class RosbridgeBridge:
    """A rosbridge v2 server for the simulation."""

    Options: ClassVar[type[Any]] = RosbridgeOptions

    def __init__(self, outside: Outside, options: RosbridgeOptions) -> None:
        self.token = token_for(options.host, options.token)
        self._made_up = self.token != options.token
        self._complaints = Complaints(_say)
        place = ListenAddress(
            host=options.host,
            port=options.port,
            tcp_port=options.tcp_port,
            most_bytes=options.most_bytes,
            most_clients=options.clients,
            stall_s=options.stall_s,
            form=options.form,
        )
        self.server = RosbridgeServer(
            outside, place, Admission(self.token, options.origin), self._complaints
        )

    @property
    def port(self) -> int:
        """The port that WebSockets come to."""
        return self.server.port

    @property
    def tcp_port(self) -> int:
        """The port that plain sockets come to; 0 if there is none."""
        return self.server.tcp_port

    def start(self) -> None:
        """Listen."""
        self.server.start()
        if self._made_up:
            _say(f"clients need the token {self.token}, as in ws://HOST:{self.port}/?token=...")

    def close(self) -> None:
        """Send all clients away."""
        self.server.close()

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far."""
        return {**self._complaints.counts, "dropped": self.server.fanout.lost()}
