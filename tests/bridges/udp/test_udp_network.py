"""Over a road that loses, doubles, delays and swaps datagrams: nothing wrong arrives."""

import os
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from ros1_bench import wait_until
from udp_bench import IMU, road, served

from outrider.bridges.udp.client import UdpClient
from outrider.messages.convert import from_dict
from outrider.messages.types import PointCloud2, header
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import PhysicsSpec, Scenario

CLOUDS, IMUS = 40, 1000


def cloud(number, size=200_000):
    data = np.random.default_rng(number).integers(0, 256, size, np.uint8)
    return PointCloud2(header(number, "velodyne"), 1, size, [], False, 1, size, data, True)


def test_what_arrives_is_whole_in_order_and_the_rest_is_counted():
    clouds, imus = [], []
    with served(",datagram=1472") as sim, road(sim.address) as way:
        client = sim.client(simulator=way.address)
        client.subscribe("/cloud", clouds.append)
        client.subscribe("/imu", imus.append)
        sim.listened("/cloud")
        sim.listened("/imu")
        for number in range(IMUS):
            sim.bus.publish("/imu", from_dict(IMU, {"linear_acceleration": {"x": number}}), number)
            if number % (IMUS // CLOUDS) == 0:
                # a few parts: of most clouds none is lost, of some there is
                size = 1000 if number % 2 else 20_000
                sim.bus.publish("/cloud", cloud(number, size), number)
            time.sleep(0.001)
        wait_until(lambda: len(imus) + client.statistics()["lost"] >= 0.98 * IMUS, "the rest")
        found = client.statistics()
    numbers = [imu.linear_acceleration.x for imu in imus]
    assert numbers == sorted(set(numbers))  # each once, none out of order
    assert 0.7 * IMUS < len(numbers) < IMUS  # lost and late ones are left out
    for message in clouds:
        wanted = cloud(message.header.stamp.nanosec, message.width)
        assert (message.data == wanted.data).all()
    assert 0 < len(clouds) < CLOUDS
    assert found["lost"] > 0.02 * IMUS
    assert found["duplicate"] > 0
    assert found["late"] > 0
    assert found["malformed"] == found.get("failed", 0) == found.get("contradicting", 0) == 0
    assert way.lost > 0


def test_small_messages_do_not_suffer_from_large_ones_that_are_lost():
    imus = []
    with served(",datagram=1472") as sim, road(sim.address, loss=0.02, double=0, late=0) as way:
        client = sim.client(simulator=way.address)
        client.subscribe("/cloud")
        client.subscribe("/imu", imus.append)
        sim.listened("/cloud")
        sim.listened("/imu")
        for number in range(200):
            if number % 20 == 0:
                sim.bus.publish("/cloud", cloud(number), number)  # 149 parts: 5 % survive
            sim.bus.publish("/imu", from_dict(IMU, {}), number)
            time.sleep(0.002)
        wait_until(lambda: len(imus) > 180, "the small messages")
        wait_until(lambda: client.statistics()["incomplete"] >= 3, "the lost large ones")


def _drive(address):
    """Drive forward over a road until the robot says that it has moved a metre."""
    with UdpClient(address) as client:
        odometry = "/jackal_velocity_controller/odom"
        client.subscribe(odometry)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            client.publish("/cmd_vel", {"linear": {"x": 1.0}}, "geometry_msgs/msg/Twist")
            latest = client.latest(odometry)
            if latest is not None and latest.pose.pose.position.x > 1.0:
                return latest.pose.pose.position.x
            time.sleep(0.02)
    raise AssertionError("the robot does not move")


def test_a_jackal_is_driven_over_a_bad_road():
    scenario = Scenario(
        duration_s=None, bridges=("udp:port=0",), physics=PhysicsSpec(engine="kinematic")
    )
    run = Run(scenario)
    thread = threading.Thread(target=run.go, daemon=True)
    thread.start()
    try:
        wait_until(lambda: run.bridges, "the bridge", 120.0)
        with road(f"127.0.0.1:{run.bridges[0].port}") as way:
            told = _drive(way.address)
            assert way.lost > 0
        assert run.simulation.robots["jackal"].pose.position[0] > told - 0.1
    finally:
        run.runner.stop()
        thread.join(30)
    assert not thread.is_alive()


# Two network name spaces: a simulator in one, a client in the other, a cable between them.

_FAR = """
import sys, time
import numpy as np
from outrider.bridges.udp.client import UdpClient

clouds, imus = [], []
with UdpClient("10.231.7.1:9870", token="netem") as client:
    client.subscribe("/cloud", clouds.append)
    client.subscribe("/imu", imus.append)
    end = time.monotonic() + 60
    while (not imus or imus[-1].linear_acceleration.x < 290) and time.monotonic() < end:
        time.sleep(0.05)
    good = all((np.arange(c.width, dtype=np.uint8) == c.data).all() for c in clouds)
    found = client.statistics()
numbers = [imu.linear_acceleration.x for imu in imus]
print(good, len(clouds), len(numbers), numbers == sorted(set(numbers)), found["lost"])
"""


@pytest.fixture
def cable():
    """Connect two name spaces, with netem's loss where the kernel has it; say whether it has."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network name spaces need Linux, root and the program ip")
    spaces = [f"outrider-{os.getpid()}-{side}" for side in "ab"]
    try:
        for space in spaces:
            _ip("netns", "add", space)
        _ip(
            "link",
            "add",
            "oa",
            "netns",
            spaces[0],
            "type",
            "veth",
            "peer",
            "name",
            "ob",
            "netns",
            spaces[1],
        )
        lossy = True
        for number, (space, device) in enumerate(zip(spaces, ("oa", "ob"), strict=True), start=1):
            _ip("-n", space, "addr", "add", f"10.231.7.{number}/24", "dev", device)
            _ip("-n", space, "link", "set", device, "up")
            netem = ["delay", "5ms", "2ms", "loss", "5%", "duplicate", "2%", "reorder", "10%"]
            command = ["tc", "-n", space, "qdisc", "add", "dev", device, "root", "netem", *netem]
            lossy = (
                lossy and subprocess.run(command, capture_output=True, check=False).returncode == 0
            )
        yield spaces, lossy
    finally:
        for space in spaces:
            subprocess.run(["ip", "netns", "del", space], capture_output=True, check=False)


def _ip(*arguments):
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"ip {' '.join(arguments)} does not work here: {done.stderr.strip()}")


_NEAR = """
import sys, time
import numpy as np
from outrider.bridges.bridge import Outside, make_bridge
from outrider.bus.bus import Bus
from outrider.messages.convert import from_dict
from outrider.messages.types import PointCloud2, header

bus = Bus()
bus.declare("/imu", "sensor_msgs/msg/Imu", kept="all")
bus.declare("/cloud", "sensor_msgs/msg/PointCloud2", kept="all")
bridge = make_bridge("udp:host=10.231.7.1,token=netem", Outside(bus, {}, lambda: 0, list))
bridge.start()
end = time.monotonic() + 60
while not all(t.subscribers for t in bus.topics()) and time.monotonic() < end:
    time.sleep(0.02)
for number in range(300):
    imu = from_dict("sensor_msgs/msg/Imu", {"linear_acceleration": {"x": number}})
    bus.publish("/imu", imu, number)
    if number % 10 == 0:
        data = np.arange(10_000).astype(np.uint8)
        cloud = PointCloud2(header(number, "v"), 1, 10_000, [], False, 1, 10_000, data, True)
        bus.publish("/cloud", cloud, number)
    time.sleep(0.005)
time.sleep(0.5)
bridge.close()
"""


def test_between_two_network_name_spaces(cable):
    (near, far), lossy = cable
    started = [
        subprocess.Popen(
            ["ip", "netns", "exec", space, sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            text=True,
        )
        for space, code in ((near, _NEAR), (far, _FAR))
    ]
    try:
        said = started[1].communicate(timeout=120)[0].split()
    finally:
        for one in started:
            one.kill()
            one.wait()
    good, clouds, imus, ordered, lost = said
    assert (good, ordered) == ("True", "True")
    if lossy:
        assert 150 < int(imus) < 300
        assert int(lost) > 0
        assert 0 < int(clouds) < 30
    else:  # this kernel has no netem: the cable loses nothing, and neither do we
        assert int(imus) > 285
        assert int(lost) == 0
