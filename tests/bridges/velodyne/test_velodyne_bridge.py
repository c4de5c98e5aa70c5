"""The bridge: a simulated VLP-16's packets on the network and in a pcap file."""

import socket
from contextlib import closing

import numpy as np
import pytest
import velodyne_decoder as vd
from ros1_bench import wait_until
from velodyne_decoding import cloud, config, decoded, flat, ordered

from outrider.bridges.bridge import Outside, make_bridge, read_bridge
from outrider.bus.bus import Bus
from outrider.core.errors import BridgeError, ConfigError
from outrider.messages.types import NavSatFix, NavSatStatus, header
from outrider.scenarios.build import build
from outrider.scenarios.load import loads

CLOUD, FIX = "sensor_msgs/msg/PointCloud2", "sensor_msgs/msg/NavSatFix"


def listener():
    end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    end.bind(("127.0.0.1", 0))
    end.settimeout(30.0)
    return end


class Driver:
    """Who listens at both ports, and the bridge that sends there."""

    def __init__(self, options="", bus=None):
        self.bus = bus or Bus()
        self.data, self.position = listener(), listener()
        ports = [end.getsockname()[1] for end in (self.data, self.position)]
        text = f"velodyne:port={ports[0]},position_port={ports[1]}{options}"
        self.bridge = make_bridge(text, Outside(self.bus, {}, lambda: 0, list))
        self.bridge.start()

    def listened(self, *topics):
        def heard():
            return {t.name for t in self.bus.topics() if t.subscribers} >= set(topics)

        wait_until(heard, f"a subscription to {topics}")

    def close(self):
        self.bridge.close()
        self.data.close()
        self.position.close()


def test_a_simulated_sensors_cloud_arrives_at_a_driver_as_it_was_published():
    sensor = "{name: top, model: velodyne-vlp16, pose: {z: 0.3}}"
    simulation = build(
        loads(f"{{world: playpen, robots: [{{model: jackal, sensors: [{sensor}]}}]}}")
    )
    with closing(Driver(bus=simulation.bus)) as driver:
        driver.listened("/velodyne_points")
        box = simulation.bus.subscribe("/velodyne_points", kept="all")
        simulation.robots["jackal"].drive(0.5, 1.0)
        while simulation.time_s < 0.22:
            simulation.step()
        raw = [driver.data.recv(2000) for _ in range(150)]
    ours = ordered(np.concatenate([flat(message) for _, message in (box.poll(), box.poll())]))
    theirs = decoded([(n * 24 * 55_296, packet) for n, packet in enumerate(raw)])
    count = len(theirs)
    assert 0.99 < count / len(ours) <= 1.0
    for ring in range(16):
        a, b = theirs[theirs[:, 1] == ring], ours[ours[:, 1] == ring]
        near = np.linalg.norm(b[: len(a), 2:5], axis=1)
        assert (np.linalg.norm(a[:, 2:5] - b[: len(a), 2:5], axis=1) < 0.002 + 1e-3 * near).all()


def test_positions_come_with_the_receivers_latest_fix():
    bus = Bus()
    bus.declare("/fix", FIX)
    bus.declare("/points", CLOUD, rate_hz=10.0, kept="all")
    with closing(Driver(",position_hz=1000", bus)) as driver:
        driver.listened("/fix", "/points")
        fix = NavSatFix(header(0, "gps"), NavSatStatus(0, 1), 52.5, 13.25, 30.0, np.zeros(9), 0)
        bus.publish("/fix", fix, 0)
        bus.publish("/points", cloud(0), 0)
        raw = driver.position.recv(2000)
        assert len(raw) == 512
        assert b"$GPRMC,000000,A,5230.0000,N,01315.0000,E," in raw


def test_a_dual_stream_waits_for_the_cloud_of_last_returns():
    bus = Bus()
    for name in ("/points", "/points_last"):
        bus.declare(name, CLOUD, rate_hz=10.0, kept="all")
    options = ",topic=/points,returns=dual,last=/points_last"
    with closing(Driver(options, bus)) as driver:
        driver.listened("/points", "/points_last")
        bus.publish("/points", cloud(0, seed=1, share=1.0), 0)
        bus.publish("/points_last", cloud(0, seed=2, share=1.0), 0)
        raw = driver.data.recv(2000)
    assert raw[1204] == 0x39
    assert raw[4:100] != raw[104:200]


