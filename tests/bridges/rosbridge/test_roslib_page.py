"""roslib in a real browser: every compression, both directions, services, our restart."""

import base64
import shutil
import sys
from pathlib import Path

import pytest
from chromium_page import hosted, page
from rosbridge_bench import PIXELS, client, served, speaking
from waiting import wait_until

from outrider.messages.convert import from_dict

PAGE = Path(__file__).with_name("roslib_page.html")
LIBRARY = Path(sys.prefix) / "share" / "peers" / "node_modules" / "roslib1" / "build"

pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(
        shutil.which("chromium") is None or not (LIBRARY / "roslib.min.js").exists(),
        reason="chromium and roslib are not installed (tools/peers/install)",
    ),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    site = tmp_path_factory.mktemp("site")
    shutil.copy(PAGE, site)
    shutil.copy(LIBRARY / "roslib.min.js", site)
    with hosted(site) as found:
        yield found


@pytest.fixture(scope="module")
def server():
    with served() as made:
        yield made


@pytest.fixture(scope="module")
def web(address, server, tmp_path_factory):
    with browsing(address, server, tmp_path_factory.mktemp("home")) as made:
        yield made


def browsing(address, server, home):
    return page(f"{address}/{PAGE.name}?ros={server.url}", home)


def connected(web):
    wait_until(lambda: web.value("ros.isConnected"), "the connection")


@pytest.mark.parametrize("compression", ["none", "png", "cbor", "cbor-raw"])
def test_a_picture_comes_in_every_compression(server, web, compression):
    with speaking(server):
        found = web.value(f"image['{compression}']()")
    if compression == "cbor-raw":
        assert bytes(found).endswith(PIXELS.tobytes())
    elif compression == "cbor":
        assert found == PIXELS.tolist()
    else:
        assert found == base64.b64encode(PIXELS).decode()


def test_a_command_goes_to_the_robot(server, web):
    box = server.bus.subscribe("/cmd_vel", kept="all")
    connected(web)
    web.value("drive(0.25)")
    wait_until(lambda: box.latest, "the command")
    assert box.latest[1].linear.x == 0.25


def test_it_calls_a_service_and_offers_one(server, web):
    connected(web)
    found = web.value("call('/outrider/pause', 'std_srvs/Trigger', {})")
    assert found == {"success": True, "message": '{"paused": true}'}
    assert web.value("offer()")
    with client(server) as other:
        assert other.asked("/double", value=21) == {"result": 42}


def test_it_listens_again_after_the_server_was_away(address, tmp_path):
    odometry = from_dict("nav_msgs/msg/Odometry", {"pose": {"pose": {"position": {"x": 1.5}}}})
    with served() as first, browsing(address, first, tmp_path / "home") as web:
        web.value("follow() && 0")
        first.listened("/odom")
        first.bus.publish("/odom", odometry, 0)
        wait_until(lambda: web.value("place_x") == 1.5, "the first place")
        first.bridge.close()
        with served(port=first.bridge.port) as second:
            second.listened("/odom")
            odometry.pose.pose.position.x = 2.5
            second.bus.publish("/odom", odometry, 0)
            wait_until(lambda: web.value("place_x") == 2.5, "the next place")
