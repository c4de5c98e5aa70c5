"""What is recorded comes back: every message, both times, the order; other readers agree."""

import pytest
from mcap.reader import make_reader
from recording_bench import CLOUD, FORMATS, IMAGE, LATENCY_NS, STATIC, as_said, record_all
from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

from outrider.recording.replay import Replay


@pytest.fixture(scope="module", params=list(FORMATS))
def recorded(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("recorded") / FORMATS[request.param]
    world, report = record_all(path)
    return path, world, report


def test_a_replay_has_the_same_messages_stamps_and_order(recorded):
    path, world, report = recorded
    assert report.messages == len(world.said) == 397
    assert not report.dropped
    with Replay(path) as replay:
        assert replay.source.notes == []
        assert as_said(replay.entries()) == world.said


def test_an_images_two_times_lie_its_latency_apart(recorded):
    with Replay(recorded[0]) as replay:
        images = [e for e in replay.entries() if e.track.topic == IMAGE]
    assert {e.log_ns - e.measured_ns for e in images} == {LATENCY_NS}


def test_latched_topics_are_known_as_such(recorded):
    with Replay(recorded[0]) as replay:
        assert {t.topic for t in replay.source.tracks if t.latched} == {STATIC}


def test_a_replay_publishes_in_order_onto_its_bus(recorded):
    path, world, _ = recorded
    with Replay(path) as replay:
        replay.transport.set_speed(0.0)
        seen = []
        for topic in replay.bus.topics():
            replay.bus.tap(topic.name, lambda t, _, name=topic.name: seen.append((name, t)))
        replay.run()
    assert seen == [(topic, measured) for topic, _, measured, _ in world.said]


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "mcap-ros1"])
def test_rosbags_reads_the_same(name, tmp_path):
    path = tmp_path / FORMATS[name]
    world, _ = record_all(path)
    store = get_typestore(Stores.ROS2_JAZZY)
    with AnyReader([path], default_typestore=store) as reader:
        assert reader.message_count == len(world.said)
        for connection, _, raw in reader.messages():
            if connection.topic == CLOUD:
                cloud = reader.deserialize(raw, connection.msgtype)
                break
    first = next(values for topic, _, _, values in world.said if topic == CLOUD)
    assert cloud.data.tolist() == first["data"]


@pytest.mark.parametrize(("name", "profile"), [("mcap", "ros2"), ("mcap-ros1", "ros1")])
def test_the_mcap_library_finds_index_schemas_and_both_times(name, profile, tmp_path):
    path = tmp_path / FORMATS[name]
    world, _ = record_all(path)
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        assert reader.get_header().profile == profile
        summary = reader.get_summary()
        assert summary.statistics.message_count == len(world.said)
        assert all(index.compression == "zstd" for index in summary.chunk_indexes)
        found = list(reader.iter_messages(topics=[IMAGE]))
    schema, channel, message = found[0]
    assert schema.name == ("sensor_msgs/msg/Image" if profile == "ros2" else "sensor_msgs/Image")
    assert b"MSG: std_msgs/Header" in schema.data
    assert channel.message_encoding == ("cdr" if profile == "ros2" else "ros1")
    assert message.log_time - message.publish_time == LATENCY_NS
    assert [m.sequence for _, _, m in found] == list(range(1, len(found) + 1))
