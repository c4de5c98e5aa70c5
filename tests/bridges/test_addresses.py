"""Addresses beyond this computer come from the command line, never from a file alone."""

import dataclasses
import json
import shlex
import socket

import pytest

from outrider.bridges.addresses import is_address, is_loopback
from outrider.bridges.bridge import BRIDGES, bridge_options
from outrider.core.errors import BridgeError, ConfigError
from outrider.scenarios.bridging import chosen_bridges
from outrider.scenarios.load import loads
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Scenario

SPEAKING = (
    "origin",
    "host",
    "master",
    "network",
    "address",
    "peer",
    "peers",
    "url",
    "interface",
    "bind",
)
STRANGER = "ros1:master=own,port=0,host=192.0.2.1"


@pytest.mark.parametrize(
    "text",
    [
        STRANGER,
        "ros1:master=http://192.0.2.1:11311/",
        "ros1:master=http://evil.example:11311/",
        "ros1:host=0.0.0.0",
        "ros1:host=::",
        "ros1:master=own,host=127.0.0.1.evil.example",
        "ros1:master=http://localhost@evil.example/",
        "ros1:master=http://127.0.0.1?.evil.example:11311/",
        "rosbridge:host=127.0.0.1#.evil.example",
        "ros-tcp:127.0.0.1/.evil.example:10000",
        "ros2:network=subnet",
        "ros2:network=system",
        "rosbridge:host=0.0.0.0",
        "rosbridge:origin=*",
        "rosbridge:origin=http://localhost:8000,origin=http://evil.example",
        "ros-tcp:192.0.2.1:10000",
        "ros-tcp:address=evil.example:10000",
        "udp:host=0.0.0.0",
        "udp:peer=127.0.0.1:9871,peer=192.0.2.1:9871",
        "velodyne:host=192.168.1.255",
    ],
)
def test_a_scenario_that_opens_the_network_is_refused_before_anything_is_built(text):
    with pytest.raises(ConfigError) as told:
        Run(Scenario(name="stranger", world="there is none", bridges=("ros1", text)))
    said = str(told.value)
    assert said.startswith("stranger: bridges.1: ")
    assert "reaches beyond this computer, which a file may not set" in said
    assert said.endswith(f"start the run with --bridge '{text}'")


def test_what_is_to_be_typed_is_one_word_of_a_shell():
    text = "ros1:host=';touch pwned;'"
    with pytest.raises(ConfigError) as told:
        Run(Scenario(name="stranger", world="there is none", bridges=(text,)))
    assert shlex.split(str(told.value).partition("run with ")[2]) == ["--bridge", text]


def test_the_address_that_reaches_out_is_named_among_several():
    text = "udp:peer=127.0.0.1:9871,peer=192.0.2.1:9871"
    with pytest.raises(ConfigError, match=r" peer=192\.0\.2\.1:9871 reaches beyond"):
        Run(Scenario(name="stranger", world="there is none", bridges=(text,)))


@pytest.mark.parametrize(
    "text",
    [
        "ros1",
        "ros1:master=own,port=0,namespace=site",
        "ros1:master=http://localhost:11311/",
        "ros1:master=http://127.0.0.1:11311/,host=localhost",
        "ros1:host=127.0.0.1,control=off",
        "ros2:domain=7,network=localhost",
        "rosbridge:port=0,host=localhost,origin=http://localhost:8000",
        "ros-tcp:127.0.0.1:10001",
    ],
)
def test_a_scenario_may_name_a_bridge_and_harmless_options(text):
    assert chosen_bridges(Scenario(bridges=(text,))) == [text]


def test_what_is_typed_takes_the_place_of_the_files_bridge_of_that_kind():
    scenario = Scenario(bridges=(STRANGER, "ros2:domain=7"))
    assert chosen_bridges(scenario, [STRANGER]) == ["ros2:domain=7", STRANGER]
    assert chosen_bridges(scenario, ["ros1:gazebo=off"])[-1] == "ros1:gazebo=off"


def test_a_scenarios_own_master_listens_on_loopback_alone():
    run = Run(Scenario(duration_s=0.5, bridges=("ros1:master=own,port=0",)), speed=0.0)
    seen = []

    def look(_):
        (bridge,) = run.bridges
        seen.append(bridge.master.uri)

    run.go(look)
    assert all(is_loopback(uri) for uri in seen)
    assert seen


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "127.0.0.2", "127.1.2.3"])
@pytest.mark.parametrize(
    "text",
    [
        "ros1:master=own,port=0,host={}",
        "rosbridge:port=0,tcp_port=0,host={}",
        "foxglove:port=0,host={}",
        "udp:port=0,host={}",
        "serial:tcp=0,host={}",
    ],
)
def test_what_a_scenario_may_name_listens_on_loopback_alone(text, name, monkeypatch):
    bound = []

    class Recording(socket.socket):
        def bind(self, place):
            bound.append(place[0])
            super().bind(place)

    monkeypatch.setattr(socket, "socket", Recording)
    sick = {"name": "scan", "model": "sick-lms111"}
    robot = {"model": "jackal", "sensors": [sick]}
    data = {"world": "empty", "robots": [robot], "duration_s": 0.2, "bridges": [text.format(name)]}
    Run(loads(json.dumps(data)), speed=0.0).go()
    assert bound
    assert all(map(is_loopback, bound)), bound


@pytest.mark.parametrize("host", ["http://127.0.0.1", "::1", "[::1]", "127.0.0.1:80"])
def test_a_host_of_ros1_is_a_name_or_an_ipv4_address(host):
    run = Run(Scenario(duration_s=0.1, bridges=(f"ros1:master=own,port=0,host={host}",)))
    with pytest.raises(BridgeError, match="expected a name or an IPv4 address"):
        run.go()


def test_every_bridge_declares_the_options_that_are_addresses():
    for name in BRIDGES:
        options = bridge_options(name)[0].Options
        for option in dataclasses.fields(options):
            if option.name in SPEAKING:
                assert is_address(option), f"{name}: {option.name}"


def test_loopback_is_told_from_what_looks_like_it():
    for text in (
        "localhost",
        "127.0.0.1",
        "127.1.2.3",
        "::1",
        "[::1]",
        "http://[::1]:11311/",
        "[::1]:5",
    ):
        assert is_loopback(text), text
    own = socket.gethostname()
    for text in (
        "",
        "0.0.0.0",
        "::",
        "localhost.evil.example",
        "10.0.0.1",
        "10.0.0.1:5",
        f"{own}.example",
        "//",
    ):
        assert not is_loopback(text), text
