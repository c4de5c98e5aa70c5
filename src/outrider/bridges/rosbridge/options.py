"""The options of ``--bridge rosbridge:...``."""

from dataclasses import dataclass

from outrider.bridges.addresses import address
from outrider.bridges.rosbridge.encoding.forms import Form
from outrider.core.structure import number


@dataclass(frozen=True, slots=True)
class RosbridgeOptions:
    """Where to listen, who may come, and size limits."""

    port: int = number(9090, least=0, most=65535)  # 0 takes a free one
    host: str = address("127.0.0.1")  # to listen on; any other address asks for a token
    tcp_port: int | None = number(None, least=0, most=65535)  # JSON on a plain socket, too
    token: str = ""  # asked of every client; on other addresses than loopback one is made up
    origin: tuple[str, ...] = address(())  # more pages that may connect: http://host:port, null, *
    form: Form = "ros2"  # for clients that spell no type: with /msg/ or without, sec or secs
    most_bytes: int = number(16_000_000, least=1000, most=1_000_000_000)  # of one message in
    clients: int = number(64, least=1, most=10_000)
    stall_s: float = number(15.0, least=0.1, most=3600.0)  # until one that reads nothing is cut off
