import json
from pathlib import Path

import numpy as np
import pytest

from outrider.autonomy.mapping.map_files import GridMap, save_map
from outrider.core.errors import EvaluationError
from outrider.core.frames import Pose
from outrider.evaluation.measures.trajectory import Trajectory
from outrider.evaluation.report import document as doc
from outrider.evaluation.report.markdown import markdown
from outrider.evaluation.report.published import CELLS, SIMULATORS, platt
from outrider.evaluation.report.pyplot import plain_powers, pyplot, save
from outrider.evaluation.report.report import write_comparison, write_report
from outrider.evaluation.runs.figures import table
from outrider.evaluation.runs.folder import write_measured
from outrider.evaluation.runs.measured_run import Measured, Traces
from outrider.scenarios.load import changed, load

pytest.importorskip("matplotlib")


def made_run(folder, seed: int, off: float, settings=(), **more):
    """Write a run of hratc-lidar as if it had been driven: 10 m ahead, estimated ``off`` aside."""
    way = Trajectory.of([(i * 10**8, Pose(np.array([0.1 * i, 0, 0]))) for i in range(101)])
    estimate = Trajectory(way.times_ns, way.positions * [1.0 + off, 1, 1], way.rotations)
    grid = GridMap(np.zeros((40, 40), np.int8), 0.05, np.array([-1.0, -1.0, 0.0]))
    scenario = changed(load("hratc-lidar"), [f"seed={seed}", *settings])
    imu = np.column_stack([np.arange(200) / 50, np.random.default_rng(seed).normal(size=(200, 6))])
    result = {
        "scenario": "hratc-lidar",
        "seed": seed,
        "completed": True,
        "reason": None,
        "robots": {"jackal": {}},
        "sim_time_s": 10.0,
        "real_time_factor": 4.0 + seed,
        "distance_m": 10.0,
        "collisions": 0,
        "start_time_s": 2.5,
        "localization": {
            part: {"max": off * 10, "mean": off * 5, "median": off * 5}
            for part in ("position_m", "rotation_deg")
        },
        "mapping": dict.fromkeys(CELLS, 10 * seed),
        "resources": {"cpu_percent": 90.0, "memory_mb": 300.0, "threads": 7.0},
        "sensors": {"jackal/imu": {"asked_hz": 50.0, "rate_hz": 50.0}},
        "facts": {"outrider": "0.1.0", "processor": "a <fast> one", "parts": {"numpy": "2"}},
    } | more
    rows = [(1.0, 5.0, 90.0, 300.0, 7.0, np.nan, np.nan), (2.0, 10.0, 90.0, 310.0, 7.0, np.nan, 0)]
    traces = Traces({"jackal": way}, estimate, {"jackal/imu": imu}, grid, rows)
    write_measured(folder / f"seed-{seed}", Measured(scenario, result, traces))
    save_map(folder / "truth", GridMap(np.eye(40, dtype=np.int8) * 100, 0.05, grid.origin))


def test_a_report_is_one_page_with_his_columns_beside_ours(tmp_path):
    for seed in (1, 2):
        made_run(tmp_path, seed, 0.01 * seed)
    made = write_report(tmp_path)
    page, text = (path.read_text() for path in made.files)
    assert [path.name for path in made.files] == ["report.html", "report.md"]
    assert "http" not in page.replace("http://www.w3.org", "")  # nothing is fetched
    assert page.count("data:image/") == 7
    assert page.count("<table>") == 7
    assert "a &lt;fast&gt; one" in page  # what comes from files is text, never markup
    for row in (
        "| Real-time factor | 1 | 5.50 | 1.00 | 0.74 |",
        "| Memory | MB | 300.0 | 733.8 | 1,510.3 |",
        "| Outrider | 0.150 | 0.075 | 0.075 | 0.150 | 0.075 | 0.075 |",
        "| ROS-Gazebo | 149.716 | 35.377 | 18.793 | 4.491 | 1.327 | 0.979 |",
        "| ROS-Unity3D | 9,258.4 | 6,501.2 | 9,800.4 | 97,116.4 | 27,264.6 | 222,159.0 |",
    ):
        assert row in text
    for name in ("grids.png", "ways.png", "errors.svg", "checkpoints.svg", "resources.svg"):
        assert (tmp_path / "figures" / name).stat().st_size > 2000
        assert f"](figures/{name})" in text
    assert made.notes == []
    assert made.figures["mean"]["real_time_factor"] == 5.5


def test_runs_of_different_versions_are_told_apart(tmp_path):
    made_run(tmp_path, 1, 0.01)
    made_run(tmp_path, 2, 0.02, facts={"outrider": "0.2.0", "processor": "other"})
    (versions, machines) = write_report(tmp_path).notes
    assert "different versions (outrider 0.1.0" in versions
    assert machines.startswith("The runs come from different machines")


def test_a_folder_of_failed_runs_still_has_a_report(tmp_path):
    made_run(tmp_path, 1, 0.01)
    path = tmp_path / "seed-1" / "result.json"
    lost = {"scenario": "x", "seed": 1, "completed": False, "reason": "its process died: <b>"}
    path.write_text(json.dumps(lost))
    page = write_report(tmp_path).files[0].read_text()
    assert "0 of 1" in page
    assert "its process died: &lt;b&gt;" in page


