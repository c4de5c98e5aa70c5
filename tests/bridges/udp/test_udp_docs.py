"""The page of the protocol: its bytes, its numbers, its options, its client."""

import re
import struct
import threading
from pathlib import Path

from ros1_bench import wait_until
from udp_bench import served

from outrider.bridges.bridge import bridge_options
from outrider.bridges.udp.header import (
    MOST_DATAGRAM,
    MOST_HEADER,
    MOST_NAMES,
    MOST_NAMES_OF_MANY,
    MOST_PARTS,
    Header,
    read_header,
    write_header,
)
from outrider.bridges.udp.pacing import REPORT
from outrider.bridges.udp.requests import Request, read_request, write_request
from outrider.bridges.udp.table import RECEIVED, STANDARD
from outrider.bridges.udp.wire import write_body
from outrider.messages.convert import from_dict
from outrider.scenarios.load import loads

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = (DOCS / "udp-bridge.md").read_text(encoding="utf-8")
EXAMPLES = [bytes.fromhex(text) for text in re.findall(r"```hex\n(.*?)```", PAGE, re.DOTALL)]
TWIST, RANGE = "geometry_msgs/msg/Twist", "sensor_msgs/msg/Range"


def made(header, kind="", fields=None):
    body = b"".join(write_body(from_dict(kind, fields), kind)) if kind else b""
    return bytes(write_header(header)) + body


def test_the_bytes_of_the_page_are_those_of_the_program():
    twist, distance, all_of_it, some, part, many, report = EXAMPLES
    assert twist == made(
        Header(9, 5, 0, 1, 12, 500_000_000, "/cmd_vel"),
        TWIST,
        {"linear": {"x": 0.5}, "angular": {"z": -1.0}},
    )
    stamp = {"stamp": {"sec": 1}, "frame_id": "sonar_link"}
    values = {"field_of_view": 0.5, "min_range": 0.1, "max_range": 4.0, "range": 1.5}
    assert distance == made(
        Header(6, 2, 0, 1, 1, 0, "/sonar", "sonar_link"), RANGE, {"header": stamp, **values}
    )
    assert all_of_it == made(Header(7, 1, 0, 1, 0, 0, "/imu/data"))
    assert some == all_of_it + b"".join(write_request(2, most_hz=50.0, token="abc"))
    assert part == made(Header(1, 7, 1, 3, 12, 0, "/points", "velodyne"))
    assert many == made(Header(1, 7, 300, 1000, 12, 0, "/points", "velodyne"))
    head = made(Header(RECEIVED, 7, 0, 1, 12, 0, "/points"))
    assert report == head + REPORT.pack(7, 1, 8 << 20)


def test_requests_mean_what_the_page_says():
    _, _, all_of_it, some, *_ = EXAMPLES
    assert read_request(all_of_it[read_header(all_of_it)[1] :]) == Request(True, 0, 0.0, "")
    assert read_request(some[read_header(some)[1] :]) == Request(True, 2, 50.0, "abc")


def test_the_table_of_types_is_complete():
    rows = re.findall(r"^\| (-?\d+) \| `(\w+)/(\w+)` \|", PAGE, re.MULTILINE)
    assert {int(n): f"{package}/msg/{name}" for n, package, name in rows} == STANDARD


def test_the_numbers_of_the_page_are_right():
    full = MOST_DATAGRAM - MOST_HEADER
    assert f"so {full} bytes of body" in PAGE
    assert f"largest message has {MOST_PARTS * full} bytes" in PAGE
    assert f"({1472 - MOST_HEADER} bytes of body) {MOST_PARTS * (1472 - MOST_HEADER)}" in PAGE
    assert f"topic and link have {MOST_NAMES} bytes" in PAGE
    assert f"Names have {MOST_NAMES_OF_MANY} bytes then" in PAGE


def test_the_options_and_the_scenario_of_the_pages_exist():
    for name in ("udp", "velodyne"):
        page = PAGE if name == "udp" else (DOCS / "velodyne.md").read_text(encoding="utf-8")
        (text,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
        kind, _ = bridge_options(loads(text).bridges[0])
        rows = page.split("## Options")[1].split("# The protocol")[0]
        listed = set(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE))
        assert listed == set(kind.Options.__dataclass_fields__)


def test_the_client_of_the_page_reads_and_drives(capsys):
    code = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[-1]
    with served() as sim:
        sim.bus.declare("/imu/data", "sensor_msgs/msg/Imu", kept="all")
        box = sim.bus.subscribe("/cmd_vel")
        where = code.replace("9870", str(sim.bridge.port))
        thread = threading.Thread(target=lambda: exec(where, {}), daemon=True)
        thread.start()
        sim.listened("/imu/data")
        imu = {
            "header": {"stamp": {"sec": 3}, "frame_id": "imu"},
            "linear_acceleration": {"x": 1.0, "y": 2.0, "z": 9.5},
        }

        def heard():
            sim.bus.publish("/imu/data", from_dict("sensor_msgs/msg/Imu", imu), 1)
            return not thread.is_alive()

        wait_until(heard, "the client")
        assert box.latest[1].linear.x == 0.5
    assert capsys.readouterr().out == "/imu/data 3.0 (1.0, 2.0, 9.5)\n"


def test_a_clock_is_two_numbers_of_32_bits():
    kind = "rosgraph_msgs/msg/Clock"
    clock = from_dict(kind, {"clock": {"sec": 3, "nanosec": 4}})
    assert b"".join(write_body(clock, kind)) == struct.pack("<II", 3, 4)
