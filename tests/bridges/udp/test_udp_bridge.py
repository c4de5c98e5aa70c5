"""The UDP Bridge on loopback: every type, both ways, subscriptions, tokens, sizes."""

import socket
import time

import numpy as np
import pytest
from ros1_bench import wait_until
from udp_bench import CLOUD, IMU, NOW_NS, STRING, TWIST, served

from outrider.bridges.bridge import Outside, make_bridge
from outrider.bridges.udp.client import UdpClient
from outrider.bridges.udp.header import MOST_DATAGRAM, MOST_HEADER, MOST_PARTS
from outrider.bridges.udp.limits import UdpLimits
from outrider.bridges.udp.table import STANDARD, SUBSCRIBE, TOPICS, MessageTable
from outrider.bridges.udp.wire import read_body, write_body
from outrider.bus.bus import Bus
from outrider.core.errors import BridgeError, ConfigError
from outrider.messages.convert import from_dict, to_dict
from outrider.messages.store import register
from outrider.messages.types import PointCloud2, String, header

PAPER = {
    "PointCloud2",
    "Imu",
    "CompressedImage",
    "NavSatFix",
    "WheelEncoders",
    "Range",
    "UdpSubscribe",
    "Clock",
    "Twist",
    "PoseStamped",
    "OccupancyGrid",
}


def cloud(size, seed=0):
    data = np.random.default_rng(seed).integers(0, 256, size, np.uint8)
    return PointCloud2(header(seed, "velodyne"), 1, size, [], False, 1, size, data, True)


def test_the_table_has_all_types_of_the_paper():
    assert {name.rpartition("/")[2] for n, name in STANDARD.items() if 1 <= n <= 11} == PAPER


@pytest.mark.parametrize("kind", [n for k, n in STANDARD.items() if k not in (SUBSCRIBE, TOPICS)])
def test_every_type_arrives_as_it_was_published(kind):
    with served() as sim, sim.client() as client:
        sim.bus.declare("/it", kind, kept="all")
        client.subscribe("/it")
        sim.listened("/it")
        sim.bus.publish("/it", from_dict(kind, {}), 5_000_000_007)
        assert to_dict(client.wait("/it", 30)) == to_dict(from_dict(kind, {}))


def test_64_bit_counters_arrive_whole():
    kind = "outrider_msgs/msg/WheelEncoders"
    ticks = [2**62 + 1, -(2**62) - 1]
    message = from_dict(kind, {"names": ["left", "right"], "ticks": ticks})
    assert read_body(b"".join(write_body(message, kind)), kind).ticks.tolist() == ticks


def test_stamps_frames_and_values_arrive():
    with served() as sim, sim.client() as client:
        client.subscribe("/imu")
        sim.listened("/imu")
        imu = from_dict(
            IMU,
            {
                "header": {"stamp": {"sec": 3, "nanosec": 4}, "frame_id": "imu_link"},
                "angular_velocity": {"z": 0.1},
                "orientation_covariance": list(range(9)),
            },
        )
        sim.bus.publish("/imu", imu, 9)
        assert to_dict(client.wait("/imu", 30)) == to_dict(imu)
        assert client.now_ns == 3_000_000_004


def test_a_client_drives_with_a_mapping_and_knows_what_there_is():
    with served() as sim, sim.client() as client:
        box = sim.bus.subscribe("/cmd_vel")
        client.subscribe("/note")
        wait_until(lambda: "/cmd_vel" in client.topics, "the list of topics")
        assert client.topics["/cmd_vel"].command
        assert not client.topics["/imu"].command
        assert client.topics["/note"].latched
        wait_until(lambda: client.asked == {"/cmd_vel": TWIST}, "what the simulator asks for")
        client.publish("/cmd_vel", {"linear": {"x": 0.5}})
        wait_until(lambda: box.latest, "the command")
        assert box.latest[0] == NOW_NS
        assert box.latest[1].linear.x == 0.5


