"""Speed, seek, loop, topics and steering; and files that are broken."""

import bz2
import threading

import lz4.frame
import pytest
from mcap.writer import CompressionType, Writer
from recording_bench import CLOCK, FORMATS, IMU, STATIC, STEP_NS, TRUTH, World, as_said, record_all
from rosbags.rosbag1.reader import Chunk, decompressors
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as BagWriter
from rosbags.rosbag2.enums import CompressionFormat, CompressionMode

from outrider.core.errors import RecordingError
from outrider.messages.store import register, store
from outrider.recording import bag1_chunks, bag2_compression, mcap_chunks
from outrider.recording.replay import Replay, ReplayOptions


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    path = tmp_path_factory.mktemp("drive") / "drive.mcap"
    world, _ = record_all(path, steps=100)
    return path, world


def played(path, **options):
    """Play a recording flat out; return topics and times in their order."""
    seen = []
    with Replay(path, ReplayOptions(speed=0.0, **options)) as replay:
        for topic in replay.bus.topics():
            replay.bus.tap(topic.name, lambda t, _, name=topic.name: seen.append((name, t)))
        replay.run()
    return seen


def test_a_start_in_the_middle_says_first_what_latched_topics_said(drive):
    path, world = drive
    seen = played(path, start_s=0.5)
    assert seen[0] == (STATIC, 0)
    later = [(topic, m) for topic, log, m, _ in world.said if log >= 500_000_000]
    assert seen[1:] == later


def test_an_end_is_the_last_message_that_is_said(drive):
    assert max(t for _, t in played(drive[0], end_s=0.25)) == 250_000_000


def test_chosen_topics_at_a_lower_rate(drive):
    seen = played(drive[0], topics=("/imu/*@10", CLOCK))
    assert {name for name, _ in seen} == {IMU, CLOCK}
    assert sum(name == IMU for name, _ in seen) == 10


def test_a_loop_says_it_all_again(drive):
    path, world = drive
    seen = []
    with Replay(path, ReplayOptions(speed=0.0, loop=True, topics=(CLOCK,))) as replay:

        def count(time_ns, _):
            seen.append(time_ns)
            if len(seen) == 250:
                replay.services()["stop"]({})

        replay.bus.tap(CLOCK, count)
        replay.run()
    once = [m for topic, _, m, _ in world.said if topic == CLOCK]
    assert seen == (once * 3)[:250]
    assert replay.loops == 2


def test_it_can_be_paused_sought_and_resumed_while_it_plays(drive):
    path, _ = drive
    seen = []
    with Replay(path, ReplayOptions(speed=0.0, paused=True, topics=(TRUTH,))) as replay:
        services = replay.services()
        replay.bus.tap(TRUTH, lambda t, _: seen.append(t))
        thread = threading.Thread(target=replay.run)
        thread.start()
        assert services["status"]({})["paused"]
        assert seen == []
        services["seek"]({"time_s": 0.9})
        services["resume"]({})
        thread.join(60.0)
        assert not thread.is_alive()
    assert seen == [900_000_000 + k * STEP_NS for k in range(11)]
    assert services["status"]({})["published"] == 11


def test_twice_the_speed_waits_half_as_long(drive, monkeypatch):
    """The clock is the test's own: what is checked is when the replay says it waits till."""
    from outrider.recording import transport

    now = [100.0]
    monkeypatch.setattr(transport.time, "perf_counter", lambda: now[0])
    made = transport.ReplayTransport(0, 2.0)
    made.begin(0)
    monkeypatch.setattr(made._changed, "wait", lambda timeout: now.__setitem__(0, now[0] + timeout))
    while not made.due(1_000_000_000):
        pass
    assert now[0] == pytest.approx(100.5)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"start_s": 5.0}, r"start must lie between 0 and its length, 1.000 s, got 5.0"),
        ({"start_s": 0.5, "end_s": 0.2}, "end .* lies before start"),
        ({"speed": -1.0}, "speed must lie between 0"),
        ({"topics": ("/imu/dat",)}, r"no topic '/imu/dat' \(did you mean '/imu/data'"),
    ],
)
def test_options_that_cannot_be_are_refused(drive, options, sentence):
    with pytest.raises(RecordingError, match=sentence):
        Replay(drive[0], ReplayOptions(**options))


