"""Addresses as HOST:PORT."""

import socket

from outrider.bridges.udp.reassembly import Peer
from outrider.core.errors import ConfigError


def place(text: str, what: str) -> Peer:
    """Return the IPv4 address and the port of a text like ``192.168.1.20:9870``."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ConfigError(f"udp: {what}: expected HOST:PORT, as 127.0.0.1:9870, got '{text}'")
    try:
        return socket.gethostbyname(host), int(port)
    except OSError:
        raise ConfigError(f"udp: {what}: there is no host '{host}'") from None