STRICT = MOST_PARTS * (MOST_DATAGRAM - MOST_HEADER)  # bytes that the table's parts can carry


@pytest.mark.parametrize("size", [0, 1, 60_000, 70_000, STRICT - 100, STRICT + 1, 20_000_000])
def test_messages_of_all_sizes_arrive_whole(size):
    with served() as sim, sim.client() as client:
        client.subscribe("/cloud")
        sim.listened("/cloud")
        sent = cloud(size)
        sim.bus.publish("/cloud", sent, 1)
        found = client.wait("/cloud", 60)
        assert (found.data == sent.data).all()
        assert found.header.frame_id == "velodyne"
        assert client.statistics()["lost"] == 0


def test_small_datagrams_carry_large_messages():
    with served(",datagram=1472") as sim, sim.client(limits=UdpLimits(datagram=600)) as client:
        client.subscribe("/cloud")
        sim.listened("/cloud")
        sent = cloud(1_000_000)
        sim.bus.publish("/cloud", sent, 1)
        assert (client.wait("/cloud", 60).data == sent.data).all()
        assert client.statistics()["datagrams in"] > 700


def test_patterns_rates_and_unsubscribing():
    with served() as sim, sim.client() as client:
        heard = []
        client.subscribe("/*o*", heard.append, most_hz=10)
        sim.listened("/note")
        for step in range(100):
            sim.bus.publish("/note", String(str(step)), step * 10_000_000)  # 100 Hz
        wait_until(lambda: heard and heard[-1].data == "90", "the thinned notes")
        assert [message.data for message in heard] == [str(n) for n in range(0, 100, 10)]
        client.unsubscribe("/*o*")
        wait_until(lambda: not any(t.subscribers for t in sim.bus.topics()), "the end")


def test_a_late_subscriber_gets_what_is_latched():
    with served() as sim:
        sim.bus.publish("/note", String("map of the house"), 1)
        for _ in range(2):
            client = sim.client()
            client.subscribe("/note")
            assert client.wait("/note", 30).data == "map of the house"


def test_a_client_that_dies_is_forgotten(monkeypatch):
    monkeypatch.setattr("outrider.bridges.udp.subscribers.LEASE_S", 0.3)
    monkeypatch.setattr("outrider.bridges.udp.client._RENEW_S", 0.1)
    with served() as sim, sim.client() as client:
        client.subscribe("/imu")
        sim.listened("/imu")
        time.sleep(0.6)
        sim.listened("/imu")  # it renews
        client._exchange.close()  # as if killed
        wait_until(lambda: not any(t.subscribers for t in sim.bus.topics()), "the end")
        assert not sim.bridge._subscribers.peers


def test_poses_and_maps_of_peers_appear_on_the_bus_and_do_not_come_back():
    with served(",want=/plan=nav_msgs/Path") as sim, sim.client() as client:
        grid = "nav_msgs/msg/OccupancyGrid"
        client.subscribe("/*")
        wait_until(lambda: "/plan" in client.asked, "the wish")
        client.publish("/map", {"info": {"width": 2}, "data": [0, 100]}, grid)
        wait_until(lambda: sim.bus.find("/map"), "the map")
        box = sim.bus.subscribe("/map")
        client.publish("/map", {"data": [1]}, grid)
        wait_until(lambda: box.latest, "the next map")
        assert box.latest[1].data.tolist() == [1]
        other = sim.client()
        other.subscribe("/map")
        sim.listened("/map", 2)
        client.publish("/map", {"data": [2]}, grid)
        assert other.wait("/map", 30).data.tolist() == [2]
        assert client.latest("/map") is None


