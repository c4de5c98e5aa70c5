"""Choosing topics, rates, full queues, resets, and disks that fill up."""

import csv
import resource
import threading

import pytest
from recording_bench import CLOCK, FORMATS, IMAGE, IMU, STATIC, World, as_said, record_all
from waiting import wait_until

import outrider as o
from outrider.core.errors import RecordingError
from outrider.messages.convert import from_dict
from outrider.recording.mcap_write import McapWriter
from outrider.recording.replay import Replay
from outrider.specs.sensor import SensorEntry


def topics_in(path):
    with Replay(path) as replay:
        return {track.topic: count for track, count in replay.source.tracks.items()}


def test_patterns_choose_topics_and_a_rate_thins_them(tmp_path):
    path = tmp_path / "some.mcap"
    record_all(path, topics=["/imu/*@20", "/tf*"], steps=100)
    assert topics_in(path) == {IMU: 20, STATIC: 1}


def test_the_first_pattern_that_fits_decides(tmp_path):
    path = tmp_path / "some.mcap"
    record_all(path, topics=["clock@10", "*"], steps=100)
    counts = topics_in(path)
    assert counts[CLOCK] == 10
    assert counts[IMU] == 100


@pytest.mark.parametrize(
    ("topics", "sentence"),
    [
        (["/imu/dat"], r"there is no topic '/imu/dat' \(did you mean '/imu/data'\?\)"),
        (["/lidar/*"], r"there is no topic '/lidar/\*'"),
        (["/clock@fast"], r"'/clock@fast' must have a rate in Hz after its @, as @10"),
        (["/clock@0"], "must have a rate"),
    ],
)
def test_topics_that_mean_nothing_are_refused(topics, sentence, tmp_path):
    with pytest.raises(RecordingError, match=sentence):
        World().recorder(tmp_path / "x.mcap", topics)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_exists_is_refused_unless_it_may_be_overwritten(tmp_path):
    path = tmp_path / "drive.mcap"
    record_all(path, steps=5)
    with pytest.raises(RecordingError, match="exists already; choose another name"):
        World().recorder(path)
    world, _ = record_all(path, steps=10, overwrite=True)
    with Replay(path) as replay:
        assert as_said(replay.entries()) == world.said


def test_a_folder_that_holds_no_recording_is_never_removed(tmp_path):
    thesis = tmp_path / "home" / "thesis.txt"
    thesis.parent.mkdir()
    thesis.write_text("three years")
    with pytest.raises(RecordingError, match="without a recording; it is not overwritten"):
        World().recorder(thesis.parent, overwrite=True)
    assert thesis.read_text() == "three years"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x.mpeg", r"no format of recordings has the suffix '.mpeg'.*known: .mcap, .ros1.mcap"),
        ("x.mcpa", r"did you mean '.mcap'"),
    ],
)
def test_an_unknown_suffix_is_refused(name, sentence, tmp_path):
    with pytest.raises(RecordingError, match=sentence):
        World().recorder(tmp_path / name)


def test_a_topic_that_comes_later_is_recorded_too(tmp_path):
    path = tmp_path / "late.mcap"
    world = World()
    with world.recorder(path) as recorder:
        world.run(5)
        world.bus.declare("/robot2/odom", "nav_msgs/msg/Odometry")
        wait_until(lambda: world.bus.channel("/robot2/odom").readers, "the recorder")
        world.say("/robot2/odom", world.now_ns, {"child_frame_id": "robot2"})
    assert recorder.report.counts["/robot2/odom"] == 1


def test_compressed_twins_are_left_out_unless_asked_for(tmp_path):
    for topics, expected in (((), 0), ((f"{IMAGE}*",), 1)):
        world = World()
        world.bus.declare(f"{IMAGE}/compressed", "sensor_msgs/msg/CompressedImage")
        with world.recorder(tmp_path / f"{expected}.mcap", topics) as recorder:
            world.say(f"{IMAGE}/compressed", 0, {"format": "jpeg", "data": b"\xff\xd8"})
        assert recorder.report.counts[f"{IMAGE}/compressed"] == expected


def test_after_a_reset_a_further_file_begins(tmp_path):
    world = World()
    with world.recorder(tmp_path / "run.ros1.mcap") as recorder:
        world.run(20)
        first, world.said = world.said, []
        world.now_ns = 0
        world.run(10)
    names = [file.name for file in recorder.report.files]
    assert names == ["run.ros1.mcap", "run-2.ros1.mcap"]
    for file, said in zip(recorder.report.files, (first, world.said), strict=True):
        with Replay(file) as replay:
            assert as_said(replay.entries()) == said


@pytest.fixture
def held(monkeypatch):
    """A disk that takes nothing until it is let go."""
    gate = threading.Event()
    write = McapWriter.write

    def waiting(self, entry):
        gate.wait(100.0)
        write(self, entry)

    monkeypatch.setattr(McapWriter, "write", waiting)
    return gate


