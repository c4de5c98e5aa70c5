"""rosbridge: every topic, service and parameter for web pages and programs in any language."""

from typing import ClassVar

from outrider.bridges.addresses import HERE, token_for
from outrider.bridges.bridge import Outside
from outrider.bridges.peer_errors import PeerErrors, speaker
from outrider.bridges.rosbridge.authentication import Authentication
from outrider.bridges.rosbridge.options import RosbridgeOptions
from outrider.bridges.rosbridge.server import RosbridgeServer

_say = speaker("rosbridge")


class RosbridgeBridge:
    """A rosbridge v2 server for the simulation."""

    Options: ClassVar[type] = RosbridgeOptions

    def __init__(self, outside: Outside, options: RosbridgeOptions) -> None:
        self.token = token_for(options.token, away=options.host not in HERE)
        self._made_up = self.token != options.token
        self._host = options.host
        self._peer_errors = PeerErrors(_say)
        admission = Authentication(self.token, options.origin)
        self.server = RosbridgeServer(outside, options, admission, self._peer_errors)

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
        token = f"/?token={self.token}" if self._made_up else ""
        _say(f"listening at ws://{self._host}:{self.port}{token}")

    def close(self) -> None:
        """Send all clients away."""
        self.server.close()

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far."""
        return {**self._peer_errors.counts, "dropped": self.server.fanout.lost()}
