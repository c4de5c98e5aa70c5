"""Many clients of a rosbridge server in one process, which do little but count.

They speak WebSocket by hand: forty thousand frames in a second would keep a real library busy, and
the figure would be the library's. Run as ``python readers.py PORT CLIENTS TOPIC SECONDS``.
"""

import json
import os
import selectors
import socket
import struct
import sys
import time
from base64 import b64encode

_WAIT_S = 30.0  # for the first message


class WebReader:
    """One client."""

    def __init__(self, port: int, topic: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        key = b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        reply = b""
        while b"\r\n\r\n" not in reply:
            reply += self.socket.recv(4096)
        self._send({"op": "subscribe", "topic": topic, "type": "geometry_msgs/msg/Twist"})
        self._buffer = bytearray()
        self.count = 0
        self.first_s = self.last_s = 0.0  # when messages came

    def read(self) -> None:
        """Take what has come, and count the frames."""
        self._buffer += self.socket.recv(1 << 18)
        self.last_s = time.monotonic()
        self.first_s = self.first_s or self.last_s
        place, size = 0, len(self._buffer)
        while place + 4 <= size:
            length, head = self._buffer[place + 1], 2
            if length == 126:
                (length,) = struct.unpack_from(">H", self._buffer, place + 2)
                head = 4
            if place + head + length > size:
                break
            place += head + length
            self.count += 1
        del self._buffer[:place]

    def _send(self, message: dict[str, str]) -> None:
        text = json.dumps(message).encode()
        self.socket.sendall(bytes((0x81, 0x80 | len(text))) + b"\0\0\0\0" + text)


def main(port: int, clients: int, topic: str, seconds: float) -> None:
    """Count until so long after the first message; print what each client got, in which time."""
    readers = [WebReader(port, topic) for _ in range(clients)]
    chooser = selectors.DefaultSelector()
    for reader in readers:
        chooser.register(reader.socket, selectors.EVENT_READ, reader)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    end = time.monotonic() + _WAIT_S
    begun = False
    while time.monotonic() < end:
        for key, _ in chooser.select(timeout=0.1):
            key.data.read()
            if not begun:
                begun, end = True, time.monotonic() + seconds
    found = [(reader.count, reader.last_s - reader.first_s) for reader in readers]
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
