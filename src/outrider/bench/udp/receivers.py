"""Receivers of point clouds in a process of their own: over UDP, rosbridge's JSON, bare sockets.

``python -m outrider.bench.udp.receivers KIND PORT FILE`` counts until it is killed. Over
both bridges they have the same typed message in hand at the end, as a ROS node would.
"""

import os
import socket
import struct
import sys
import threading
from pathlib import Path

import orjson
from websockets.sync.client import connect

from outrider.bench.udp.received_count import ReceivedCount
from outrider.bridges.udp.client import UdpClient
from outrider.core.clock import NS_PER_S
from outrider.core.structure import Data
from outrider.messages.convert import from_dict
from outrider.messages.types import Message

TOPIC, CLOUD = "/cloud", "sensor_msgs/msg/PointCloud2"
ACKNOWLEDGED = 16  # datagrams of a bare copy after which the receiver says so
BARE = struct.Struct("<qii")  # when the message was sent, its datagrams, its bytes


def receive_udp(port: int, received: ReceivedCount) -> None:
    """Receive over the UDP Bridge."""
    with UdpClient(f"127.0.0.1:{port}") as client:
        client.subscribe(TOPIC, lambda cloud: _note(received, cloud))
        _say_ready()
        threading.Event().wait()


def receive_json(port: int, received: ReceivedCount) -> None:
    """Receive from a rosbridge server as ROS# does: JSON over a WebSocket, bytes as base64."""
    with connect(f"ws://127.0.0.1:{port}/", max_size=None, compression=None) as web:
        wish: Data = {"op": "subscribe", "topic": TOPIC, "type": CLOUD, "queue_length": 100}
        web.send(orjson.dumps(wish).decode())
        _say_ready()
        for text in web:
            _note(received, from_dict(CLOUD, orjson.loads(text)["msg"]))


def receive_bare(port: int, received: ReceivedCount) -> None:
    """Receive datagrams and nothing else, each to its place in a buffer."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        end.connect(("127.0.0.1", port))
        end.send(b"here")
        _say_ready()
        place = memoryview(bytearray(16 << 20))
        while True:
            sent_ns, datagrams, _ = BARE.unpack(end.recv(BARE.size))
            at = 0
            for number in range(datagrams):
                at += end.recv_into(place[at:])
                if number % ACKNOWLEDGED == ACKNOWLEDGED - 1:
                    end.send(b"a")
            _count(received, sent_ns)


def _note(received: ReceivedCount, cloud: Message) -> None:
    stamp = cloud.header.stamp
    _count(received, stamp.sec * NS_PER_S + stamp.nanosec)


def _count(received: ReceivedCount, sent_ns: int) -> None:
    if received.note(sent_ns):
        os.write(1, b".")  # wakes the sender


def _say_ready() -> None:
    os.write(1, b"ready\n")


RECEIVERS = {"udp": receive_udp, "json": receive_json, "bare": receive_bare}

if __name__ == "__main__":
    RECEIVERS[sys.argv[1]](int(sys.argv[2]), ReceivedCount(Path(sys.argv[3])))
