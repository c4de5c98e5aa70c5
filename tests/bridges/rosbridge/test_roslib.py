"""roslib in node, the library of web pages: every compression, both directions, services."""

import base64
import json
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from rosbridge_bench import PIXELS, client, served, speaking

from outrider.messages.convert import from_dict

LIBRARY = Path(sys.prefix) / "share" / "peers" / "node_modules" / "roslib" / "dist" / "RosLib.js"
SCRIPT = Path(__file__).with_name("roslib_client.mjs")

pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(
        shutil.which("node") is None or not LIBRARY.exists(),
        reason="node and roslib are not installed (tools/peers/install)",
    ),
]


@pytest.fixture
def server():
    with served() as made:
        yield made


@contextmanager
def node(server, task):
    started = subprocess.Popen(
        ["node", str(SCRIPT), str(LIBRARY), server.url, task], stdout=subprocess.PIPE, text=True
    )
    try:
        yield started
    finally:
        started.kill()
        started.wait()
        started.stdout.close()


def said(server, task):
    """Return all that the program says until it ends."""
    with node(server, task) as started:
        out, _ = started.communicate(timeout=150)
    found = {}
    for line in out.splitlines():
        found |= json.loads(line)
    assert "failed" not in found, found
    return found


def test_a_picture_comes_in_every_compression(server):
    with speaking(server):
        found = said(server, "subscribe")
    text = base64.b64encode(PIXELS).decode()
    assert found["none"] == {"data": text, "width": 4}
    assert found["png"] == {"data": text, "width": 4}
    assert found["cbor"] == {"data": PIXELS.tolist(), "width": 4}
    assert found["cbor-raw"]["size"] > 24
    assert found["ranges"]["kind"] == "Float32Array"
    assert found["ranges"]["data"] == [1.5, None, 3.0]
    assert found["ranges"]["secs"] == 4


def test_a_command_goes_to_the_robot(server):
    box = server.bus.subscribe("/cmd_vel", kept="all")
    said(server, "publish")
    assert (box.latest[1].linear.x, box.latest[1].angular.z) == (0.25, -0.5)


def test_services_rosapi_and_parameters_answer(server):
    found = said(server, "services")
    assert found["pause"] == {"success": True, "message": '{"paused": true}'}
    assert "no such service" in found["nope"]
    assert "/cmd_vel" in found["topics"]["topics"]
    assert "/gazebo/get_model_state" in found["services"]
    assert found["nodes"] == ["/outrider", "/rosapi", "/rosbridge_websocket"]
    assert "/robot_description" in found["params"]
    assert found["type"] == "geometry_msgs/msg/Twist"
    assert found["details"]["linear"]["x"] == "float64"
    assert found["speed"] == 1.5


def test_a_service_of_the_page_is_called_by_another_client(server):
    with node(server, "offer") as started, client(server) as other:
        assert json.loads(started.stdout.readline()) == {"offered": True}
        assert other.asked("/double", value=21) == {"result": 42}


def test_an_action_gives_feedback_and_a_result(server):
    found = said(server, "action")["action"]
    assert [one["completed_steps"] for one in found["heard"]] == [20, 30]
    assert found["result"] == {"result": {"result": 1, "error_message": ""}}


def test_it_listens_again_after_the_server_was_away():
    odometry = from_dict("nav_msgs/msg/Odometry", {"pose": {"pose": {"position": {"x": 1.0}}}})
    with ExitStack() as opened:
        with served() as first:
            port = first.bridge.port
            started = opened.enter_context(node(first, "reconnect"))
            first.listened("/odom")
            first.bus.publish("/odom", odometry, 0)
            assert json.loads(started.stdout.readline()) == {"odom": 1}
        with served(port=port) as second:
            second.listened("/odom")
            odometry.pose.pose.position.x = 2.0
            second.bus.publish("/odom", odometry, 0)
            assert json.loads(started.stdout.readline()) == {"odom": 2}