def test_the_pcap_file_is_what_was_sent_and_others_read_it(tmp_path):
    bus, file = Bus(), tmp_path / "turns.pcap"
    bus.declare("/points", CLOUD, rate_hz=10.0, kept="all")
    with closing(Driver(f",pcap={file}", bus)) as driver:
        driver.listened("/points")
        for turn in range(3):
            bus.publish("/points", cloud(turn), 0)
        sent = [driver.data.recv(2000) for _ in range(226)]
    scans = list(vd.read_pcap(str(file), config()))
    found = sum(len(points) for _, points in scans)
    assert found == len(decoded([(n * 1_327_104, raw) for n, raw in enumerate(sent)]))
    with pytest.raises(BridgeError, match="already exists"):
        make_bridge(f"velodyne:pcap={file}", Outside(bus, {}, lambda: 0, list))


def test_a_full_disk_ends_the_pcap_file_and_packets_go_on(tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("outrider.bridges.velodyne.pcap.PcapFile.add", full)
    bus, file = Bus(), tmp_path / "a.pcap"
    bus.declare("/points", CLOUD, rate_hz=10.0, kept="all")
    with closing(Driver(f",pcap={file}", bus)) as driver:
        driver.listened("/points")
        for turn in range(3):
            bus.publish("/points", cloud(turn), 0)
        for _ in range(226):
            driver.data.recv(2000)
    assert capsys.readouterr().err.count("a.pcap: ended early: No space left on device") == 1


def test_a_scenario_may_not_name_the_pcap_file():
    with pytest.raises(ConfigError, match=r"pcap=/tmp/x names a path"):
        read_bridge("velodyne:pcap=/tmp/x", of_file=True)


@pytest.mark.parametrize(("options", "where"), [("", ""), (",topic=/puck", " on '/puck'")])
def test_a_robot_without_such_a_sensor_is_told(capsys, options, where):
    said = []
    with closing(Driver(options)):
        wait_until(lambda: said.append(capsys.readouterr().err) or any(said), "the sentence")
    words = f"velodyne: nothing is sent yet: no LiDAR publishes a point cloud{where}; "
    assert "".join(said).startswith(words)


def test_a_depth_camera_is_no_lidar_and_is_not_made_to_render(capsys):
    simulation = build(loads("robots: [{model: autominy}]"))  # a 2D scanner and a depth camera
    cloud = "/sensors/camera/depth/color/points"
    said = []
    with closing(Driver(bus=simulation.bus)) as driver:
        wait_until(lambda: said.append(capsys.readouterr().err) or any(said), "the sentence")
        simulation.run(0.2)
        assert simulation.bus.find(cloud).readers == ()
        assert driver.bridge.packets == 0
    assert "no LiDAR publishes a point cloud" in "".join(said)


def test_a_lidar_is_found_behind_other_clouds():
    bus = Bus()
    bus.declare("/camera/points", CLOUD, source="depth-camera")
    bus.declare("/made/points", CLOUD)
    bus.declare("/puck", CLOUD, rate_hz=10.0, kept="all", source="lidar")
    with closing(Driver(bus=bus)) as driver:
        driver.listened("/puck")
        assert bus.find("/made/points").readers == ()


def test_a_cloud_that_is_not_a_vlp16s_is_counted_and_the_next_one_is_sent(capsys):
    bus = Bus()
    bus.declare("/points", CLOUD, rate_hz=10.0, kept="all")
    with closing(Driver(bus=bus)) as driver:
        driver.listened("/points")
        bad = cloud(0)
        bad.fields = bad.fields[:3]
        bus.publish("/points", bad, 0)
        wait_until(lambda: driver.bridge.counts().get("left out"), "the refusal")
        bus.publish("/points", cloud(1), 0)
        assert len(driver.data.recv(2000)) == 1206
    said = capsys.readouterr().err
    assert "'/points' is not a VLP-16's: " in said
    assert "has no field 'intensity'; choose another with 'topic='" in said
