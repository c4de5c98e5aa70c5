"""The ROS 2 bridge by itself: what it costs, what it refuses, and how it ends."""

import os
import subprocess
import sys

import pytest
from ros2_domain import free_domain

from outrider.bridges.ros2.node import domain_id
from outrider.core.errors import BridgeError, OutriderError
from outrider.scenarios.load import loads
from outrider.scenarios.run import Run

pytestmark = pytest.mark.peer

ALONE = """
import time
from outrider.scenarios.load import loads
from outrider.scenarios.run import Run

run = Run(loads("world: empty\\nrobots: [{model: jackal}]\\nduration_s: 8\\nbridges: [%s]"))
marks = {}

def watch(runner):
    if runner.simulation.time_s > 2 and not runner.paused:
        runner.paused = True
        marks["began"] = (time.monotonic(), time.process_time())
    elif runner.paused and time.monotonic() > marks["began"][0] + 4:
        wall_s, cpu_s = marks["began"]
        print((time.process_time() - cpu_s) / (time.monotonic() - wall_s))
        runner.stop()

run.go(watch)
"""


def share_of_a_core(bridge: str) -> float:
    command = [sys.executable, "-c", ALONE % bridge]
    done = subprocess.run(command, capture_output=True, text=True, timeout=140, check=False)
    assert done.returncode == 0, done.stderr
    assert "terminate" not in done.stderr
    return float(done.stdout.split()[-1])


@pytest.mark.slow
def test_an_idle_bridge_takes_less_than_two_hundredths_of_a_core():
    pytest.importorskip("rclpy", reason="rclpy is not installed: pip install outrider[ros2]")
    bridge = f"'ros2:domain={free_domain()}'"
    assert share_of_a_core(bridge) - share_of_a_core("") < 0.02


ROOM = """
import os
from pathlib import Path
from outrider.bridges.ros2.node import Ros2Node

node = Ros2Node("roomy", "", %d, "%s")
lines = Path("/proc/self/maps").read_text().splitlines()  # of this process: others run beside it
mapped = {line.split()[-1] for line in lines if "/dev/shm/fast" in line}
large = [path for path in mapped if os.path.getsize(path) > 30_000_000]
print(len(large), [key for key in os.environ if key.endswith("PROFILES_FILE")])
node.close()
"""


@pytest.mark.parametrize(
    ("network", "user", "expected"),
    [
        ("localhost", {}, "1 []"),
        ("subnet", {}, "1 []"),
        ("system", {}, "0 []"),
        ("localhost", {"FASTDDS_BUILTIN_TRANSPORTS": "DEFAULT"}, "0 []"),
    ],
)
def test_large_messages_have_room_unless_the_user_says_otherwise(network, user, expected):
    rclpy = pytest.importorskip("rclpy", reason="rclpy is not installed")
    if not rclpy.get_rmw_implementation_identifier().startswith("rmw_fastrtps"):
        pytest.skip("only Fast DDS is told of its memory")
    command = [sys.executable, "-c", ROOM % (free_domain(), network)]
    done = subprocess.run(
        command, env={**os.environ, **user}, capture_output=True, text=True, timeout=150, check=True
    )
    assert done.stdout.strip() == expected, done.stderr


ADDRESSES = """
import os, sys
from pathlib import Path
from outrider.bridges.ros2.node import Ros2Node

domain = %d
if sys.argv[1:]:
    Path("DEFAULT_FASTRTPS_PROFILES.xml").write_text(sys.argv[1])  # until Fast DDS 2.14
    Path("DEFAULT_FASTDDS_PROFILES.xml").write_text(sys.argv[1])
node = Ros2Node("alone", "", domain, "localhost")
files = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
ours = {os.readlink(file) for file in files if os.path.islink(file)}
rows = [line.split() for line in Path("/proc/self/net/udp").read_text().splitlines()[1:]]
bound = [row[1].split(":") for row in rows if f"socket:[{row[9]}]" in ours]
first = 7400 + 250 * domain
heard = {host for host, port in bound if first <= int(port, 16) < first + 250}  # others only send
print(sorted(heard))
node.close()
"""
ELSEWHERE = """<dds xmlns="http://www.eprosima.com"><profiles><transport_descriptors>
<transport_descriptor><transport_id>u</transport_id><type>UDPv4</type></transport_descriptor>
</transport_descriptors><participant profile_name="p" is_default_profile="true"><rtps>
<userTransports><transport_id>u</transport_id></userTransports>
<useBuiltinTransports>false</useBuiltinTransports></rtps></participant></profiles></dds>"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("profiles", [(), (ELSEWHERE,)])
@pytest.mark.parametrize("user", [{}, {"SKIP_DEFAULT_XML_FILE": "1"}])
def test_a_node_of_this_computer_listens_on_loopback_only(profiles, user, tmp_path):
    rclpy = pytest.importorskip("rclpy", reason="rclpy is not installed")
    if not rclpy.get_rmw_implementation_identifier().startswith("rmw_fastrtps"):
        pytest.skip("only Fast DDS listens elsewhere")
    command = [sys.executable, "-c", ADDRESSES % free_domain(), *profiles]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, **user},
        capture_output=True,
        text=True,
        timeout=150,
        check=True,
    )
    assert done.stdout.strip() == "['0100007F']", done.stderr


@pytest.mark.parametrize("domain", [-1, 233, 9999])
def test_a_domain_that_cannot_be_is_one_sentence(domain):
    with pytest.raises(BridgeError, match="between 0 and 232"):
        domain_id(domain)


def test_a_domain_of_the_surroundings_that_is_no_number_is_one_sentence(monkeypatch):
    monkeypatch.setenv("ROS_DOMAIN_ID", "seven")
    with pytest.raises(BridgeError, match="ROS_DOMAIN_ID"):
        domain_id(None)


def test_without_rclpy_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "rclpy", None)
    run = Run(loads("world: empty\nrobots: [{model: jackal}]\nduration_s: 1\nbridges: [ros2]"))
    with pytest.raises(BridgeError, match=r"pip install outrider\[ros2\]"):
        run.go()


@pytest.mark.parametrize(
    ("options", "word"),
    [("namespace=a b", "namespace"), ("node=1st", "node"), ("remap=odom", "remap")],
)
def test_names_that_ros_2_cannot_have_are_one_sentence(options, word):
    pytest.importorskip("rclpy", reason="rclpy is not installed: pip install outrider[ros2]")
    text = f"world: empty\nrobots: [{{model: jackal}}]\nduration_s: 1\nbridges: ['ros2:{options}']"
    with pytest.raises(OutriderError, match=word):
        Run(loads(text)).go()


def test_a_middleware_that_is_not_installed_is_one_sentence(monkeypatch):
    pytest.importorskip("rclpy", reason="rclpy is not installed: pip install outrider[ros2]")
    monkeypatch.setenv("RMW_IMPLEMENTATION", "rmw_nothing_cpp")
    run = Run(loads("world: empty\nrobots: [{model: jackal}]\nduration_s: 1\nbridges: [ros2]"))
    with pytest.raises(BridgeError, match="rmw_nothing_cpp"):
        run.go()
