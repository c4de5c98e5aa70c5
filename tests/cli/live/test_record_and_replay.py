"""outrider run --record, outrider record, outrider replay, from the command line."""

import json
import subprocess
import sys

import pytest

from outrider.bridges.local.client import connect
from outrider.cli.main import main


@pytest.fixture
def outrider(tmp_path, monkeypatch, capsys):
    """Runs the command line in a folder of its own; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["outrider", *arguments])
        with pytest.raises(SystemExit) as ending:
            main()
        said = capsys.readouterr()
        return ending.value.code, said.out, said.err

    return run


def test_run_records_and_replay_tells_copies_and_plays(outrider, tmp_path):
    code, _, told = outrider(
        "run",
        "drive-10s",
        "--speed",
        "0",
        "--duration",
        "1",
        "--record",
        "a.mcap",
        "--topics",
        "/tf*,/imu/data@10",
        "--topics",
        "/clock",
    )
    assert code == 0
    assert "recorded " in told
    assert "a.mcap" in told
    code, out, _ = outrider("replay", "a.mcap", "--info", "--json")
    facts = json.loads(out)
    counts = {row["topic"]: row["messages"] for row in facts["topics"]}
    assert counts["/clock"] == 401
    assert counts["/imu/data"] == 10
    assert facts["duration_s"] == 1.0
    code, out, told = outrider(
        "replay",
        "a.mcap",
        "--speed",
        "0",
        "--start",
        "0.5",
        "--topics",
        "/clock",
        "--record",
        "b.bag",
    )
    assert (code, out) == (0, "replayed 201 messages of a.mcap\n")
    assert (tmp_path / "b.bag").is_file()
    code, out, _ = outrider("replay", "b.bag", "--info")
    assert "201 messages over 0.500 s, from 0.500 s on" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("run", "--topics", "/clock"), "--topics, --format, --overwrite and --lossless need"),
        (("run", "--record", "a.mp4"), "a.mp4: no format of recordings has the suffix '.mp4'"),
        (("run", "--record", "a.mcap", "--format", "mcp"), "did you mean 'mcap'"),
        (("replay", "none.mcap"), "there is no recording 'none.mcap'"),
        (("record", "a.mcap"), "no running simulation found; start one with 'outrider run'"),
    ],
)
def test_what_cannot_be_is_one_sentence(outrider, arguments, sentence):
    code, _, told = outrider(*arguments)
    assert code == 2
    assert sentence in told
    assert "Traceback" not in told


def test_record_writes_what_a_running_simulation_says(outrider, tmp_path):
    began = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "outrider",
            "run",
            "drive-10s",
            "--headless",
            "--duration",
            "100000",
        ],
        stderr=subprocess.PIPE,
    )
    try:
        told = began.stderr.readline()
        while b"inspect it" not in told:
            assert told, "the run ended before it told how to inspect it"
            told = began.stderr.readline()
        code, out, told = outrider("record", "live.bag", "--topics", "/clock", "--duration", "1.5")
        assert code == 0, told
        assert "recorded " in out
        with connect() as client:
            client.call("stop")
        began.wait(30)
    finally:
        began.kill()
        began.wait(10)
        began.stderr.close()
    code, out, told = outrider("replay", "live.bag", "--info", "--json")
    assert code == 0, told
    (row,) = json.loads(out)["topics"]
    assert row["messages"] > 20
    assert (tmp_path / "live.bag").is_file()
