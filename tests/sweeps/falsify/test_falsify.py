from pathlib import Path

import pytest
from sweep_files import written

from outrider.sweeps.falsify.falsify import falsify, nominal_point
from outrider.sweeps.load import load_search
from outrider.sweeps.options import SweepOptions
from outrider.sweeps.spec import Limit, Uniform
from outrider.sweeps.verdict import begun, judge

SEARCH = """
scenario: drive-10s
set: {duration_s: 0.2, expect: [], physics: {engine: kinematic, step_s: 0.02}}
parameters:
  robots.0.pose.y: {type: uniform, low: -1.0, high: 1.0}
  robots.0.motion.speed: {type: grid, low: 0.1, high: 1.1, count: 3}
falsify: {budget: 12, generation: 6, fail: {figure: robots.jackal.y, most: 0.6}}
"""


def search(folder: Path, out: str):
    return falsify(load_search(written(folder, SEARCH)), SweepOptions(folder / out, jobs=1))


def test_a_search_finds_a_failure_and_a_smaller_one_and_is_continued(tmp_path):
    found = search(tmp_path, "out")
    assert found.first is not None
    assert found.smallest.line["point"]["robots.0.pose.y"] > 0.59
    assert found.smallest.size <= found.first.size
    reason = judge(found.smallest.line, Limit(figure="robots.jackal.y", most=0.6)).reason
    assert reason.startswith("robots.jackal.y is 0.")
    assert reason.endswith(", above 0.6")
    lines = (tmp_path / "out" / "results.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "out" / "results.jsonl").write_text("".join(lines[:7]))
    again = search(tmp_path, "out")
    assert again.result.kept == 7
    assert [line["point"] for line in again.result.lines] == [
        line["point"] for line in found.result.lines
    ]
    assert "smallest disturbance" in (tmp_path / "out" / "report.html").read_text()


IN_A_WALL = """
scenario: drive-10s
set:
  duration_s: 0.1
  expect: []
  physics: {engine: kinematic, step_s: 0.02}
  world: {name: yard, ground: {type: flat}, objects: [WALL]}
parameters:
  robots.0.pose.x: {type: uniform, low: 0.0, high: 4.0}
falsify: {budget: 8, generation: 8}
""".replace("WALL", "{name: wall, shape: {type: box, size: [2.0, 4.0, 2.0]}, pose: {x: 2.0}}")


def test_a_start_that_is_drawn_into_a_wall_is_no_failure_of_the_robot(tmp_path):
    loaded = load_search(written(tmp_path, IN_A_WALL))
    found = falsify(loaded, SweepOptions(tmp_path / "out", jobs=1))
    idle = [line for line in found.result.lines if not begun(line)]
    assert 3 <= len(idle) <= 6
    assert all("inside 'wall'" in line["reason"] for line in idle)
    assert found.first is None
    report = (tmp_path / "out" / "report.html").read_text()
    assert f"{len(idle)} could not begin" in report
    assert "Failed runs" not in report.replace("Failed runs first", "")


def test_the_undisturbed_values_are_those_of_the_scenario(tmp_path):
    found = load_search(written(tmp_path, SEARCH))
    shares = nominal_point(
        found,
        {
            "robots.0.pose.y": Uniform(low=-1.0, high=1.0),  # not in the scenario: the low end
            "robots.0.motion.speed": Uniform(low=0.1, high=1.1),
        },
    )
    assert shares.tolist() == pytest.approx([0.0, 0.2])
