"""A serial port over TCP (RFC 2217), where there are no pseudo-terminals."""

import socket
from contextlib import suppress

from outrider.core.errors import BridgeError
from outrider.devices.ports.telnet import Telnet, escaped

_CHUNK = 65536
_MOST = 65536  # bytes that may wait to be sent


class TcpPort:
    """Accepts one program at a time, like a real port."""

    def __init__(self, host: str, port: int) -> None:
        try:
            self._listener = socket.create_server((host, port))
        except OSError as error:
            reason = error.strerror or str(error)
            raise BridgeError(f"serial: cannot listen on {host}:{port}: {reason}") from None
        self._listener.setblocking(False)
        self._host, self.port = host, self._listener.getsockname()[1]
        self._client: socket.socket | None = None
        self._telnet = Telnet()
        self._out = bytearray()

    @property
    def address(self) -> str:
        """What pyserial's ``serial_for_url`` opens."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"rfc2217://{host}:{self.port}"

    @property
    def connected(self) -> bool:
        """Whether a program has it open."""
        return self._client is not None

    @property
    def baud(self) -> int:
        """The speed that the program has set."""
        return self._telnet.baud

    def read(self) -> bytes:
        """Return received bytes; accept the next program once the last one has disconnected."""
        data = self._received() if self._client is not None else b""
        self._accept()
        return data

    def write(self, data: bytes) -> int:
        """Send without blocking; nothing is accepted while earlier bytes are unsent."""
        if self._client is None:
            return len(data)
        self._flush()
        if self._out:
            return 0
        self._out += escaped(data)
        self._flush()
        return len(data)

    def close(self) -> None:
        """Hang up and stop listening."""
        self._hang_up()
        self._listener.close()

    def _received(self) -> bytes:
        assert self._client is not None
        try:
            came = self._client.recv(_CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            came = b""
        if not came:
            self._hang_up()
            return b""
        data = self._telnet.feed(came)
        self._out += self._telnet.answer
        self._telnet.answer.clear()
        if len(self._out) > _MOST:  # a program that asks and never reads
            self._hang_up()
            return b""
        self._flush()
        return data

    def _accept(self) -> None:
        with suppress(OSError):
            client, _ = self._listener.accept()
            if self._client is not None:
                client.close()
                return
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._client, self._telnet = client, Telnet()
            self._out.clear()

    def _flush(self) -> None:
        if self._client is None or not self._out:
            return
        try:
            del self._out[: self._client.send(self._out)]
        except BlockingIOError:
            pass
        except OSError:
            self._hang_up()

    def _hang_up(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = None
        self._out.clear()
