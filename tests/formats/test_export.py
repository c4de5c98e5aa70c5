import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from plain_mesh import read_mesh
from written_models import assert_same_links, library_world, little_world, robot

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.formats.export_file import ExportOptions, assets_of, export_file
from outrider.formats.import_file import ImportOptions, as_world, import_file
from outrider.formats.mesh.write import write_mesh
from outrider.formats.urdf.read import read_urdf
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot, make_robot
from outrider.world.inertia import solid_inertial
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, Capsule, Mesh, Sphere
from outrider.world.tessellate import tessellate


def outrider(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "outrider", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("suffix", [".urdf", ".sdf", ".xml", ".glb"])
def test_the_command_writes_every_format_of_a_robot(suffix: str, tmp_path: Path) -> None:
    done = outrider("export", "jackal", "--to", f"out/j{suffix}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"wrote out/j{suffix}\n"
    found = import_file(tmp_path / "out" / f"j{suffix}")
    if suffix != ".glb":
        assert found.report.counts["mass_kg"] == pytest.approx(18.431, abs=1e-9)


@pytest.mark.parametrize("suffix", [".sdf", ".xml"])
def test_a_world_and_its_export_move_alike(suffix: str, tmp_path: Path) -> None:
    """A ball falls on a tilted slab and rolls off: the same from the original and the file."""
    world = _slope()
    path = tmp_path / f"w{suffix}"
    export_file(world, path)
    again = as_world(import_file(path))
    ends = []
    for one in (world, again):
        simulation = Simulation(one, [])
        simulation.run(2.5)  # a thousand steps
        ends.append(simulation.state.bodies["position"].copy())
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)
    assert ends[0][0, 2] < 0.3  # it did come down
    assert abs(ends[0][0, 0]) > 0.2  # and rolled


def _slope() -> World:
    rubber = Material(friction=0.9)
    slab = Geometry(Box((4.0, 4.0, 0.2)), Pose(), rubber)
    ball = Geometry(Sphere(0.15), Pose(), rubber)
    tilt = Pose.from_rpy([0.3, 0.0, -0.1], [0.05, 0.2, 0.4])
    return World(
        "slope",
        (
            Model("slab", (Link("link", None, (slab,), (slab,)),), (), tilt, "static"),
            Model(
                "ball",
                (Link("link", solid_inertial(Sphere(0.15), 1.3), (ball,), (ball,)),),
                (),
                Pose.from_rpy([0.1, 0.05, 0.7], [0.3, 0.2, 0.1]),
            ),
        ),
    )


def test_a_robot_and_its_urdf_drive_alike(tmp_path: Path) -> None:
    export_file(robot("jackal"), tmp_path / "jackal.urdf")
    jackal = load_robot("jackal").bare()
    copy = make_robot(jackal.spec, read_urdf(tmp_path / "jackal.urdf"))
    ends = []
    for one in (jackal, copy):
        simulation = Simulation(library_world("empty"), [Participant(one, "jackal", Pose())])
        simulation.robots["jackal"].drive(0.5, 0.3)
        simulation.run(2.0)
        ends.append(simulation.state.bodies["position"].copy())
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)


