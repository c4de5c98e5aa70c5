import csv
import json

import pytest

from outrider.core.errors import ConfigError, EvaluationError, FormatError
from outrider.evaluation.runs.folder import read_runs
from outrider.evaluation.runs.measured_run import measured_run
from outrider.evaluation.runs.series import Series, SeriesOptions, run_once, run_series
from outrider.scenarios.load import dump, load, loads

QUICK = """
name: quick
duration_s: 1
physics: {engine: kinematic, step_s: 0.01}
robots: [{model: create, motion: {type: drive, speed: 0.2}}]
expect: [{figure: distance_m, least: 0.1}]
"""


def quick(*more: str):
    return loads(QUICK + "".join(f"{line}\n" for line in more))


def test_a_series_runs_in_processes_is_resumed_and_never_mixed(tmp_path):
    out, seen = tmp_path / "out", set()
    options = SeriesOptions(runs=2, jobs=2, out=out)
    first = run_series(quick(), options, lambda seed, _: seen.add(seed))
    assert [r["seed"] for r in first.results] == [1, 2]
    assert all(r["completed"] and r["reason"] is None and r["jobs"] == 2 for r in first.results)
    assert seen <= {1, 2}
    assert len(json.loads((out / "result.json").read_text())["runs"]) == 2
    rows = list(csv.DictReader((out / "runs.csv").open()))
    assert [row["seed"] for row in rows] == ["1", "2"]
    assert float(rows[0]["distance_m"]) == pytest.approx(first.results[0]["distance_m"])
    again = run_series(quick(), options)
    assert again.kept == [1, 2]
    assert again.results[0]["state_hash"] == first.results[0]["state_hash"]
    with pytest.raises(ConfigError, match="seed-1: holds a run of another scenario"):
        run_series(quick("world: ice"), options)
    changed = json.loads((out / "seed-2" / "result.json").read_text())
    changed["facts"]["outrider"] = "0.0.1"
    (out / "seed-2" / "result.json").write_text(json.dumps(changed))
    with pytest.raises(ConfigError, match=r"was made by outrider 0\.0\.1"):
        run_series(quick(), options)


def test_runs_of_other_settings_are_refused_whatever_their_seed(tmp_path):
    run_once(quick(), SeriesOptions(out=tmp_path))
    with pytest.raises(ConfigError, match="seed-1: holds a run of another scenario"):
        run_once(quick("seed: 9", "world: ice"), SeriesOptions(out=tmp_path))
    with pytest.raises(ConfigError, match="seed-1: holds a run of another scenario"):
        run_series(quick("seed: 9", "world: ice"), SeriesOptions(runs=2, out=tmp_path))
    assert [run.result["seed"] for run in read_runs(tmp_path)] == [1]


def test_a_finished_run_without_the_recording_that_is_asked_for_runs_again(tmp_path):
    first = run_once(quick(), SeriesOptions(out=tmp_path))
    again = run_once(quick(), SeriesOptions(out=tmp_path, record=True))
    assert again.kept == []
    assert again.results[0]["state_hash"] == first.results[0]["state_hash"]
    assert (tmp_path / "seed-1" / "run.mcap").is_file()
    assert run_once(quick(), SeriesOptions(out=tmp_path, record=True)).kept == [1]
    assert run_once(quick(), SeriesOptions(out=tmp_path)).kept == [1]


def test_the_summary_is_of_all_runs_in_the_folder(tmp_path):
    run_once(quick(), SeriesOptions(out=tmp_path))
    run_once(quick("seed: 9"), SeriesOptions(out=tmp_path))
    summary = json.loads((tmp_path / "result.json").read_text())
    assert [run["seed"] for run in summary["runs"]] == [1, 9]
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    assert [row["seed"] for row in rows] == ["1", "9"]


def test_a_run_whose_process_dies_is_a_result_with_a_reason(monkeypatch):
    monkeypatch.setattr("sys.executable", "/bin/false")
    (lost,) = run_series(quick(), SeriesOptions()).results
    assert (lost["seed"], lost["completed"]) == (1, False)
    assert lost["reason"].startswith("its process ended with code 1")
    assert lost["scenario"] == "quick"


def blocked():
    return loads(
        """
duration_s: 1
robots: [{model: create, motion: {type: waypoints, points: [[1, 0], [3, 0]]}}]
obstacles: [{name: box, shape: {type: box, size: [1, 1, 1]}, pose: {x: 3, z: 0.5}}]
"""
    )


