import json
import math
import os
import threading

import pytest
from typer.testing import CliRunner

from outrider.bridges.local import client
from outrider.bridges.local.client import Sample
from outrider.bridges.local.runs import RunningRun
from outrider.bridges.local.server import LocalServer
from outrider.bus.bus import Bus
from outrider.cli.live import choice, hz
from outrider.cli.main import app
from outrider.cli.output.message_text import message_lines
from outrider.core.errors import BridgeError, OutriderError
from outrider.messages.convert import from_dict

PERIOD_NS = 20_000_000


@pytest.fixture
def simulation(tmp_path, monkeypatch):
    """A loop at five times real time that publishes odometry at 50 Hz of simulated time."""
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    bus = Bus()
    bus.declare("/odom", "nav_msgs/msg/Odometry", rate_hz=50)
    bus.declare("/scan", "sensor_msgs/msg/LaserScan", latched=True)
    bus.declare("/quiet", "std_msgs/msg/String")
    scan = {"ranges": [math.inf, 1.5] * 20, "header": {"frame_id": "laser"}}
    bus.publish("/scan", from_dict("sensor_msgs/LaserScan", scan), 0)
    services = {"set_speed": dict, "pause": lambda _: {}}
    server, stop = LocalServer(bus, services, scenario="demo"), threading.Event()

    def loop():
        time_ns = 0
        odometry = from_dict("nav_msgs/Odometry", {"child_frame_id": "base_link"})
        while not stop.wait(PERIOD_NS / 5e9):
            time_ns += PERIOD_NS
            bus.publish("/odom", odometry, time_ns)

    thread = threading.Thread(target=loop)
    thread.start()
    yield bus
    stop.set()
    thread.join()
    server.close()


def run(*arguments: str) -> str:
    return CliRunner().invoke(app, arguments, catch_exceptions=False).stdout


def test_topics_are_listed_for_people(simulation):
    lines = run("topics").splitlines()
    assert lines[0].split() == ["TOPIC", "TYPE", "RATE", "DIRECTION", "MESSAGES", "READERS"]
    odometry = next(line for line in lines if line.startswith("/odom"))
    assert odometry.split()[1:5] == ["nav_msgs/msg/Odometry", "50", "Hz", "out"]


def test_topics_are_listed_for_programs(simulation):
    rows = json.loads(run("topics", "--json"))
    assert [row["name"] for row in rows] == ["/odom", "/quiet", "/scan"]
    assert rows[0]["rate_hz"] == 50


def test_echo_prints_messages_with_a_line_between(simulation):
    out = run("echo", "odom", "-n", "2")
    assert out.count("---\n") == 2
    assert "child_frame_id: base_link\n" in out
    assert "header:\n  stamp:\n    sec: 0\n" in out
    assert "covariance: [0.0, 0.0," in out
    assert "... 24 more]" in out


def test_echo_prints_json_that_any_parser_reads(simulation):
    def refuse(word):
        raise AssertionError(word)

    (line,) = run("echo", "/scan", "-n", "1", "--json").splitlines()
    told = json.loads(line, parse_constant=refuse)
    assert told["topic"] == "/scan"
    assert told["msg"]["ranges"] == [None, 1.5] * 20


def test_echo_gives_up_on_a_quiet_topic(simulation):
    with pytest.raises(BridgeError, match=r"'/quiet' had 0 of 1 messages before 0\.1 s"):
        run("echo", "/quiet", "--timeout", "0.1")


def test_echo_of_an_unknown_topic_has_a_near_match(simulation):
    with pytest.raises(BridgeError, match="did you mean '/odom'"):
        run("echo", "/odm")


def test_hz_tells_simulated_and_wall_rates_apart(simulation):
    told = json.loads(run("hz", "/odom", "--duration", "0.8", "--json"))
    assert told["simulated"]["rate_hz"] == pytest.approx(50.0, rel=1e-9)
    assert told["simulated"]["min_s"] == pytest.approx(0.02)
    assert told["simulated"]["max_s"] == pytest.approx(0.02)
    assert told["simulated"]["std_s"] == pytest.approx(0.0, abs=1e-12)
    assert 75 < told["wall"]["rate_hz"] < 260
    assert told["dropped"] == 0


def test_hz_speaks_to_people_and_keeps_to_its_window(simulation):
    out = run("hz", "/odom", "--duration", "0.4", "--window", "5")
    assert "simulated: 50 Hz" in out
    assert "messages: 5, lost 0" in out


def test_hz_needs_two_messages(simulation):
    with pytest.raises(BridgeError, match=r"had 1 messages in 0\.2 s"):
        run("hz", "/scan", "--duration", "0.2")