def test_a_full_queue_drops_counts_and_tells_while_the_publisher_goes_on(tmp_path, held):
    told = []
    world = World(side=100)
    recorder = world.recorder(
        tmp_path / "x.mcap", unpaced=lambda: False, tell=told.append, most_bytes=200_000
    )
    world.run(100)
    assert recorder.report.dropped[IMAGE] > 10
    held.set()
    report = recorder.close()
    assert len(told) == 1
    assert "arrived faster than they can be written" in told[0]
    assert report.messages + report.dropped.total() == len(world.said)
    assert topics_in(tmp_path / "x.mcap")[IMAGE] == report.counts[IMAGE]
    assert f"{report.dropped.total()} messages were not written" in report.sentence()


def test_flat_out_the_publisher_waits_and_nothing_is_missing(tmp_path, held):
    world = World(side=100)
    recorder = world.recorder(tmp_path / "x.mcap", unpaced=lambda: True, most_bytes=200_000)
    threading.Timer(0.3, held.set).start()
    world.run(100)
    assert held.is_set(), "the queue cannot hold all of it"
    recorder.close()
    assert recorder._backlog.fullest <= 200_000
    with Replay(tmp_path / "x.mcap") as replay:
        assert as_said(replay.entries()) == world.said


def test_a_message_that_cannot_be_written_costs_only_itself(tmp_path):
    told = []
    world = World()
    with world.recorder(tmp_path / "x.mcap", tell=told.append) as recorder:
        world.run(3)
        channel = world.bus.channel(IMU)
        kind = type(world.bus.subscribe(STATIC).poll()[1])
        bad = world.bus.declare("/bad", kind.__msgtype__)
        wait_until(lambda: bad.readers, "the recorder")
        bad.publish(kind([channel]), world.now_ns)
        world.run(3)
    assert recorder.report.counts[IMU] == 6
    assert recorder.report.dropped == {"/bad": 1}
    assert "a message of '/bad' cannot be written" in told[0]


@pytest.fixture
def small_disk():
    """No file may grow beyond 300 kB: the system itself refuses the write."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_full_disk_ends_the_recording_and_nothing_else(name, tmp_path, small_disk, monkeypatch):
    monkeypatch.setattr("outrider.recording.mcap_write._CHUNK", 50_000)
    monkeypatch.setattr("outrider.recording.bag1_write._CHUNK", 50_000)
    monkeypatch.setattr("outrider.recording.bag2_write._COMMIT_S", 0.0)
    path = tmp_path / FORMATS[name]
    told = []
    world = World(side=64)
    with world.recorder(path, tell=told.append) as recorder:
        world.run(400)  # two megabytes
    assert "the recording ended early" in told[0]
    assert "the simulation goes on" in told[0]
    assert recorder.report.failure
    with Replay(path) as replay:
        found = as_said(replay.entries())
    assert len(found) > 50
    assert found == world.said[: len(found)]


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_recording_that_cannot_begin_is_one_sentence_and_leaves_nothing(name, tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(RecordingError, match="cannot be written"):
            World().recorder(tmp_path / FORMATS[name])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(tmp_path.iterdir())


def test_simulated_times_never_go_back_between_publishing_threads(tmp_path):
    world = World()

    def other():
        for _ in range(300):
            world.bus.publish(IMU, message, world.now_ns)

    message = from_dict(world.bus.channel(IMU).type, {})
    with world.recorder(tmp_path / "x.mcap", [IMU, CLOCK]) as recorder:
        beside = threading.Thread(target=other)
        beside.start()
        world.run(300)
        beside.join()
    assert recorder.report.files == [tmp_path / "x.mcap"]
    assert recorder.report.counts == {IMU: 600, CLOCK: 300}


@pytest.mark.parametrize("name", ["drive", "drive.mcap"])
def test_a_scans_time_is_its_stamp_from_which_its_points_count(name, tmp_path):
    """On the bus it is the end of the revolution: a tenth of a second later."""
    lidar = SensorEntry("lidar", "velodyne-vlp16", topics={"points": "points"})
    sim = o.Simulation(o.load_world("empty"), sensors=(lidar,), engine="kinematic")
    with o.record(sim, tmp_path / name, ["/points"]):
        sim.run(0.35)
    if name == "drive":
        with (tmp_path / name / "points.csv").open(newline="") as file:
            times = [float(row["time_s"]) for row in csv.DictReader(file)]
    else:
        with o.replay(tmp_path / name) as recording:
            entries = [e for e in recording.entries() if e.track.topic == "/points"]
        times = [e.measured_ns * 1e-9 for e in entries]
        assert [e.message.header.stamp.nanosec * 1e-9 for e in entries] == times
    assert times == pytest.approx([0.0, 0.1, 0.2], abs=1e-9)