def test_a_world_of_the_library_and_a_scenario_can_be_written(tmp_path: Path) -> None:
    for name in ("playground", "smoke"):
        done = outrider("export", name, "--to", "w.sdf", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert as_world(import_file(tmp_path / "w.sdf")).models


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("jackal", "--to", "j.step"), "expected a name that ends in .urdf, .sdf"),
        (("jackall", "--to", "j.urdf"), "did you mean 'jackal'"),
        (("none.urdf", "--to", "j.urdf"), "there is no such file"),
        (("playground", "--to", "p.urdf"), "cannot be one URDF, because 'crate' moves"),
        (("jackal", "--to", "/proc/no/j.urdf"), "cannot be written"),
    ],
)
def test_bad_input_is_one_sentence_and_code_2(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = outrider("export", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*.urdf"))


def test_an_old_file_stays_whole_if_the_new_one_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "robot.urdf"
    export_file(robot("jackal"), path)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FormatError, match="No space left on device"):
        export_file(robot("husky"), path)
    assert path.read_bytes() == before
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_model_without_links_is_refused_in_every_format(tmp_path: Path) -> None:
    for suffix in (".urdf", ".sdf", ".xml", ".glb"):
        with pytest.raises(FormatError, match="has no links"):
            export_file(Model("empty", ()), tmp_path / f"e{suffix}")


def test_large_height_fields_are_images_and_the_loss_is_told(tmp_path: Path) -> None:
    world = little_world()
    done = export_file(world, tmp_path / "w.sdf", ExportOptions(heights="image"))
    assert any("16-bit image" in sentence for sentence in done.lost)
    assert [p.suffix for p in assets_of(tmp_path / "w.sdf").iterdir()].count(".png") == 1


@pytest.mark.parametrize(("suffix", "tolerance"), [(".obj", 0.0), (".stl", 1e-7), (".ply", 0.0)])
def test_meshes_read_back(suffix: str, tolerance: float, tmp_path: Path) -> None:
    solid = tessellate(Capsule(0.3, 1 / 3))
    write_mesh(solid, tmp_path / f"m{suffix}")
    again = read_mesh(tmp_path / f"m{suffix}")
    np.testing.assert_allclose(
        again.vertices[again.faces], solid.vertices[solid.faces], atol=tolerance
    )


def test_a_mesh_of_another_kind_is_refused(tmp_path: Path) -> None:
    triangle = Mesh(np.eye(3), np.array([[0, 1, 2]]))
    with pytest.raises(FormatError, match=r"written as .obj, .stl, .ply, not '.abc'"):
        write_mesh(triangle, tmp_path / "m.abc")


def test_names_that_are_no_file_names_still_get_files(tmp_path: Path) -> None:
    mesh = Geometry(tessellate(Capsule(0.3, 0.5)))
    model = Model("m", (Link("../../up", solid_inertial(Sphere(0.3), 1.0), (mesh,)),))
    export_file(model, tmp_path / "m.urdf")
    assert [p.name for p in (tmp_path / "m_files").iterdir()] == ["up_visual_0.obj"]
    assert_same_links(read_urdf(tmp_path / "m.urdf"), model)


def test_writing_again_takes_away_the_files_of_before_and_no_others(tmp_path):
    def model(*names):
        mesh = tessellate(Box((1.0, 1.0, 1.0)))
        links = tuple(Geometry(replace(mesh), Pose(), name=name) for name in names)
        return Model("m", (Link("l", None, links),), mobility="static")

    for suffix in (".urdf", ".sdf"):  # in MJCF small meshes stand in the file itself
        path = tmp_path / f"m{suffix}"
        export_file(model("a", "b", "c"), path)
        folder = tmp_path / "m_files"
        first = set(folder.iterdir())
        assert len(first) == 3
        (folder / "notes.txt").write_text("the user's own")
        export_file(model("a"), path)
        left = {file.name for file in folder.iterdir()}
        assert len(left) == 2
        assert "notes.txt" in left
        path.unlink()
        for file in folder.iterdir():
            file.unlink()
    for suffix in (".urdf", ".sdf"):
        export_file(model("a", "b"), tmp_path / f"m{suffix}")
    export_file(model("a"), tmp_path / "m.urdf")
    assert import_file(tmp_path / "m.sdf", ImportOptions(lenient=False)).models


def _block(size: float) -> Model:
    """A mesh of one name and any size."""
    mesh = tessellate(Box((size, size, size)))
    return Model("block", (Link("link", None, (Geometry(mesh),)),), mobility="static")


def _size(path: Path) -> float:
    (model,) = import_file(path).models
    return float(np.ptp(model.links[0].visuals[0].shape.vertices[:, 0]))


def test_a_failed_export_leaves_the_meshes_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "block.sdf"
    export_file(_block(1.0), path)

    def full(*_: object) -> None:
        raise FormatError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("outrider.formats.export_file.write_whole", full)
        with pytest.raises(FormatError, match="full"):
            export_file(_block(2.0), path)
    assert _size(path) == pytest.approx(1.0)
    export_file(_block(2.0), path)
    assert _size(path) == pytest.approx(2.0)
    assert len(list(assets_of(path).iterdir())) == 1


def test_two_formats_of_different_things_do_not_share_a_mesh(tmp_path: Path) -> None:
    export_file(_block(1.0), tmp_path / "block.sdf")
    export_file(_block(2.0), tmp_path / "block.urdf")
    assert _size(tmp_path / "block.sdf") == pytest.approx(1.0)
    assert _size(tmp_path / "block.urdf") == pytest.approx(2.0)
