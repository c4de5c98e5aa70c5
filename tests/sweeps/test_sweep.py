import json
import os
import shlex
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from sweep_files import SHORT, written

from outrider.core.errors import ConfigError
from outrider.scenarios.load import load
from outrider.scenarios.run import Run
from outrider.sweeps.journal import RESULTS
from outrider.sweeps.load import load_sweep
from outrider.sweeps.options import SweepOptions
from outrider.sweeps.sweep import run_sweep
from outrider.sweeps.worst import replay_line, telling_figure, worst_runs


class Watching:
    """Does something after a number of runs."""

    def __init__(self, acts=None):
        self.lines, self.kept, self._acts = [], 0, acts or {}

    def begin(self, total, kept, pool):  # noqa: ARG002
        self.kept = kept

    def done(self, line):
        self.lines.append(line)
        self._acts.get(len(self.lines), lambda: None)()


class StoppedError(Exception):
    """Ends a sweep half-way."""


def stop():
    raise StoppedError


def workers_of_this_process():
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.Error):  # it is just ending
            found += [child] if "outrider.sweeps.worker" in child.cmdline() else []
    return found


def runs_in(folder: Path):
    return [json.loads(text)["run"] for text in (folder / RESULTS).read_text().splitlines()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The sweep, run once without trouble."""
    folder = tmp_path_factory.mktemp("whole")
    found = load_sweep(written(folder))
    return run_sweep(found, SweepOptions(folder / "out", jobs=1))


def test_a_sweep_leaves_a_line_per_run_a_table_and_a_report(whole):
    assert [line["run"] for line in whole.lines] == list(range(1, 11))
    assert sorted(runs_in(whole.folder)) == list(range(1, 11))
    speeds = [line["point"]["robots.0.motion.speed"] for line in whole.lines]
    assert speeds == [pytest.approx(0.2 + 0.2 * (k // 2)) for k in range(10)]
    assert [line["seed"] for line in whole.lines] == [1, 2] * 5
    distances = [line["result"]["distance_m"] for line in whole.lines[::2]]
    assert distances == sorted(distances)
    page = (whole.folder / "report.html").read_text()
    assert "outrider run drive-10s --set" in page
    assert page.count("data:image/png") >= 2
    assert 'src="http' not in page
    rows = (whole.folder / "table.csv").read_text().splitlines()
    assert len(rows) == 11
    assert "wall_time_s" not in rows[0]


def test_a_worker_that_is_killed_costs_nothing_and_a_stopped_sweep_is_continued(whole, tmp_path):
    """First a worker is killed, then the sweep itself stops; the table is the same."""
    found = load_sweep(written(tmp_path))
    options = SweepOptions(tmp_path / "out", jobs=2)

    def kill_one():
        os.kill(workers_of_this_process()[0].pid, signal.SIGKILL)

    with pytest.raises(StoppedError):
        run_sweep(found, options, Watching({2: kill_one, 6: stop}))
    assert len(runs_in(options.out)) == 6
    again = Watching()
    result = run_sweep(found, options, again)
    assert (again.kept, len(again.lines)) == (6, 4)
    assert Counter(runs_in(options.out)) == Counter(range(1, 11))
    assert all(line["completed"] for line in result.lines)
    assert (options.out / "table.csv").read_bytes() == (whole.folder / "table.csv").read_bytes()
    assert not workers_of_this_process()


def test_the_replay_command_gives_the_same_run_again(whole, tmp_path):
    line = whole.lines[6]
    words = shlex.split(replay_line(load_sweep(written(tmp_path)), line))
    assert words[:3] == ["outrider", "run", "drive-10s"]
    result = Run(load(words[2], words[4::2]), speed=0.0).go()
    assert result["state_hash"] == line["result"]["state_hash"]


def test_a_folder_of_another_sweep_is_refused(whole, tmp_path):
    other = load_sweep(written(tmp_path, SHORT.replace("repeats: 2", "repeats: 3")))
    with pytest.raises(ConfigError, match="contains another sweep"):
        run_sweep(other, SweepOptions(whole.folder))


def test_a_run_that_cannot_begin_is_kept_with_its_reason(tmp_path):
    text = SHORT.replace("repeats: 2", "") + "  robots.0.pose.z: [0.5, -5.0]\n"
    text = text.replace("{type: grid, low: 0.2, high: 1.0, count: 5}", "[0.5]")
    found = load_sweep(written(tmp_path, text))
    lines = run_sweep(found, SweepOptions(tmp_path / "out", jobs=1)).lines
    assert lines[0]["completed"]
    assert not lines[1]["completed"]
    assert "jackal" in lines[1]["reason"]


def test_the_worst_runs_are_those_that_miss_what_is_expected_by_most(whole, tmp_path):
    line = whole.lines[0]

    def run(number, value):
        met = {"figure": "lateral_m", "least": -0.1, "most": 0.1, "value": value}
        result = line["result"] | {"expectations": [met]}
        return line | {"run": number, "completed": abs(value) <= 0.1, "result": result}

    lines = [run(1, 0.0), run(2, -0.3), run(3, 0.12), run(4, 0.09)]
    ranked = telling_figure(load_sweep(written(tmp_path)), lines)
    assert [item["run"] for item in worst_runs(lines, ranked)] == [2, 3, 4, 1]


def test_the_replay_command_of_a_run_with_code_trusts_it(tmp_path):
    (tmp_path / "blower.py").write_text("")
    text = "{world: empty, duration_s: 0.1, components: [{file: blower.py, class: Blower}]}"
    (tmp_path / "own.yaml").write_text(text)
    sweep = "{scenario: own.yaml, parameters: {seed: [1, 2]}}"
    found = load_sweep(written(tmp_path, sweep))
    words = shlex.split(replay_line(found, {"point": {"seed": 2}, "seed": 2}))
    assert words == ["outrider", "run", found.source, "--set", "seed=2", "--trust"]