def test_lost_messages_count_in_the_rate_but_not_in_the_periods():
    arrivals = [
        (0.0, Sample(0, {}, 0)),
        (1.0, Sample(10**9, {}, 0)),
        (4.0, Sample(4 * 10**9, {}, 2)),
    ]
    told = hz._measure(arrivals)
    assert told["simulated"]["rate_hz"] == 1.0
    assert told["simulated"]["max_s"] == 3.0
    assert told["dropped"] == 2


def test_call_passes_values_and_prints_the_answer(simulation):
    assert json.loads(run("call", "set_speed", "speed=2.5", "mode=constant", "--json")) == {
        "speed": 2.5,
        "mode": "constant",
    }
    assert run("call", "set_speed", "speed=2.5", "hold=true") == "speed: 2.5\nhold: true\n"
    assert run("call", "pause") == "done\n"


def test_call_refuses_what_is_no_pair(simulation):
    with pytest.raises(BridgeError, match="expected KEY=VALUE, got 'fast'"):
        run("call", "set_speed", "fast")


def test_a_process_can_be_named(simulation):
    with pytest.raises(BridgeError, match="process number 1234567"):
        run("topics", "--pid", "1234567")


def test_without_a_simulation_there_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    with pytest.raises(BridgeError, match="no running simulation found"):
        run("topics")


def test_lists_of_parts_are_indented_like_yaml():
    message = {"parts": [{"a": 1, "b": {"c": ""}}, {}], "names": ["x", "y z"], "on": None}
    assert list(message_lines(message)) == [
        "parts:",
        "- a: 1",
        "  b:",
        '    c: ""',
        "- {}",
        "names: [x, y z]",
        "on: null",
    ]


def test_of_several_simulations_the_newest_is_looked_at_and_named(simulation, capsys, monkeypatch):
    _pretend_two(monkeypatch)
    said = CliRunner().invoke(app, ["topics"], catch_exceptions=False)
    assert "/odom" in said.stdout
    assert "looking at 'demo'" in said.stderr
    assert "the newest of 2; choose another with --pid: 1 'other'" in said.stderr


@pytest.mark.parametrize("arguments", [["call", "pause"], ["pub", "/cmd", "{}"]])
def test_of_several_simulations_none_is_changed_unless_it_is_named(
    simulation, monkeypatch, arguments
):
    _pretend_two(monkeypatch)
    with pytest.raises(
        BridgeError, match=r"2 simulations are running; choose one with --pid: .*'other'"
    ):
        run(*arguments)


def test_a_simulation_that_is_named_is_called_among_several(simulation, monkeypatch):
    _pretend_two(monkeypatch)
    assert run("call", "pause", "--pid", str(os.getpid())).strip() == "done"


def test_what_ended_long_ago_does_not_count_when_its_number_went_to_another_process(
    simulation, tmp_path
):
    ghost = {"pid": os.getppid(), "port": 1, "token": "", "scenario": "ghost", "started": 0.0}
    file = tmp_path / "runs" / f"{os.getppid()}.json"
    for started in (0.0, 1e12):
        file.write_text(json.dumps({**ghost, "started": started}))
        assert run("call", "pause").strip() == "done"
        assert not file.exists()


def _pretend_two(monkeypatch):
    """Let another simulation of this user seem to run."""
    found = [*client.reachable(), RunningRun(1, 1, "", "other", 0.0)]
    for module in (client, choice):
        monkeypatch.setattr(module, "reachable", lambda: found)


def test_a_message_is_published_as_yaml_or_json(simulation):
    simulation.declare("/cmd", "geometry_msgs/msg/Twist", direction="in")
    got = simulation.subscribe("/cmd", kept="all")
    run("pub", "/cmd", "linear: {x: 0.5}")
    run("pub", "cmd", '{"angular": {"z": 2}}')
    run("pub", "/cmd", "{}", "--rate", "1000", "--count", "3")
    messages = [got.poll()[1] for _ in range(5)]
    assert [m.linear.x for m in messages] == [0.5, 0, 0, 0, 0]
    assert [m.angular.z for m in messages] == [0, 2, 0, 0, 0]
    assert got.poll() is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["/odom", "{}"], "published by the simulation"),
        (["/cmd", "linear: {x: .nan}"], "linear.x is nan: robots ignore commands with a number"),
        (["/cmd", "angular: {z: -.inf}"], "angular.z is -inf: robots ignore"),
        (["/nowhere", "{}"], "there is no topic '/nowhere'"),
        (["/odom", "3"], "MESSAGE: expected"),
        (["/odom", "{"], "MESSAGE"),
        (["/odom", "{}", "--once", "--rate", "1"], "--once"),
        (["/odom", "{}", "--count", "5"], "--count 5: how often"),
    ],
)
def test_what_cannot_be_published_is_one_sentence(simulation, arguments, says):
    simulation.declare("/cmd", "geometry_msgs/msg/Twist", direction="in")
    with pytest.raises(OutriderError, match=says):
        run("pub", *arguments)
