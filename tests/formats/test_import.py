"""outrider import: reports, files of our own, and files of others where ours are expected."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from outrider.cli.main import app
from outrider.core.errors import FormatError, OutriderError
from outrider.formats.asset_paths import AssetPaths, environment_paths
from outrider.formats.import_file import ImportOptions, import_file
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.scenarios.build import build
from outrider.scenarios.load import loads
from outrider.vehicles.robot import load_robot

CRATE = """<sdf version="1.7"><world name="yard"><gravity>0 0 -3</gravity>
<model name="floor"><static>1</static><link name="l"><collision name="c"><geometry><plane/>
</geometry></collision><visual name="v"><geometry><plane><size>50 50</size></plane></geometry>
</visual></link></model><model name="crate"><pose>3 0 0.5 0 0 0</pose><link name="l"><inertial>
<mass>4</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
</world></sdf>"""
PART = """<robot xmlns:xacro="x"><xacro:macro name="part" params="n"><link name="${n}"/>
</xacro:macro></robot>"""
WHOLE = """<robot name="r" xmlns:xacro="x"><xacro:arg name="n" default="a"/>
<xacro:include filename="$(find parts)/part.xacro"/><xacro:part n="$(arg n)"/></robot>"""


def run(*args):
    return CliRunner().invoke(app, [str(arg) for arg in args], catch_exceptions=True)


@pytest.fixture
def yard(tmp_path):
    path = tmp_path / "yard.world"
    path.write_text(CRATE)
    return path


def test_the_report_counts_what_was_read(yard):
    result = run("import", yard, "--json")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert (report["kind"], report["name"]) == ("world", "yard")
    assert (report["models"], report["links"], report["mass_kg"]) == (2, 2, 4)
    assert report["moving"] == ["crate"]
    assert {"applied", "guessed", "ignored", "missing"} <= set(report)
    assert "yard" in run("import", yard).stdout


def test_missing_things_are_reported_or_refused(tmp_path):
    path = tmp_path / "w.sdf"
    mesh = "<visual name='v'><geometry><mesh><uri>gone.dae</uri></mesh></geometry></visual>"
    path.write_text(
        f"<sdf version='1.6'><model name='m'><static>1</static><link name='l'>{mesh}"
        "</link></model></sdf>"
    )
    report = json.loads(run("import", path, "--json").stdout)
    assert "gone.dae" in report["missing"][0]
    assert "searched" in report["missing"][0]
    strict = run("import", path, "--strict")
    assert isinstance(strict.exception, FormatError)


def test_arguments_and_paths_are_handed_on(tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "package.xml").write_text("<package><name>parts</name></package>")
    (tmp_path / "pkg" / "part.xacro").write_text(PART)
    there = tmp_path / "far" / "away"
    there.mkdir(parents=True)
    path = there / "r.xacro"
    path.write_text(WHOLE)
    found = import_file(path, ImportOptions({"n": "base"}, (tmp_path / "pkg",), env={}))
    assert found.models[0].links[0].name == "base"
    result = run("import", path, "--arg", "n:=b", "--path", tmp_path, "--json")
    assert json.loads(result.stdout)["name"] == "r"
    assert isinstance(run("import", path, "--arg", "oops").exception, OutriderError)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("gone.sdf", None, "there is no such file"),
        ("a.yaml", "x: 1", "Outrider's own file"),
        ("a.xml", "<html/>", "expected a <robot>, <sdf> or <mujoco>"),
        ("a.txt", "hello", "not well-formed"),
    ],
)
def test_what_cannot_be_imported_is_one_sentence(tmp_path, name, text, message):
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match=message):
        import_file(tmp_path / name)


def test_a_mesh_by_itself_is_a_thing_that_stands(tmp_path):
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    found = import_file(tmp_path / "t.obj")
    assert found.report.kind == "mesh"
    assert found.report.counts["visual_triangles"] == 1
    assert found.models[0].mobility == "static"


def test_imports_are_written_as_files_of_ours_that_build_the_same_world(yard, tmp_path):
    out = tmp_path / "out"
    report = json.loads(run("import", yard, "--to", out, "--json").stdout)
    assert {p.rpartition("/")[2] for p in report["written"]} == {"yard.yaml", "yard.sdf"}
    first = build_world(load_world_spec(str(yard)))
    second = build_world(load_world_spec(str(out / "yard.yaml")))
    assert [m.name for m in first.models] == [m.name for m in second.models] == ["floor", "crate"]
    assert first.gravity == second.gravity == (0, 0, -3)
    for a, b in zip(first.models, second.models, strict=True):
        assert np.abs(a.pose.matrix - b.pose.matrix).max() < 1e-12
        assert a.mobility == b.mobility


def test_an_imported_robot_written_out_drives_like_itself(shared_data, tmp_path):
    path = shared_data / "create_description/urdf/create_2.urdf.xacro"
    run("import", path, "--to", tmp_path / "out")
    ours = load_robot(tmp_path / "out" / "create_2.yaml")
    theirs = load_robot(path)
    assert ours.spec.drivetrain == theirs.spec.drivetrain
    assert ours.spec.tyre == theirs.spec.tyre
    assert ours.wheels == theirs.wheels
    masses = [sum(k.inertial.mass for k in r.model.links if k.inertial) for r in (ours, theirs)]
    assert masses[0] == masses[1]


def test_scenarios_take_worlds_and_robots_of_others(yard, shared_data):
    robot = shared_data / "jackal_description/urdf/jackal.urdf.xacro"
    scenario = loads(
        f"world: {yard}\nrobots: [{{model: {robot}, motion: {{type: drive, speed: 0.5}}}}]\n"
    )
    simulation = build(scenario)
    names = simulation.rig.assembly.models
    assert {"floor", "crate"} <= set(names)
    for _ in range(800):
        simulation.step()
    pose = next(iter(simulation.robots.values())).pose
    assert pose.position[0] == pytest.approx(1.0, abs=0.1)
    assert pose.position[2] == pytest.approx(0.0635, abs=0.01)


def test_a_robot_file_is_needed_where_nothing_rolls(yard, tmp_path):
    (tmp_path / "post.urdf").write_text('<robot name="p"><link name="a"/></robot>')
    with pytest.raises(OutriderError, match="has no wheels on both sides"):
        load_robot(tmp_path / "post.urdf")
    with pytest.raises(OutriderError, match="has no wheels on both sides"):
        load_robot(yard)


def test_the_variables_of_ros_and_gazebo_are_search_paths(tmp_path):
    for place in ("ros/pkg", "prefix/share/other", "models/tree", "gz/Media/models"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "ros/pkg/package.xml").write_text("<package><name>pkg</name></package>")
    for file in (
        "ros/pkg/a.dae",
        "prefix/share/other/a.dae",
        "models/tree/a.dae",
        "gz/Media/models/ground.dae",
    ):
        (tmp_path / file).write_text("")
    env = {
        "ROS_PACKAGE_PATH": f"{tmp_path / 'ros'}:",
        "AMENT_PREFIX_PATH": str(tmp_path / "prefix"),
        "GAZEBO_MODEL_PATH": str(tmp_path / "models"),
        "GAZEBO_RESOURCE_PATH": str(tmp_path / "gz"),
    }
    (tmp_path / "elsewhere").mkdir()
    paths = AssetPaths(tmp_path / "elsewhere", environment_paths(env))
    assert paths.find("package://pkg/a.dae") == tmp_path / "ros/pkg/a.dae"
    assert paths.find("package://other/a.dae") == tmp_path / "prefix/share/other/a.dae"
    assert paths.find("model://tree/a.dae") == tmp_path / "models/tree/a.dae"
    assert paths.find("model://tree/A.DAE") == tmp_path / "models/tree/a.dae"
    assert paths.find("file://ground.dae") == tmp_path / "gz/Media/models/ground.dae"
    fuel = "https://fuel.gazebosim.org/1.0/someone/models/tree/a.dae"
    assert paths.find(fuel) == tmp_path / "models/tree/a.dae"
    with pytest.raises(FormatError, match="is not fetched"):
        paths.find("https://example.org/a.dae")


@pytest.fixture
def macro_world(tmp_path):
    """A world in xacro whose floor is in another package, and as large as an argument says."""
    package = tmp_path / "packages" / "floors"
    package.mkdir(parents=True)
    (package / "package.xml").write_text("<package><name>floors</name></package>")
    (package / "floor.xacro").write_text(
        '<robot xmlns:xacro="x"><xacro:macro name="floor" params="s"><link name="l"><collision>'
        '<origin xyz="0 0 -0.5"/><geometry><box size="${s} ${s} 1"/></geometry></collision></link>'
        "</xacro:macro></robot>"
    )
    path = tmp_path / "site" / "site.xacro"
    path.parent.mkdir()
    path.write_text(
        '<robot name="site" xmlns:xacro="x"><xacro:arg name="size" default="1"/>'
        '<xacro:include filename="$(find floors)/floor.xacro"/><xacro:floor s="$(arg size)"/>'
        "</robot>"
    )
    return path


def test_run_takes_the_arguments_and_paths_that_import_takes(macro_world, tmp_path):
    paths = ["--path", tmp_path / "packages", "--speed", "0", "--duration", "0.1", "--json"]
    result = run("run", macro_world, "--arg", "size:=30", *paths)
    assert result.exit_code == 0, result.exception
    assert json.loads(result.stdout)["completed"]
    refused = run("run", macro_world, "--speed", "0", "--duration", "0.1")
    assert isinstance(refused.exception, FormatError)
    assert "no package 'floors'" in str(refused.exception)
    assert f"'outrider import {macro_world} --to FOLDER' leaves out" not in str(refused.exception)
    needless = run("run", "demo", "--arg", "size:=30")
    assert "only for other programs' files" in str(needless.exception)


def test_a_run_of_an_incomplete_file_says_how_to_do_without(tmp_path):
    mesh = "<visual name='v'><geometry><mesh><uri>gone.dae</uri></mesh></geometry></visual>"
    path = tmp_path / "yard.world"
    path.write_text(CRATE.replace("</link></model><model", f"{mesh}</link></model><model"))
    refused = run("run", path, "--speed", "0", "--duration", "0.1")
    assert f"'outrider import {path} --to FOLDER' leaves out what is" in str(refused.exception)
    assert run("import", path, "--to", tmp_path / "mine").exit_code == 0
    result = run("run", tmp_path / "mine/yard.yaml", "--speed", "0", "--duration", "0.1")
    assert result.exit_code == 0, result.exception


def test_meshes_and_height_maps_run_as_ground(tmp_path, monkeypatch):
    (tmp_path / "t.obj").write_text("v -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nf 1 2 3\nf 1 3 4\n")
    (tmp_path / "d.asc").write_text(
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 20\n5 5\n5 5\n"
    )
    monkeypatch.chdir(tmp_path)
    for name in ("t.obj", "d.asc"):
        result = run("run", name, "--speed", "0", "--duration", "0.2", "--json")
        assert result.exit_code == 0, result.exception
        z = json.loads(result.stdout)["robots"]["jackal"]["z"]
        assert z == pytest.approx(0.0635, abs=0.01)


def test_a_mesh_beside_its_origin_is_run_in_its_middle(tmp_path, caplog):
    corners = "v 101 200 3\nv 109 200 3\nv 109 208 3\nv 101 208 3\n"
    (tmp_path / "scan.obj").write_text(corners + "f 1 2 3\nf 1 3 4\n")
    result = run("run", tmp_path / "scan.obj", "--speed", "0", "--duration", "0.2", "--json")
    assert result.exit_code == 0, result.exception
    robot = json.loads(result.stdout)["robots"]["jackal"]
    assert (robot["x"], robot["y"]) == (pytest.approx(105, abs=2), pytest.approx(204, abs=2))
    assert robot["z"] == pytest.approx(3.0635, abs=0.03)
    assert "scan.obj is not below x = 0, y = 0: the start is x = 10" in caplog.text


def test_a_mesh_without_a_place_to_stand_is_told_to_be_a_thing(tmp_path):
    (tmp_path / "pane.obj").write_text("v 1 0 0\nv 2 0 0\nv 2 0 2\nv 1 0 2\nf 1 2 3 4\n")
    refused = run("run", tmp_path / "pane.obj", "--speed", "0", "--duration", "0.1")
    assert "pane.obj: no surface of it is level enough to stand on; " in str(refused.exception)


def test_a_run_reads_a_file_of_others_once_until_it_changes(macro_world, tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(
        "outrider.formats.import_once.import_file",
        lambda path, options: calls.append(path) or import_file(path, options),
    )
    scenario = loads(
        f"world: {{models: [{{file: {macro_world}, args: {{size: '30'}},"
        f" search: [{tmp_path / 'packages'}]}}]}}\nrobots: [{{model: jackal}}]\n"
    )
    build(scenario)
    build(scenario)
    assert len(calls) == 1
    part = tmp_path / "packages/floors/floor.xacro"
    part.write_text(part.read_text().replace("-0.5", "-0.25"))
    assert build(scenario)
    assert len(calls) == 2


def test_a_world_of_others_may_call_its_floor_ground_and_use_spaces(tmp_path):
    text = CRATE.replace("'floor'", "'ground'").replace('"floor"', '"ground"')
    path = tmp_path / "yard.world"
    path.write_text(text.replace('"crate"', '"Construction Cone"'))
    simulation = build(loads(f"world: {path}\nrobots: [{{model: jackal}}]\n"))
    simulation.run(0.2)
    assert {"ground", "Construction Cone"} <= set(simulation.rig.assembly.models)
