"""What every registered bridge must keep, before any peer is there."""

import dataclasses
import re
import socket

import pytest

from outrider.bridges.bridge import BRIDGES, Outside, bridge_options, make_bridge
from outrider.bus.bus import Bus
from outrider.core.errors import BridgeError, ConfigError
from outrider.messages.services.table import SERVICES

OWN = {
    "ros1": "ros1:master=own,port=0",
    "rosbridge": "rosbridge:port=0",
    "foxglove": "foxglove:port=0",
    "udp": "udp:port=0",
}  # what lets one begin without a program of others


@pytest.fixture(params=list(BRIDGES))
def name(request):
    return request.param


def outside():
    services = {name: lambda _: {} for name in SERVICES}
    return Outside(Bus(), services, lambda: 0, list, "nothing")


def test_its_options_are_a_frozen_dataclass_with_defaults(name):
    kind, options = bridge_options(name)
    assert dataclasses.is_dataclass(kind.Options)
    assert kind.Options.__dataclass_params__.frozen
    assert isinstance(options, kind.Options)


def test_an_unknown_option_is_refused_by_name(name):
    with pytest.raises(ConfigError, match=f"bridge '{name}': no_such_option: unknown key"):
        bridge_options(f"{name}:no_such_option=1")


def test_it_starts_counts_and_closes_more_than_once(name):
    try:
        bridge = make_bridge(OWN.get(name, name), outside())
    except BridgeError as error:
        pytest.skip(f"the bridge '{name}' does not work here: {error}")
    try:
        bridge.start()
        assert all(isinstance(count, int) for count in bridge.counts().values())
    finally:
        bridge.close()
    bridge.close()


@pytest.mark.parametrize("text", sorted(OWN.values()))
def test_it_tells_at_which_port_it_listens(text, capfd):
    bridge = make_bridge(text, outside())
    try:
        bridge.start()
        told = capfd.readouterr().err
    finally:
        bridge.close()
    (port,) = re.findall(r"(?:localhost|127\.0\.0\.1):(\d+)", told)
    assert int(port) > 0


def test_a_master_where_one_runs_already_says_how_to_join_it():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BridgeError, match=rf":{port}, .* join it with '--bridge ros1'"):
            make_bridge(f"ros1:master=own,port={port}", outside())
