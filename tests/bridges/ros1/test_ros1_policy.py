"""Over the ROS 1 wire: no file anywhere, and no control where it is switched off."""

import json

from ros1_bench import ask, running

from outrider.bridges.ros1.xmlrpc import call

CALL, TRIGGER = "outrider_msgs/Call", "std_srvs/Trigger"


def _call(sim, service, **arguments):
    return ask(sim, "/outrider/call", CALL, service=service, arguments=json.dumps(arguments))


def _subscribed(sim):
    return {name for name, _ in call(sim.uri, "getSystemState", "/test")[2][1]}


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