def test_types_of_users_get_numbers_by_themselves_and_clients_learn_them():
    register("my_msgs/msg/Depth", "std_msgs/Header header\nfloat32[] metres\n")
    with served() as sim, sim.client() as client:
        sim.bus.declare("/depth", "my_msgs/msg/Depth")
        sim.bus.declare("/depth_cmd", "my_msgs/msg/Depth", direction="in")
        client.subscribe("/depth")
        sim.listened("/depth")
        wait_until(lambda: client.table.number("my_msgs/msg/Depth"), "its number")
        sim.bus.publish("/depth", {"metres": [1.5]}, 1)
        assert client.wait("/depth", 30).metres.tolist() == [1.5]
        box = sim.bus.subscribe("/depth_cmd")
        wait_until(lambda: "/depth_cmd" in client.topics, "the topic")
        client.publish("/depth_cmd", {"metres": [2.5]})
        wait_until(lambda: box.latest, "the command")


def test_numbers_of_users_types_can_be_fixed():
    table = MessageTable(("70=std_msgs/Float32",))
    assert table.name(70) == "std_msgs/msg/Float32"
    table.register(71, "far_msgs/Away", "float64 metres")
    assert table.number("far_msgs/msg/Away") == 71
    for number, name in ((70, "std_msgs/Bool"), (72, "std_msgs/Float32"), (9, "std_msgs/Bool")):
        with pytest.raises(BridgeError, match=r"taken|64 to 127"):
            table.register(number, name)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("type=std_msgs/Bool", "NUMBER=PACKAGE/Name"),
        ("type=5=std_msgs/Bool", "64 to 127"),
        ("want=map", "/TOPIC=PACKAGE/Type"),
        ("peer=nowhere", "HOST:PORT"),
        ("datagram=70000", "datagram"),
    ],
)
def test_bad_options_end_in_one_sentence(options, says):
    with pytest.raises((ConfigError, BridgeError), match=says), served(f",{options}"):
        pass


def test_a_named_peer_is_sent_to_unasked_as_in_the_paper():
    end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end.bind(("127.0.0.1", 0))
    end.settimeout(30)
    with served(f",peer=127.0.0.1:{end.getsockname()[1]},topic=/note") as sim, end:
        sim.listened("/note")
        sim.bus.publish("/note", String("hello"), 1)
        kinds = set()
        while 20 not in kinds:
            kinds.add(end.recv(65536)[0])


def test_old_commands_are_refused_and_timeless_ones_are_not():
    with served(",most_age_s=2") as sim, sim.client() as client:
        box = sim.bus.subscribe("/cmd_vel", kept="all")
        for now_ns, x in ((NOW_NS - 3_000_000_000, 1.0), (NOW_NS - 1_000_000_000, 2.0), (0, 3.0)):
            client.now_ns = now_ns
            client.publish("/cmd_vel", {"linear": {"x": x}}, TWIST)
        wait_until(lambda: box.latest and box.latest[1].linear.x == 3.0, "the commands")
        assert box.poll()[1].linear.x == 2.0
        assert sim.counted("refused") == 1


def test_commands_can_be_switched_off():
    with served(",commands=false") as sim, sim.client() as client:
        box = sim.bus.subscribe("/cmd_vel")
        client.subscribe("/imu")
        client.publish("/cmd_vel", {"linear": {"x": 1.0}}, TWIST)
        assert sim.counted("refused") == 1
        assert box.latest is None
        assert not client.asked


def test_with_commands_off_a_peer_brings_only_the_topics_that_are_wanted():
    pose = "geometry_msgs/msg/PoseStamped"
    options = f",commands=off,want=/goal={pose.replace('/msg/', '/')}"
    with served(options) as sim, sim.client() as client:
        client.publish("/other", {}, pose)
        assert sim.counted("refused") == 1
        client.publish("/goal", {}, pose)
        wait_until(lambda: sim.bus.find("/goal"), "the topic that was asked for")
        assert sim.bus.find("/other") is None


