"""rosbridge: the cost of encodings, and how many small messages reach how many clients."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np

from outrider.bench.measurement import Measurement, median_time
from outrider.bench.web import readers
from outrider.bridges.bridge import Outside
from outrider.bridges.rosbridge.bridge import RosbridgeBridge
from outrider.bridges.rosbridge.encoding.encode import Compression, Encoding, encoded
from outrider.bridges.rosbridge.options import RosbridgeOptions
from outrider.bus.bus import Bus
from outrider.bus.channel import Channel
from outrider.messages.convert import to_dict
from outrider.messages.types import Image, Message, Twist, Vector3, header

_WIDTH, _HEIGHT = 640, 480
_CLIENTS, _PROCESSES = 20, 2
_RATE_HZ, _FOR_S = 2000, 5.0
_TOPIC, _TWIST = "/small", "geometry_msgs/msg/Twist"


class Web:
    """Benchmarks of the rosbridge server."""

    def __call__(self) -> Iterator[Measurement]:
        """Run them one after the other."""
        yield from encodings()
        yield from many_clients()


def encodings() -> Iterator[Measurement]:
    """Compare what the server does for one picture in each encoding."""
    image = _picture()
    text, text_spread = _encoding(image, "none")
    binary, binary_spread = _encoding(image, "cbor")
    usual, _ = median_time(lambda: json.dumps(to_dict(image, octets="base64")).encode(), 20)
    yield Measurement(
        "rosbridge: 640x480 picture as JSON",
        text * 1e3,
        "ms",
        "lower",
        text_spread * 1e3,
        {"Python's own json": usual * 1e3},
    )
    yield Measurement(
        "rosbridge: 640x480 picture as CBOR", binary * 1e3, "ms", "lower", binary_spread * 1e3
    )
    yield Measurement(
        "rosbridge: the picture as CBOR, times faster than as JSON (ours or Python's)",
        min(text, usual) / binary,  # a slower JSON of ours is no merit of CBOR
        "x",
        "higher",
        limit=20.0,
    )


def many_clients() -> Iterator[Measurement]:
    """Send small messages to many clients at a rate; count what each gets, and what it costs."""
    bus = Bus()
    channel = bus.declare(_TOPIC, _TWIST)
    with _served(bus) as bridge, _listening(bridge.port) as listeners:
        began_cpu_s = time.process_time()
        sent = _publish(channel)
        cpu = (time.process_time() - began_cpu_s) / _FOR_S
        heard = [n for one in listeners for n in json.loads(one.communicate(timeout=60)[0])]
    yield Measurement(
        f"rosbridge: small messages per second to each of {_CLIENTS} clients",
        min(count / max(_FOR_S, seconds) for count, seconds in heard),
        "1/s",
        "higher",
        limit=0.99 * _RATE_HZ,
    )
    yield Measurement(
        f"rosbridge: messages lost by {_CLIENTS} clients",
        sum(abs(sent - count) for count, _ in heard),
        "",
        "lower",
        limit=0.5,
    )
    yield Measurement("rosbridge: cost of that", cpu * 100, "% of a core", "lower")


def _picture() -> Message:
    pixels = np.random.default_rng(1).integers(0, 255, _WIDTH * _HEIGHT * 3, np.uint8)
    return Image(header(0, "camera"), _HEIGHT, _WIDTH, "rgb8", 0, 3 * _WIDTH, pixels)


def _encoding(image: Message, compression: Compression) -> tuple[float, float]:
    wanted = Encoding("ros2", compression)
    return median_time(lambda: encoded(wanted, "/camera/image", 0, image), 50)


@contextmanager
def _served(bus: Bus) -> Iterator[RosbridgeBridge]:
    bridge = RosbridgeBridge(Outside(bus, {}, lambda: 0, list), RosbridgeOptions(port=0))
    with closing(bridge):
        bridge.start()
        yield bridge


@contextmanager
def _listening(port: int) -> Iterator[list["subprocess.Popen[str]"]]:
    arguments = [str(port), str(_CLIENTS // _PROCESSES), _TOPIC, str(2.0 * _FOR_S)]
    command = [sys.executable, readers.__file__, *arguments]
    listeners = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(_PROCESSES)
    ]
    try:
        for one in listeners:
            assert one.stdout is not None
            one.stdout.readline()  # all have subscribed
        time.sleep(0.5)
        yield listeners
    finally:
        for one in listeners:
            one.kill()
            one.wait()


def _publish(channel: Channel) -> int:
    """Publish at the rate; return how many."""
    began = time.perf_counter()
    count = round(_RATE_HZ * _FOR_S)
    for number in range(count):
        message = Twist(Vector3(float(number), 0.0, 0.0), Vector3(0.0, 0.0, 0.0))
        channel.publish(message, number)
        ahead = began + (number + 1) / _RATE_HZ - time.perf_counter()
        if ahead > 0.0:
            time.sleep(ahead)
    return count