def test_way_points_inside_an_obstacle_are_refused_before_the_run_here_and_in_a_process():
    sentence = r"waypoint 1 \(3, 0\) of 'create' lies inside 'box'"
    with pytest.raises(ConfigError, match=sentence):
        measured_run(blocked(), speed=0.0)
    with pytest.raises(ConfigError, match=sentence):
        run_series(blocked(), SeriesOptions())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (SeriesOptions(runs=2, jobs=2, speed=1.0), "would slow each other down"),
        (SeriesOptions(jobs=2, bridges=("ros1",)), "one run at a time"),
        (SeriesOptions(record=True), "add --out DIR"),
    ],
)
def test_what_would_disturb_its_own_measurements_is_refused(options, sentence):
    with pytest.raises(ConfigError, match=sentence):
        run_series(quick(), options)


def test_a_disk_that_cannot_be_written_leaves_the_result_and_says_so(tmp_path):
    (tmp_path / "out").write_text("a file where the folder should be")
    series = run_once(quick(), SeriesOptions(out=tmp_path / "out"))
    assert series.results[0]["completed"]
    assert any("cannot be written" in trouble for trouble in series.troubles)


def test_a_folder_that_cannot_be_written_is_told_before_the_first_run(tmp_path):
    (tmp_path / "out").write_text("a file where the folder should be")
    with pytest.raises(FormatError, match=r"out/result.json: cannot be written: Not a directory"):
        run_series(quick(), SeriesOptions(out=tmp_path / "out"))


def test_files_of_a_run_can_be_read_again(tmp_path):
    series: Series = run_once(
        load("smoke", ["duration_s=1", "expect=[]"]), SeriesOptions(out=tmp_path, record=True)
    )
    (run,) = read_runs(tmp_path)
    assert run.result == series.results[0]
    assert run.truth()["jackal"].length_m == pytest.approx(run.result["distance_m"], rel=0.05)
    assert run.imu()["jackal-imu"].shape[1] == 7
    assert run.resources()[-1][3] > 20  # MB
    assert run.estimate() is None
    assert run.grid() is None
    assert load(run.folder / "scenario.yaml").duration_s == 1
    assert (run.folder / "run.mcap").stat().st_size > 1000
    assert run.result["sensors"]["jackal/imu"]["rate_hz"] == pytest.approx(50, abs=1)


def test_a_robots_name_leads_to_no_other_folder(tmp_path):
    named = ["duration_s=0.1", "expect=[]", "robots.0.name=x/../../../out"]
    run_once(load("smoke", named), SeriesOptions(out=tmp_path / "a" / "b"))
    (run,) = read_runs(tmp_path / "a" / "b")
    assert list(run.truth()) == ["x-..-..-..-out"]
    assert [path for path in tmp_path.rglob("*.tum") if path.parent != run.folder] == []


def test_a_failed_run_says_which_obstacle_or_which_expectation(tmp_path):
    wall = """
name: wall
duration_s: 5
robots: [{model: create, motion: {type: drive, speed: 0.4}}]
obstacles: [{name: brick, shape: {type: box, size: [0.2, 2, 1]}, pose: {x: 0.6, z: 0.5}}]
end: [{type: collision}]
"""
    found = measured_run(loads(wall), speed=0.0).result
    assert not found["completed"]
    assert found["reason"].startswith("create ran into 'brick' at ")
    slow = measured_run(loads(dump(quick()).replace("least: 0.1", "least: 9.0")), speed=0.0).result
    assert slow["reason"] == "create: distance_m is 0.18988, expected at least 9"


def test_empty_and_broken_result_folders_are_named(tmp_path):
    with pytest.raises(EvaluationError, match="holds no results: expected seed-N"):
        read_runs(tmp_path)
    with pytest.raises(EvaluationError, match="there is no result folder"):
        read_runs(tmp_path / "none")
    (tmp_path / "seed-1").mkdir()
    (tmp_path / "seed-1" / "result.json").write_text("{")
    with pytest.raises(EvaluationError, match=r"result\.json: cannot be read as a result"):
        read_runs(tmp_path)
    (tmp_path / "seed-1" / "result.json").write_text("[1]")
    with pytest.raises(EvaluationError, match="is not the result of a run"):
        read_runs(tmp_path)


def test_a_robot_that_hits_another_names_the_other():
    two = """
name: two
duration_s: 3
robots:
  - {model: jackal, name: first, motion: {type: drive, speed: 1.0}}
  - {model: jackal, name: second, pose: {x: 1.0}}
end: [{type: collision}]
"""
    met = measured_run(loads(two), speed=0.0).result["met"]
    assert met["robot"] == "first"
    assert met["what"].startswith("second")