@pytest.mark.parametrize("name", ["mcap", "mcap-ros1", "rosbag1"])
@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_read_to_its_last_whole_chunk(
    name, share, tmp_path, monkeypatch
):
    monkeypatch.setattr("outrider.recording.mcap_write._CHUNK", 20_000)
    monkeypatch.setattr("outrider.recording.bag1_write._CHUNK", 20_000)
    path = tmp_path / FORMATS[name]
    world, _ = record_all(path, steps=200)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with Replay(path) as replay:
        assert "is truncated" in replay.source.notes[0]
        found = as_said(replay.entries())
    assert len(found) > len(world.said) * (share - 0.2)
    assert found == world.said[: len(found)]


def test_a_damaged_chunk_is_told_not_replayed(tmp_path):
    path = tmp_path / "drive.mcap"
    record_all(path, steps=100)
    data = bytearray(path.read_bytes())
    middle = len(data) // 3
    data[middle : middle + 50] = bytes(50)
    path.write_bytes(data)
    with Replay(path) as replay, pytest.raises(RecordingError, match=r"drive\.mcap: is damaged"):
        list(replay.entries())


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("none.mcap", None, "there is no recording"),
        ("empty.mcap", b"", "is not a recording: it is empty"),
        ("text.bag", b"hello", "it is neither MCAP nor a ROS bag"),
        ("magic.mcap", b"\x89MCAP0\r\n", "holds no messages"),
        ("magic.bag", b"#ROSBAG V2.0\n" + b"\xff" * 40, "holds no messages"),
        ("bad.db3", b"SQLite format 3\0" + b"\0" * 200, "cannot be read"),
    ],
)
def test_what_is_no_recording_is_refused_in_a_sentence(name, content, sentence, tmp_path):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RecordingError, match=sentence):
        Replay(path)


@pytest.mark.parametrize("pack", [bz2.compress, lz4.frame.compress])
def test_a_chunk_that_claims_to_be_enormous_is_refused(pack, monkeypatch):
    monkeypatch.setattr(bag1_chunks, "MOST_BYTES", 1_000_000)
    name = "bz2" if pack is bz2.compress else "lz4"
    for size, fits in ((1000, True), (50_000_000, False)):
        chunk = bag1_chunks.bounded_chunk(Chunk(0, 0, decompressors[name]))
        data = pack(bytes(size))
        if fits:
            assert chunk.decompressor(data) == bytes(size)
        else:
            with pytest.raises(RecordingError, match="more than 1000000 bytes"):
                chunk.decompressor(data)


@pytest.mark.parametrize("pack", [CompressionType.ZSTD, CompressionType.LZ4])
def test_an_mcap_file_whose_chunk_expands_to_very_much_is_refused(pack, tmp_path, monkeypatch):
    for module in (bag1_chunks, mcap_chunks):
        monkeypatch.setattr(module, "MOST_BYTES", 1_000_000)
    path = tmp_path / "bomb.mcap"
    writer = Writer(str(path), compression=pack)
    writer.start()
    schema = writer.register_schema("std_msgs/msg/String", "ros2msg", b"string data")
    channel = writer.register_channel("/note", "cdr", schema)
    writer.add_message(channel, 0, bytes(5_000_000), 0)
    writer.finish()
    assert path.stat().st_size < 50_000
    with Replay(path) as replay, pytest.raises(RecordingError, match=r"bomb\.mcap: a chunk "):
        replay.run()


