"""A small client of Foxglove's WebSocket protocol, as its app speaks it."""

import json
import struct
import time
from contextlib import ExitStack

from websockets.sync.client import connect

SUBPROTOCOL = "foxglove.sdk.v1"


class FoxgloveClient:
    """Keeps what the server says; ``until`` reads on until something is there."""

    def __init__(self, port: int) -> None:
        self._opened = ExitStack()
        self.socket = self._opened.enter_context(
            connect(f"ws://127.0.0.1:{port}", subprotocols=[SUBPROTOCOL], max_size=None, proxy=None)
        )
        self.said: list[dict] = []  # JSON messages
        self.channels: dict[str, dict] = {}
        self.services: dict[str, dict] = {}
        self.messages: dict[str, list[tuple[int, bytes]]] = {}  # by topic: time and bytes
        self.times: list[int] = []
        self.answers: dict[int, bytes] = {}  # of services, by call
        self.assets: dict[int, bytes | None] = {}
        self._topics: dict[int, str] = {}  # by subscription
        self._numbers = iter(range(1, 10_000))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._opened.close()

    def until(self, there, timeout_s=120.0):
        """Read until ``there()`` is true, and return it."""
        end = time.monotonic() + timeout_s
        while not (found := there()):
            left = end - time.monotonic()
            assert left > 0, f"nothing came; last said: {self.said[-3:]}"
            try:
                self._take(self.socket.recv(timeout=min(left, 0.5)))
            except TimeoutError:
                continue
        return found

    def subscribe(self, topic):
        self.until(lambda: topic in self.channels)
        number = next(self._numbers)
        self._topics[number] = topic
        self.messages.setdefault(topic, [])
        wanted = {"id": number, "channelId": self.channels[topic]["id"]}
        self.send({"op": "subscribe", "subscriptions": [wanted]})
        return number

    def first(self, topic):
        """Subscribe, and return the first message's time and bytes."""
        self.subscribe(topic)
        self.until(lambda: self.messages[topic])
        return self.messages[topic][0]

    def advertise(self, topic, schema, encoding):
        number = next(self._numbers)
        channel = {"id": number, "topic": topic, "encoding": encoding, "schemaName": schema}
        self.send({"op": "advertise", "channels": [channel]})
        return number

    def publish(self, channel, data):
        self.socket.send(struct.pack("<BI", 1, channel) + data)

    def call(self, name, /, **arguments):
        """Call a service and return its answer; an error as the server's sentence."""
        self.until(lambda: name in self.services)
        call = next(self._numbers)
        head = struct.pack("<BIII", 2, self.services[name]["id"], call, 4)
        self.socket.send(head + b"json" + json.dumps(arguments).encode())
        failed = [s for s in self.said if s["op"] == "serviceCallFailure"]

        def answered():
            failed[:] = [
                s for s in self.said if s["op"] == "serviceCallFailure" and s["callId"] == call
            ]
            return call in self.answers or failed

        self.until(answered)
        return failed[0]["message"] if failed else json.loads(self.answers[call])

    def fetch(self, uri):
        """Return an asset's bytes, or None if it is refused."""
        number = next(self._numbers)
        self.send({"op": "fetchAsset", "uri": uri, "requestId": number})
        self.until(lambda: number in self.assets)
        return self.assets[number]

    def send(self, message):
        self.socket.send(json.dumps(message))

    def _take(self, frame):
        if isinstance(frame, str):
            self._take_text(json.loads(frame))
            return
        kind = frame[0]
        if kind == 1:
            number, time_ns = struct.unpack_from("<IQ", frame, 1)
            self.messages[self._topics[number]].append((time_ns, frame[13:]))
        elif kind == 2:
            self.times.append(struct.unpack_from("<Q", frame, 1)[0])
        elif kind == 3:
            _, call, length = struct.unpack_from("<III", frame, 1)
            self.answers[call] = frame[13 + length :]
        elif kind == 4:
            number, status, length = struct.unpack_from("<IBI", frame, 1)
            self.assets[number] = frame[10 + length :] if status == 0 else None

    def _take_text(self, message):
        self.said.append(message)
        for channel in message.get("channels", ()):
            if message["op"] == "advertise":
                self.channels[channel["topic"]] = channel
        if message["op"] == "advertiseServices":
            self.services.update({s["name"]: s for s in message["services"]})
