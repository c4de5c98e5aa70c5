"""A ROS-TCP-Endpoint 0.7.0 in as few lines as its fact sheet allows: byte by byte, both forms."""

import json
import queue
import socket
import struct
import threading
from contextlib import suppress


class Endpoint:
    """Listens as the real one does; what comes is kept, what is to be said is said by tests."""

    def __init__(self, protocol="ROS1", version="v0.7.0", port=0, silent=False):
        self.two = protocol == "ROS2"
        self._greeting = {"version": version, "metadata": json.dumps({"protocol": protocol})}
        self._silent = silent
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = self._listener.getsockname()[1]
        self.commands = []  # (name, fields)
        self.messages = {}  # destination -> payloads
        self.alive = 0
        self.came = queue.Queue()  # a connection each
        self.answers = queue.Queue()  # (srv_id, service, payload)
        self.requests = queue.Queue()
        self._pending = None  # the real one has one for all, too
        self._client = None
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.hang_up()
        self._listener.close()

    def hang_up(self):
        if self._client is not None:
            with suppress(OSError):
                self._client.shutdown(socket.SHUT_RDWR)
            self._client.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._client = client
            if not self._silent:
                self.command("__handshake", self._greeting)
            self.came.put(client)
            threading.Thread(target=self._read, args=(client,), daemon=True).start()

    def send(self, destination, payload):
        """Write a frame: no NUL in either form."""
        name = destination.encode()
        self._client.sendall(
            struct.pack("<I", len(name)) + name + struct.pack("<I", len(payload)) + payload
        )

    def command(self, name, fields):
        self.send(name, json.dumps(fields).encode())

    def _read(self, client):
        def exactly(count):
            data = b""
            while len(data) < count:
                more = client.recv(count - len(data))
                if not more:
                    raise EOFError
                data += more
            return data

        try:
            while True:
                name = exactly(struct.unpack("<I", exactly(4))[0])
                payload = exactly(struct.unpack("<I", exactly(4))[0])
                self._take(name, payload)
        except (OSError, EOFError):
            return

    def _take(self, raw, payload):
        if self.two:
            assert not raw or raw.endswith(b"\0"), raw
        else:
            assert not raw.endswith(b"\0"), raw
        name = raw.decode().rstrip("\0")
        if not name:
            assert payload == b""
            self.alive += 1
        elif self._pending is not None:
            kind, number = self._pending
            self._pending = None
            (self.answers if kind == "__response" else self.requests).put((number, name, payload))
        elif name.startswith("__"):
            # as the real one: on ROS 2 the last character is dropped, whatever it is
            fields = json.loads(payload.decode()[:-1] if self.two else payload.decode())
            if name in ("__request", "__response"):
                self._pending = name, fields["srv_id"]
            if name == "__topic_list":
                self.command(
                    "__topic_list", {"topics": ["/rosout"], "types": ["rosgraph_msgs/Log"]}
                )
            self.commands.append((name, fields))
        else:
            self.messages.setdefault(name, []).append(payload)

    def call(self, number, service, payload):
        """Ask the other side: a header, then the request."""
        self.command("__request", {"srv_id": number})
        self.send(service, payload)

    def answer(self, number, service, payload):
        self.command("__response", {"srv_id": number})
        self.send(service, payload)

    def registered(self, command):
        return {
            fields["topic"]: fields["message_name"]
            for name, fields in list(self.commands)
            if name == command
        }