def test_with_a_token_only_its_holders_are_heard_and_served():
    with served(",token=secret") as sim:
        stranger, guest = sim.client(), sim.client(token="secret")
        box = sim.bus.subscribe("/cmd_vel", kept="all")
        stranger.subscribe("/imu")
        stranger.publish("/cmd_vel", {"linear": {"x": 9.0}}, TWIST)
        assert sim.counted("refused")
        guest.subscribe("/imu")
        sim.listened("/imu")
        guest.publish("/cmd_vel", {"linear": {"x": 1.0}}, TWIST)
        wait_until(lambda: box.latest, "the command")
        assert [box.poll()[1].linear.x, box.poll()] == [1.0, None]
        assert len(sim.bridge._subscribers.peers) == 1


def test_an_address_beyond_loopback_makes_up_a_token(capsys):
    bridge = make_bridge("udp:host=0.0.0.0,port=0", Outside(Bus(), {}, lambda: 0, list))
    bridge.start()
    bridge.close()
    assert len(bridge.token) >= 12
    assert bridge.token in capsys.readouterr().err


@pytest.mark.parametrize(
    ("topic", "kind", "fields"),
    [
        ("/imu", IMU, {}),  # what the simulation publishes itself
        ("/nothing", TWIST, {}),
        ("/cmd_vel", STRING, {}),
        ("/cloud", CLOUD, {}),
    ],
)
def test_a_message_that_nobody_takes_is_refused_and_counted(topic, kind, fields):
    with served() as sim, sim.client() as client:
        client.publish(topic, fields, kind)
        assert sim.counted("refused") == 1


def test_a_port_in_use_is_said_in_one_sentence():
    with served() as sim, pytest.raises(BridgeError, match="cannot listen at"):
        make_bridge(f"udp:port={sim.bridge.port}", Outside(Bus(), {}, lambda: 0, list))


def test_a_client_that_is_answered_says_which_topic_is_missing():
    with served() as sim, sim.client() as client:
        sim.bus.declare("/imu/data", IMU)
        client.subscribe("/imu/dat")
        with pytest.raises(BridgeError, match=r"no such topic \(did you mean '/imu/data'\?\)"):
            client.wait("/imu/dat", 2)
        client.subscribe("/imu/data")
        with pytest.raises(BridgeError, match=r"no message on '/imu/data' within 0.5 s$"):
            client.wait("/imu/data", 0.5)


def test_a_client_says_what_is_missing():
    with UdpClient("127.0.0.1:9") as client:
        with pytest.raises(BridgeError, match=r"no message on '/imu' .*: subscribe to it first"):
            client.wait("/imu", 0.05)
        client.subscribe("/im*")
        with pytest.raises(BridgeError, match=r"'/imu' .*: nobody answers at 127.0.0.1:9 "):
            client.wait("/imu", 0.05)
        with pytest.raises(BridgeError, match="give the type"):
            client.publish("/imu", {})
        with pytest.raises(BridgeError, match="has no number"):
            client.publish("/it", from_dict("std_msgs/msg/Empty", {}))


def test_large_messages_both_ways_at_once_from_several_threads_lose_nothing():
    grid = "nav_msgs/msg/OccupancyGrid"
    clouds, maps = [], []
    with served() as sim, sim.client() as client:
        client.subscribe("/cloud", clouds.append)
        sim.listened("/cloud")
        client.publish("/map", {"data": [0]}, grid)
        wait_until(lambda: sim.bus.find("/map"), "the map")
        tap = sim.bus.tap("/map", lambda _, message: maps.append(len(message.data)))
        message = from_dict(grid, {"data": np.zeros(3_000_000, np.int8)})
        for number in range(10):
            sim.bus.publish("/cloud", cloud(5_000_000, number), number)
            client.publish("/map", message)
            wait_until(lambda n=number: len(clouds) > n and len(maps) > n, "both")
        tap.close()
        assert maps == [3_000_000] * 10
        assert client.statistics()["lost"] == sim.bridge.statistics()["lost"] == 0
        assert "failed" not in sim.bridge.counts() | client.statistics()
