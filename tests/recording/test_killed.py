"""A recorder that is killed with signal 9 leaves a recording that can be read."""

import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from mcap.exceptions import EndOfFile
from mcap.records import Message
from mcap.stream_reader import StreamReader
from recording_bench import CLOCK, FORMATS, STEP_NS

from outrider.recording.replay import Replay

SOME = {name: FORMATS[name] for name in ("mcap", "rosbag1", "rosbag2")}
_PROGRAM = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from recording_bench import World
world = World(side=64)
recorder = world.recorder(Path(sys.argv[2]))
report = recorder.report

def run_to(messages):
    while report.messages < messages:
        world.run(10)
        time.sleep(0.05)

run_to(1000)
end = time.monotonic() + 2.5  # chunks are closed every second
while time.monotonic() < end:
    run_to(report.messages + 50)
run_to(report.messages + 200)  # of which the first has closed the chunk before it
print("recorded", flush=True)
time.sleep(1000)
"""


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """All formats recorded at once, each by a process that is killed."""
    folder = tmp_path_factory.mktemp("killed")
    here = str(Path(__file__).parent)
    started = {
        name: subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, here, str(folder / file)], stdout=subprocess.PIPE
        )
        for name, file in {**SOME, "folder": "plain"}.items()
    }
    try:
        for process in started.values():
            assert process.stdout.readline() == b"recorded\n"
    finally:
        for process in started.values():
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stdout.close()
    return folder


@pytest.mark.parametrize("name", list(SOME))
def test_all_to_the_last_chunk_is_there_without_a_gap(killed, name):
    with Replay(killed / FORMATS[name]) as replay:
        assert "is truncated" in replay.source.notes[0]
        ticks = [e.log_ns for e in replay.entries() if e.track.topic == CLOCK]
    assert len(ticks) > 100
    assert ticks == [STEP_NS * (k + 1) for k in range(len(ticks))]


def test_the_mcap_library_reads_it_too(killed):
    found = 0
    with (killed / FORMATS["mcap"]).open("rb") as file, suppress(EndOfFile):
        for record in StreamReader(file, validate_crcs=True).records:
            found += isinstance(record, Message)
    assert found > 300


def test_a_plain_folder_keeps_its_tables_and_pictures(killed):
    rows = (killed / "plain" / "clock.csv").read_text().splitlines()
    pictures = list((killed / "plain" / "front" / "left" / "image_raw").iterdir())
    assert len(rows) > 100
    assert len(pictures) > 10


@pytest.mark.peer
@pytest.mark.skipif(shutil.which("rosbag") is None, reason="python3-rosbag is not installed")
def test_rosbag_makes_an_index_for_it(killed, tmp_path):
    bag = shutil.copy(killed / FORMATS["rosbag1"], tmp_path)
    subprocess.run(["rosbag", "reindex", str(bag)], check=True, capture_output=True, timeout=150)
    told = subprocess.run(["rosbag", "info", bag], check=True, capture_output=True, timeout=150)
    assert b"/front/left/image_raw" in told.stdout
    with Replay(bag) as replay:
        assert replay.source.notes == []


def test_a_replay_into_another_file_repairs_it(killed, tmp_path):
    from outrider.recording.recorder import Recorder, RecordingOptions
    from outrider.recording.replay import ReplayOptions

    whole = tmp_path / "whole.mcap"
    with Replay(killed / FORMATS["mcap"], ReplayOptions(speed=0.0)) as replay:
        with Recorder(
            replay.bus, RecordingOptions(whole, lossless=True), now_ns=lambda: replay.now_ns
        ):
            replay.run()
        expected = [(e.track, e.log_ns, e.measured_ns) for e in replay.entries()]
    with Replay(whole) as repaired:
        assert repaired.source.notes == []
        assert [(e.track, e.log_ns, e.measured_ns) for e in repaired.entries()] == expected