def test_two_series_are_compared_with_their_significance(tmp_path):
    for seed in (1, 2, 3):
        made_run(tmp_path / "a", seed, 0.010 + 0.0001 * seed)
        made_run(tmp_path / "b", seed, 0.020 + 0.0001 * seed, jobs=2)
    made = write_comparison(tmp_path / "a", tmp_path / "b")
    found = made.figures["differences"]
    assert found["localization.position_m.mean"]["difference"] == pytest.approx(0.05)
    assert found["localization.position_m.mean"]["significant"]
    assert not found["real_time_factor"]["significant"]
    assert made.notes == [
        "The two series had different numbers of runs at a time: timings cannot be compared."
    ]
    text = (tmp_path / "b" / "compare.md").read_text()
    assert "| position error, mean | m | 0.051 |" in text
    assert "significant |" in text
    with pytest.raises(EvaluationError, match="there is no result folder"):
        write_comparison(tmp_path / "a", tmp_path / "c")


def test_broken_traces_and_curves_are_named(tmp_path):
    made_run(tmp_path, 1, 0.01)
    with pytest.raises(EvaluationError, match=r"none\.csv: cannot be read as an error curve"):
        write_report(tmp_path, tmp_path / "none.csv")
    (tmp_path / "seed-1" / "estimate.tum").write_text("0 nonsense")
    with pytest.raises(EvaluationError, match=r"estimate\.tum: cannot be read as a trajectory"):
        write_report(tmp_path)


def test_published_columns_are_those_of_the_thesis():
    best = {
        name: min(scenario.columns[s].position_m[1] for s in SIMULATORS)
        for name, scenario in platt().items()
    }
    assert list(best.values()) == [0.035, 0.490, 0.053, 0.240, 0.063, 0.134, 0.105, 0.431]
    for name, cells in (("hratc-stereo", 372_100), ("agriculture", 895_000), ("lunar", 301_740)):
        for column in platt()[name].columns.values():
            assert sum(column.mapping) == pytest.approx(cells, abs=1.1)


def test_every_robot_has_a_row_and_a_column_of_its_own(tmp_path):
    ways = {"ann": 10.0, "bob": 4.0}
    robots = {name: {"distance_m": way, "collisions": 0.0} for name, way in ways.items()}
    for folder in ("a", "b"):
        made_run(tmp_path / folder, 1, 0.01, robots=robots)
    report = write_report(tmp_path / "a").files[1].read_text()
    assert "| ann, m | bob, m |" in report
    assert "ann, bob" in report  # the card
    compared = write_comparison(tmp_path / "a", tmp_path / "b").files[1].read_text()
    for text in (report, compared):
        assert "\n| distance |" not in text
        first, second = (text.index(f"\n| distance, {name} | m |") for name in ways)
        assert first < second
    assert [row.figure.label for row in table([{"robots": robots}])] == [
        f"{figure}, {name}" for figure in ("distance", "collisions") for name in ways
    ]


@pytest.mark.parametrize(
    ("settings", "command"),
    [
        ((), "outrider scenario run hratc-lidar --runs 1 --seed 2 "),
        (["duration_s=9"], "outrider scenario run series/seed-2/scenario.yaml --runs 1 --seed 2 "),
    ],
)
def test_the_command_that_repeats_the_runs_repeats_their_settings_too(tmp_path, settings, command):
    made_run(tmp_path / "series", 2, 0.01, settings)
    assert command in write_report(tmp_path / "series").files[1].read_text()


def test_a_folder_with_a_space_is_quoted_in_that_command(tmp_path):
    made_run(tmp_path / "my series", 2, 0.01, ["duration_s=9"])
    text = write_report(tmp_path / "my series").files[1].read_text()
    assert "outrider scenario run 'my series/seed-2/scenario.yaml' --runs 1" in text


def test_a_comparison_says_which_settings_differ(tmp_path):
    made_run(tmp_path / "a", 1, 0.01, ["autonomy.odometry.type=wheel-imu"])
    made_run(tmp_path / "b", 2, 0.02, ["autonomy.odometry.type=lidar", "duration_s=9"])
    notes = write_comparison(tmp_path / "a", tmp_path / "b").notes
    duration_s = load("hratc-lidar").duration_s
    assert (
        f"The scenarios differ in duration_s ({duration_s}; 9.0), "
        "autonomy.odometry.type (wheel-imu; lidar)."
    ) in notes
    made_run(tmp_path / "c", 3, 0.02, ["autonomy.odometry.type=wheel-imu"])
    again = write_comparison(tmp_path / "a", tmp_path / "c").notes
    assert not [note for note in again if "differ in" in note]


def test_names_in_a_report_are_text_and_no_markup():
    name = "![x](https://peer.example/x) <img src=y> | ```c``` \\[z](w)\n# heading"
    shown = r"!\[x\](https://peer.example/x) \<img src=y> \| \`\`\`c\`\`\` \\\[z\](w) # heading"
    blocks = (
        doc.Heading(name, 1),
        doc.Paragraph(name),
        doc.Cards((doc.Card(name, name, name),)),
        doc.Table((name,), ((name,),), name),
        doc.ReportImage(Path("figures/x.svg"), name),
    )
    text = markdown(blocks, Path())
    assert text.count(shown) == 10
    assert text.replace(shown, "").count("[") == 1
    assert markdown((doc.Code("```\n# x"),), Path()) == "````\n```\n# x\n````\n"


def test_names_in_pictures_are_no_formulas(tmp_path):
    figure, axes = pyplot().subplots()
    axes.set(title="$x^$", xlabel=r"$\frac{$")
    axes.set_xscale("log")
    plain_powers(axes.xaxis)
    text = save(figure, tmp_path / "x.svg").read_text()
    assert "<!-- $x^$ -->" in text
    assert "mathdefault" not in text
