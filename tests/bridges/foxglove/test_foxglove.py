"""The Foxglove bridge, as its app talks to it over the WebSocket."""

import json
import re
import threading
from types import SimpleNamespace

import foxglove
import numpy as np
import pytest
from foxglove.messages import SceneUpdate
from foxglove_client import FoxgloveClient
from waiting import wait_until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from outrider.bridges.bridge import Outside, make_bridge
from outrider.bridges.foxglove.client_messages import ClientMessages
from outrider.bridges.foxglove.parameters import FoxgloveParameters
from outrider.bridges.foxglove.playback import Playback
from outrider.bridges.foxglove.scene import scene_of
from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.policy import Access, Policy, guarded
from outrider.bus.bus import Bus
from outrider.core.errors import BridgeError
from outrider.messages.convert import from_dict
from outrider.messages.store import store
from outrider.recording.recorder import Recorder, RecordingOptions
from outrider.recording.replay import Replay, ReplayOptions
from outrider.scenarios.replaying import outside_of_replay
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

CAMERA = SensorEntry("eye", "camera", set={"width": 64, "height": 48})
LIDAR = SensorEntry("mid", "velodyne-vlp16", pose=PoseSpec(z=0.4), topics={"points": "/mid/points"})
WALL = ObjectSpec("wall", pose=PoseSpec(3.0, 1.0), shape=BoxSpec(size=(0.2, 4.0, 1.0)))
CRATE = """<robot name="crate"><link name="crate"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


class Runs:
    """One run for all tests; where a test has ended it, the next test begins another.

    Else a second try would meet what the first has left.
    """

    def __init__(self):
        self._run, self._thread = None, None

    def current(self):
        if self._thread is None or not self._thread.is_alive():
            self._begin()
        return self._run

    def _begin(self):
        robot = RobotEntry("jackal", sensors=(CAMERA, LIDAR))
        self._run = Run(
            Scenario(
                robots=(robot,), obstacles=(WALL,), duration_s=None, bridges=("foxglove:port=0",)
            ),
            speed=1.0,
        )
        self._thread = threading.Thread(target=self._run.go, daemon=True)
        self._thread.start()
        wait_until(lambda: self._run.bridges, "the bridge")

    def close(self):
        self._run.runner.stop()
        self._thread.join(30.0)
        assert not self._thread.is_alive()


@pytest.fixture(scope="module")
def runs():
    made = Runs()
    yield made
    made.close()


@pytest.fixture
def run(runs):
    made = runs.current()
    yield made
    assert runs.current() is made, "the run has ended"


@pytest.fixture
def client(run):
    with FoxgloveClient(run.bridges[0].port) as made:
        yield made


def decoded(client, topic):
    channel = client.channels[topic]
    assert (channel["encoding"], channel["schemaEncoding"]) == ("cdr", "ros2msg")
    time_ns, data = client.messages[topic][-1]
    return time_ns, store().deserialize_cdr(data, channel["schemaName"])


def test_every_topic_is_offered_with_its_definition(client, run):
    client.until(lambda: "/mid/points" in client.channels and "/scene" in client.channels)
    spoken = {t.name for t in run.simulation.bus.topics() if t.direction == "out"}
    assert spoken <= set(client.channels)
    schema = client.channels["/mid/points"]["schema"]
    assert "MSG: sensor_msgs/PointField" in schema
    assert client.said[0]["capabilities"] == [
        "clientPublish",
        "parameters",
        "parametersSubscribe",
        "services",
        "time",
        "assets",
    ]


def test_images_and_clouds_are_decoded_from_their_bytes(client):
    client.first("/eye/image_raw")
    stamp_ns, image = decoded(client, "/eye/image_raw")
    assert (image.width, image.height, len(image.data)) == (64, 48, 64 * 48 * 3)
    assert image.data.std() > 1.0
    assert stamp_ns == image.header.stamp.sec * 10**9 + image.header.stamp.nanosec
    client.first("/mid/points")
    _, cloud = decoded(client, "/mid/points")
    points = np.ascontiguousarray(cloud.data).reshape(-1, cloud.point_step)[:, :12]
    x, y, z = np.ascontiguousarray(points).view(np.float32).T
    wall = (abs(y - 1.0) < 0.3) & (x > 1.0) & (z > -0.2)  # above the ground
    assert x[wall].min() == pytest.approx(2.9, abs=0.1)


def test_frames_that_never_move_come_to_every_new_client(run):
    for _ in range(2):
        with FoxgloveClient(run.bridges[0].port) as client:
            client.first("/tf_static")
            _, message = decoded(client, "/tf_static")
            assert "mid" in {t.child_frame_id for t in message.transforms}


def test_the_robots_meshes_can_be_fetched_and_no_other_file(client):
    client.first("/robot_description")
    _, text = decoded(client, "/robot_description")
    assert "file://" not in text.data
    meshes = re.findall(r'package://outrider/[^"]+', text.data)
    assert meshes
    assert all(len(client.fetch(uri)) > 100 for uri in meshes[:2])
    folder = meshes[0].rsplit("/", 1)[0]
    for uri in (f"{folder}/../../../../../etc/passwd", "file:///etc/passwd", "package://x/y"):
        assert client.fetch(uri) is None


def test_the_scene_is_sent_once_in_triangles(client, run):
    _, data = client.first("/scene")
    expected = scene_of(run.simulation.rig.assembly.world)
    assert isinstance(expected, SceneUpdate)
    assert data == expected.encode()
    assert b"wall" in data


def test_services_pause_step_and_spawn(client, run):
    assert client.call("/outrider/pause")["paused"] is True
    before = client.call("/outrider/status")["steps"]
    assert client.call("/outrider/step", steps=4)["steps"] == before + 4
    answer = client.call("/outrider/spawn", name="crate", text=CRATE, position=[5, 5, 1])
    assert answer["name"] == "crate"
    assert "crate" in client.call("/outrider/list_models")["models"]
    assert "there is no robot or object 'nobody'" in client.call("/outrider/remove", name="nobody")
    assert client.call("/outrider/resume")["paused"] is False
    assert run.simulation.robots


def test_no_service_that_names_a_file_is_offered(client):
    client.until(lambda: client.services)
    assert not {s for s in client.services if "save" in s or "load" in s or "record" in s}


def test_parameters_show_and_set_the_speed(client):
    client.send({"op": "getParameters", "parameterNames": [], "id": "all"})
    values = client.until(lambda: _values(client, "all"))
    assert values == {"/outrider/speed": 1.0, "/outrider/paused": False}
    asked = [{"name": "/outrider/speed", "value": 2.0, "type": "float64"}]
    client.send({"op": "setParameters", "parameters": asked, "id": "set"})
    assert client.until(lambda: _values(client, "set")) == {"/outrider/speed": 2.0}
    assert client.call("/outrider/status")["speed"] == 2.0
    client.call("/outrider/set_speed", speed=1.0)


def _values(client, request):
    found = [s for s in client.said if s["op"] == "parameterValues" and s.get("id") == request]
    return {p["name"]: p["value"] for p in found[0]["parameters"]} if found else None


def test_time_goes_on_and_after_a_reset_a_new_session_begins(client):
    client.until(lambda: len(client.times) > 3)
    assert client.times == sorted(client.times)
    first = client.said[0]["sessionId"]
    client.call("/outrider/reset")
    client.until(
        lambda: [s for s in client.said if s["op"] == "serverInfo" and s["sessionId"] != first]
    )


@pytest.mark.parametrize("encoding", ["json", "cdr"])
def test_a_client_drives_the_robot(client, run, encoding):
    values = {"linear": {"x": 0.5}, "angular": {"z": 0.0}}
    kind = "geometry_msgs/msg/Twist"
    data = json.dumps(values).encode()
    if encoding == "cdr":
        data = bytes(store().serialize_cdr(from_dict(kind, values), kind))
    channel = client.advertise("/cmd_vel", "geometry_msgs/Twist", encoding)

    def drives():
        client.publish(channel, data)
        return run.simulation.robots["jackal"].velocity[0] > 0.3

    wait_until(drives, "the robot to drive")


def test_bad_topics_and_bad_messages_are_counted_told_and_harmless(client, run):
    bridge = run.bridges[0]
    client.advertise("/initialpose", "geometry_msgs/Pose", "json")  # as the 3D panel does
    for topic, kind in (("/cmd_vl", "Twist"), ("/cmd_vel", "Pose"), ("/tf", "Pose")):
        client.publish(client.advertise(topic, f"geometry_msgs/{kind}", "json"), b"{}")
    right = client.advertise("/cmd_vel", "geometry_msgs/Twist", "json")
    for data in (b"", b"\xff\xfe", b'{"linear": 3}', b"[" * 5000, b'{"linear": {"x": 1e999}}'):
        client.publish(right, data)
    wait_until(lambda: bridge.counts().get("bad messages", 0) >= 4, "the bad ones")
    wait_until(lambda: bridge.counts().get("refused messages", 0) >= 3, "those refused")
    assert bridge.counts()["refused messages"] == 3
    client.until(lambda: "did you mean '/cmd_vel'" in str(client.said))
    assert "/initialpose" not in str([s for s in client.said if s["op"] == "status"])
    assert client.call("/outrider/status")["paused"] is False


@pytest.mark.slow
def test_a_client_that_does_not_read_costs_only_itself(run):
    with FoxgloveClient(run.bridges[0].port) as lazy:
        for topic in ("/clock", "/tf", "/eye/image_raw", "/mid/points"):
            lazy.subscribe(topic)
        before = run.simulation.time_ns
        wait_until(lambda: run.simulation.time_ns > before + 500_000_000, "time to pass")
        with FoxgloveClient(run.bridges[0].port) as other:
            assert other.first("/ground_truth/state")


def test_other_protocols_are_refused(run):
    with pytest.raises(InvalidStatus):
        connect(f"ws://127.0.0.1:{run.bridges[0].port}", subprotocols=["chat"], proxy=None)


def test_a_port_that_is_taken_is_one_sentence(run):
    outside = Outside(Bus(), {}, lambda: 0, list)
    bridge = make_bridge(f"foxglove:port={run.bridges[0].port}", outside)
    with pytest.raises(BridgeError, match=r"foxglove: cannot listen on 127\.0\.0\.1:"):
        bridge.start()


@pytest.fixture
def recording(tmp_path):
    """Two seconds of a clock."""
    bus = Bus()
    channel = bus.declare("/clock", "rosgraph_msgs/msg/Clock")
    now = [0]
    options = RecordingOptions(tmp_path / "a.mcap", lossless=True)
    with Recorder(bus, options, now_ns=lambda: now[0]):
        for now[0] in range(0, 2_000_000_000, 10_000_000):
            channel.publish(from_dict(channel.type, {}), now[0])
    return options.path


def test_a_seek_in_the_app_leads_there_wherever_the_replay_began(recording):
    with Replay(recording, ReplayOptions(start_s=0.5)) as replay:
        playback = Playback(replay.services(), PeerErrors(print))
        assert playback.time_range() == (500_000_000, 1_990_000_000)
        playback.asked(
            SimpleNamespace(
                seek_time=1_200_000_000,
                playback_speed=2.0,
                playback_command=foxglove.websocket.PlaybackCommand.Pause,
                request_id="r",
            )
        )
        assert replay.transport.take_seek() == 1_200_000_000
        assert (replay.transport.speed, replay.transport.paused) == (2.0, True)


def test_a_replay_offers_play_pause_and_seek_in_the_app(recording):
    with Replay(recording, ReplayOptions(loop=True)) as replay:
        bridge = make_bridge("foxglove:port=0", outside_of_replay(replay))
        bridge.start()
        thread = threading.Thread(target=replay.run)
        thread.start()
        try:
            with FoxgloveClient(bridge.port) as client:
                client.first("/clock")
                info = client.said[0]
                assert "playbackControl" in info["capabilities"]
                assert client.call("/outrider/seek", time_s=1.5)["paused"] is False
                client.until(lambda: client.messages["/clock"][-1][0] >= 1_500_000_000)
        finally:
            replay.transport.stop()
            thread.join(60.0)
            bridge.close()


def test_with_commands_off_no_client_may_publish():
    bus = Bus()
    bus.declare("/cmd_vel", "geometry_msgs/msg/Twist", direction="in")
    heard = bus.subscribe("/cmd_vel")
    told = []
    policy = Policy().narrowed(Access(commands=False))
    inlets = ClientMessages(bus, lambda: 0, PeerErrors(told.append), policy)
    channel = SimpleNamespace(
        topic="/cmd_vel", schema_name="geometry_msgs/msg/Twist", encoding="json", id=1
    )
    inlets.advertise(1, channel)
    inlets.take(1, 1, b'{"linear": {"x": 1.0}}')
    assert any("commands=off" in sentence for sentence in told)
    assert heard.poll() is None


def test_without_control_a_parameter_that_is_not_set_is_told():
    told, values = [], {"speed": 1.0, "paused": False}
    services = guarded(
        {name: lambda _: values for name in ("status", "pause", "resume", "set_speed")},
        Policy().narrowed(Access(control=False)),
    )
    parameters = FoxgloveParameters(services, PeerErrors(told.append))
    (answer,) = parameters.set([foxglove.Parameter("/outrider/paused", value=True)])
    assert answer.get_value() is False
    assert told == ["/outrider/paused: pause: this bridge was opened with control=off"]