@pytest.mark.parametrize("mode", [CompressionMode.FILE, CompressionMode.MESSAGE])
def test_a_compressed_ros2_bag_is_read_unless_it_expands_to_very_much(mode, tmp_path, monkeypatch):
    monkeypatch.setattr(bag2_compression, "MOST_BYTES", 1_000_000)
    for length, fits in ((1000, True), (20_000_000, False)):
        path = tmp_path / str(length)
        _write_compressed(path, mode, length)
        assert sum(part.stat().st_size for part in path.iterdir()) < 50_000
        if fits:
            assert len(played(path)) == 1
        else:
            with pytest.raises(RecordingError, match="expands to more than"):
                played(path)


def _write_compressed(path, mode, length):
    """Write a bag with one message of so many letters."""
    types, kind = store(), "std_msgs/msg/String"
    writer = BagWriter(path, version=8, storage_plugin=StoragePlugin.SQLITE3)
    writer.set_compression(mode, CompressionFormat.ZSTD)
    with writer:
        data = types.serialize_cdr(types.types[kind](data="a" * length), kind)
        writer.write(writer.add_connection("/note", kind, typestore=types), 0, data)


def test_a_message_that_is_not_of_its_type_is_told_with_the_file(tmp_path):
    path = tmp_path / "bad.mcap"
    writer = Writer(str(path))
    writer.start()
    schema = writer.register_schema("std_msgs/msg/String", "ros2msg", b"string data")
    writer.add_message(writer.register_channel("/note", "cdr", schema), 0, b"\0\1\0\0\xff\xff", 0)
    writer.finish()
    with Replay(path) as replay, pytest.raises(RecordingError, match=r"bad\.mcap: this is not a"):
        replay.run()


def test_a_plain_folder_is_refused_with_a_hint(tmp_path):
    with pytest.raises(RecordingError, match=r"is not a ROS 2 bag: .*plain folders"):
        Replay(tmp_path)


def test_types_made_at_run_time_are_read_by_their_definition(tmp_path):
    register("my_msgs/msg/Twofold", "geometry_msgs/Point32[] corners\nfloat32 quality\n")
    world = World()
    world.bus.declare("/twofold", "my_msgs/msg/Twofold")
    for name in FORMATS.values():
        with world.recorder(tmp_path / name, ["/twofold"]):
            world.say("/twofold", 0, {"corners": [{"x": 1.5}], "quality": 0.25})
        with Replay(tmp_path / name) as replay:
            (entry,) = replay.entries()
        assert entry.message.corners[0].x == 1.5


def test_a_type_with_other_fields_than_ours_is_left_out_and_told(tmp_path):
    from outrider.recording.mcap_file import McapFile

    path = tmp_path / "other.mcap"
    file = McapFile(path, "ros2")
    schema = file.add_schema("geometry_msgs/msg/Point", "ros2msg", "float32 x\nfloat32 y\n")
    file.add_channel("/point", "cdr", schema, {})
    file.close()
    with pytest.raises(RecordingError, match="holds no messages"):
        Replay(path)
    from outrider.recording.source import open_source

    (note,) = open_source(path).notes
    assert note == (
        "topic '/point' is left out: its geometry_msgs/msg/Point has other fields than ours"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("std_msgs/Empty[] x\n", "x is a list of messages without fields"),
        ("geometry_msgs/Twist[100000] all\n", "messages; at most 1000000 and 1000 are accepted"),
    ],
)
def test_a_type_that_stands_for_a_message_without_end_is_left_out(tmp_path, text, told):
    with (tmp_path / "bomb.mcap").open("wb") as file:
        writer = Writer(file)
        writer.start()
        schema = writer.register_schema("lab/msg/Bomb", "ros1msg", text.encode())
        channel = writer.register_channel("/bomb", "ros1", schema)
        writer.add_message(channel, 0, b"\xff" * 64, 0)
        writer.finish()
    with pytest.raises(RecordingError, match=f"holds no messages.*'/bomb' is left out: .*{told}"):
        Replay(tmp_path / "bomb.mcap", ReplayOptions(speed=0.0))
