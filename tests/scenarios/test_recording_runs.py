"""Recording a simulation: from its first message, without a gap, and without changing it."""

import threading
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname
from xml.etree import ElementTree

import numpy as np
import pytest

import outrider as o
from outrider.core.errors import RecordingError
from outrider.recording.recorder import RecordingOptions
from outrider.scenarios.recording import RecordingControl
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Drive, RobotEntry, Scenario
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec

STEREO = SensorEntry("eyes", "bumblebee2", set={"width": 64, "height": 48})
LIDAR = SensorEntry("mid", "velodyne-vlp16", topics={"points": "/mid/points"})
LEFT, CLOUD, TRUTH = "/eyes/left/image_raw", "/mid/points", "/ground_truth/state"


def scenario(**keys):
    robot = RobotEntry("jackal", sensors=(STEREO, LIDAR), motion=Drive(speed=0.5))
    return Scenario(world="playground", robots=(robot,), **keys)


@pytest.fixture(scope="module")
def drive(tmp_path_factory):
    path = tmp_path_factory.mktemp("drive") / "drive.mcap"
    options = RecordingOptions(path, ("/eyes/*", "/mid/*", "/ground_truth/*", "/clock", "/cmd_vel"))
    run = Run(scenario(duration_s=2.0), speed=0.0, recording=options)
    result = run.go()
    return path, run, result


def times(path, topic):
    with o.replay(path, [topic]) as replay:
        return [(e.measured_ns, e.log_ns) for e in replay.entries()]


def test_a_recording_flat_out_has_no_gap(drive):
    path, run, _ = drive
    assert run.recorder.report.dropped == {}
    assert [m for m, _ in times(path, "/clock")] == list(range(0, 2_000_000_001, 2_500_000))
    assert [m for m, _ in times(path, TRUTH)] == list(range(0, 2_000_000_001, 20_000_000))
    images = times(path, LEFT)
    assert [m for m, _ in images] == [50_000_000 * k for k in range(len(images))]
    assert len(images) == 39  # the last are under way for 55 ms
    clouds = [m for m, _ in times(path, CLOUD)]
    assert np.diff(clouds) == pytest.approx(1e8)
    assert len(clouds) == 20


def test_images_are_logged_when_they_were_published_not_when_they_were_taken(drive):
    assert {log - measured for measured, log in times(drive[0], LEFT)} == {55_000_000}


def test_recording_does_not_change_the_simulation(drive):
    plain = Run(scenario(duration_s=2.0), speed=0.0).go()
    assert drive[2]["state_hash"] == plain["state_hash"]


def test_a_data_set_takes_three_lines_of_python(tmp_path):
    sim = o.build(scenario())
    with o.record(sim, tmp_path / "set", ["/ground_truth/*", "/mid/points"]):
        sim.run(0.5)
    rows = (tmp_path / "set" / "ground_truth" / "state.csv").read_text().splitlines()
    assert len(rows) == 1 + 25
    assert len(list((tmp_path / "set" / "mid" / "points").iterdir())) == 5


def test_a_reset_while_recording_begins_a_second_file(tmp_path):
    session = o.Session(Scenario(robots=(RobotEntry("jackal"),)))
    with o.record(session, tmp_path / "run.mcap", [TRUTH]) as recorder:
        session.simulation.run(0.2)
        session.reset()
        session.simulation.run(0.1)
    assert [f.name for f in recorder.report.files] == ["run.mcap", "run-2.mcap"]
    assert len(times(tmp_path / "run-2.mcap", TRUTH)) == 6


def test_every_file_describes_the_robots_so_that_viewers_need_nothing_else(tmp_path):
    session = o.Session(Scenario(robots=(RobotEntry("jackal"),)))
    with o.record(session, tmp_path / "run.mcap", ["/robot_description", TRUTH]) as recorder:
        session.simulation.run(0.2)
        session.reset()
        session.simulation.run(0.1)
    assert len(recorder.report.files) == 2
    for file in recorder.report.files:
        with o.replay(file) as replay:
            first, *others = replay.entries()
        assert (first.track.topic, first.track.latched) == ("/robot_description", True)
        assert "/robot_description" not in {entry.track.topic for entry in others}
        urdf = ElementTree.fromstring(first.message.data)
        assert "chassis_link" in {link.get("name") for link in urdf.iter("link")}
        meshes = [mesh.get("filename") for mesh in urdf.iter("mesh")]
        assert meshes
        assert all(Path(url2pathname(urlsplit(mesh).path)).is_file() for mesh in meshes)


def test_a_spawned_robot_is_described_when_it_comes(tmp_path):
    session = o.Session(Scenario(robots=(RobotEntry("jackal"),)))
    with o.record(session, tmp_path / "run.mcap") as recorder:
        session.simulation.run(0.1)
        session.add(RobotEntry("husky", name="second", namespace="second", pose=PoseSpec(3.0)))
        session.simulation.run(0.1)
    counts = recorder.report.counts
    assert counts["/robot_description"] == 1
    assert counts["/second/robot_description"] == 1


def test_a_bad_recording_is_refused_before_anything_is_built(tmp_path):
    with pytest.raises(RecordingError, match=r"suffix '\.xyz'"):
        Run(Scenario(world="no such world"), recording=RecordingOptions(tmp_path / "a.xyz"))


@pytest.fixture
def control():
    run = Run(Scenario(robots=(RobotEntry("jackal"),), duration_s=None), speed=1.0)
    thread = threading.Thread(target=run.go, daemon=True)
    thread.start()
    made = RecordingControl(run.session, run.runner)
    yield made.services()
    made.close()
    run.runner.stop()
    thread.join(20.0)


def test_a_running_simulation_records_when_it_is_asked_to(control, tmp_path):
    path = tmp_path / "live.mcap"
    assert control["record_status"]({}) == {"recording": False}
    assert control["record"]({"file": str(path), "topics": ["/clock", "/tf*"]})["recording"]
    with pytest.raises(RecordingError, match=r"a recording is already running: .*live\.mcap"):
        control["record"]({"file": str(tmp_path / "other.mcap")})
    while control["record_status"]({})["messages"] < 40:
        pass
    done = control["record_stop"]({})
    assert done["recording"] is False
    assert done["dropped"] == 0
    ticks = [m for m, _ in times(path, "/clock")]
    assert np.diff(ticks) == pytest.approx(2_500_000)
    with pytest.raises(RecordingError, match="no recording is running"):
        control["record_stop"]({})


def test_asking_for_a_recording_needs_a_whole_path(control):
    with pytest.raises(RecordingError, match=r"expected an absolute path, got 'drive\.mcap'"):
        control["record"]({"file": "drive.mcap"})


def test_files_can_be_chosen_over_the_local_port_only():
    run = Run(Scenario(robots=(RobotEntry("jackal"),)))
    assert not {"record", "record_stop"} & set(run.runner.services())
