"""The stack on bags of both ROS versions."""

from pathlib import Path

import numpy as np
import pytest
import room
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import Writer as Writer2
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from typer.testing import CliRunner

from outrider.autonomy.assemble import assemble_stack
from outrider.autonomy.recordings.entries import Entries
from outrider.autonomy.recordings.replay import replay_stack
from outrider.cli.main import app
from outrider.core.errors import RecordingError
from outrider.messages.store import store
from outrider.recording.source import open_source


def messages():
    yield "/tf_static", "tf2_msgs/msg/TFMessage", room.frames_message(), 0
    for k in range(100):
        now_ns = k * 20_000_000
        yield "/wheels", "nav_msgs/msg/Odometry", room.wheel_message(now_ns, 0.5), now_ns
        yield "/imu", "sensor_msgs/msg/Imu", room.imu_message(now_ns), now_ns


def write_ros2(path: Path, left_out: str = "") -> Path:
    with Writer2(path, version=9) as bag:
        known = {}
        for topic, kind, message, now_ns in messages():
            if topic == left_out:
                continue
            if topic not in known:
                known[topic] = bag.add_connection(topic, kind, typestore=store())
            bag.write(known[topic], now_ns, store().serialize_cdr(message, kind))
    return path


def test_a_ros2_bag_gives_poses(tmp_path: Path) -> None:
    source = Entries(open_source(write_ros2(tmp_path / "run")))
    found = replay_stack(source, assemble_stack(room.DEAD_RECKONING))
    source.close()
    assert found.messages == 201
    assert found.length_m == pytest.approx(0.5 * 99 * 0.02, abs=0.03)


def test_a_ros1_bag_gives_the_same(tmp_path: Path) -> None:
    types = get_typestore(Stores.ROS1_NOETIC)
    text = "geometry_msgs/TransformStamped[] transforms"
    types.register(get_types_from_msg(text, "tf2_msgs/msg/TFMessage"))
    path = tmp_path / "run.bag"
    with Writer1(path) as bag:
        known = {}
        for topic, kind, message, now_ns in messages():
            if kind != "tf2_msgs/msg/TFMessage":
                message.header = types.types["std_msgs/msg/Header"](
                    0, message.header.stamp, message.header.frame_id
                )
            else:
                for item in message.transforms:
                    item.header = types.types["std_msgs/msg/Header"](
                        0, item.header.stamp, item.header.frame_id
                    )
            if topic not in known:
                known[topic] = bag.add_connection(topic, kind, typestore=types)
            bag.write(known[topic], now_ns + 1, types.serialize_ros1(message, kind))
    source = Entries(open_source(path))
    found = replay_stack(source, assemble_stack(room.DEAD_RECKONING))
    source.close()
    assert found.length_m == pytest.approx(0.5 * 99 * 0.02, abs=0.03)


def test_no_recording_and_no_bag_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="there is no recording"):
        open_source(tmp_path / "nothing.bag")
    (tmp_path / "text.bag").write_text("hello")
    with pytest.raises(RecordingError, match="is not a recording"):
        open_source(tmp_path / "text.bag")


def test_poses_are_written_as_evo_reads_them(tmp_path: Path) -> None:
    from outrider.evaluation.measures.trajectory import Trajectory, write_tum

    source = Entries(open_source(write_ros2(tmp_path / "run")))
    found = replay_stack(source, assemble_stack(room.DEAD_RECKONING))
    write_tum(tmp_path / "way.tum", Trajectory.of(found.poses))
    table = np.loadtxt(tmp_path / "way.tum")
    assert table.shape == (len(found.poses), 8)
    assert np.linalg.norm(table[:, 4:], axis=1) == pytest.approx(1.0)


def test_a_recording_without_a_pose_says_what_was_waited_for(tmp_path: Path) -> None:
    bag = write_ros2(tmp_path / "run", left_out="/tf_static")  # nobody knows where the IMU is
    topics = ["--topic", "imu=/imu", "--topic", "wheels=/wheels"]
    command = ["autonomy", "--from", str(bag), "--odometry", "wheel-imu", *topics]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 1
    said = "outrider: there is no pose: wheel and imu odometry: waiting for wheels and IMU"
    assert said in result.stderr
