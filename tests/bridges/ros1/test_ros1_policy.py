"""Over the ROS 1 wire: no file anywhere, and no control where it is switched off."""

import json

import pytest
from ros1_bench import ask, running
from waiting import wait_until

from outrider.bridges.ros1.xmlrpc import call
from outrider.messages.ros1.types import new

CALL, TRIGGER = "outrider_msgs/Call", "std_srvs/Trigger"


def _call(sim, service, **arguments):
    return ask(sim, "/outrider/call", CALL, service=service, arguments=json.dumps(arguments))


def _subscribed(sim):
    return {name for name, _ in call(sim.uri, "getSystemState", "/test")[2][1]}


def _published(sim):
    return {name for name, _ in call(sim.uri, "getSystemState", "/test")[2][0]}


def test_a_peer_cannot_write_a_file_of_the_user(tmp_path):
    victim = tmp_path / "profile"
    victim.write_text("kept")
    with running() as sim:
        for service in ("save_world", "save_state"):
            for file in (victim, tmp_path / "new"):
                answer = _call(sim, service, file=str(file))
                assert not answer.success
                assert "--files DIR" in answer.answer
        assert sim.goes_on()
    assert victim.read_text() == "kept"
    assert [path.name for path in tmp_path.iterdir()] == ["profile"]


def test_a_peer_writes_new_files_into_the_folder_that_was_allowed(tmp_path):
    with running(files=tmp_path) as sim:
        assert _call(sim, "save_world", file="world.yaml").success
        assert not _call(sim, "save_world", file="world.yaml").success
        assert not _call(sim, "save_world", file="../world.yaml").success
    assert [path.name for path in tmp_path.iterdir()] == ["world.yaml"]


def test_without_control_a_peer_reads_and_commands_only():
    with running(options=",control=off") as sim:
        answer = ask(sim, "/outrider/pause", TRIGGER)
        assert not answer.success
        assert answer.message == "pause: this bridge was opened with control=off"
        refused = ask(sim, "/gazebo/pause_physics", "std_srvs/Empty")
        assert "control=off" in refused
        state = ask(
            sim, "/gazebo/get_model_state", "gazebo_msgs/GetModelState", model_name="jackal"
        )
        assert state.success
        assert "/cmd_vel" in _subscribed(sim)
        assert sim.goes_on()


def test_without_commands_no_robot_listens():
    with running(options=",commands=off") as sim:
        assert "/cmd_vel" not in _subscribed(sim)
        assert "/clock" in sim.bridge.node.publications


def test_without_control_a_peer_cannot_end_the_node():
    with running(options=",control=off") as sim:
        node = sim.bridge.node
        code, reason, _ = call(node.uri, "shutdown", "/rosnode", "user request")
        assert (code, reason) == (-1, "shutdown: this bridge was opened with control=off")
        taken = ("/x", "std_msgs/String", "http://localhost:1/")
        call(sim.uri, "registerPublisher", "/outrider", *taken)
        wait_until(
            lambda: call(sim.uri, "lookupNode", "/t", "/outrider")[2] == node.uri, "its own name"
        )


def test_entries_that_a_peer_takes_away_come_back():
    with running() as sim:
        node, peer = sim.bridge.node, "/outrider"
        assert call(sim.uri, "unregisterPublisher", peer, "/clock", node.uri)[2] == 1
        assert call(sim.uri, "unregisterSubscriber", peer, "/cmd_vel", node.uri)[2] == 1
        wait_until(lambda: "/clock" in _published(sim), "the topic")
        wait_until(lambda: "/cmd_vel" in _subscribed(sim), "the subscription")


@pytest.mark.parametrize("options", [",control=off", ""])
def test_a_state_that_is_not_set_is_told(options, capfd):
    with running(options=options) as sim:
        told = sim.bridge._gazebo._told
        told(new("gazebo_msgs/msg/ModelState", model_name="nobody"))
        wait_until(lambda: sim.bridge.counts().get("refused state"), "the refusal")
    assert ("control=off" if options else "'nobody'") in capfd.readouterr().err


def test_states_to_be_set_are_bounded():
    with running() as sim:
        gazebo = sim.bridge._gazebo
        gazebo.close()
        for number in range(1500):
            gazebo._told(new("gazebo_msgs/msg/ModelState", model_name=f"m{number}"))
        gazebo._told(new("gazebo_msgs/msg/ModelState", model_name="x" * 100_000))
        assert len(gazebo._wanted) == 1000
        assert sim.bridge.counts()["too many states"] == 501
